/* Queues that are asked about, references, markers, and events that are late. */
#include "selftest.h"

static void case_queue_info(void)
{
    struct world world;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_uint references = 0;
    cl_command_queue_properties properties = 0;
    size_t bytes = 0;
    world_open(&world);
    cl_command_queue queue = new_queue(&world, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK(cl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, &bytes) == 0);
    CHECK(context == world.context && bytes == sizeof context);
    CHECK(cl.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == 0);
    CHECK(device == world.device);
    CHECK(cl.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                   NULL) == 0);
    CHECK(properties == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK(cl.clRetainCommandQueue(queue) == CL_SUCCESS);
    CHECK(cl.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                   NULL) == 0);
    CHECK(references == 2);
    CHECK(cl.clGetCommandQueueInfo(queue, 0xffff, 0, NULL, &bytes) == CL_INVALID_VALUE);
    CHECK(cl.clReleaseCommandQueue(queue) == CL_SUCCESS);
    CHECK(cl.clFlush(queue) == CL_SUCCESS);
    CHECK(cl.clReleaseCommandQueue(queue) == CL_SUCCESS);
    world_close(&world);
}

static void case_references(void)
{
    struct world world;
    cl_uint references = 0;
    world_open(&world);
    cl_mem buffer = cl.clCreateBuffer(world.context, 0, 8, NULL, NULL);
    cl_event event = dispatch(&world);
    CHECK(cl.clRetainContext(world.context) == 0 && cl.clReleaseContext(world.context) == 0);
    CHECK(cl.clRetainDevice(world.device) == 0 && cl.clReleaseDevice(world.device) == 0);
    CHECK(cl.clRetainProgram(world.program) == 0 && cl.clReleaseProgram(world.program) == 0);
    CHECK(cl.clRetainKernel(world.empty) == 0 && cl.clReleaseKernel(world.empty) == 0);
    CHECK(cl.clRetainMemObject(buffer) == 0 && cl.clReleaseMemObject(buffer) == 0);
    CHECK(cl.clRetainEvent(event) == 0);
    CHECK(cl.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references,
                            NULL) == 0);
    CHECK(references == 2);
    CHECK(cl.clReleaseEvent(event) == 0 && status_of(event) == CL_COMPLETE);
    CHECK(cl.clReleaseEvent(event) == 0 && cl.clReleaseMemObject(buffer) == 0);
    CHECK(cl.clRetainEvent(event) == CL_INVALID_EVENT); /* 1 */
    world_close(&world);
    CHECK(cl.clRetainContext(world.context) == CL_INVALID_CONTEXT);          /* 2 */
    CHECK(cl.clRetainCommandQueue(world.queue) == CL_INVALID_COMMAND_QUEUE); /* 3 */
    CHECK(cl.clGetCommandQueueInfo(world.queue, CL_QUEUE_CONTEXT, 0, NULL, NULL) ==
          CL_INVALID_COMMAND_QUEUE); /* 4 */
}

static void case_leak_reference(void)
{
    struct world world;
    world_open(&world);
    cl_event event = dispatch(&world);
    CHECK(cl.clRetainEvent(event) == 0 && cl.clRetainEvent(event) == 0);
    CHECK(cl.clReleaseEvent(event) == 0);
    CHECK(cl.clRetainCommandQueue(world.queue) == 0);
    world_close(&world);
}

static void on_status(cl_event event, cl_int status, void *user)
{
    (void)event;
    *(cl_int *)user = status;
}

static cl_event mark(const struct world *world)
{
    cl_event event = NULL;
    CHECK(cl.clEnqueueMarkerWithWaitList(world->queue, 0, NULL, &event) == CL_SUCCESS);
    return event;
}

static cl_ulong end_of(cl_event event)
{
    cl_ulong s[4] = {0};
    timestamps_of(event, s);
    return s[3];
}

/* Both kinds of marker are commands with timestamps. 237 and 5000 ns lie between the ends of two. */
static void case_markers(void)
{
    struct world world;
    cl_event old = NULL;
    world_open(&world);
    cl_event first = mark(&world);
    CHECK(cl.clEnqueueMarker(world.queue, &old) == CL_SUCCESS);
    CHECK(cl.clEnqueueMarker(world.queue, NULL) == CL_INVALID_VALUE);
    CHECK(end_of(old) - end_of(first) == 5237);
    CHECK(cl.clReleaseEvent(first) == 0 && cl.clReleaseEvent(old) == 0);
    world_close(&world);
}

static void case_before_1_2(void)
{
    struct world world;
    cl_event event = NULL;
    world_open(&world);
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 0, NULL, &event) == CL_INVALID_OPERATION);
    CHECK(!event && cl.clEnqueueMarker(world.queue, &event) == CL_SUCCESS);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

/* Three questions in vain, of whichever kind. */
static void case_late(void)
{
    struct world world;
    cl_ulong timestamp = 0;
    cl_uint references = 0;
    world_open(&world);
    cl_event first = mark(&world);
    cl_event second = mark(&world);
    CHECK(status_of(first) == CL_SUBMITTED);
    CHECK(cl.clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof timestamp, &timestamp,
                                     NULL) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clGetEventInfo(first, CL_EVENT_REFERENCE_COUNT, sizeof references, &references,
                            NULL) == CL_SUCCESS); /* no question */
    CHECK(status_of(first) == CL_SUBMITTED);
    CHECK(status_of(first) == CL_COMPLETE && status_of(first) == CL_COMPLETE);
    CHECK(status_of(second) == CL_SUBMITTED);
    CHECK(end_of(first) != 0);
    CHECK(cl.clReleaseEvent(first) == CL_SUCCESS && cl.clReleaseEvent(second) == CL_SUCCESS);
    world_close(&world);
}

/* Who waits need not ask; in order, the end of one is the end of all before. */
static void case_late_but_waited_for(void)
{
    struct world world;
    cl_int reported = 99;
    cl_event events[3];
    world_open(&world);
    cl_command_queue queue = new_queue(&world, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < 3; i++)
        events[i] = mark(&world);
    CHECK(cl.clWaitForEvents(1, &events[1]) == CL_SUCCESS);
    CHECK(status_of(events[0]) == CL_COMPLETE && status_of(events[1]) == CL_COMPLETE);
    CHECK(status_of(events[2]) == CL_SUBMITTED);
    CHECK(cl.clFinish(queue) == CL_SUCCESS && status_of(events[2]) == CL_SUBMITTED);
    CHECK(cl.clFinish(world.queue) == CL_SUCCESS && status_of(events[2]) == CL_COMPLETE);
    for (int i = 0; i < 3; i++)
        CHECK(cl.clReleaseEvent(events[i]) == CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK(cl.clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[i]) == CL_SUCCESS);
    CHECK(cl.clWaitForEvents(1, &events[1]) == CL_SUCCESS && status_of(events[1]) == CL_COMPLETE);
    CHECK(status_of(events[0]) == CL_SUBMITTED); /* out of order */
    cl_mem buffer = cl.clCreateBuffer(world.context, 0, 8, NULL, NULL);
    CHECK(cl.clSetEventCallback(events[2], CL_COMPLETE, on_status, &reported) == CL_SUCCESS);
    CHECK(reported == CL_COMPLETE && status_of(events[2]) == CL_COMPLETE);
    cl_event before = mark(&world);
    CHECK(cl.clEnqueueWriteBuffer(world.queue, buffer, CL_TRUE, 0, 8, "12345678", 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(status_of(before) == CL_COMPLETE);
    for (int i = 0; i < 3; i++)
        CHECK(cl.clReleaseEvent(events[i]) == CL_SUCCESS);
    CHECK(cl.clReleaseEvent(before) == CL_SUCCESS && cl.clReleaseMemObject(buffer) == CL_SUCCESS);
    CHECK(cl.clReleaseCommandQueue(queue) == CL_SUCCESS);
    world_close(&world);
}

static void case_lag(void)
{
    struct world world;
    cl_event events[4];
    world_open(&world);
    for (int i = 0; i < 3; i++)
        events[i] = mark(&world);
    CHECK(status_of(events[0]) == CL_SUBMITTED && status_of(events[0]) == CL_SUBMITTED);
    events[3] = mark(&world);
    CHECK(status_of(events[0]) == CL_COMPLETE && status_of(events[1]) == CL_SUBMITTED);
    CHECK(cl.clFinish(world.queue) == CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        CHECK(status_of(events[i]) == CL_COMPLETE);
        CHECK(cl.clReleaseEvent(events[i]) == CL_SUCCESS);
    }
    world_close(&world);
}

/* Of no queue, without timestamps. */
static void case_user_event(void)
{
    struct world world;
    cl_context context = NULL;
    cl_ulong timestamp = 0;
    world_open(&world);
    cl_event event = cl.clCreateUserEvent(world.context, NULL);
    cl_command_queue queue = world.queue;
    CHECK(cl.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) == 0);
    CHECK(!queue);
    CHECK(cl.clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL) == 0);
    CHECK(context == world.context && status_of(event) == CL_SUBMITTED);
    CHECK(cl.clSetUserEventStatus(event, CL_RUNNING) == CL_INVALID_VALUE);
    CHECK(cl.clSetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cl.clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_OPERATION);
    CHECK(status_of(event) == CL_COMPLETE && cl.clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof timestamp, &timestamp,
                                     NULL) == CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    world_close(&world);
}

static void case_late_error(void)
{
    struct world world;
    world_open(&world);
    cl_event bad = mark(&world);
    CHECK(status_of(bad) == CL_SUBMITTED && status_of(bad) == CL_OUT_OF_RESOURCES);
    CHECK(cl.clReleaseEvent(bad) == CL_SUCCESS);
    world_close(&world);
}

const struct test_case late_cases[] = {
    {"", case_queue_info, "clRetainCommandQueue 1", true},
    {"", case_references, "misuse 4", false},
    {"", case_leak_reference, "leak event 1", false},
    {"", case_leak_reference, "leak queue 1", false},
    {"noise=0,kernel_ns=5000", case_markers, "clEnqueueMarker 2", true},
    {"version=1.1", case_before_1_2, "misuse 1", false},
    {"late=3", case_late, NULL, true},
    {"late=3", case_late_but_waited_for, NULL, true},
    {"lag=100", case_late_but_waited_for, NULL, true},
    {"lag=3", case_lag, NULL, true},
    {"", case_user_event, "clCreateUserEvent 1", true},
    {"late=2", case_user_event, NULL, true},
    {"late=1,event_error=1", case_late_error, NULL, true},
    {"late=255", case_late, "abort: out of range in KT_STUB_OPENCL: '255'", false},
    {NULL, NULL, NULL, false},
};
