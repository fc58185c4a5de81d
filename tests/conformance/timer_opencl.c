/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program of a user's own with timers in its queue, on a real driver.
 *
 *   conformance_timer_opencl DEVICE         a part of the device's or the platform's name; 77 if there is no device
 *
 * Where the driver's timestamps tell no times, nothing can be imported.
 */
#include "tests/opencl_can.h"
#include "tests/unit/testing.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <dlfcn.h>
#include <kerntime/kerntime.h>
#include <kerntime/timer/opencl.h>
#include <stdio.h>

#define LOADER  "libOpenCL.so.1"
#define SKIPPED 77

enum { RUNS = 50, ITEMS = 4096, ITERATIONS = 200 };

#define FUNCTIONS(X)             \
    X(clGetPlatformIDs)          \
    X(clGetPlatformInfo)         \
    X(clGetDeviceIDs)            \
    X(clGetDeviceInfo)           \
    X(clCreateContext)           \
    X(clReleaseContext)          \
    X(clCreateCommandQueue)      \
    X(clReleaseCommandQueue)     \
    X(clCreateProgramWithSource) \
    X(clBuildProgram)            \
    X(clReleaseProgram)          \
    X(clCreateKernel)            \
    X(clReleaseKernel)           \
    X(clSetKernelArg)            \
    X(clCreateBuffer)            \
    X(clReleaseMemObject)        \
    X(clEnqueueNDRangeKernel)    \
    X(clEnqueueReadBuffer)       \
    X(clGetEventProfilingInfo)   \
    X(clReleaseEvent)            \
    X(clFlush)                   \
    X(clFinish)

static struct {
#define POINTER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    FUNCTIONS(POINTER)
#undef POINTER
} cl;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem memory;

static const char *const source = "__kernel void churn(__global uint *out, uint iterations) {\n"
                                  "    uint i = get_global_id(0), x = i;\n"
                                  "    for (uint k = 0; k < iterations; k++)\n"
                                  "        x = (x ^ (x >> 15)) * 0x2c1b3c6du + k;\n"
                                  "    out[i] = x;\n"
                                  "}\n";

/* ---- the program ---- */

static bool load(void)
{
    void *library = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library;
#define LOAD(name)                                  \
    symbol = symbol ? dlsym(library, #name) : NULL; \
    memcpy(&cl.name, &symbol, sizeof symbol);
    FUNCTIONS(LOAD)
#undef LOAD
    return symbol != NULL;
}

static void open_program(cl_command_queue_properties properties)
{
    const cl_uint iterations = ITERATIONS;
    const char *text = source; /* the call wants a pointer that may be written */
    cl_int code;
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    queue = cl.clCreateCommandQueue(context, device, properties, &code);
    assert_int_equal(code, CL_SUCCESS);
    program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(cl.clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
    kernel = cl.clCreateKernel(program, "churn", &code);
    assert_int_equal(code, CL_SUCCESS);
    memory = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_uint), NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(cl.clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
    assert_int_equal(cl.clSetKernelArg(kernel, 1, sizeof iterations, &iterations), CL_SUCCESS);
}

static void close_program(void)
{
    cl.clReleaseMemObject(memory);
    cl.clReleaseKernel(kernel);
    cl.clReleaseProgram(program);
    cl.clReleaseCommandQueue(queue);
    cl.clReleaseContext(context);
}

static void enqueue(cl_event *event)
{
    const size_t items = ITEMS;
    assert_int_equal(
        cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event),
        CL_SUCCESS);
}

static double event_ns(cl_event event)
{
    cl_ulong start = 0, end = 0;
    assert_int_equal(
        cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
        CL_SUCCESS);
    assert_int_equal(
        cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
        CL_SUCCESS);
    return (double)(end - start);
}

/* ---- timers in it ---- */

static kt_timer_context *import(void)
{
    kt_timer_context *timer_context = NULL;
    const kt_opencl_import desc = {.size = sizeof desc, .queue = queue};
    EXPECT_OK(kt_timer_context_import_opencl(&desc, &timer_context));
    return timer_context;
}

/* Returns how many stops came late, which depends on how busy the machine is. */
static uint64_t check_row(const char *name, uint64_t count)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, name, KT_BACKEND_OPENCL);
    assert_non_null(row);
    assert_int_equal(row->count, count);
    assert_true(row->min_ns > 0);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(row->discarded[i], 0);
    uint64_t late = row->stop_late;
    assert_true(late <= count);
    print_message("%s: %g to %g ns, mean %g ns, %u late\n", name, row->min_ns, row->max_ns,
                  row->mean_ns, (unsigned)late);
    kt_snapshot_destroy(&snapshot);
    return late;
}

/* A kernel lies within the markers around it and another, and these within what the host saw. */
static void markers_and_events(void **state)
{
    kt_timer *both = NULL, *second = NULL;
    open_program(CL_QUEUE_PROFILING_ENABLE);
    kt_timer_context *timer_context = import();
    EXPECT_OK(kt_timer_create(timer_context, "both", &both));
    EXPECT_OK(kt_timer_create(timer_context, "second", &second));
    kt_reset();
    for (int i = 0; i < RUNS; i++) {
        cl_event event = NULL;
        double both_ns, second_ns;
        int64_t begin_ns = kt_host_now_ns();
        EXPECT_OK(kt_timer_start(both, queue));
        enqueue(NULL);
        enqueue(&event);
        EXPECT_OK(kt_timer_stop(both, queue));
        EXPECT_OK(kt_timer_add_opencl_event(second, event));
        assert_int_equal(cl.clFinish(queue), CL_SUCCESS);
        double host_ns = (double)(kt_host_now_ns() - begin_ns);
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_OK(kt_timer_elapsed(both, &both_ns));
        EXPECT_OK(kt_timer_elapsed(second, &second_ns));
        EXPECT_NUMBER(second_ns, event_ns(event));
        if (!(second_ns > 0 && second_ns < both_ns && both_ns <= host_ns))
            fail_msg("run %d: %g within %g ns, of which the host saw %g ns", i, second_ns, both_ns,
                     host_ns);
        cl.clReleaseEvent(event);
    }
    check_row("both", RUNS);
    check_row("second", RUNS);
    kt_timer_destroy(&both);
    kt_timer_destroy(&second);
    kt_timer_context_close(&timer_context);
    close_program();
}

/* The event of a blocking call is the time of its command alone, which lies within the markers. */
static void blocking_calls(void **state)
{
    cl_uint out[ITEMS];
    kt_timer *around = NULL, *read = NULL;
    open_program(CL_QUEUE_PROFILING_ENABLE);
    kt_timer_context *timer_context = import();
    EXPECT_OK(kt_timer_create(timer_context, "around", &around));
    EXPECT_OK(kt_timer_create(timer_context, "read", &read));
    kt_reset();
    enqueue(NULL);
    for (int i = 0; i < RUNS; i++) {
        double around_ns, read_ns;
        EXPECT_OK(kt_timer_start(around, queue));
        cl_event *place = kt_timer_event_opencl(read);
        assert_non_null(place);
        assert_int_equal(
            cl.clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, place),
            CL_SUCCESS);
        EXPECT_OK(kt_timer_stop(around, queue));
        assert_int_equal(cl.clFinish(queue), CL_SUCCESS);
        EXPECT_OK(kt_collect(timer_context));
        EXPECT_OK(kt_timer_elapsed(around, &around_ns));
        EXPECT_OK(kt_timer_elapsed(read, &read_ns));
        EXPECT_NUMBER(read_ns, event_ns(*place));
        if (!(read_ns > 0 && read_ns < around_ns))
            fail_msg("run %d: %g ns within %g ns", i, read_ns, around_ns);
    }
    check_row("around", RUNS);
    assert_int_equal(check_row("read", RUNS), 0);
    kt_timer_destroy(&around);
    kt_timer_destroy(&read);
    kt_timer_context_close(&timer_context);
    close_program();
}

/* Nobody finishes the queue: it is flushed, asked while it runs, and each span comes once. */
static void never_finished(void **state)
{
    kt_timer *timer = NULL;
    kt_timer_context_counts counts;
    open_program(CL_QUEUE_PROFILING_ENABLE);
    kt_timer_context *timer_context = import();
    EXPECT_OK(kt_timer_create(timer_context, "frames", &timer));
    kt_reset();
    int64_t begin_ns = kt_host_now_ns();
    for (int i = 0; i < RUNS; i++) {
        EXPECT_OK(kt_timer_start(timer, queue));
        enqueue(NULL);
        EXPECT_OK(kt_timer_stop(timer, queue));
        assert_int_equal(cl.clFlush(queue), CL_SUCCESS);
        EXPECT_OK(kt_collect(timer_context));
    }
    EXPECT_OK(kt_timer_wait(timer, 0));
    double host_ns = (double)(kt_host_now_ns() - begin_ns), newest_ns;
    EXPECT_OK(kt_timer_elapsed(timer, &newest_ns));
    assert_true(newest_ns > 0 && newest_ns <= host_ns);
    kt_timer_context_get_counts(timer_context, &counts);
    assert_int_equal(counts.recorded, RUNS);
    assert_int_equal(counts.in_flight, 0);
    check_row("frames", RUNS);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    close_program();
}

static void without_profiling(void **state)
{
    kt_timer_context *timer_context = NULL;
    open_program(0);
    const kt_opencl_import desc = {.size = sizeof desc, .queue = queue};
    EXPECT_STATUS(kt_timer_context_import_opencl(&desc, &timer_context), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "PROFILING");
    assert_null(timer_context);
    close_program();
}

static void untrusted(void **state)
{
    kt_timer_context *timer_context = NULL;
    open_program(CL_QUEUE_PROFILING_ENABLE);
    const kt_opencl_import desc = {.size = sizeof desc, .queue = queue};
    EXPECT_STATUS(kt_timer_context_import_opencl(&desc, &timer_context), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "untrusted timestamps");
    assert_null(timer_context);
    enqueue(NULL); /* the program goes on without */
    assert_int_equal(cl.clFinish(queue), CL_SUCCESS);
    close_program();
}

/* 0 if the right device is here; else what to exit with. */
static int find_device(const char *name)
{
    char text[512] = "";
    cl_platform_id platform;
    cl_uint count = 0;
    if (!load() || cl.clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0 ||
        cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) != CL_SUCCESS) {
        printf("skipped: there is no OpenCL device\n");
        return SKIPPED;
    }
    cl.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text / 2, text, NULL);
    size_t length = strlen(text);
    text[length] = ' ';
    cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text / 2, text + length + 1, NULL);
    printf("%s\n", text);
    return strstr(text, name) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_and_events), cmocka_unit_test(blocking_calls),
        cmocka_unit_test(never_finished), cmocka_unit_test(without_profiling)};
    const struct CMUnitTest fake[] = {cmocka_unit_test(untrusted)};
    int failed = find_device(argc > 1 ? argv[1] : "");
    if (failed)
        return failed;
    return opencl_can_tell_times() ? cmocka_run_group_tests(tests, NULL, NULL)
                                   : cmocka_run_group_tests(fake, NULL, NULL);
}
