/* What the program's own devices are to kerntime: they are told of here, and let go. */
#include "core.h"
#include "slots.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "ticks.h"

#include <kerntime/native/cpu.h>
#include <kerntime/native/cuda.h>
#include <kerntime/native/hip.h>
#include <kerntime/native/level_zero.h>
#include <kerntime/native/metal.h>
#include <kerntime/native/opencl.h>
#include <kerntime/native/vulkan.h>
#include <kerntime/native/webgpu.h>
#include <math.h>
#include <stdio.h>

void kt_native_release(kt_native *native)
{
    kt_mutex_lock(native->mutex);
    bool unused = --native->references == 0;
    kt_mutex_unlock(native->mutex);
    if (!unused)
        return;
    kt_free_kept(&native->chunks, &native->chunk_count);
    kt_mutex_destroy(native->calibrating);
    kt_mutex_destroy(native->collecting);
    kt_mutex_destroy(native->mutex);
    kt_free(native);
}

kt_status kt_native_check(const kt_native *native)
{
    return native->closed ? kt_fail(KT_INVALID, "the device was closed") : KT_OK;
}

/* What all have in common; the caller makes the rest. */
static kt_status create(kt_backend_id id, uint32_t spans_max, kt_native **out)
{
    kt_native *native = kt_alloc(1, sizeof *native);
    if (!native)
        return KT_NO_MEMORY;
    native->id = id;
    native->references = 1;
    native->opened_ns = kt_host_now_ns();
    native->spans_max = spans_max ? spans_max : KT_SPANS_DEFAULT;
    kt_status status = kt_mutex_create(&native->mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&native->collecting);
    if (status == KT_OK)
        status = kt_mutex_create(&native->calibrating);
    if (status == KT_OK) {
        *out = native;
        return KT_OK;
    }
    kt_mutex_destroy(native->collecting);
    kt_mutex_destroy(native->mutex);
    kt_free(native);
    return status;
}

/* Whether it does while the native may live; of a width that is not known, it may. */
static bool wraps(const kt_clock_info *clock)
{
    bool counts = clock->name[0] && !kt_method_gives_distances(clock->method);
    return counts && (clock->valid_bits == 0 || !isinf(kt_ticks_wrap_ns(clock)));
}

kt_status kt_native_import(const kt_backend *backend, kt_backend_id id, const void *desc,
                           uint32_t spans_max, kt_native **out)
{
    kt_native *native = NULL;
    if (!backend->native_init) /* its row alone was built */
        return kt_fail(KT_UNAVAILABLE, "kerntime was built without headers for %s", backend->title);
    kt_status status = create(id, spans_max, &native);
    if (status != KT_OK)
        return status;
    native->state = kt_alloc(1, backend->native_size);
    if (!native->state) {
        kt_native_release(native);
        return KT_NO_MEMORY;
    }
    native->backend = backend;
    status = backend->native_init(native->state, desc, native->clocks);
    for (uint32_t i = 0; i < KT_CLOCKS_MAX; i++) {
        native->wraps |= wraps(&native->clocks[i]);
        native->clocks[i].period_uncertainty_ns = NAN; /* where the core finds it, it says more */
    }
    if (status == KT_OK)
        status = kt_native_open_clocks(native);
    if (status == KT_OK)
        *out = native;
    else
        kt_native_close(&native);
    return status;
}

static void close_recordings(kt_native *native)
{
    for (kt_recording *recording = native->recordings; recording; recording = recording->next) {
        kt_mutex_lock(recording->mutex);
        kt_slots_drop_run(recording, KT_STAMP_LOST);
        kt_slots_clear_recording(recording);
        native->backend->recording_fini(recording->state);
        kt_free(recording->state);
        recording->state = NULL;
        recording->phase = KT_RECORDING_EMPTY;
        kt_mutex_unlock(recording->mutex);
    }
    native->recordings = NULL;
}

void kt_native_close(kt_native **native)
{
    kt_native *n = *native;
    if (!n)
        return;
    *native = NULL;
    if (n->backend) {
        kt_mutex_lock(
            n->collecting); /* another thread may be at it, and have missed the newest spans */
        kt_slots_collect(n, true);
        n->closed = true;
        kt_slots_clear_streams(n);
        close_recordings(n);
        kt_mutex_unlock(n->collecting);
        kt_native_close_clocks(n);
        if (n->backend->native_fini)
            n->backend->native_fini(n->state);
        kt_free(n->state);
        n->state = NULL;
    }
    n->closed = true;
    kt_native_release(n);
}

const kt_clock_info *kt_native_get_clock(const kt_native *native, uint32_t index)
{
    bool is_there = native && index < KT_CLOCKS_MAX && native->clocks[index].name[0];
    return is_there ? &native->clocks[index] : NULL;
}

void kt_native_get_counts(const kt_native *native, kt_native_counts *out)
{
    *out = (kt_native_counts){0};
    if (!native)
        return;
    kt_mutex_lock(native->mutex);
    *out = native->counts;
    out->in_flight = native->awaited;
    kt_mutex_unlock(native->mutex);
}

/* ---- one API each ---- */

kt_status kt_native_import_cpu(kt_native **out)
{
    kt_native *native = NULL;
    kt_status status = create(KT_BACKEND_CPU, 0, &native);
    if (status != KT_OK)
        return status;
    native->clocks[0] = (kt_clock_info){.name = "host",
                                        .method = KT_METHOD_HOST_WALL,
                                        .period_ns = 1,
                                        .period_uncertainty_ns = NAN,
                                        .frequency_hz = NAN,
                                        .valid_bits = 64,
                                        .uncertainty_ns = 0,
                                        .period_source = KT_SOURCE_TOLD,
                                        .relation_source = KT_SOURCE_TOLD};
    snprintf(native->clocks[0].domain, sizeof native->clocks[0].domain, "%s",
             kt_system_clock_name());
    *out = native;
    return KT_OK;
}

char kt_no_stream;

static kt_stream *find_stream(kt_native *native, const void *handle)
{
    uint32_t count = native->stream_count;
    for (uint32_t i = 0; i < count; i++)
        if (native->streams[i].handle == handle)
            return &native->streams[i];
    return NULL;
}

static kt_status add_stream(kt_native *native, void *handle)
{
    if (find_stream(native, handle))
        return KT_OK;
    uint32_t count = native->stream_count;
    kt_stream *stream = find_stream(native, &kt_no_stream);
    if (!stream && count == KT_STREAMS_MAX)
        return kt_fail(KT_LIMIT, "%d queues were imported already, as many as may be",
                       KT_STREAMS_MAX);
    bool is_new = !stream;
    if (is_new)
        stream = &native->streams[count];
    kt_status status = native->backend->stream_init(native->state, handle, &stream->in_order);
    if (status != KT_OK)
        return status;
    stream->handle = handle;
    if (is_new)
        native->stream_count = count + 1; /* the one that makes it found */
    return KT_OK;
}

/* Whether a span of it was not taken in yet; both mutexes are held. */
static bool is_in_use(const kt_native *native, const kt_stream *stream)
{
    bool in_use = stream->stopped.first != NULL;
    for (const kt_timer *timer = native->timers; timer; timer = timer->next)
        in_use |= timer->running && timer->stream == stream->handle;
    return in_use;
}

static kt_status remove_stream(kt_native *native, const void *handle)
{
    kt_stream *stream = find_stream(native, handle);
    if (!stream)
        return kt_fail(KT_INVALID, "this queue was not imported");
    kt_mutex_lock(native->collecting); /* who is at it has the spans in hand */
    kt_mutex_lock(native->mutex);
    bool in_use = is_in_use(native, stream);
    if (!in_use)
        stream->handle = &kt_no_stream;
    kt_mutex_unlock(native->mutex);
    kt_mutex_unlock(native->collecting);
    return in_use ? kt_fail(KT_INVALID, "spans of this queue were not taken in yet: stop them, and "
                                        "call kt_native_wait()")
                  : KT_OK;
}

/* A native and its first stream. */
static kt_status import_stream(const kt_backend *backend, kt_backend_id id, const void *desc,
                               uint32_t spans_max, void *handle, kt_native **out)
{
    kt_native *native = NULL;
    kt_status status = kt_native_import(backend, id, desc, spans_max, &native);
    if (status == KT_OK)
        status = add_stream(native, handle);
    if (status == KT_OK)
        *out = native;
    else
        kt_native_close(&native);
    return status;
}

/* One more, for a native of that backend. */
static kt_status add_stream_of(const kt_backend *backend, kt_native *native, void *handle)
{
    if (!native)
        return KT_UNAVAILABLE;
    if (native->backend != backend)
        return kt_fail(KT_INVALID, "this is no device of %s", backend->title);
    return add_stream(native, handle);
}

kt_status kt_native_import_cuda(const kt_cuda_import *desc, kt_native **out)
{
    kt_cuda_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_cuda_import");
    if (status != KT_OK)
        return status;
    return import_stream(&kt_backend_cuda, KT_BACKEND_CUDA, &given, given.spans_max, given.stream,
                         out);
}

kt_status kt_native_add_cuda_stream(kt_native *native, struct CUstream_st *stream)
{
    return add_stream_of(&kt_backend_cuda, native, stream);
}

kt_status kt_native_import_hip(const kt_hip_import *desc, kt_native **out)
{
    kt_hip_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_hip_import");
    if (status != KT_OK)
        return status;
    return import_stream(&kt_backend_hip, KT_BACKEND_HIP, &given, given.spans_max, given.stream,
                         out);
}

kt_status kt_native_add_hip_stream(kt_native *native, struct ihipStream_t *stream)
{
    return add_stream_of(&kt_backend_hip, native, stream);
}

kt_status kt_native_import_level_zero(const kt_level_zero_import *desc, kt_native **out)
{
    kt_level_zero_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_level_zero_import");
    if (status != KT_OK)
        return status;
    if (!given.context || !given.device)
        return kt_fail(KT_INVALID, "no %s to import", given.context ? "device" : "context");
    return kt_native_import(&kt_backend_level_zero, KT_BACKEND_LEVEL_ZERO, &given, given.spans_max,
                            out);
}

kt_status kt_native_add_level_zero_list(kt_native *native,
                                        struct _ze_command_list_handle_t *immediate)
{
    if (native && !immediate)
        return kt_fail(KT_INVALID, "no list to import");
    return add_stream_of(&kt_backend_level_zero, native, immediate);
}

kt_status kt_native_remove_level_zero_list(kt_native *native,
                                           struct _ze_command_list_handle_t *immediate)
{
    if (!native)
        return KT_UNAVAILABLE;
    if (native->backend != &kt_backend_level_zero)
        return kt_fail(KT_INVALID, "this is no device of %s", kt_backend_level_zero.title);
    kt_status status = kt_native_check(native);
    return status == KT_OK ? remove_stream(native, immediate) : status;
}

kt_status kt_native_import_metal(const kt_metal_import *desc, kt_native **out)
{
    kt_metal_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_metal_import");
    if (status != KT_OK)
        return status;
    if (!given.device)
        return kt_fail(KT_INVALID, "no device to import");
    return kt_native_import(&kt_backend_metal, KT_BACKEND_METAL, &given, given.spans_max, out);
}

kt_status kt_native_import_opencl(const kt_opencl_import *desc, kt_native **out)
{
    kt_opencl_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_opencl_import");
    if (status != KT_OK)
        return status;
    if (!given.queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return import_stream(&kt_backend_opencl, KT_BACKEND_OPENCL, &given, given.spans_max,
                         given.queue, out);
}

kt_status kt_native_add_opencl_queue(kt_native *native, struct _cl_command_queue *queue)
{
    if (native && !queue)
        return kt_fail(KT_INVALID, "no queue to import");
    return add_stream_of(&kt_backend_opencl, native, queue);
}

kt_status kt_native_import_vulkan(const kt_vulkan_import *desc, kt_native **out)
{
    kt_vulkan_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_vulkan_import");
    if (status != KT_OK)
        return status;
    if (!given.instance || !given.physical_device || !given.device)
        return kt_fail(KT_INVALID, "no %s to import",
                       !given.instance          ? "instance"
                       : !given.physical_device ? "physical device"
                                                : "device");
    return kt_native_import(&kt_backend_vulkan, KT_BACKEND_VULKAN, &given, given.spans_max, out);
}

kt_status kt_native_import_webgpu(const kt_webgpu_import *desc, kt_native **out)
{
    kt_webgpu_import given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_webgpu_import");
    if (status != KT_OK)
        return status;
    if (!given.instance || !given.device)
        return kt_fail(KT_INVALID, "no %s to import", given.instance ? "device" : "instance");
    return kt_native_import(&kt_backend_webgpu, KT_BACKEND_WEBGPU, &given, 0, out);
}
