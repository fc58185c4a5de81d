/* One case or more for each key of the script. */
#include "selftest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static void case_no_platform(void)
{
    cl_platform_id platform = NULL;
    cl_uint count = 99;
    CHECK(cl.clGetPlatformIDs(1, &platform, &count) == CL_PLATFORM_NOT_FOUND_KHR);
    CHECK(count == 0 && !platform);
}

static void case_no_device(void)
{
    cl_platform_id platform = NULL;
    cl_uint count = 99;
    CHECK(cl.clGetPlatformIDs(1, &platform, &count) == CL_SUCCESS && count == 1);
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) == CL_DEVICE_NOT_FOUND);
    CHECK(count == 0);
}

static cl_ulong device_number(cl_device_id device, cl_device_info key, size_t bytes)
{
    cl_ulong wide = 0;
    size_t narrow = 0;
    CHECK(cl.clGetDeviceInfo(device, key, bytes, bytes == sizeof wide ? (void *)&wide : &narrow,
                             NULL) == CL_SUCCESS);
    return bytes == sizeof wide ? wide : narrow;
}

static void case_devices(void)
{
    cl_platform_id platform = NULL;
    cl_device_id devices[4] = {NULL};
    cl_uint count = 0;
    CHECK(cl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 4, devices, &count) == CL_SUCCESS);
    CHECK(count == 3 && devices[2] && devices[2] != devices[1] && !devices[3]);
    CHECK(device_number(devices[2], CL_DEVICE_TYPE, sizeof(cl_ulong)) == CL_DEVICE_TYPE_CPU);
    CHECK(device_number(devices[0], CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)) == 80);
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count) == CL_DEVICE_NOT_FOUND);
}

static void case_kernel_ns(void)
{
    struct world world;
    cl_ulong timestamps[4];
    world_open(&world);
    cl_event event = dispatch(&world);
    timestamps_of(event, timestamps);
    CHECK(timestamps[3] - timestamps[2] == 5000 && timestamps[2] - timestamps[0] == 200);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

static void case_empty_ns(void)
{
    struct world world;
    cl_ulong timestamps[4];
    world_open(&world);
    cl_event empty = dispatch(&world);
    cl_event marker = NULL;
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 0, NULL, &marker) == CL_SUCCESS);
    timestamps_of(empty, timestamps);
    CHECK(timestamps[3] - timestamps[2] == 150);
    timestamps_of(marker, timestamps);
    CHECK(timestamps[3] - timestamps[2] == 5000);
    CHECK(cl.clReleaseEvent(empty) == CL_SUCCESS && cl.clReleaseEvent(marker) == CL_SUCCESS);
    world_close(&world);
}

/* Runs count dispatches and leaves the timestamps of the last. */
static void last_timestamps(int count, cl_ulong timestamps[4])
{
    struct world world;
    world_open(&world);
    for (int i = 0; i < count; i++) {
        cl_event event = dispatch(&world);
        timestamps_of(event, timestamps);
        CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    }
    world_close(&world);
}

static void case_fake(void)
{
    cl_ulong s[4];
    last_timestamps(3, s);
    CHECK(s[0] == 0 && s[1] == 1 && s[2] == 2 && s[3] == 3);
}

static void case_zero_from(void)
{
    cl_ulong s[4];
    last_timestamps(2, s);
    CHECK(s[2] != 0 && s[2] < s[3]);
    last_timestamps(1, s);
    CHECK(s[2] == 0 && s[3] == 0);
}

static void case_zero(void)
{
    cl_ulong s[4];
    last_timestamps(1, s);
    CHECK(s[0] == 0 && s[1] == 0 && s[2] == 0 && s[3] == 0);
}

static void case_swapped(void)
{
    struct world world;
    cl_ulong s[4];
    last_timestamps(3, s);
    CHECK(s[1] < s[2]);
    world_open(&world);
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 0, NULL, NULL) == CL_SUCCESS); /* no event */
    world_close(&world);
    last_timestamps(1, s);
    CHECK(s[1] > s[2] && s[2] < s[3]);
}

static void case_backwards(void)
{
    cl_ulong s[4];
    last_timestamps(7, s);
    CHECK(s[2] < s[3]);
    last_timestamps(1, s);
    CHECK(s[3] < s[2]);
}

static void case_coarse(void)
{
    cl_ulong s[4];
    last_timestamps(5, s);
    CHECK(s[0] % 65536 == 0 && s[1] % 65536 == 0 && s[2] % 65536 == 0 && s[3] % 65536 == 0);
    CHECK(s[3] - s[2] == 131072 || s[3] - s[2] == 196608); /* of 150000 ns */
}

static void case_no_profiling_info(void)
{
    struct world world;
    cl_ulong timestamp = 0;
    world_open(&world);
    cl_event event = dispatch(&world);
    CHECK(cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof timestamp, &timestamp,
                                     NULL) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

static void case_build_fails(void)
{
    const char *source = "kernel void empty(void) { k; }";
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    char log[80] = "";
    cl_int error = CL_SUCCESS;
    CHECK(cl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = cl.clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    CHECK(cl.clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) ==
          CL_SUCCESS);
    CHECK(strcmp(log, "<source>:3:7: error: use of undeclared identifier 'k'") == 0);
    CHECK(!cl.clCreateKernel(program, "empty", &error) && error == CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(cl.clReleaseProgram(program) == CL_SUCCESS && cl.clReleaseContext(context) == CL_SUCCESS);
}

static atomic_bool woke;
static atomic_bool called;

static void on_event(cl_event event, cl_int status, void *user)
{
    (void)event;
    (void)status;
    (void)user;
    atomic_store(&called, true);
}

static void *finish(void *user)
{
    cl.clFinish(user);
    atomic_store(&woke, true);
    return NULL;
}

static void *wait_for(void *user)
{
    cl.clWaitForEvents(1, user);
    atomic_store(&woke, true);
    return NULL;
}

static void case_hang(void)
{
    static cl_event events[3];
    const struct timespec moment = {0, 50000000};
    struct world world;
    pthread_t thread;
    world_open(&world);
    for (int i = 0; i < 3; i++)
        events[i] = dispatch(&world);
    CHECK(status_of(events[0]) == CL_COMPLETE && cl.clWaitForEvents(1, &events[0]) == CL_SUCCESS);
    CHECK(status_of(events[1]) == CL_RUNNING);
    CHECK(status_of(events[2]) == CL_SUBMITTED); /* behind it, in order */
    CHECK(cl.clSetEventCallback(events[1], CL_COMPLETE, on_event, NULL) == CL_SUCCESS);
    CHECK(cl.clFlush(world.queue) == CL_SUCCESS);
    CHECK(pthread_create(&thread, NULL, finish, world.queue) == 0);
    CHECK(pthread_create(&thread, NULL, wait_for, &events[1]) == 0);
    CHECK(pthread_create(&thread, NULL, wait_for, &events[2]) == 0);
    nanosleep(&moment, NULL);
    CHECK(!atomic_load(&woke) && !atomic_load(&called));
    cl_command_queue other = new_queue(&world, 0);
    CHECK(cl.clFinish(other) == CL_SUCCESS && cl.clReleaseCommandQueue(other) == CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK(cl.clReleaseEvent(events[i]) == CL_SUCCESS);
    world_close(&world);
}

static void case_lost(void)
{
    struct world world;
    world_open(&world);
    cl_event first = dispatch(&world);
    cl_event second = dispatch(&world);
    CHECK(first && second && cl.clFinish(world.queue) == CL_SUCCESS);
    CHECK(dispatch(&world) == NULL);
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 0, NULL, NULL) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clFlush(world.queue) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clFinish(world.queue) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clWaitForEvents(1, &first) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clReleaseEvent(first) == CL_SUCCESS && cl.clReleaseEvent(second) == CL_SUCCESS);
    world_close(&world);
}

static void on_failure(cl_event event, cl_int status, void *user)
{
    (void)event;
    *(cl_int *)user = status;
}

static void case_event_error(void)
{
    struct world world;
    cl_ulong timestamp = 0;
    cl_int reported = 0;
    world_open(&world);
    cl_event good = dispatch(&world);
    cl_event bad = dispatch(&world);
    CHECK(status_of(good) == CL_COMPLETE && status_of(bad) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clSetEventCallback(bad, CL_COMPLETE, on_failure, &reported) == CL_SUCCESS &&
          reported == -5);
    CHECK(cl.clFinish(world.queue) == CL_SUCCESS);
    CHECK(cl.clWaitForEvents(1, &bad) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(cl.clGetEventProfilingInfo(bad, CL_PROFILING_COMMAND_END, sizeof timestamp, &timestamp,
                                     NULL) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clReleaseEvent(good) == CL_SUCCESS && cl.clReleaseEvent(bad) == CL_SUCCESS);
    world_close(&world);
}

enum { N = 5 };

/* Every product of small integers is exact, so results compare as bits. */
static int wrong_elements(const struct world *world, cl_kernel kernel, cl_mem c, const float *want)
{
    const size_t global[2] = {N, N};
    float got[N * N];
    int wrong = 0;
    CHECK(cl.clEnqueueNDRangeKernel(world->queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(cl.clEnqueueReadBuffer(world->queue, c, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL) == 0);
    for (int i = 0; i < N * N; i++)
        wrong += got[i] < want[i] || got[i] > want[i];
    return wrong;
}

/* Three dispatches, of which the second is to have this many wrong elements. */
static void expect_wrong(int wrong, bool clear)
{
    struct world world;
    const float zero = 0;
    float a[N * N];
    float want[N * N] = {0};
    const cl_uint n = N;
    cl_mem buffers[3];
    world_open(&world);
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i % 7);
    for (int i = 0; i < N * N; i++)
        for (int k = 0; k < N; k++)
            want[i] += a[i / N * N + k] * a[k * N + i % N];
    cl_kernel kernel = cl.clCreateKernel(world.program, "matmul_naive", NULL);
    for (cl_uint i = 0; i < 3; i++) {
        buffers[i] = cl.clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL);
        CHECK(cl.clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]) == CL_SUCCESS);
    }
    CHECK(cl.clSetKernelArg(kernel, 3, sizeof n, &n) == CL_SUCCESS);
    CHECK(wrong_elements(&world, kernel, buffers[2], want) == 0);
    CHECK(cl.clReleaseEvent(dispatch(&world)) == CL_SUCCESS); /* no result: not counted */
    if (clear)
        CHECK(cl.clEnqueueFillBuffer(world.queue, buffers[2], &zero, sizeof zero, 0, sizeof a, 0,
                                     NULL, NULL) == CL_SUCCESS);
    CHECK(wrong_elements(&world, kernel, buffers[2], want) == wrong);
    CHECK(wrong_elements(&world, kernel, buffers[2], want) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(cl.clReleaseMemObject(buffers[i]) == CL_SUCCESS);
    CHECK(cl.clReleaseKernel(kernel) == CL_SUCCESS);
    world_close(&world);
}

static void case_wrong(void)
{
    expect_wrong(1, false);
}

/* What is left out leaves zeros where, of these inputs, there should be none. */
static void case_skip(void)
{
    expect_wrong(N * N, true);
}

/* Three copies of different bytes into the same buffer: what it holds after each. */
static void expect_copies(const char *first, const char *second, const char *third)
{
    const char *const in[] = {"abcdef", "ghijkl", "mnopqr"}, *const out[] = {first, second, third};
    enum { BYTES = 6 };
    char got[BYTES];
    struct world world;
    world_open(&world);
    cl_mem a = cl.clCreateBuffer(world.context, 0, BYTES, NULL, NULL);
    cl_mem b = cl.clCreateBuffer(world.context, 0, BYTES, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        CHECK(cl.clEnqueueWriteBuffer(world.queue, a, CL_TRUE, 0, BYTES, in[i], 0, NULL, NULL) ==
              CL_SUCCESS);
        CHECK(cl.clEnqueueCopyBuffer(world.queue, a, b, 0, 0, BYTES, 0, NULL, NULL) == CL_SUCCESS);
        CHECK(cl.clEnqueueReadBuffer(world.queue, b, CL_TRUE, 0, BYTES, got, 0, NULL, NULL) ==
              CL_SUCCESS);
        CHECK(memcmp(got, out[i], BYTES) == 0);
    }
    CHECK(cl.clReleaseMemObject(a) == CL_SUCCESS && cl.clReleaseMemObject(b) == CL_SUCCESS);
    world_close(&world);
}

static void case_skip_copy(void)
{
    expect_copies("abcdef", "abcdef", "mnopqr");
}

static void case_half_copy(void)
{
    expect_copies("abcdef", "ghidef", "mnopqr");
}

static void case_max_alloc(void)
{
    struct world world;
    cl_int error = CL_SUCCESS;
    world_open(&world);
    CHECK(device_number(world.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong)) == 4096);
    CHECK(!cl.clCreateBuffer(world.context, 0, 4097, NULL, &error));
    CHECK(error == CL_INVALID_BUFFER_SIZE);
    cl_mem buffer = cl.clCreateBuffer(world.context, 0, 4096, NULL, &error);
    CHECK(buffer && cl.clReleaseMemObject(buffer) == CL_SUCCESS);
    world_close(&world);
}

/* What is released makes room again; what was refused took none. */
static void case_memory(void)
{
    struct world world;
    cl_int error = CL_SUCCESS;
    world_open(&world);
    cl_mem first = cl.clCreateBuffer(world.context, 0, 6000, NULL, &error);
    CHECK(first);
    CHECK(!cl.clCreateBuffer(world.context, 0, 4001, NULL, &error));
    CHECK(error == CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_mem second = cl.clCreateBuffer(world.context, 0, 4000, NULL, &error);
    CHECK(second && cl.clReleaseMemObject(first) == CL_SUCCESS);
    cl_mem third = cl.clCreateBuffer(world.context, 0, 6000, NULL, &error);
    CHECK(third && cl.clReleaseMemObject(second) == CL_SUCCESS);
    CHECK(cl.clReleaseMemObject(third) == CL_SUCCESS);
    world_close(&world);
}

static void case_host_clock(void)
{
    struct world world;
    cl_ulong before = 0;
    cl_ulong after = 0;
    cl_ulong device = 0;
    cl_ulong s[4];
    world_open(&world);
    CHECK(cl.clGetHostTimer(world.device, &before) == CL_SUCCESS);
    cl_event event = dispatch(&world);
    CHECK(cl.clGetDeviceAndHostTimer(world.device, &device, &after) == CL_SUCCESS);
    timestamps_of(event, s);
    CHECK(before <= s[0] && s[0] <= s[1] && s[1] <= s[2] && s[2] <= s[3] && s[3] <= after);
    CHECK(device == after);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

/* From another zero, 100 ppm fast, and the same in timestamps and pairs. */
static void case_own_clock(void)
{
    struct world world;
    cl_ulong host[2] = {0, 0};
    cl_ulong device[2] = {0, 0};
    cl_ulong s[4];
    world_open(&world);
    CHECK(cl.clGetDeviceAndHostTimer(world.device, &device[0], &host[0]) == CL_SUCCESS);
    cl_event event = dispatch(&world);
    CHECK(cl.clGetDeviceAndHostTimer(world.device, &device[1], &host[1]) == CL_SUCCESS);
    timestamps_of(event, s);
    CHECK(device[0] <= s[0] && s[0] <= s[1] && s[1] <= s[2] && s[2] <= s[3] && s[3] <= device[1]);
    for (int i = 0; i < 2; i++)
        CHECK(device[i] - host[i] == 1000000007 + host[i] / 10000);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

static void expect_timer(cl_int answer, bool device_is_zero)
{
    struct world world;
    cl_ulong host = 0;
    cl_ulong device = 0;
    world_open(&world);
    CHECK(cl.clGetDeviceAndHostTimer(world.device, &device, &host) == answer);
    CHECK((device == 0) == device_is_zero);
    world_close(&world);
}

static void case_timer_none(void)
{
    expect_timer(CL_INVALID_OPERATION, true);
}

static void case_timer_zero(void)
{
    expect_timer(CL_SUCCESS, true);
}

static void case_timer_fails(void)
{
    expect_timer(CL_OUT_OF_RESOURCES, true);
}

static void case_version(void)
{
    struct world world;
    char text[40] = "";
    cl_version number = 0;
    world_open(&world);
    CHECK(cl.clGetDeviceInfo(world.device, CL_DEVICE_VERSION, sizeof text, text, NULL) == 0);
    CHECK(strcmp(text, "OpenCL 1.2 kerntime stub") == 0);
    CHECK(cl.clGetPlatformInfo(world.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL) == 0);
    CHECK(strcmp(text, "OpenCL 1.2 kerntime stub") == 0);
    CHECK(cl.clGetDeviceInfo(world.device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number,
                             NULL) == 0);
    CHECK(number == CL_MAKE_VERSION(1, 2, 0));
    world_close(&world);
}

static void case_first_call(void)
{
    cl_uint count = 0;
    cl.clGetPlatformIDs(0, NULL, &count);
}

const struct test_case script_cases[] = {
    {"platforms=0", case_no_platform, "clGetPlatformIDs 1", true},
    {"devices=0", case_no_device, NULL, true},
    {"devices=3,type=cpu,timer_resolution=80", case_devices, NULL, true},
    {"type=gpu,kernel_ns=5000,timestamps=good", case_kernel_ns, NULL, true},
    {"kernel_ns=5000,empty_ns=150", case_empty_ns, NULL, true},
    {"timestamps=fake", case_fake, NULL, true},
    {"timestamps=zero", case_zero, NULL, true},
    {"timestamps=zero,spoil_from=3", case_zero_from, NULL, true},
    {"timestamps=swapped", case_swapped, NULL, true},
    {"timestamps=backwards", case_backwards, NULL, true},
    {"timestamps=coarse,kernel_ns=150000", case_coarse, NULL, true},
    {"no_profiling_info=1", case_no_profiling_info, NULL, true},
    {"build=fail", case_build_fails, "clCreateKernel 1", true},
    {"hang=2", case_hang, NULL, true},
    {"lost=3", case_lost, NULL, true},
    {"event_error=2", case_event_error, NULL, true},
    {"wrong=2", case_wrong, "clEnqueueNDRangeKernel 4", true},
    {"skip=2", case_skip, "clEnqueueNDRangeKernel 4", true},
    {"skip_copy=2", case_skip_copy, "clEnqueueCopyBuffer 3", true},
    {"half_copy=2", case_half_copy, "clEnqueueCopyBuffer 3", true},
    {"max_alloc=4096", case_max_alloc, NULL, true},
    {"memory=10000", case_memory, NULL, true},
    {"clock=host", case_host_clock, NULL, true},
    {"clock=own", case_own_clock, NULL, true},
    {"clock=host,timer=none", case_timer_none, NULL, true},
    {"clock=host,timer=zero", case_timer_zero, NULL, true},
    {"clock=host,timer=fail", case_timer_fails, NULL, true},
    {"version=1.2", case_version, NULL, true},
    {"colour=red", case_first_call, "abort: unknown key in KT_STUB_OPENCL: 'colour'", false},
    {"timestamps=odd", case_first_call, "abort: unknown choice in KT_STUB_OPENCL: 'odd'", false},
    {"hang=-1", case_first_call, "abort: not a number in KT_STUB_OPENCL: '-1'", false},
    {"devices=99", case_first_call, "abort: out of range in KT_STUB_OPENCL: '99'", false},
    {"lost", case_first_call, "abort: no '=' in KT_STUB_OPENCL: 'lost'", false},
    {NULL, NULL, NULL, false},
};
