/* SPDX-License-Identifier: MIT */
/*
 * Every call and macro of the instrumentation API, for compiled_out.py, as C and as C++: with
 * -DKT_COMPILED_OUT, and with the calls deleted here (-DCALLS_DELETED; sites as well with
 * -DSITES_DELETED). KT_COMPILED_OUT must come to the same. Without the optimiser some answers are
 * no constants, and their calls are left out: -DNO_ANSWERS.
 */
#include <kerntime/snapshot.h>
#include <kerntime/timer/cpu.h>
#include <kerntime/timer/cuda.h>
#include <kerntime/timer/hip.h>
#include <kerntime/timer/level_zero.h>
#include <kerntime/timer/metal.h>
#include <kerntime/timer/opencl.h>
#include <kerntime/timer/vulkan.h>
#include <kerntime/timer/webgpu.h>
#include <math.h>
#include <string.h>

#ifdef CALLS_DELETED
#define CALL(call) /* that returns nothing, or whose answer is ignored */
#define SCOPE(scope)
#else
#define CALL(call)   call
#define SCOPE(scope) scope;
#endif

#if defined(CALLS_DELETED) || defined(NO_ANSWERS)
#define ANSWER(call, constant) constant /* what it answers */
#define HANDLE(call, handle)   handle = NULL
#else
#define ANSWER(call, constant) call
#define HANDLE(call, handle)   call
#endif

#if defined(SITES_DELETED)
#define SITE(variable, name, backend) struct deleted
#elif defined(CALLS_DELETED)
#define SITE(variable, name, backend) static kt_site variable __attribute__((unused))
#else
#define SITE(variable, name, backend) KT_SITE(variable, name, backend)
#endif

/* Not variables of functions: those stand elsewhere in a frame once their address is taken, be it
 * where nothing gets to. */
typedef struct handles {
    struct CUstream_st *cuda_stream;
    struct ihipStream_t *hip_stream;
    struct _ze_context_handle_t *context;
    struct _ze_device_handle_t *device;
    struct _ze_command_list_handle_t *list;
    struct _cl_command_queue *queue;
    struct _cl_event *event;
    struct VkCommandBuffer_T *commands;
    struct WGPUCommandEncoderImpl *encoder;
    struct WGPUPassTimestampWrites *writes;
    void *metal_device, *metal_commands, *metal_encoder;
    kt_timer_context *cpu, *cuda, *hip, *level_zero, *metal, *opencl, *vulkan, *webgpu;
    kt_timer *timer;
    kt_recording *recording;
    kt_snapshot *before, *after;
    kt_comparison *comparison;
    kt_timer_context_counts counts;
    kt_clock_state clock;
    kt_sink sink;
    double ns;
} handles;

#ifdef __cplusplus
extern "C"
#endif
    double
    instrumentation_api(handles *h);

SITE(outer, "outer", KT_BACKEND_CPU);

struct bits {
    unsigned duration : 8;
};

struct pair {
    double first, second;
};

static double record(double seconds)
{
    SITE(record, "as the function", KT_BACKEND_CUDA);
    SCOPE(KT_SCOPE("scope"))
    struct bits bits = {7};
    double duration_ns = seconds * 1e9;
    CALL(kt_enable();)
    CALL(kt_record(&outer, duration_ns);)
    CALL(kt_record(&record, duration_ns += 1);)
    CALL(kt_record(&record, bits.duration);)
    CALL(kt_record_cycles(&record, 1, 2);)
#ifndef __cplusplus /* a compound literal has commas of its own, which are none of a macro's */
    CALL(kt_record(&record, (struct pair){1, 2}.second);)
#endif
    if (seconds > 1)
        CALL(kt_record_name("made at run time", KT_BACKEND_NONE, duration_ns));
    else
        CALL(kt_disable());
    CALL(kt_reset();)
    duration_ns += ANSWER(kt_is_enabled(), 0);
    return duration_ns + ANSWER(kt_backend_id_name(KT_BACKEND_CPU), "none")[0] + bits.duration;
}

static double read(handles *h)
{
    HANDLE(kt_snapshot_take(&h->before), h->before);
    HANDLE(kt_snapshot_compare(h->before, h->after, &h->comparison), h->comparison);
    const kt_row *row = ANSWER(kt_snapshot_row(h->before, 0), NULL);
    const kt_row *found = ANSWER(kt_snapshot_find(h->before, "outer", KT_BACKEND_CPU), NULL);
    const kt_row_change *change = ANSWER(kt_comparison_row(h->comparison, 0), NULL);
    double sum = (row || found || change) + ANSWER(kt_row_percentile(row, 95), NAN);
    sum +=
        ANSWER(kt_snapshot_count(h->before), 0u) + ANSWER(kt_comparison_count(h->comparison), 0u);
    sum += (double)ANSWER(kt_snapshot_dropped(h->before), 0u);
    CALL(kt_snapshot_write(h->before, KT_FORMAT_TABLE, &h->sink);)
    CALL(kt_snapshot_write_file(h->before, KT_FORMAT_JSON, "file");)
    CALL(kt_registry_print(stdout);)
    CALL(kt_report_at_exit("file.txt");)
    CALL(kt_comparison_write(h->comparison, &h->sink);)
    CALL(kt_comparison_destroy(&h->comparison);)
    CALL(kt_snapshot_destroy(&h->before);)
    return sum;
}

static double stream(handles *h)
{
    const kt_opencl_import import = {sizeof import, h->queue, 0};
    HANDLE(kt_timer_context_import_cpu(&h->cpu), h->cpu);
    HANDLE(kt_timer_context_import_opencl(&import, &h->opencl), h->opencl);
#if !defined(__cplusplus) && \
    !defined(NO_ANSWERS) /* without the optimiser it has a place in the frame */
    HANDLE(
        kt_timer_context_import_opencl(&(kt_opencl_import){sizeof import, h->queue, 7}, &h->opencl),
        h->opencl);
    CALL(kt_snapshot_write(h->before, KT_FORMAT_TABLE, &(kt_sink){.write = NULL});)
#endif
    HANDLE(kt_timer_create(h->opencl, "timer", &h->timer), h->timer);
    CALL(kt_timer_context_add_opencl_queue(h->opencl, h->queue);)
    CALL(kt_timer_start(h->timer, h->queue);)
    CALL(kt_timer_stop(h->timer, h->queue);)
    CALL(kt_timer_add_opencl_event(h->timer, h->event);)
    CALL(kt_collect(h->opencl);)
    CALL(kt_timer_wait(h->timer, 0);)
    CALL(kt_timer_context_wait(h->opencl, 0);)
    CALL(kt_timer_elapsed(h->timer, &h->ns);)
    ANSWER(kt_timer_context_get_counts(h->opencl, &h->counts),
           memset(&h->counts, 0, sizeof h->counts));
    double sum = ANSWER(kt_timer_elapsed(h->timer, &h->ns), KT_UNAVAILABLE);
    const kt_clock_info *clock = ANSWER(kt_timer_context_get_clock(h->opencl, 0), NULL);
    struct _cl_event **place = ANSWER(kt_timer_event_opencl(h->timer), NULL);
    CALL(kt_timer_destroy(&h->timer);)
    CALL(kt_timer_context_close(&h->opencl);)
    return sum + (double)import.size + (clock != NULL) + (place != NULL);
}

static double streams_of_gpus(handles *h)
{
    const kt_cuda_import cuda = {sizeof cuda, NULL, h->cuda_stream, 0};
    const kt_hip_import hip = {sizeof hip, h->hip_stream, 0};
    HANDLE(kt_timer_context_import_cuda(&cuda, &h->cuda), h->cuda);
    HANDLE(kt_timer_context_import_hip(&hip, &h->hip), h->hip);
    CALL(kt_timer_context_add_cuda_stream(h->cuda, NULL);)
    CALL(kt_timer_context_add_hip_stream(h->hip, NULL);)
    return (double)cuda.size + (double)hip.size;
}

static double recording(handles *h)
{
    const kt_vulkan_import import = {sizeof import, NULL, NULL, NULL, 0, 0, 0, NULL};
    const kt_recording_options options = {sizeof options, 2};
    HANDLE(kt_timer_context_import_vulkan(&import, &h->vulkan), h->vulkan);
    HANDLE(kt_recording_create(h->vulkan, &options, &h->recording), h->recording);
    CALL(kt_recording_begin_vulkan(h->recording, h->commands, 0);)
    CALL(kt_recording_start(h->recording, h->timer);)
    CALL(kt_recording_stop(h->recording, h->timer);)
    CALL(kt_recording_submit(h->recording);)
    CALL(kt_recording_reset(h->recording);)
    CALL(kt_recording_destroy(&h->recording);)
    return (double)import.size + (double)options.size;
}

static double lists(handles *h)
{
    const kt_level_zero_import import = {sizeof import, h->context, h->device, 0};
    HANDLE(kt_timer_context_import_level_zero(&import, &h->level_zero), h->level_zero);
    CALL(kt_timer_context_add_level_zero_list(h->level_zero, h->list);)
    CALL(kt_timer_context_remove_level_zero_list(h->level_zero, h->list);)
    CALL(kt_recording_begin_level_zero(h->recording, h->list);)
    const struct _ze_event_handle_t *own = ANSWER(kt_timer_event_level_zero(h->timer), NULL);
    const struct _ze_event_handle_t *recorded =
        ANSWER(kt_recording_event_level_zero(h->recording, h->timer), NULL);
    return (double)import.size + (own != NULL) + (recorded != NULL);
}

static double passes(handles *h)
{
    const kt_webgpu_import import = {sizeof import, NULL, NULL, 0, 0, NULL};
    HANDLE(kt_timer_context_import_webgpu(&import, &h->webgpu), h->webgpu);
    const struct WGPUPassTimestampWrites *writes =
        ANSWER(kt_timer_pass_webgpu(h->timer, h->encoder, h->writes), NULL);
    CALL(kt_timer_context_resolve_webgpu(h->webgpu, h->encoder);)
    CALL(kt_timer_context_submitted_webgpu(h->webgpu, h->encoder);)
    CALL(kt_timer_context_discard_webgpu(h->webgpu, h->encoder);)
    return (double)import.size + (writes != NULL);
}

static double encoded(handles *h)
{
    const kt_metal_import import = {sizeof import, h->metal_device, 0};
    HANDLE(kt_timer_context_import_metal(&import, &h->metal), h->metal);
    CALL(kt_timer_pass_metal(h->timer, h->metal_commands, NULL);)
    CALL(kt_timer_start_metal(h->timer, h->metal_commands, h->metal_encoder);)
    CALL(kt_timer_stop_metal(h->timer, h->metal_encoder);)
    CALL(kt_timer_add_metal_commands(h->timer, h->metal_commands);)
    CALL(kt_timer_context_discard_metal(h->metal, h->metal_commands);)
    CALL(kt_timer_context_calibrate(h->metal);)
    CALL(kt_timer_context_get_clock_state(h->metal, 0, &h->clock);)
    return (double)import.size;
}

double instrumentation_api(handles *h)
{
    return record(2) + read(h) + stream(h) + streams_of_gpus(h) + recording(h) + lists(h) +
           passes(h) + encoded(h);
}
