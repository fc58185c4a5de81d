/* SPDX-License-Identifier: MIT */
/*
 * Timers while the Nth allocation or the Nth driver call fails, N = 1, 2, ... until none is left to
 * fail: from importing a queue to closing it. No crash, no leak (the stub's part), an error with
 * one sentence or a span that is counted as discarded, and never a duration that is not one.
 *
 *   unit_timer_fault        over the stub, with KT_STUB_OPENCL=noise=0
 */
#include "tests/unit/faults/fault_run.h"
#include "tests/unit/timer/timer.h"

#define SPANS   100 /* more than the first chunk of slots */
#define EVENTS  3
#define CALLS   3
#define SPAN_NS 1237

static cl_command_queue queues[2];
static cl_event event;

/* A command whose event goes where kerntime says; it is taken at once, so that a failure shows. */
static void call(fault_run *r, kt_timer *timer)
{
    cl_event *place = kt_timer_event_opencl(timer);
    r->spans += fault_ok(r, place ? KT_OK : KT_NO_MEMORY);
    assert_int_equal(cl.clEnqueueMarkerWithWaitList(queues[0], 0, NULL, place), CL_SUCCESS);
    fault_ok(r, kt_collect(r->timer_context));
}

static void use(fault_run *r, kt_timer *timer)
{
    for (int i = 0; i < SPANS; i++) {
        if (!fault_ok(r, kt_timer_start(timer, queues[i % 2])))
            continue;
        r->spans++;
        fault_ok(r, kt_timer_stop(timer, queues[i % 2]));
    }
    for (int i = 0; i < EVENTS; i++)
        r->spans += fault_ok(r, kt_timer_add_opencl_event(timer, event));
    for (int i = 0; i < CALLS; i++)
        call(r, timer);
    fault_ok(r, kt_collect(r->timer_context));
    fault_ok(r, kt_timer_wait(timer, INT64_C(1000000000)));
}

/* One run, whatever fails in it, to its end. What had begun is counted, once. */
static void go(fault_run *r, uint64_t nth)
{
    bool ok = fault_ok(r, import(queues[0], 0, &r->timer_context));
    assert_int_equal(ok, r->timer_context != NULL);
    if (!ok)
        return;
    let_the_host_get_ahead();
    if (!fault_ok(r, kt_timer_context_add_opencl_queue(r->timer_context, queues[1])))
        fault_ok(r, kt_timer_context_add_opencl_queue(r->timer_context, queues[1])); /* works */
    if (fault_create_timers(r, 1))
        use(r, r->timers[0]);
}

/* Calls whose failure is a state of a span, and no error. */
static bool is_state(const char *call)
{
    return strcmp(call, "clGetEventProfilingInfo") == 0;
}

/* Nothing but the durations that there are: of two markers one step and the command, of an event
 * the command. */
static void check_row(const fault_run *r, const char *fired)
{
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++) {
        const kt_row *row = kt_snapshot_row(r->snapshot, i);
        if (row->count == 0)
            continue;
        assert_true(row->min_ns == 1000 || row->min_ns == SPAN_NS);
        EXPECT_NUMBER(row->max_ns, SPAN_NS);
    }
}

static kt_status expect(const char *fired, const char **part)
{
    if (strcmp(fired, "clGetDeviceInfo") != 0)
        return KT_DRIVER_ERROR;
    *part = "older than version 1.2"; /* as a device that tells no version is */
    return KT_UNSUPPORTED;
}

static const fault_program program = {.go = go,
                                      .expect = expect,
                                      .may_pass = is_state,
                                      .check = check_row,
                                      .spans = SPANS + EVENTS + CALLS,
                                      .settles = true};

static void every_driver_call(void **state)
{
    /* Two markers, a question and two timestamps each. */
    assert_true(fault_each(KT_FAULT_DRIVER, &program) > 5 * SPANS);
}

static void every_allocation(void **state)
{
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 7);
}

static int open_all(void **state)
{
    open_program();
    queues[0] = queue;
    queues[1] = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    event = enqueue(queue);
    return 0;
}

static int close_all(void **state)
{
    assert_int_equal(cl.clReleaseEvent(event), CL_SUCCESS);
    assert_int_equal(cl.clReleaseCommandQueue(queues[1]), CL_SUCCESS);
    close_program();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_driver_call),
        cmocka_unit_test(every_allocation),
    };
    return cmocka_run_group_tests_name("timer_fault", tests, open_all, close_all);
}
