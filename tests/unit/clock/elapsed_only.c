/* SPDX-License-Identifier: MIT */
/* An elapsed-only clock: the simulated device, of whose timestamps a driver tells no more
 * than how far apart they are, as floats of ms. */
#include "clock/ticks.h"
#include "device/device.h"
#include "tests/unit/collect.h"
#include "tests/unit/rig.h"

#include <stdio.h>
#include <stdlib.h>

#define JOBS_MAX      16
#define EVENTS_MAX    256
#define RESOLUTION_NS 32 /* of the empty steps below */
#define SAMPLES       10
#define STEPS(ns)     "sim:0:kernel_ns=" ns ",gap_ns=608,min_span_ns=1024"

/* ---- the driver ---- */

/* What it tells in place of what is so, of a step of a job of so many; changes both. */
typedef void (*lie)(uint32_t step, uint32_t step_count, kt_timestamp *timestamp);

static struct {
    const kt_backend *sim;
    kt_backend backend;
    lie lie;
    uint32_t reads;
    struct {
        const void *job;
        uint32_t step_count;
    } jobs[JOBS_MAX];
    uint32_t job_count;
    /* Where the steps of the newest one of several steps are, by the device's ns, which are the
     * host's. */
    struct {
        int64_t start_ns, end_ns;
    } truth[3];
} driver;

static kt_status job_init(void *job, void *device, const kt_backend_job *desc)
{
    uint32_t at = 0;
    while (at < driver.job_count && driver.jobs[at].job != job)
        at++;
    assert_true(at < JOBS_MAX);
    driver.jobs[at].job = job;
    driver.jobs[at].step_count = desc->step_count;
    driver.job_count += at == driver.job_count;
    return driver.sim->job_init(job, device, desc);
}

static uint32_t steps_of(const void *job)
{
    for (uint32_t i = 0; i < driver.job_count; i++)
        if (driver.jobs[i].job == job)
            return driver.jobs[i].step_count;
    fail_msg("no such job");
    return 0;
}

/* Empty steps, of which there is one in a job, differ by steps of RESOLUTION_NS. */
static kt_status job_read(void *job, kt_timestamp *timestamps)
{
    uint32_t count = steps_of(job);
    kt_status status = driver.sim->job_read(job, timestamps);
    uint64_t before = timestamps[0].start_ticks;
    driver.reads++;
    for (uint32_t i = 0; i < count; i++) {
        kt_timestamp *timestamp = &timestamps[i];
        uint64_t start = timestamp->start_ticks, end = timestamp->end_ticks;
        if (count > 1) {
            driver.truth[i].start_ns = (int64_t)start;
            driver.truth[i].end_ns = (int64_t)end;
        }
        timestamp->start_ticks = timestamp->end_ticks = 0;
        timestamp->elapsed_ms = (float)(end - start) / 1e6F;
        timestamp->gap_ms = (float)(start - before) / 1e6F;
        before = end;
        if (count == 1 && end - start == 1024)
            timestamp->elapsed_ms = (float)(1024 + RESOLUTION_NS * (driver.reads % 5)) / 1e6F;
        if (driver.lie)
            driver.lie(i, count, timestamp);
    }
    return status;
}

static rig *set_up(const char *device, uint32_t step_count, lie reported)
{
    rig *r = rig_make(device, 0);
    memset(&driver, 0, sizeof driver);
    driver.lie = reported;
    driver.sim = r->device->backend;
    driver.backend = *driver.sim;
    driver.backend.simulated = false;
    driver.backend.job_init = job_init;
    driver.backend.job_read = job_read;
    driver.backend.clock_pair = NULL;
    r->device->backend = &driver.backend;
    r->device->info.clocks[0] = (kt_clock_info){.name = "events",
                                                .method = KT_METHOD_EVENT_PAIR,
                                                .period_ns = NAN,
                                                .frequency_hz = NAN,
                                                .uncertainty_ns = NAN,
                                                .drift_ppm = NAN};
    rig_make_job(r, step_count);
    return r;
}

static const kt_timer_limits *trusted_timer_limits(rig *r)
{
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    assert_non_null(limits);
    if (!limits->trusted)
        fail_msg("%s", limits->reason);
    return limits;
}

/* ---- times ---- */

static void times_are_what_the_driver_tells(void **state)
{
    static const char *const names[] = {"first", "second", "third"};
    rig *r = set_up(STEPS("20000"), 3, NULL);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_timer_limits *limits = trusted_timer_limits(r);
    EXPECT_NUMBER(limits->resolution_ns, RESOLUTION_NS);
    EXPECT_NUMBER(limits->min_span_ns, 1024 + 2 * RESOLUTION_NS); /* the middle one of 0..4 */
    assert_true(limits->timestamp_overhead_ns > 0);
    for (int i = 0; i < 3; i++) {
        const kt_series *step = rig_series(result, names[i]);
        rig_expect_all(step, SAMPLES, 20000);
        assert_int_equal(step->method, KT_METHOD_EVENT_PAIR);
        assert_string_equal(step->clock, "events");
        EXPECT_NUMBER(step->clock_resolution_ns, RESOLUTION_NS);
        EXPECT_NUMBER(step->first_use_device_ns, 20000);
    }
    rig_expect_all(rig_series(result, "total"), SAMPLES, 60000);
    rig_expect_all(rig_series(result, "gaps"), SAMPLES, 1216);
    rig_expect_all(rig_series(result, "span"), SAMPLES, 61216);
    EXPECT_NUMBER(rig_series(result, "wall")->clock_resolution_ns, NAN);
}

static void trials_share_the_resolution(void **state)
{
    rig *r = set_up(STEPS("20000"), 2, NULL);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 8);
    rig_expect_all(rig_series(result, "first"), SAMPLES, 20000);
    EXPECT_NUMBER(rig_series(result, "first")->clock_resolution_ns, RESOLUTION_NS / 8.);
    EXPECT_NUMBER(rig_series(result, "span")->clock_resolution_ns, RESOLUTION_NS / 8.);
}

/* 300 ms are known to 2^-15 ms, 600 and 900 ms to 2^-14 ms, which is half of 61.04 ns more. */
static void long_times_are_known_to_a_float(void **state)
{
    const double fine_ns = 1e6 / (1 << 15), coarse_ns = 1e6 / (1 << 14);
    rig *r = set_up(STEPS("300000000"), 3, NULL);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_series *step = rig_series(result, "second");
    EXPECT_NEAR(step->summary.median, 3e8, fine_ns);
    EXPECT_NUMBER(step->clock_resolution_ns, RESOLUTION_NS + fine_ns);
    EXPECT_NUMBER(rig_series(result, "total")->clock_resolution_ns, RESOLUTION_NS + 3 * coarse_ns);
    EXPECT_NUMBER(rig_series(result, "span")->clock_resolution_ns, RESOLUTION_NS + 5 * coarse_ns);
    EXPECT_NUMBER(rig_series(result, "gaps")->clock_resolution_ns, RESOLUTION_NS);
    result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 2); /* each step 600 ms */
    EXPECT_NUMBER(rig_series(result, "second")->clock_resolution_ns,
                  (RESOLUTION_NS + coarse_ns) / 2);
}

static void raw_shows_the_floats(void **state)
{
    rig *r = set_up(STEPS("20000"), 2, NULL);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first"), *second = rig_series(result, "second");
    assert_int_equal(second->raw_count, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const kt_raw *raw = &second->raw[i];
        assert_true(raw->has_elapsed && !raw->has_timestamps && !raw->has_queue_timestamps);
        assert_true(raw->elapsed_ms == 20000 / 1e6F && raw->gap_ms == 608 / 1e6F);
        assert_true(first->raw[i].gap_ms == 0);
        assert_false(rig_series(result, "wall_timestamped")->raw[i].has_elapsed);
    }
}

/* ---- what is of no use ---- */

static void expect_discarded(const kt_result *result, const char *step, kt_timestamp_state state)
{
    const kt_series *series = rig_series(result, step);
    assert_int_equal(series->discarded[state], SAMPLES);
    assert_int_equal(rig_discarded(series), SAMPLES);
    assert_int_equal(series->summary.n, 0);
}

static void second_goes_back(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step == 1 && step_count > 1)
        timestamp->elapsed_ms = -timestamp->elapsed_ms;
}

static void second_was_not_written(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step == 1 && step_count > 1)
        timestamp->elapsed_ms = NAN;
}

static void second_takes_a_second(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step == 1 && step_count > 1)
        timestamp->elapsed_ms = 1000;
}

static void a_step_of_no_use_is_counted(void **state)
{
    static const struct {
        lie lie;
        kt_timestamp_state state;
    } rows[] = {{second_goes_back, KT_TIMESTAMP_NEGATIVE},
                {second_was_not_written, KT_TIMESTAMP_ZERO},
                {second_takes_a_second, KT_TIMESTAMP_AMBIGUOUS}};
    for (int i = 0; i < 3; i++) {
        rig *r = set_up(STEPS("20000"), 3, rows[i].lie);
        kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
        rig_expect_all(rig_series(result, "first"), SAMPLES, 20000);
        rig_expect_all(rig_series(result, "third"), SAMPLES, 20000);
        expect_discarded(result, "second", rows[i].state);
        expect_discarded(result, "total", rows[i].state);
        expect_discarded(result, "span", rows[i].state);
        expect_discarded(result, "gaps", rows[i].state);
    }
}

static void steps_overlap(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step == 2 && step_count > 1)
        timestamp->gap_ms = -timestamp->gap_ms;
}

static void gap_was_not_written(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step == 2 && step_count > 1)
        timestamp->gap_ms = NAN;
}

static void a_gap_of_no_use_leaves_the_steps(void **state)
{
    static const struct {
        lie lie;
        kt_timestamp_state state;
    } rows[] = {{steps_overlap, KT_TIMESTAMP_NEGATIVE}, {gap_was_not_written, KT_TIMESTAMP_ZERO}};
    for (int i = 0; i < 2; i++) {
        rig *r = set_up(STEPS("20000"), 3, rows[i].lie);
        kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
        rig_expect_all(rig_series(result, "third"), SAMPLES, 20000);
        rig_expect_all(rig_series(result, "total"), SAMPLES, 60000);
        expect_discarded(result, "span", rows[i].state);
        expect_discarded(result, "gaps", rows[i].state);
    }
}

/* Two clocks in one submission: neither knows the way from one to the other. */
static void no_span_reaches_across_two_clocks(void **state)
{
    const kt_clock_info clocks[] = {{.method = KT_METHOD_EVENT_PAIR},
                                    {.method = KT_METHOD_EVENT_PAIR_BLOCKED}};
    kt_timestamp timestamps[] = {
        {.elapsed_ms = 1}, {.elapsed_ms = 1, .gap_ms = 1}, {.elapsed_ms = 1}};
    double span_ns = -1;
    assert_int_equal(kt_timestamps_span(clocks, timestamps, 3, 3e6, 1e9, &span_ns),
                     KT_TIMESTAMP_OK);
    EXPECT_NUMBER(span_ns, 4e6);
    assert_int_equal(kt_timestamps_span(clocks, timestamps, 3, 3e6, 3.9e6, &span_ns),
                     KT_TIMESTAMP_AMBIGUOUS);
    timestamps[1].clock = 1;
    assert_int_equal(kt_timestamps_span(clocks, timestamps, 3, 3e6, 1e9, &span_ns),
                     KT_TIMESTAMP_AMBIGUOUS);
    EXPECT_NUMBER(span_ns, 4e6);
}

/* ---- the timer limits ---- */

static void nothing_moves(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    timestamp->elapsed_ms = timestamp->gap_ms = 0;
}

static void what_never_moves_is_untrusted(void **state)
{
    rig *r = set_up(STEPS("20000"), 1, nothing_moves);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    char wanted[128];
    unsigned long pairs = 0;
    assert_false(limits->trusted);
    assert_int_equal(sscanf(limits->reason, "%lu pairs", &pairs), 1);
    assert_true(pairs >= 1024); /* as many as fit into 0.1 s */
    snprintf(wanted, sizeof wanted, "%lu pairs of events over 100 ms were all exactly 0 apart",
             pairs);
    assert_string_equal(limits->reason, wanted);
    assert_int_equal(rig_series(result, "first")->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(rig_series(result, "first")->method, KT_METHOD_HOST_WALL);
    assert_int_equal(rig_series(result, "first")->raw[0].has_elapsed, 1);
}

/* One empty step in three takes 20 ms, the others nothing that is seen; then every other sample is
 * nothing. */
static void hardly_any_moves(uint32_t step, uint32_t step_count, kt_timestamp *timestamp)
{
    if (step_count > 1)
        timestamp->elapsed_ms = driver.reads % 4 ? 0 : 0.001F;
    else
        timestamp->elapsed_ms = driver.reads % 3 ? 0 : 20;
}

/* Grid and floor are unknown then, and 0 is all the same no time to rank by. */
static void nothing_is_never_ranked(void **state)
{
    rig *r = set_up("sim:0:kernel_ns=20000,gap_ns=608,min_span_ns=20000000", 2, hardly_any_moves);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    const kt_timer_limits *limits = trusted_timer_limits(r);
    EXPECT_NUMBER(limits->resolution_ns, NAN);
    EXPECT_NUMBER(limits->min_span_ns, NAN);
    const kt_series *first = rig_series(result, "first");
    assert_int_equal(first->status, KT_SERIES_BELOW_MIN_SPAN);
    EXPECT_NUMBER(first->summary.median, NAN);
    EXPECT_NUMBER(first->clock_resolution_ns, NAN);
}

/* ---- places ---- */

static void such_a_clock_lies_nowhere(void **state)
{
    kt_clock *clock = NULL;
    rig *r = set_up(STEPS("20000"), 1, NULL);
    EXPECT_STATUS(kt_clock_open(r->device, 0, NULL, &clock), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "sim:0:");
    EXPECT_TEXT_HAS(kt_error_text(),
                    ": its clock \"events\" tells how far two events are apart, and "
                    "not when they were");
    assert_null(clock);
    EXPECT_OK(kt_device_find_clocks(r->device));
    const kt_clock_info *info = &kt_device_get_info(r->device)->clocks[0];
    EXPECT_NUMBER(info->period_ns, NAN);
    EXPECT_NUMBER(info->uncertainty_ns, NAN);
    assert_int_equal(info->valid_bits, 0);
    assert_int_equal(info->relation_source, KT_SOURCE_NONE);
}

/* The last number behind a key; NaN: there is none. */
static double last_number(const char *line, const char *end, const char *key)
{
    double value = NAN;
    for (const char *at = line; (at = strstr(at, key)) != NULL && at < end; at++)
        value = strtod(at + strlen(key), NULL);
    return value;
}

typedef struct event {
    int64_t begin_ns, end_ns;
    double uncertainty_ns;
} event;

/* Those of a category, in their order. */
static uint32_t find_events(const char *text, const char *category, event events[EVENTS_MAX])
{
    char wanted[32];
    uint32_t count = 0;
    snprintf(wanted, sizeof wanted, "\"cat\": \"%s\"", category);
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *mark = strstr(line, wanted);
        if (!mark || mark > end)
            continue;
        assert_true(count < EVENTS_MAX);
        event *e = &events[count++];
        e->begin_ns = llround(1000 * last_number(line, end, "\"ts\": "));
        e->end_ns = e->begin_ns + llround(1000 * last_number(line, end, "\"dur\": "));
        e->uncertainty_ns = last_number(line, end, "\"uncertainty_ns\": ");
    }
    return count;
}

static const char *trace_of(rig *r, kt_trace_counts *counts)
{
    kt_trace *trace = NULL;
    EXPECT_OK(kt_trace_create(&trace, NULL));
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = SAMPLES,
                                        .samples_max = SAMPLES,
                                        .max_time_ns = 1,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = 1,
                                        .trace = trace};
    const kt_sink sink = {.write = collect};
    rig_try(r, &options, KT_OK);
    output_bytes = 0;
    EXPECT_OK(kt_trace_write(trace, &sink));
    kt_trace_get_counts(trace, counts);
    kt_trace_destroy(&trace);
    return output;
}

/* In the middle of what the submission leaves, by which no step is off more than is reported. */
static void traces_draw_the_steps_within_their_submission(void **state)
{
    static event submits[EVENTS_MAX], waits[EVENTS_MAX], steps[EVENTS_MAX];
    kt_trace_counts counts;
    rig *r = set_up(STEPS("20000"), 3, NULL);
    const char *text = trace_of(r, &counts);
    uint32_t count = find_events(text, "submit", submits);
    assert_int_equal(counts.omitted, 0);
    EXPECT_TEXT_HAS(text, "\"steps (clock events)\"");
    assert_true(count > SAMPLES);
    assert_int_equal(find_events(text, "wait", waits), count);
    assert_int_equal(find_events(text, "kernel", steps), 3 * count);
    for (uint32_t i = 0; i < count; i++) {
        const event *e = &steps[(size_t)3 * i];
        int64_t slack_ns = waits[i].end_ns - submits[i].begin_ns - 61216;
        for (int s = 0; s < 3; s++) {
            assert_int_equal(e[s].end_ns - e[s].begin_ns, 20000);
            EXPECT_NEAR(e[s].uncertainty_ns, slack_ns / 2., 0.5);
            assert_true(s == 0 || e[s].begin_ns - e[s - 1].end_ns == 608);
        }
        EXPECT_NEAR((double)(e[0].begin_ns - submits[i].begin_ns),
                    (double)(waits[i].end_ns - e[2].end_ns), 1);
    }
    const char *first = strstr(text, "\"first_ns\": \"");
    assert_non_null(first);
    int64_t first_ns = strtoll(first + strlen("\"first_ns\": \""), NULL, 10);
    for (int s = 0; s < 3; s++) { /* of the newest, by the timestamps that are not reported */
        const event *e = &steps[3 * (size_t)(count - 1) + (size_t)s];
        EXPECT_NEAR((double)(first_ns + e->begin_ns - driver.truth[s].start_ns), 0,
                    e->uncertainty_ns);
        EXPECT_NEAR((double)(first_ns + e->end_ns - driver.truth[s].end_ns), 0, e->uncertainty_ns);
    }
}

static void without_a_gap_no_step_has_a_place(void **state)
{
    static event steps[EVENTS_MAX];
    kt_trace_counts counts;
    rig *r = set_up(STEPS("20000"), 3, gap_was_not_written);
    const char *text = trace_of(r, &counts);
    assert_int_equal(find_events(text, "kernel", steps), 0);
    assert_true(counts.omitted > 0);
    EXPECT_TEXT_HAS(text, "\"no_relation\": ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_what_the_driver_tells),
        cmocka_unit_test(trials_share_the_resolution),
        cmocka_unit_test(long_times_are_known_to_a_float),
        cmocka_unit_test(raw_shows_the_floats),
        cmocka_unit_test(a_step_of_no_use_is_counted),
        cmocka_unit_test(a_gap_of_no_use_leaves_the_steps),
        cmocka_unit_test(no_span_reaches_across_two_clocks),
        cmocka_unit_test(what_never_moves_is_untrusted),
        cmocka_unit_test(nothing_is_never_ranked),
        cmocka_unit_test(such_a_clock_lies_nowhere),
        cmocka_unit_test(traces_draw_the_steps_within_their_submission),
        cmocka_unit_test(without_a_gap_no_step_has_a_place),
    };
    return cmocka_run_group_tests_name("elapsed_only", tests, NULL, rig_end);
}
