/*
 * Timers while the Nth allocation or the Nth driver call fails, N = 1, 2, ... until none is left to
 * fail: from importing a queue to closing it. No crash, no leak (the stub's part), an error with
 * one sentence or a span that is counted as discarded, and never a duration that is not one.
 *
 *   unit_timer_fault        over the stub, with KT_STUB_OPENCL=noise=0
 */
#include "support/fault.h"
#include "tests/unit/timer/timer.h"

#include <stdio.h>

#define SPANS   100 /* more than the first chunk of slots */
#define EVENTS  3
#define SPAN_NS 1237

static cl_command_queue queues[2];
static cl_event event;

typedef struct outcome {
    kt_status status; /* the first that was not KT_OK */
    char text[512];
    unsigned started; /* spans, and events handed over */
    unsigned failures;
} outcome;

static kt_status note(outcome *o, kt_status status)
{
    if (status != KT_OK && o->failures++ == 0) {
        o->status = status;
        snprintf(o->text, sizeof o->text, "%s", kt_error_text());
    }
    return status;
}

static void use(kt_timer *timer, outcome *o)
{
    for (int i = 0; i < SPANS; i++) {
        if (note(o, kt_timer_start(timer, queues[i % 2])) != KT_OK)
            continue;
        o->started++;
        note(o, kt_timer_stop(timer, queues[i % 2]));
    }
    for (int i = 0; i < EVENTS; i++)
        o->started += note(o, kt_timer_add_opencl_event(timer, event)) == KT_OK;
    note(o, kt_collect(timer_context));
    note(o, kt_timer_wait(timer, INT64_C(1000000000)));
}

/* One run, whatever fails in it, to its end. What had begun is counted, once. */
static void go(outcome *o)
{
    kt_timer *timer = NULL;
    note(o, import(queues[0], 0, &timer_context));
    assert_int_equal(o->failures == 0, timer_context != NULL);
    if (!timer_context)
        return;
    let_the_host_get_ahead();
    note(o, kt_timer_context_add_opencl_queue(timer_context, queues[1]));
    if (o->failures > 0)
        note(o, kt_timer_context_add_opencl_queue(timer_context, queues[1])); /* once more works */
    note(o, kt_timer_create(timer_context, "fault", &timer));
    if (timer)
        use(timer, o);
    kt_timer_context_counts counts = counts_of(timer_context);
    assert_int_equal(counts.pending, 0);
    assert_int_equal(counts.in_flight, 0);
    assert_int_equal(counts.recorded + discarded(&counts), o->started);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

/* Calls whose failure is a state of a span, and no error. */
static int is_state(const char *call)
{
    return strcmp(call, "clGetEventProfilingInfo") == 0;
}

/* Nothing but the durations that there are: of two markers one step and the command, of an event
 * the command. How many the registry has dropped. */
static uint64_t check_row(void)
{
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_row *row = kt_snapshot_find(snapshot, "fault", KT_BACKEND_OPENCL);
    if (row && row->count > 0) {
        assert_true(row->min_ns == 1000 || row->min_ns == SPAN_NS);
        EXPECT_NUMBER(row->max_ns, SPAN_NS);
    }
    uint64_t dropped = kt_snapshot_dropped(snapshot);
    kt_snapshot_destroy(&snapshot);
    return dropped;
}

static void check_failure(kt_fault_kind kind, const char *fired, const outcome *o)
{
    kt_status status = KT_DRIVER_ERROR;
    const char *part = fired;
    if (kind == KT_FAULT_ALLOC) {
        status = KT_NO_MEMORY;
        part = "memory";
    } else if (strcmp(fired, "clGetDeviceInfo") ==
               0) { /* a device that tells no version has an old one */
        status = KT_UNSUPPORTED;
        part = "older than version 1.2";
    }
    if (o->status != status || !strstr(o->text, part))
        fail_msg("%s failed: \"%s\", \"%s\"", fired, kt_status_name(o->status), o->text);
}

static uint64_t fail_each(kt_fault_kind kind)
{
    for (uint64_t nth = 1;; nth++) {
        outcome o = {0};
        kt_reset();
        kt_fault_set(kind, nth);
        go(&o);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        uint64_t dropped = check_row();
        if (!fired) {
            assert_int_equal(o.failures, 0);
            assert_int_equal(o.started, SPANS + EVENTS);
            return nth - 1;
        }
        if (o.failures == 0) {
            if (kind == KT_FAULT_ALLOC ? dropped == 0 : !is_state(fired))
                fail_msg("%s failed (number %llu) and nobody noticed", fired,
                         (unsigned long long)nth);
            continue;
        }
        check_failure(kind, fired, &o);
    }
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu driver calls\n", (unsigned long long)count);
    assert_true(count > 5 * SPANS); /* two markers, a question and two timestamps each */
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC);
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(count >= 7);
}

static int set_up(void **state)
{
    open_program();
    queues[0] = queue;
    queues[1] = make_queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
    event = enqueue(queue);
    return 0;
}

static int tear_down(void **state)
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
    return cmocka_run_group_tests_name("timer_fault", tests, set_up, tear_down);
}
