/* What the program's own devices are to kerntime: they are told of here, and let go. */
#include "timer/native.h"

#include "clock/ticks.h"
#include "support/alloc.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "timer/native_clocks.h"
#include "timer/recording.h"

#include <math.h>

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

kt_status kt_native_check_api(const kt_native *native, const kt_backend *backend)
{
    return native->backend == backend
               ? KT_OK
               : kt_fail(KT_INVALID, "this is no device of %s", backend->title);
}

int64_t kt_native_begin_ns(const kt_native *native)
{
    return native->wraps ? kt_host_now_ns() : native->opened_ns;
}

kt_status kt_native_create(kt_backend_id id, uint32_t spans_max, kt_native **out)
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
    const kt_instrumentation *calls = backend->instrumentation;
    if (!calls) /* its row alone was built */
        return kt_fail(KT_UNAVAILABLE, "kerntime was built without headers for %s", backend->title);
    kt_status status = kt_native_create(id, spans_max, &native);
    if (status != KT_OK)
        return status;
    native->state = kt_alloc(1, calls->native_size);
    if (!native->state) {
        kt_native_release(native);
        return KT_NO_MEMORY;
    }
    native->backend = backend;
    native->calls = calls;
    status = calls->native_init(native->state, desc, native->clocks);
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
        native->calls->recording_fini(recording->state);
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
        if (n->calls->native_fini)
            n->calls->native_fini(n->state);
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
