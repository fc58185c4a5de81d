/* SPDX-License-Identifier: MIT */
/*
 * A device with three clocks of one timer, as Level Zero's: "kernel", of which there are no pairs,
 * "global", of which there are, and "context", which stands still while the device works for
 * others. It is the simulated one, with a driver put before it.
 */
#include "device/device.h"
#include "tests/unit/collect.h"
#include "tests/unit/rig.h"

#include <stdio.h>
#include <stdlib.h>

#define SAMPLES   10
#define KERNEL_NS 20000
#define PAUSE_NS  3000
#define STEPS     "sim:0:kernel_ns=20000,gap_ns=608,min_span_ns=1024"
#define AROUND_NS 700 /* what the barriers of a copy's timestamps take */
#define BITS      32
#define WIDTH     (UINT64_C(1) << BITS)

enum { KERNEL, GLOBAL, CONTEXT, CLOCKS };

/* ---- the driver ---- */

static struct {
    const kt_backend *sim;
    kt_backend backend;
    uint32_t reads, pairs[CLOCKS];       /* how often it was asked */
    uint64_t pause_ticks, context_start; /* 0: as the step's */
    bool no_pairs;
    bool global_work;   /* what is no empty step is timestamped by the other clock */
    bool copies_stand;  /* their clock does */
    uint32_t copies_by; /* clock that times empty jobs as it does copies; CLOCKS: none does */
    const void
        *copies[16]; /* jobs that have one, or are timestamped so; the oldest are overwritten */
    uint32_t copy_count;
    uint32_t lost_each; /* of so many reads one has a context that tells nothing; 0: none has */
} driver;

static kt_status job_init(void *job, void *device, const kt_backend_job *desc)
{
    bool is_copy = desc->clock == driver.copies_by || desc->steps[0].kind == KT_STEP_COPY;
    for (int i = 0; i < 16; i++) /* another one was there before */
        driver.copies[i] = driver.copies[i] == job ? NULL : driver.copies[i];
    if (is_copy)
        driver.copies[driver.copy_count++ % 16] = job;
    return driver.sim->job_init(job, device, desc);
}

static bool is_copy(const void *job)
{
    for (int i = 0; i < 16; i++)
        if (driver.copies[i] == job)
            return true;
    return false;
}

static kt_status read_copy(kt_timestamp *timestamp, kt_status status)
{
    timestamp->clock = GLOBAL;
    timestamp->end_ticks += AROUND_NS;
    if (driver.copies_stand)
        timestamp->start_ticks = timestamp->end_ticks = 4711;
    return status;
}

static kt_status job_read(void *job, kt_timestamp *timestamps)
{
    kt_status status = driver.sim->job_read(job, timestamps);
    uint32_t reads = driver.reads++;
    if (is_copy(job))
        return read_copy(&timestamps[0], status);
    kt_timestamp *timestamp = &timestamps[0]; /* of jobs of one step */
    uint64_t span = timestamp->end_ticks - timestamp->start_ticks;
    if (driver.global_work && span > 2000) /* an empty step takes 1,024 ns */
        timestamp->clock = GLOBAL;
    if (status != KT_OK || timestamp->state != KT_TIMESTAMP_OK || span < driver.pause_ticks)
        return status;
    timestamp->has_context = true;
    timestamp->context_clock = CONTEXT;
    timestamp->context_start_ticks =
        driver.context_start ? driver.context_start : timestamp->start_ticks;
    timestamp->context_end_ticks =
        (timestamp->context_start_ticks + span - driver.pause_ticks) % WIDTH;
    if (driver.lost_each && reads % driver.lost_each == 0)
        timestamp->context_start_ticks = timestamp->context_end_ticks = 0;
    return status;
}

static kt_status clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    driver.pairs[clock]++;
    return clock == GLOBAL && !driver.no_pairs ? driver.sim->clock_pair(device, 0, pair)
                                               : kt_fail(KT_UNSUPPORTED, "no such pairs");
}

/* As by a driver that tells whole ns of what are 12 MHz, or 19.2. */
static void tell_whole_ns(rig *r, uint32_t whole_ns)
{
    for (int i = 0; i < CLOCKS; i++) {
        kt_clock_info *clock = &r->device->info.clocks[i];
        clock->reported_period_ns = whole_ns;
        clock->period_ns = NAN;
        clock->period_source = KT_SOURCE_NONE;
    }
}

static rig *set_up(const char *device)
{
    static const char *const names[] = {"kernel", "global", "context"};
    rig *r = rig_make(device, 0);
    memset(&driver, 0, sizeof driver);
    driver.sim = r->device->backend;
    driver.copies_by = CLOCKS;
    driver.backend = *driver.sim;
    driver.backend.simulated = false;
    driver.backend.job_init = job_init;
    driver.backend.job_read = job_read;
    driver.backend.clock_pair = clock_pair;
    r->device->backend = &driver.backend;
    kt_device_info *info = &r->device->info;
    for (int i = 0; i < CLOCKS; i++) {
        info->clocks[i] = info->clocks[0];
        info->clocks[i].method = KT_METHOD_DEVICE_TIMESTAMP;
        info->clocks[i].pauses = i == CONTEXT;
        info->clocks[i].timer = 1;
        snprintf(info->clocks[i].name, sizeof info->clocks[i].name, "%s", names[i]);
    }
    info->clock_count = CLOCKS;
    return r;
}

/* ---- the clock that pauses ---- */

static void a_step_has_the_median_of_its_contexts(void **state)
{
    rig *r = set_up(STEPS ",bits=32");
    driver.pause_ticks = PAUSE_NS;
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    rig_expect_all(rig_series(result, "first"), SAMPLES, KERNEL_NS);
    EXPECT_NUMBER(rig_series(result, "first")->clock_period_ns, NAN); /* it is told */
    EXPECT_NUMBER(rig_series(result, "first")->context_ns, KERNEL_NS - PAUSE_NS);
    EXPECT_NUMBER(rig_series(result, "wall")->context_ns, NAN);
    EXPECT_NUMBER(rig_series(result, "wall_timestamped")->context_ns, NAN);
    assert_string_equal(rig_series(result, "first")->clock, "kernel");
    result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 4); /* of 80 us the same pause */
    rig_expect_all(rig_series(result, "first"), SAMPLES, KERNEL_NS);
    EXPECT_NUMBER(rig_series(result, "first")->context_ns, KERNEL_NS - PAUSE_NS / 4.);
}

/* The middle of a few that are left: those that tell nothing are not 0, and their samples stay. */
static void what_its_context_does_not_tell_is_left_out(void **state)
{
    rig *r = set_up(STEPS ",bits=32");
    driver.pause_ticks = PAUSE_NS;
    driver.lost_each = 2;
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    rig_expect_all(rig_series(result, "first"), SAMPLES, KERNEL_NS);
    EXPECT_NUMBER(rig_series(result, "first")->context_ns, KERNEL_NS - PAUSE_NS);
    assert_int_equal(rig_series(result, "first")->context_missing, SAMPLES / 2);
    driver.lost_each = 1;
    result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    rig_expect_all(rig_series(result, "first"), SAMPLES, KERNEL_NS);
    EXPECT_NUMBER(rig_series(result, "first")->context_ns, NAN);
    assert_int_equal(rig_series(result, "first")->context_missing, 0);
}

static void contexts_wrap_by_themselves(void **state)
{
    rig *r = set_up(STEPS ",bits=32");
    driver.pause_ticks = PAUSE_NS;
    driver.context_start = WIDTH - 1000;
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    const kt_series *first = rig_series(result, "first");
    rig_expect_all(first, SAMPLES, KERNEL_NS);
    assert_int_equal(first->raw[0].context_end_ticks, KERNEL_NS - PAUSE_NS - 1000);
    EXPECT_NUMBER(first->context_ns, KERNEL_NS - PAUSE_NS);
}

static void below_the_min_span_no_context_is_reported(void **state)
{
    rig *r = set_up("sim:0:kernel_ns=1024,min_span_ns=1024,bits=32");
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    assert_int_equal(rig_series(result, "first")->status, KT_SERIES_BELOW_MIN_SPAN);
    EXPECT_NUMBER(rig_series(result, "first")->context_ns, NAN);
}

static void raw_has_the_context_beside_the_timestamps(void **state)
{
    rig *r = set_up(STEPS ",bits=32");
    driver.pause_ticks = PAUSE_NS;
    rig_make_job(r, 1);
    kt_result *result = rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_series *first = rig_series(result, "first");
    for (size_t i = 0; i < first->raw_count; i++) {
        const kt_raw *raw = &first->raw[i];
        assert_true(raw->has_timestamps && raw->has_context);
        assert_int_equal(raw->context_start_ticks, raw->start_ticks);
        assert_int_equal(raw->context_end_ticks, raw->end_ticks - PAUSE_NS);
    }
    assert_false(rig_series(result, "wall_timestamped")->raw[0].has_context);
}

/* 12 MHz and 32 bits, of two trials: 1,200 ticks are 100 us, of which 240 were others'. */
static void spans_are_reckoned_of_raw_ticks(void **state)
{
    const kt_device_info device = {
        .clocks = {{.name = "global", .period_ns = 1e9 / 12e6, .valid_bits = 36},
                   {.name = "kernel", .period_ns = 1e9 / 12e6, .valid_bits = 32},
                   {.name = "context", .period_ns = 1e9 / 12e6, .valid_bits = 32, .pauses = 1}},
        .clock_count = 3};
    kt_raw raw[] = {{.start_ticks = 5, .end_ticks = 1205},
                    {.start_ticks = WIDTH - 200, .end_ticks = 1000},
                    {.start_ticks = 1000, .end_ticks = 990, .state = KT_TIMESTAMP_NEGATIVE},
                    {.start_ticks = 7, .end_ticks = 1207, .has_context = 1},
                    {.state = KT_TIMESTAMP_LOST},
                    {.start_ticks = 9, .end_ticks = 1209}};
    for (int i = 0; i < 6; i++) {
        raw[i].has_timestamps = i != 4;
        raw[i].has_context = i != 4 && i != 5;
        raw[i].host_after_ns = 200000;
        raw[i].context_start_ticks = WIDTH - 100;
        raw[i].context_end_ticks = 860;
    }
    raw[3].context_start_ticks = raw[3].context_end_ticks = 0;
    const double samples_ns[] = {50000, 50001, 50002, 50003};
    kt_series series = {.clock = "kernel",
                        .trials = 2,
                        .samples_ns = samples_ns,
                        .summary = {.n = 4},
                        .raw = raw,
                        .raw_count = 6};
    static const struct {
        uint64_t ticks;
        double span_ns;
        uint64_t context_ticks;
        double context_ns;
    } wanted[] = {
        {1200, 100000, 960, 80000}, {1200, 100002, 960, 80000}, {WIDTH - 10, NAN, 960, NAN},
        {1200, 100004, 0, NAN},     {0, NAN, 0, NAN},           {1200, 100006, 0, NAN}};
    kt_raw_span spans[6];
    assert_ptr_equal(kt_series_clock(&series, &device), &device.clocks[1]);
    kt_series_get_spans(&series, &device, spans);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(spans[i].ticks, wanted[i].ticks);
        EXPECT_NUMBER(spans[i].span_ns, wanted[i].span_ns);
        assert_int_equal(spans[i].context_ticks, wanted[i].context_ticks);
        EXPECT_NUMBER(spans[i].context_ns, wanted[i].context_ns);
    }
    series.clock_period_ns = 80; /* of a run that found it so */
    kt_series_get_spans(&series, &device, spans);
    EXPECT_NUMBER(spans[0].context_ns, 960 * 80);
    series.clock = NULL;
    assert_null(kt_series_clock(&series, &device));
    kt_series_get_spans(&series, &device, spans);
    assert_int_equal(spans[0].ticks, 0);
    EXPECT_NUMBER(spans[0].span_ns, NAN);
}

static void what_pauses_lies_nowhere(void **state)
{
    kt_clock *clock = NULL;
    rig *r = set_up(STEPS);
    EXPECT_STATUS(kt_clock_open(r->device, CONTEXT, NULL, &clock), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(
        kt_error_text(),
        ": its clock \"context\" stands still while the device works for others, so its "
        "timestamps lie nowhere on the host's time line");
    assert_null(clock);
    EXPECT_OK(kt_device_find_clocks(r->device));
    rig_make_job(r, 1);
    rig_measure(r, SAMPLES, KT_TIMING_BOTH, 1);
    const kt_device_info *info = kt_device_get_info(r->device);
    assert_int_equal(driver.pairs[CONTEXT], 0);
    assert_true(driver.pairs[GLOBAL] > 0);
    assert_int_equal(info->clocks[KERNEL].relation_source, KT_SOURCE_BRACKETED_SUBMISSIONS);
    assert_int_equal(info->clocks[GLOBAL].relation_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    assert_int_equal(info->clocks[CONTEXT].relation_source, KT_SOURCE_NONE);
    EXPECT_NUMBER(info->clocks[CONTEXT].drift_ppm, NAN);
    EXPECT_NUMBER(info->clocks[CONTEXT].uncertainty_ns, NAN);
}

/* As copies are: the timer limits is made by the clock of empty steps, and holds. */
static void work_may_be_timestamped_by_another_clock_than_empty_steps(void **state)
{
    kt_trace *trace = NULL;
    kt_trace_counts counts;
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    rig *r = set_up(STEPS ",bits=32,period_ns=4");
    driver.global_work = true;
    rig_make_job(r, 1);
    EXPECT_OK(kt_trace_create(&trace, NULL));
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = SAMPLES,
                                        .samples_max = SAMPLES,
                                        .max_time_ns = 1,
                                        .timing = KT_TIMING_DEVICE,
                                        .trials = 1,
                                        .trace = trace};
    kt_result *result = rig_try(r, &options, KT_OK);
    EXPECT_OK(kt_trace_write(trace, &sink));
    kt_trace_get_counts(trace, &counts);
    rig_expect_all(rig_series(result, "first"), SAMPLES, KERNEL_NS);
    assert_string_equal(rig_series(result, "first")->clock, "global");
    EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->resolution_ns, 4);
    assert_int_equal(counts.omitted, 0);
    EXPECT_TEXT_HAS(output, "\"steps (clock global)\"");
    assert_null(strstr(output, "clock kernel"));
    assert_null(strstr(output, "clock context"));
    kt_trace_destroy(&trace);
}

/* ---- copies, whose timestamps have barriers around them ---- */

#define COPIES "sim:0:copy_gbs=1,latency_ns=0,min_span_ns=1000,bits=32"

static kt_result *measure_copy(rig *r, size_t bytes, uint32_t trials)
{
    rig_clear(r);
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, bytes, &r->input));
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, bytes, &r->output));
    const kt_step step = {.name = "copy",
                          .kind = KT_STEP_COPY,
                          .src = r->input,
                          .dst = r->output,
                          .copy_bytes = bytes};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
    return rig_measure(r, SAMPLES, KT_TIMING_DEVICE, trials);
}

/* A copy that takes as long as an empty step shows what its barriers take, which is no time of a
 * copy. */
static void copies_have_a_min_span_of_their_own(void **state)
{
    static const struct {
        size_t bytes;
        kt_series_status status;
    } cases[] = {{64, KT_SERIES_BELOW_MIN_SPAN}, {1100, KT_SERIES_OK}};
    rig *r = set_up(COPIES);
    driver.copies_by = GLOBAL;
    for (int i = 0; i < 2; i++) {
        kt_result *result = measure_copy(r, cases[i].bytes, 1);
        assert_int_equal(rig_series(result, "copy")->status, cases[i].status);
        assert_string_equal(rig_series(result, "copy")->clock, "global");
        if (i == 1)
            rig_expect_all(rig_series(result, "copy"), SAMPLES, 1100 + AROUND_NS);
    }
    const kt_timer_limits *limits = kt_device_get_timer_limits(r->device);
    EXPECT_NUMBER(limits->min_span_ns, 1000);
    EXPECT_NUMBER(limits->clocks[GLOBAL].min_span_ns, 1000 + AROUND_NS);
    assert_string_equal(limits->clocks[GLOBAL].name, "global");
    assert_string_equal(limits->clocks[CONTEXT].name, "");
    EXPECT_NUMBER(kt_timer_limits_get_min_span(limits, "kernel"), 1000);
    EXPECT_NUMBER(kt_timer_limits_get_min_span(limits, "global"), 1000 + AROUND_NS);
    EXPECT_NUMBER(kt_timer_limits_get_min_span(limits, NULL), 1000);
}

/* Kernels keep their times. */
static void copies_are_trusted_apart(void **state)
{
    rig *r = set_up(COPIES ",kernel_ns=20000");
    driver.copies_by = GLOBAL;
    driver.copies_stand = true;
    kt_result *result = measure_copy(r, 5000, 1);
    const kt_series *copy = rig_series(result, "copy");
    assert_int_equal(copy->status, KT_SERIES_NOT_POSSIBLE);
    EXPECT_TEXT_HAS(copy->error, " empty submissions over ");
    EXPECT_TEXT_HAS(copy->error, " all returned tick 4711");
    EXPECT_NUMBER(kt_device_get_timer_limits(r->device)->clocks[GLOBAL].min_span_ns, NAN);
    rig_make_job(r, 1);
    result = rig_measure(r, SAMPLES, KT_TIMING_DEVICE, 1);
    rig_expect_all(rig_series(result, "first"), SAMPLES, 20000);
}

/* Where the API gives no pairs of it, empty commands do that are timestamped as copies are. */
static void the_clock_of_copies_has_a_place_without_pairs(void **state)
{
    kt_clock *clock = NULL;
    rig *r = set_up(COPIES);
    driver.no_pairs = true;
    EXPECT_STATUS(kt_clock_open(r->device, GLOBAL, NULL, &clock), KT_UNSUPPORTED);
    driver.copies_by = GLOBAL;
    EXPECT_OK(kt_clock_open(r->device, GLOBAL, NULL, &clock));
    kt_clock_close(&clock);
    measure_copy(r, 5000, 1);
    for (int i = 0; i < CONTEXT; i++)
        assert_int_equal(kt_device_get_info(r->device)->clocks[i].relation_source,
                         KT_SOURCE_BRACKETED_SUBMISSIONS);
}

/* ---- periods that are told in whole ns ---- */

#define RATE_ERROR 10e-6

static double off(double value, double truth)
{
    return fabs(value / truth - 1);
}

static void expect_periods(const rig *r, double true_ns, kt_clock_source source)
{
    const kt_device_info *info = kt_device_get_info(r->device);
    for (int i = 0; i < CLOCKS; i++) {
        const kt_clock_info *clock = &info->clocks[i];
        if (!(off(clock->period_ns, true_ns) < RATE_ERROR))
            fail_msg("%s: %.12g ns, not %.12g", clock->name, clock->period_ns, true_ns);
        assert_int_equal(clock->period_source, source);
        EXPECT_NUMBER(clock->period_ns, info->clocks[GLOBAL].period_ns);
        assert_true(off(clock->period_ns, true_ns) <= clock->period_uncertainty_ns / true_ns);
        EXPECT_NUMBER(clock->drift_ppm, NAN); /* of a period that nobody told */
    }
}

static const struct {
    const char *device;
    uint32_t reported_ns;
    double true_ns;
} timers[] = {{"sim:0:period_ns=83.3333333333333,bits=32,kernel_ns=100e6,min_span_ns=2000,seed=3",
               83, 1e9 / 12e6},
              {"sim:0:period_ns=52.0833333333333,bits=36,kernel_ns=100e6,min_span_ns=2000,seed=4",
               52, 1e9 / 19.2e6}};

/* A kernel of 100 ms is 0.4 %, or 0.16 %, shorter by what is told. */
static void what_is_reported_in_whole_ns_is_found(void **state)
{
    for (int i = 0; i < 4; i++) {
        rig *r = set_up(timers[i / 2].device);
        tell_whole_ns(r, timers[i / 2].reported_ns);
        driver.no_pairs = i % 2 == 1;
        rig_make_job(r, 1);
        kt_result *result = rig_measure(r, 3, KT_TIMING_DEVICE, 1);
        const kt_series *first = rig_series(result, "first");
        expect_periods(r, timers[i / 2].true_ns,
                       driver.no_pairs ? KT_SOURCE_BRACKETED_SUBMISSIONS
                                       : KT_SOURCE_CALIBRATED_TIMESTAMPS);
        assert_true(off(first->summary.median, 100e6) < RATE_ERROR + 1e-6); /* a tick */
        EXPECT_NUMBER(first->summary.median, first->context_ns);
        EXPECT_NUMBER(first->clock_period_ns, r->device->info.clocks[KERNEL].period_ns);
    }
}

/* Whichever clock is opened first, and no later than after a second. */
static void any_of_them_is_found_by_the_one_with_pairs(void **state)
{
    for (uint32_t i = 0; i < 2; i++) {
        rig *r = set_up(timers[0].device);
        tell_whole_ns(r, timers[0].reported_ns);
        int64_t begin_ns = kt_device_now(r->device);
        rig_clock(r, i, NULL);
        assert_true(kt_device_now(r->device) - begin_ns < INT64_C(1000000000));
        expect_periods(r, timers[0].true_ns, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    }
}

/* Of a timer of which nothing is told, too. */
static void what_is_found_is_found_of_all_of_a_timer(void **state)
{
    for (int i = 0; i < 2; i++) {
        rig *r = set_up(timers[0].device);
        tell_whole_ns(r, 0);
        driver.no_pairs = i == 1;
        EXPECT_OK(kt_device_find_clocks(r->device));
        for (int k = 0; k < CLOCKS; k++)
            assert_true(off(r->device->info.clocks[k].period_ns, timers[0].true_ns) < 100e-6);
    }
}

/* That they are told alike says nothing. */
static void clocks_of_other_timers_stay_unknown(void **state)
{
    rig *r = set_up(timers[0].device);
    tell_whole_ns(r, 83);
    kt_clock_info *clocks = r->device->info.clocks;
    clocks[KERNEL].timer = 0;
    clocks[CONTEXT].timer = 2;
    rig_clock(r, GLOBAL, NULL);
    assert_true(off(clocks[GLOBAL].period_ns, timers[0].true_ns) < RATE_ERROR);
    EXPECT_NUMBER(clocks[KERNEL].period_ns, NAN);
    EXPECT_NUMBER(clocks[CONTEXT].period_ns, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_has_the_median_of_its_contexts),
        cmocka_unit_test(what_its_context_does_not_tell_is_left_out),
        cmocka_unit_test(contexts_wrap_by_themselves),
        cmocka_unit_test(below_the_min_span_no_context_is_reported),
        cmocka_unit_test(raw_has_the_context_beside_the_timestamps),
        cmocka_unit_test(spans_are_reckoned_of_raw_ticks),
        cmocka_unit_test(what_pauses_lies_nowhere),
        cmocka_unit_test(work_may_be_timestamped_by_another_clock_than_empty_steps),
        cmocka_unit_test(copies_have_a_min_span_of_their_own),
        cmocka_unit_test(copies_are_trusted_apart),
        cmocka_unit_test(the_clock_of_copies_has_a_place_without_pairs),
        cmocka_unit_test(what_is_reported_in_whole_ns_is_found),
        cmocka_unit_test(any_of_them_is_found_by_the_one_with_pairs),
        cmocka_unit_test(what_is_found_is_found_of_all_of_a_timer),
        cmocka_unit_test(clocks_of_other_timers_stay_unknown),
    };
    return cmocka_run_group_tests_name("several_clocks", tests, NULL, rig_end);
}
