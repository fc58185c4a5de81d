/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation, the Nth write, the Nth driver call fails, N = 1, 2, ... until none is left
 * to fail, each time in a complete run from opening the driver to writing the file. No crash, no
 * leak (the sanitizer's and the stub driver's part), one error that tells what failed, no file
 * left behind.
 *
 *   unit_fault_cpu [DEVICE [early]]    `early`: by the stub driver that lacks what came later, of Metal one that samples between commands; exits with 77 if the device is not here, having said why
 */
#define _GNU_SOURCE
#include "support/fault.h"
#include "tests/unit/faults/fault_calls.h"
#include "tests/unit/rig.h"
#include "workloads/workload.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SKIPPED 77
/* Later calls are those of the timer limits and the samples, over and over: where a run takes its time, on
 * real drivers (KT_TEST_REAL_DRIVER) and others (KT_TEST_SOME_CALLS), only some of them are made to
 * fail. */
#define ALL_UP_TO 100
/* A real driver of OpenCL takes longest of all, and its stub has all of them fail. */
#define ALL_UP_TO_REAL_OPENCL 16

/* One format after another: what is whole stays, whatever becomes of the next. */
static const struct {
    kt_format format;
    const char *path;
} files[] = {{KT_FORMAT_JSON, "result.json"},
             {KT_FORMAT_CSV, "result.csv"},
             {KT_FORMAT_MARKDOWN, "result.md"},
             {KT_FORMAT_TABLE, "result.txt"},
             {KT_FORMAT_JSON, "trace.json"}}; /* the last is of the trace */
#define FILE_COUNT (sizeof files / sizeof files[0])

static const char *device_id;
static bool is_early;
static const workload *matmul;
static void *problem;

/* Of an API, whose calls can be made to fail. */
static bool is_of(const char *backend)
{
    return strncmp(device_id, backend, strlen(backend)) == 0;
}

static bool is_of_cuda(void)
{
    return is_of("cuda:") || is_of("hip:");
}

static bool has_driver(void)
{
    return is_of("opencl:") || is_of("vulkan:") || is_of("webgpu:") || is_of("level_zero:") ||
           is_of("metal:") || is_of_cuda();
}

/* ---- one complete run ---- */

typedef struct run {
    kt_fault_kind kind; /* of what is to fail */
    kt_context *context;
    kt_device *device;
    kt_memory *source, *target;
    kt_memory *others[KT_MEMORY_KIND_COUNT];
    kt_program *program, *placed_program;
    kt_job *copy, *steps, *local, *placed;
    workload_run work;
    kt_result *result;
    kt_report *report;
    kt_trace *trace;
    unsigned file_count; /* written */
    bool failed_early;   /* before anything was measured */
    bool is_blocked;     /* the work, in all of the latest of its results */
} run;

/* One that moves by 1 ms with each look: the timer limits is soon satisfied. */
static int64_t jump(void *user)
{
    static _Atomic(int64_t) now_ns; /* any thread may ask */
    return now_ns += 1000000;
}

/* It moves anyway. */
static void do_not_sleep(void *user, int64_t duration_ns) {}

/* From memory of the host, where the device knows some. */
static kt_status make_copy(run *r)
{
    const uint32_t kinds = kt_device_get_info(r->device)->memory_kinds;
    const kt_memory_kind kind = kinds & 1u << KT_MEMORY_HEAP   ? KT_MEMORY_HEAP
                                : kinds & 1u << KT_MEMORY_HOST ? KT_MEMORY_HOST
                                                               : KT_MEMORY_DEFAULT;
    kt_status status = kt_memory_create(r->device, kind, 4096, &r->source);
    if (status == KT_OK)
        status = kt_memory_create(r->device, KT_MEMORY_DEFAULT, 4096, &r->target);
    if (status != KT_OK)
        return status;
    const kt_step step = {
        .kind = KT_STEP_COPY, .src = r->source, .dst = r->target, .copy_bytes = 4096};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    return kt_job_create(r->device, &desc, &r->copy);
}

/* Two that do nothing, where several are timestamped, or ordered, by other calls than one. */
static kt_status make_steps(run *r)
{
    const kt_step steps[] = {{.name = "first", .kind = KT_STEP_EMPTY},
                             {.name = "second", .kind = KT_STEP_EMPTY}};
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "steps", .steps = steps, .step_count = 2};
    bool is_other = is_of("level_zero:") || is_of("metal:");
    return is_other ? kt_job_create(r->device, &desc, &r->steps) : KT_OK;
}

/* One of each kind that the device has. */
static kt_status make_memories(run *r)
{
    const uint32_t kinds = kt_device_get_info(r->device)->memory_kinds;
    kt_status status = KT_OK;
    for (int kind = 0; kind < KT_MEMORY_KIND_COUNT && status == KT_OK; kind++)
        if (kinds & 1u << kind)
            status = kt_memory_create(r->device, (kt_memory_kind)kind, 64, &r->others[kind]);
    return status;
}

/* A kernel with local memory. In CUDA C, which is not the workload's language where there is PTX of
 * it. */
static kt_status make_program(run *r)
{
    static const struct {
        kt_language language;
        const char *source;
    } texts[] = {
        {KT_LANGUAGE_CUDA_C, "extern \"C\" __global__ void nothing() { }"},
        {KT_LANGUAGE_OPENCL_C, "__kernel void nothing(__local int *x, __global int *y) { }"},
        {KT_LANGUAGE_MSL, "kernel void nothing(device int *x, threadgroup int *y) { }"}};
    kt_program_desc desc = {.size = sizeof desc, .entry = "nothing"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !desc.source; i++) {
        desc.language = texts[i].language;
        if (kt_device_get_info(r->device)->languages & (uint32_t)desc.language)
            desc.source = texts[i].source;
    }
    if (!desc.source)
        return KT_OK;
    const kt_program_info *info = NULL;
    kt_status status = kt_program_create(r->device, &desc, &r->program);
    if (status == KT_OK)
        status = kt_program_reflect(r->program, &info);
    return status;
}

/* Gives it so much that CUDA has to be asked for more than usual, and OpenCL a part of a memory. */
static kt_status make_local(run *r)
{
    const kt_arg args[] = {{.value_bytes = is_of("cuda:") ? 65536 : 64},
                           {.memory = r->target, .memory_bytes = 1024}};
    const kt_step step = {
        .program = r->program, .args = args, .arg_count = is_of("opencl:") ? 2 : 1};
    const kt_job_desc job = {.size = sizeof job, .name = "local", .steps = &step, .step_count = 1};
    kt_status status = r->program ? kt_job_create(r->device, &job, &r->local) : KT_OK;
    /* An early driver gives no more, or the question how much there is has failed. */
    return status == KT_LIMIT && is_of("cuda:") ? KT_OK : status;
}

/* A job whose arguments have places. It is not run. */
static kt_status make_placed(run *r)
{
    static const uint32_t value = 1, sizes[] = {8, 2, 1};
    const workload_kernel *fill = workload_find("fill")->kernels;
    const bool is_wgsl = is_of("webgpu:");
    const kt_constant constants[] = {
        {.name = "kt_group_x", .id = 0, .number = 8, .data = &sizes[0], .data_bytes = 4},
        {.name = "kt_group_y", .id = 1, .number = 2, .data = &sizes[1], .data_bytes = 4}};
    kt_program_desc desc = {.size = sizeof desc,
                            .language = is_wgsl ? KT_LANGUAGE_WGSL : KT_LANGUAGE_SPIRV_SHADER,
                            .entry = is_wgsl ? fill->entry : "main",
                            .source = is_wgsl ? fill->wgsl : (const char *)fill->spirv,
                            .source_bytes = is_wgsl ? 0 : fill->spirv_bytes,
                            .constants = constants,
                            .constant_count = 2};
    if (!is_wgsl && !is_of("vulkan:"))
        return KT_OK;
    kt_status status = kt_program_create(r->device, &desc, &r->placed_program);
    const kt_arg uniform = {.value = &value,
                            .value_bytes = sizeof value,
                            .place = KT_PLACE_BINDING,
                            .set = is_wgsl ? 0 : 2,
                            .binding = 1};
    const kt_arg args[] = {{.memory = r->target, .place = KT_PLACE_BINDING},
                           uniform,
                           {.value = &value, .value_bytes = sizeof value, .place = KT_PLACE_PUSH}};
    const kt_step step = {.program = r->placed_program, .args = args, .arg_count = is_wgsl ? 2 : 3};
    const kt_job_desc job = {.size = sizeof job, .name = "placed", .steps = &step, .step_count = 1};
    return status == KT_OK ? kt_job_create(r->device, &job, &r->placed) : status;
}

/* Measures a job and puts what came of it into the report. */
static kt_status measure(run *r, kt_job *job)
{
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .trials = 2, .keep_raw = 1};
    kt_status status = kt_measure(job, &options, &r->result);
    if (status != KT_OK && status != KT_NO_MEMORY)
        assert_non_null(r->result); /* what was measured by then is kept */
    return status == KT_OK ? kt_report_add_result(r->report, &r->result) : status;
}

static bool can_be_followed(kt_device *device)
{
    return !kt_method_is_elapsed_only(kt_device_get_info(device)->clocks[0].method);
}

/* A clock of one's own, beside what the timer limits found. */
static kt_status follow_clock(kt_device *device)
{
    kt_clock *clock = NULL;
    const kt_clock_options options = {.size = sizeof options, .pairs = 4};
    kt_status status = kt_clock_open(device, 0, &options, &clock);
    if (status == KT_OK)
        status = kt_clock_update(clock);
    kt_clock_close(&clock);
    return status;
}

/* Whether flushing caches can still meet what is to fail: it has driver calls and allocations of
 * its own, and writes nothing. Each time it goes through 128 MiB, which takes drivers on the CPU
 * longer than all the rest of a run. The host's caches are too large for so many times. */
static bool flushes(const run *r)
{
    return has_driver() && r->kind != KT_FAULT_WRITE && !kt_fault_fired(r->kind);
}

/* Whether files can still meet what is to fail: they call no driver. */
static bool writes(kt_fault_kind kind, const char *fired)
{
    return kind != KT_FAULT_DRIVER || !fired;
}

/* What came when it was held no more is lost to the series. */
static bool is_all_held(const kt_series *series)
{
    return series->method == KT_METHOD_EVENT_PAIR_BLOCKED &&
           series->discarded[KT_TIMESTAMP_LOST] == 0;
}

/* Both jobs in turns; what one of them cannot do is not the other's loss. */
static kt_status measure_all(run *r)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 2,
                                        .samples_max = 2,
                                        .max_time_ns = 1,
                                        .trace = r->trace};
    kt_measure_options cold = options;
    cold.cold = flushes(r);
    cold.samples_min = cold.samples_max = 1;
    cold.timing = KT_TIMING_DEVICE;
    kt_measure_item items[] = {{.job = r->work.job, .options = &options},
                               {.job = r->copy, .options = &cold}};
    kt_status status = kt_measure_all(items, 2), first = KT_OK;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(items[i].status == KT_OK, items[i].error[0] == '\0');
        if (items[i].status != KT_NO_MEMORY)
            assert_non_null(items[i].result);
        if (first == KT_OK)
            first = items[i].status;
        if (i == 0 && items[i].status == KT_OK)
            r->is_blocked = is_all_held(kt_result_find(items[i].result, "matmul"));
        kt_result_destroy(&items[i].result);
    }
    assert_int_equal(status, first);
    return status;
}

static kt_status fill_report(run *r, const kt_job_desc *desc)
{
    static const double samples_ns[] = {1, 2, 3};
    const kt_baseline baseline = {.workload = "matmul",
                                  .params = desc->params,
                                  .param_count = desc->param_count,
                                  .name = "sequential",
                                  .flags = "-O2",
                                  .samples_ns = samples_ns,
                                  .n = 3};
    kt_status status = kt_report_add_device(r->report, kt_device_get_info(r->device),
                                            kt_device_get_timer_limits(r->device));
    const kt_backend_info *first = kt_backend_get(r->context, 0); /* opens it if nobody has yet */
    if (status == KT_OK)
        status = first->status;
    if (status == KT_OK)
        status = kt_report_add_backend(r->report, first);
    if (status == KT_OK)
        status = kt_report_add_baseline(r->report, &baseline);
    if (status == KT_OK)
        status = kt_report_add_failure(r->report, device_id, desc, KT_SERIES_FAILED, "a failure");
    return status;
}

static kt_status go(run *r)
{
    static const char *const words[] = {"bench", "matmul"};
    const kt_report_desc report = {.size = sizeof report, .command = words, .command_count = 2};
    const kt_context_options options = {.size = sizeof options,
                                        .host_clock = {.now = jump, .sleep = do_not_sleep}};
    const kt_param param = {"size", 8};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "matmul/8",
                        .workload = "matmul",
                        .variant = "naive",
                        .params = &param,
                        .param_count = 1};
    kt_status status = kt_context_create(&r->context, &options);
    if (status == KT_OK)
        status = kt_report_create(&r->report, &report);
    if (status == KT_OK)
        status = kt_trace_create(&r->trace, NULL);
    if (status == KT_OK)
        status = kt_device_open(r->context, device_id, &r->device);
    if (status == KT_OK)
        status = workload_open(&r->work, matmul, problem, r->device, 8, &desc);
    if (status == KT_OK)
        status = make_copy(r);
    if (status == KT_OK)
        status = make_steps(r);
    if (status == KT_OK)
        status = make_memories(r);
    if (status == KT_OK)
        status = make_program(r);
    if (status == KT_OK)
        status = make_placed(r);
    r->failed_early = kt_fault_fired(r->kind) != NULL;
    if (status == KT_OK)
        status = make_local(r);
    if (status == KT_OK && can_be_followed(r->device))
        status = follow_clock(r->device);
    if (status == KT_OK)
        status = measure(r, r->work.job);
    if (status == KT_OK)
        status = measure(r, r->copy);
    if (status == KT_OK && r->steps)
        status = measure(r, r->steps);
    if (status == KT_OK)
        status = measure_all(r);
    if (status == KT_OK)
        status = fill_report(r, &desc);
    while (status == KT_OK && writes(r->kind, kt_fault_fired(r->kind)) &&
           r->file_count < FILE_COUNT) {
        const char *path = files[r->file_count].path;
        status = r->file_count == FILE_COUNT - 1
                     ? kt_trace_write_file(r->trace, path)
                     : kt_report_write_file(r->report, files[r->file_count].format, path);
        r->file_count += status == KT_OK;
    }
    return status;
}

static void clean_up(run *r)
{
    kt_result_destroy(&r->result);
    kt_report_destroy(&r->report);
    kt_trace_destroy(&r->trace);
    kt_job_destroy(&r->placed);
    kt_job_destroy(&r->steps);
    kt_job_destroy(&r->copy);
    kt_job_destroy(&r->local);
    kt_program_destroy(&r->placed_program);
    kt_program_destroy(&r->program);
    for (int kind = 0; kind < KT_MEMORY_KIND_COUNT; kind++)
        kt_memory_destroy(&r->others[kind]);
    kt_memory_destroy(&r->target);
    kt_memory_destroy(&r->source);
    workload_close(&r->work);
    kt_device_close(&r->device);
    kt_context_destroy(&r->context);
}

/* ---- what must be true of it ---- */

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/* Calls whose failure costs knowledge but not the measurement. */
static const char *tolerated(const char *call)
{
    if (strncmp(call, "zes", 3) == 0 || strncmp(call, "nvml", 4) == 0)
        return "the state of the device stays unknown";
    static const struct {
        const char *call, *reason;
    } table[] = {
        {"clGetPlatformInfo", "the platform's name is left out"},
        {"clGetDeviceInfo", "what it asks for stays unknown"},
        {"clGetKernelWorkGroupInfo", "what it asks for stays unknown"},
        {"clGetKernelArgInfo", "what it asks for stays unknown"},
        {"clGetDeviceAndHostTimer", "pairs are had from commands"},
        {"clGetEventProfilingInfo", "the timestamp is in state error and counted"},
        {"vkEnumerateInstanceVersion", "the loader is taken for one of Vulkan 1.0"},
        {"vkEnumerateInstanceExtensionProperties", "no extension of the instance is used"},
        {"vkEnumerateDeviceExtensionProperties", "no extension of the device is used"},
        {"vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", "pairs are had from commands"},
        {"vkGetCalibratedTimestampsEXT", "pairs are had from commands"},
        {"status", "the pass runs again, with samples or without"},
        {"zeDeviceGetGlobalTimestamps", "pairs are had from commands"},
        {"zeEventQueryKernelTimestamp", "the timestamp is in state error and counted"},
        {"zeEventQueryTimestampsExp", "the timestamp is in state error and counted"},
        {"vkGetQueryPoolResults", "the timestamp is in state error and counted"},
        {"wgpuBufferMapAsync", "the timestamps are in state error and counted"},
        {"wgpuBufferGetConstMappedRange", "the timestamps are in state error and counted"},
        {"cuDriverGetVersion", "the version is left out"},
        {"rtcVersion", "the version is left out"},
        {"cuDeviceGetName", "the name is left out"},
        {"cuDeviceGetPCIBusId", "the address stays unknown"},
        {"cuDeviceGetUuid_v2", "the UUID stays unknown"},
        {"cuDeviceGetUuid", "the UUID stays unknown"},
        {"zeDevicePciGetPropertiesExt", "the address stays unknown"},
        {"cuDeviceTotalMem", "how much there is stays unknown"},
        {"cuDeviceGetAttribute", "what it asks for stays unknown"},
        {"cuEventElapsedTime", "the timestamp is in state error and counted"},
        {"cuEventElapsedTime_v2", "the timestamp is in state error and counted"},
        {"nvrtcGetNumSupportedArchs", "the device's own architecture is asked for"},
        {"nvrtcGetSupportedArchs", "the device's own architecture is asked for"},
        {"objc_getClass", "those of samples are not there on older systems"},
        {"alloc", "of a label: without it command buffers tell the times"},
        {"initWithBytes:length:encoding:", "of a label: without it command buffers tell the times"},
        {"processInfo", "the version is left out"},
        {"operatingSystemVersionString", "the version is left out"},
        {"name", "it is left out, or is that of no counter set"},
        {"counterSets", "command buffers tell the times"},
        {"objectAtIndex:", "of counter sets: command buffers tell the times"},
        {"new", "of what samples are made by: command buffers tell the times"},
        {"newCounterSampleBufferWithDescriptor:error:", "command buffers tell the times"},
        {"sampleTimestamps:gpuTimestamp:", "command buffers tell the times"},
        {"resolveCounterRange:", "the timestamps are in state error and counted"},
        {"bytes", "the timestamps are in state error and counted"},
        {"length", "the timestamps are in state error and counted"},
        {"GPUStartTime", "the timestamp is in state zero and counted"},
        {"GPUEndTime", "the timestamp is in state zero and counted"},
        {"supportsCounterSampling:", "command buffers tell the times"},
        {"count", "of counter sets: command buffers tell the times"},
        {"UTF8String", "it is left out, or is that of no counter set"},
        {"registryID", "what it tells stays unknown"},
        {"maxTotalThreadsPerThreadgroup", "of an empty kernel: what is usual is believed"},
        {"type", "of a parameter: it stays unknown"},
        {"access", "of a parameter: it stays unknown"},
        {"index", "of a parameter: it stays unknown"},
        {"arguments", "of parameters nothing is known"},
        {"bufferDataSize", "what it tells stays unknown"},
        {"threadExecutionWidth", "what it tells stays unknown"},
        {"staticThreadgroupMemoryLength", "how much a kernel declares stays unknown"},
        {"hasUnifiedMemory", "its memory is held to be its own"},
        {"maxBufferLength", "how much there is in one piece stays unknown"},
        {"recommendedMaxWorkingSetSize", "how much there is stays unknown"},
        {"maxThreadgroupMemoryLength", "how much there is stays unknown"},
        {"wgpuInstanceWaitAny", "where timestamps are mapped, they are in state error and counted"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].call, call) == 0)
            return table[i].reason;
    return NULL;
}

/* Of what holds a stream: then the work is not held, and that is all. The program's own calls have
 * these names, too. The first measurement has words to hold by of the timer limits's. */
static bool costs_holding(const run *r, const char *call)
{
    static const char *const calls[] = {"cuModuleLoadDataEx", "cuModuleGetFunction",
                                        "cuLaunchKernel", "cuMemHostAlloc"};
    if (!is_of("cuda:"))
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(calls[i], call) == 0)
            return !r->is_blocked || (strcmp(call, "cuMemHostAlloc") == 0 && !r->failed_early);
    return false;
}

/* A device of Metal that cannot be timestamped by samples is timestamped by command buffers, and says
 * why. */
static bool costs_samples(const run *r)
{
    return is_of("metal:") && r->device &&
           strstr(kt_device_get_info(r->device)->quirk, "command buffers tell the times");
}

/* Of the kernel that measures CUDA's core clock: the clock stays unknown. */
static bool costs_clock(const run *r)
{
    kt_device_state state;
    return is_of("cuda:") && kt_device_get_state(r->device, &state) == KT_OK &&
           state.reading[KT_STATE_CORE_CLOCK] == KT_READING_FAILED;
}

typedef struct failure {
    kt_status status;
    const char *text; /* part of the sentence */
} failure;

/* What is sent to objects of Metal: a kernel that is built may be the program's or the backend's
 * own. */
static failure expected_of_metal(const char *call)
{
    static const struct {
        const char *call;
        failure failure;
    } table[] = {
        {"MTLCopyAllDevices", {KT_UNAVAILABLE, "no device"}},
        {"objectAtIndex:", {KT_UNAVAILABLE, "no device"}},
        {"count", {KT_UNAVAILABLE, "no device"}},
        {"functionType", {KT_INVALID, "has no kernel"}},
        {"maxTotalThreadsPerThreadgroup", {KT_LIMIT, "takes groups of at most 0"}},
        {"objc_getClass", {KT_UNAVAILABLE, "there is no class"}},
        {"mach_timebase_info", {KT_UNAVAILABLE, "mach_timebase_info failed"}},
        {"alloc", {KT_BUILD_FAILED, "kernel"}},
        {"initWithBytes:length:encoding:", {KT_BUILD_FAILED, "kernel"}},
        {"newLibraryWithSource:options:error:", {KT_BUILD_FAILED, "does not compile"}},
        {"newComputePipelineStateWithFunction:error:", {KT_BUILD_FAILED, "has no pipeline"}},
        {"newComputePipelineStateWithFunction:options:reflection:error:",
         {KT_BUILD_FAILED, "has no pipeline"}},
        {"newFunctionWithName:", {KT_INVALID, "has no kernel"}},
        {"newBufferWithLength:options:", {KT_NO_MEMORY, "newBufferWithLength:options: gives none"}},
        {"newBufferWithBytesNoCopy:length:options:deallocator:", {KT_NO_MEMORY, "gives none"}},
        {"sampleTimestamps:gpuTimestamp:", {KT_UNSUPPORTED, "gives no time"}},
        {"status", {KT_DRIVER_ERROR, "the command buffer failed"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].call, call) == 0)
            return table[i].failure;
    return (failure){KT_DRIVER_ERROR, call};
}

/* Whether it is what is said of a kernel of the backend's own. */
static bool is_of_own_kernel(failure expected, kt_status status)
{
    bool builds = expected.status == KT_BUILD_FAILED || expected.status == KT_INVALID;
    return is_of("metal:") && builds && status == KT_DRIVER_ERROR &&
           strstr(kt_error_text(), "kerntime_");
}

/* The name of a kernel that could not be made is of none. */
static bool is_of_a_name(failure expected, kt_status status)
{
    return is_of("metal:") && expected.status == KT_BUILD_FAILED && status == KT_INVALID &&
           strstr(kt_error_text(), "has no kernel");
}

/* What a run must end with if this call fails, and the run with it. */
static failure expected_of(const char *call)
{
    if (is_of("metal:"))
        return expected_of_metal(call);
    static const struct {
        const char *call;
        failure failure;
    } table[] = {
        /* One platform without devices is no error, but then there is no device. */
        {"clGetDeviceIDs", {KT_UNAVAILABLE, "has a device"}},
        /* It answers memory or none. */
        {"clSVMAlloc", {KT_NO_MEMORY, "clSVMAlloc"}},
        /* When these fail between two pairs, the clock can be opened anew without them. The second
         * one is called under either name. */
        {"clGetDeviceAndHostTimer", {KT_UNSUPPORTED, "clGetDeviceAndHostTimer failed"}},
        {"vkGetCalibratedTimestampsEXT", {KT_UNSUPPORTED, "vkGetCalibratedTimestamps failed"}},
        {"cuInit", {KT_UNAVAILABLE, "Init failed"}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].call, call) == 0)
            return table[i].failure;
    /* Else it is of a kernel of the backend's own. */
    bool of_a_user = strcmp(call, "clSetKernelArg") == 0 && strstr(kt_error_text(), "argument");
    /* The code that is put in place of the driver's is in each API one that any call may answer. */
    bool is_memory = is_of("vulkan:") || is_of("level_zero:");
    kt_status usual = is_memory ? KT_NO_MEMORY : KT_DRIVER_ERROR;
    const char *symbol = is_of_cuda() ? fault_calls_cuda_symbol(call, is_of("hip:")) : call;
    return (failure){of_a_user ? KT_INVALID : usual, symbol};
}

static void check_failure(kt_fault_kind kind, uint64_t nth, const char *fired, kt_status status)
{
    static const char *const kinds[] = {"driver call", "allocation", "write"};
    failure expected = kind == KT_FAULT_ALLOC   ? (failure){KT_NO_MEMORY, "memory"}
                       : kind == KT_FAULT_WRITE ? (failure){KT_IO_ERROR, "cannot write"}
                                                : expected_of(fired);
    if (status == expected.status && strstr(kt_error_text(), expected.text))
        return;
    if (is_of_own_kernel(expected, status) || is_of_a_name(expected, status))
        return;
    print_error("%s %llu (%s) failed: \"%s\", \"%s\"\n", kinds[kind], (unsigned long long)nth,
                fired, kt_status_name(status), kt_error_text());
    fail();
}

/* How many there were to fail. */
static uint64_t fail_each(kt_fault_kind kind, uint64_t all)
{
    for (uint64_t nth = 1;; nth += nth < all ? 1 : 1 + nth / 4) {
        run r = {.kind = kind};
        kt_path_check_writable(""); /* leaves an error text that is nobody's below */
        kt_fault_set(kind, nth);
        kt_status status = go(&r);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        if (fired)
            fault_calls_note(fired);
        assert_int_equal(count_files(), r.file_count);
        for (unsigned i = 0; i < r.file_count; i++)
            assert_int_equal(unlink(files[i].path), 0);
        if (status != KT_OK) {
            assert_non_null(fired);
            check_failure(kind, nth, fired, status);
        } else {
            assert_int_equal(r.file_count, writes(kind, fired) ? FILE_COUNT : 0);
            if (fired && !tolerated(fired) && !costs_holding(&r, fired) && !costs_samples(&r) &&
                !costs_clock(&r))
                fail_msg("%s failed (number %llu) and nobody noticed", fired,
                         (unsigned long long)nth);
        }
        clean_up(&r);
        if (!fired)
            assert_int_equal(r.is_blocked, is_of("cuda:"));
        if (!fired)
            return nth - 1;
    }
}

static uint64_t all_up_to(void)
{
    if (getenv("KT_TEST_REAL_DRIVER") && is_of("opencl:"))
        return ALL_UP_TO_REAL_OPENCL;
    return getenv("KT_TEST_REAL_DRIVER") || getenv("KT_TEST_SOME_CALLS") ? ALL_UP_TO : UINT64_MAX;
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC, all_up_to());
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(count > 50);
}

static void every_write(void **state)
{
    uint64_t count = fail_each(KT_FAULT_WRITE, UINT64_MAX);
    print_message("%llu writes\n", (unsigned long long)count);
    assert_true(count >= 2 * FILE_COUNT + 1); /* a buffer and the renaming, JSON has two buffers */
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER, all_up_to());
    print_message("%llu driver calls\n", (unsigned long long)count);
    if (has_driver())
        assert_true(count > ALL_UP_TO);
    else /* the thread of the device; sim has no driver */
        assert_int_equal(count, is_of("cpu:") ? 1 : 0);
}

static void every_function_of_the_driver(void **state)
{
    if (is_of_cuda() && !getenv("KT_TEST_REAL_DRIVER"))
        assert_int_equal(fault_calls_print_wrong_of_cuda(is_of("hip:"), is_early), 0);
#if KT_HAVE_LEVEL_ZERO
    else if (is_of("level_zero:"))
        assert_int_equal(fault_calls_print_wrong_of_level_zero(is_early), 0);
#endif
    else if (is_of("metal:"))
        assert_int_equal(fault_calls_print_wrong_of_metal(!is_early), 0);
    else if (is_of("vulkan:") && getenv("KT_TEST_REAL_DRIVER"))
        assert_int_equal(fault_calls_print_wrong(), 0);
    else
        skip();
}

/* 0 if the device is here; else says why not, and what to exit with. */
static int find_device(void)
{
    kt_context *context;
    kt_device_info info;
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    kt_status status = kt_device_describe(context, device_id, &info);
    if (status != KT_OK)
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
    kt_context_destroy(&context);
    return status == KT_OK ? 0 : status == KT_UNAVAILABLE ? SKIPPED : 1;
}

int main(int argc, char **argv)
{
    device_id = argc > 1 ? argv[1] : "cpu:0";
    is_early = argc > 2 && strcmp(argv[2], "early") == 0;
    char folder[] = "unit_fault_XXXXXX";
    matmul = workload_find("matmul");
    int missing = find_device();
    if (missing)
        return missing;
    if (matmul->problem_create(8, &problem) != KT_OK || !mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(every_write),
        cmocka_unit_test(every_driver_call),
        cmocka_unit_test(every_function_of_the_driver),
    };
    int failed = cmocka_run_group_tests_name(device_id, tests, NULL, NULL);
    matmul->problem_destroy(problem);
    if (failed == 0 && (chdir("..") != 0 || rmdir(folder) != 0))
        failed = 1;
    return failed;
}
