/* SPDX-License-Identifier: MIT */
/* How long kernels and copies took, by counters of all widths and units; and what becomes of timestamps
 * that are none. */
#include "tests/unit/backends/level_zero/level_zero.h"

enum { DURATIONS = 3000, CLOCK_KERNEL = 0, CLOCK_GLOBAL = 1, CLOCK_CONTEXT = 2 };

/* Between the two global timestamps of a copy stand two barriers, and the second timestamp takes its time:
 * see barrier_ticks. */
enum { AROUND_LEAST = 3 * 3, AROUND_MOST = 3 * 5 };

static uint64_t seed = 20240823;

/* Evenly on a logarithmic scale, without a pattern. */
static uint64_t duration(uint64_t most_ticks)
{
    return 1 + (uint64_t)exp(random_share(&seed) * log((double)most_ticks - 1));
}

/* How many ticks make the counter begin anew; 0: it has 64 bits. */
static uint64_t wrap_of(int clock)
{
    uint32_t bits = kt_device_get_info(device)->clocks[clock].valid_bits;
    return bits == 64 ? 0 : UINT64_C(1) << bits;
}

static double period_of(int clock)
{
    return kt_device_get_info(device)->clocks[clock].period_ns;
}

/* Every second time so that what takes that long goes across the wrap. */
static void start_anywhere(uint64_t ticks, bool across)
{
    uint64_t before = 1 + random_bits(&seed) % ticks;
    uint64_t global = wrap_of(CLOCK_GLOBAL) - before, kernel = wrap_of(CLOCK_KERNEL) - before;
    if (across)
        stub_set_counters(global, kernel);
    else
        stub_set_counters(random_bits(&seed), random_bits(&seed));
}

static uint64_t ticks_of(const kt_raw *raw, int clock)
{
    uint64_t wrap = wrap_of(clock), ticks = raw->end_ticks - raw->start_ticks;
    return wrap ? ticks & (wrap - 1) : ticks;
}

/* One submission of the work; it is OK if there is a duration. */
static kt_result *measure_once(const work *w, uint64_t ticks, bool across)
{
    kt_result *result = NULL;
    start_anywhere(ticks, across);
    stub_take(ticks);
    EXPECT_OK(try_measure(w, 1, 1, &result));
    assert_int_equal(work_of(result)->raw_count, 1);
    return result;
}

/* Up to one wrap, and to 2^34 ticks, which are 24 minutes at 12 MHz. */
static uint64_t longest(int clock)
{
    uint64_t wrap = wrap_of(clock), most = UINT64_C(1) << 34;
    return wrap && wrap < most ? wrap - 1 : most;
}

/* ---- durations ---- */

/* Below the floor, of a few ticks, there is no sample, but the timestamps are as they were. */
static void exact(void **state)
{
    uint32_t reported = 0;
    made = make_fill();
    for (int i = 0; i < DURATIONS; i++) {
        uint64_t ticks = i == 0 ? longest(CLOCK_KERNEL) : duration(longest(CLOCK_KERNEL));
        kt_result *result = measure_once(&made, ticks, i % 2);
        const kt_series *series = work_of(result);
        assert_int_equal(series->raw[0].state, KT_TIMESTAMP_OK);
        assert_int_equal(ticks_of(&series->raw[0], CLOCK_KERNEL), ticks);
        if (series->status == KT_SERIES_OK) {
            EXPECT_NUMBER(series->samples_ns[0], (double)ticks * period_of(CLOCK_KERNEL));
            reported++;
        } else {
            assert_int_equal(series->status, KT_SERIES_BELOW_MIN_SPAN);
            assert_true(ticks < 10);
        }
        kt_result_destroy(&result);
    }
    assert_true(reported > DURATIONS * 4 / 5);
}

static void exact_copies(void **state)
{
    made = make_copy(KT_MEMORY_DEVICE, KT_MEMORY_HOST);
    for (int i = 0; i < DURATIONS / 4; i++) {
        uint64_t ticks = 10 + duration(longest(CLOCK_GLOBAL) - AROUND_MOST - 10);
        kt_result *result = measure_once(&made, ticks, i % 2);
        const kt_series *series = work_of(result);
        assert_int_equal(series->status, KT_SERIES_OK);
        uint64_t seen = ticks_of(&series->raw[0], CLOCK_GLOBAL);
        assert_in_range(seen, ticks + AROUND_LEAST, ticks + AROUND_MOST);
        EXPECT_NUMBER(series->samples_ns[0], (double)seen * period_of(CLOCK_GLOBAL));
        kt_result_destroy(&result);
    }
}

/* The host's clock tells how often the counter has wrapped, or nobody can; never is it another
 * time. */
static void beyond_the_wrap(void **state)
{
    uint32_t reported = 0, all = 0;
    made = make_fill();
    for (int i = 0; i < 400; i++, all++) {
        uint64_t ticks = wrap_of(CLOCK_KERNEL) * (1 + (uint64_t)i % 4) + duration(1u << 31);
        kt_result *result = measure_once(&made, ticks, false);
        const kt_series *series = work_of(result);
        if (series->raw[0].state == KT_TIMESTAMP_OK) {
            assert_int_equal(series->status, KT_SERIES_OK);
            EXPECT_NUMBER(series->samples_ns[0], (double)ticks * period_of(CLOCK_KERNEL));
            reported++;
        } else {
            assert_int_equal(series->raw[0].state, KT_TIMESTAMP_AMBIGUOUS);
            assert_int_equal(series->summary.n, 0);
        }
        kt_result_destroy(&result);
    }
    print_message("%u of %u were told\n", reported, all);
}

/* From the first trial's start to the last one's end, with what a barrier takes in between. */
static void trials(void **state)
{
    enum { TRIALS = 7, TICKS = 50000 };
    made = make_fill();
    stub_take(TICKS);
    EXPECT_OK(try_measure(&made, 5, TRIALS, &measured));
    const kt_series *series = work_of(measured);
    for (size_t i = 0; i < series->raw_count; i++)
        assert_in_range(ticks_of(&series->raw[i], CLOCK_KERNEL), TRIALS * TICKS + (TRIALS - 1) * 3,
                        TRIALS * TICKS + (TRIALS - 1) * 5);
    assert_int_equal(series->summary.n, 5);
}

/* ---- several steps ---- */

enum { STEPS = 5 };

static const char *const step_names[STEPS] = {"a", "b", "c", "d", "e"};

static kt_job *make_steps(const work *w)
{
    const uint32_t n = 1024;
    const kt_arg args[] = {{.memory = w->memory}, {.value = &n, .value_bytes = sizeof n}};
    kt_step steps[STEPS];
    kt_job *job = NULL;
    for (int i = 0; i < STEPS; i++) {
        steps[i] = (kt_step){.name = step_names[i],
                             .program = w->program,
                             .args = args,
                             .arg_count = 2,
                             .groups = {n / 256, 1, 1},
                             .group_size = {256, 1, 1}};
    }
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "steps", .steps = steps, .step_count = STEPS};
    EXPECT_OK(kt_job_create(device, &desc, &job));
    return job;
}

/* Of each step by itself, however often it runs; and none is another's, for all of them lie one
 * after another. */
static void expect_steps(uint32_t trial_count, uint64_t ticks)
{
    kt_result *result = NULL;
    work w = make_fill(), all = {.job = make_steps(&w)};
    stub_take(ticks);
    EXPECT_OK(try_measure(&all, 3, trial_count, &result));
    uint64_t end = 0;
    for (int i = 0; i < STEPS; i++) {
        const kt_series *series = kt_result_find(result, step_names[i]);
        assert_non_null(series);
        assert_int_equal(series->summary.n, 3);
        const kt_raw *raw = &series->raw[2];
        uint64_t between = trial_count - 1;
        assert_in_range(ticks_of(raw, CLOCK_KERNEL), trial_count * ticks + between * 3,
                        trial_count * ticks + between * 5);
        if (i > 0)
            assert_in_range(raw->start_ticks - end, 3, 5); /* a barrier */
        end = raw->end_ticks;
    }
    kt_result_destroy(&result);
    kt_job_destroy(&all.job);
    destroy_work(&w);
}

static void several_steps(void **state)
{
    expect_steps(1, 40000);
    expect_steps(1, 39999);
    expect_steps(3, 40001);
}

/* One sample of four loses one of its ten timestamps, which is then a state of that step alone. */
static void several_steps_zero(void **state)
{
    enum { SAMPLES = 40, TICKS = 20000 };
    kt_result *result = NULL;
    work w = make_fill(), all = {.job = make_steps(&w)};
    stub_take(TICKS);
    EXPECT_OK(try_measure(&all, SAMPLES, 2, &result));
    for (int i = 0; i < STEPS; i++) {
        const kt_series *series = kt_result_find(result, step_names[i]);
        uint32_t bad = 0;
        for (size_t k = 0; k < series->raw_count; k++)
            bad += series->raw[k].state == KT_TIMESTAMP_ZERO;
        assert_in_range(bad, 2, 30);
        assert_int_equal(series->summary.n, SAMPLES - bad);
        assert_int_equal(series->discarded[KT_TIMESTAMP_ZERO], bad);
        for (size_t k = 0; k < series->summary.n; k++)
            assert_in_range(llround(series->samples_ns[k] * 2 / period_of(CLOCK_KERNEL)),
                            2 * TICKS + 3, 2 * TICKS + 5);
    }
    kt_result_destroy(&result);
    kt_job_destroy(&all.job);
    destroy_work(&w);
}

/* ---- the other clock ---- */

/* The context was active for 60 of 100 ticks. */
static void context_beside(void **state)
{
    assert_true(kt_device_get_info(device)->clocks[CLOCK_CONTEXT].pauses);
    made = make_fill();
    for (int i = 0; i < 200; i++) {
        uint64_t ticks = 100 + duration(UINT64_C(1) << 31);
        kt_result *result = measure_once(&made, ticks, i % 2);
        const kt_series *series = work_of(result);
        EXPECT_NUMBER(series->samples_ns[0], (double)ticks * period_of(CLOCK_KERNEL));
        EXPECT_NEAR(series->context_ns, 0.6 * (double)ticks * period_of(CLOCK_KERNEL),
                    period_of(CLOCK_KERNEL));
        kt_result_destroy(&result);
    }
    destroy_work(&made);
    made = make_copy(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE);
    kt_result *result = measure_once(&made, 1000, false);
    assert_true(isnan(work_of(result)->context_ns));
    kt_result_destroy(&result);
}

/* ---- units ---- */

/* What is told in whole ns is told wrongly by up to 0.4 %; it is found within 10 ppm. */
static void expect_found(double hz, uint32_t reported_ns)
{
    const kt_clock_info *info = &kt_device_get_info(device)->clocks[CLOCK_KERNEL];
    assert_int_equal(info->reported_period_ns, reported_ns);
    work w = make_fill();
    for (int i = 0; i < 300; i++) {
        uint64_t ticks = 1000 + duration(longest(CLOCK_KERNEL) - 1000);
        kt_result *result = measure_once(&w, ticks, i % 2);
        double true_ns = (double)ticks * 1e9 / hz;
        EXPECT_NEAR(work_of(result)->samples_ns[0], true_ns, 1e-5 * true_ns);
        kt_result_destroy(&result);
    }
    EXPECT_NEAR(info->period_ns, 1e9 / hz, 1e-5 * 1e9 / hz);
    destroy_work(&w);
}

static void found_12_mhz(void **state)
{
    expect_found(12000000, 83);
}

static void found_12000048_hz(void **state)
{
    expect_found(12000048, 83);
}

static void found_19_2_mhz(void **state)
{
    expect_found(19200000, 52);
}

static void found_without_a_word(void **state)
{
    expect_found(19200000, 0);
}

/* Calls take what they take, cold ones longest, so no pair has its reading in the middle. */
static void found_on_the_hosts_clock(void **state)
{
    for (int i = 0; i < 5; i++) {
        EXPECT_OK(kt_context_create(&context, NULL));
        EXPECT_OK(kt_device_open(context, "level_zero:0", &device));
        EXPECT_OK(kt_device_find_clocks(device));
        for (int k = 0; k < 3; k++)
            EXPECT_NEAR(period_of(k), 1e9 / 12e6, 1e-5 * 1e9 / 12e6);
        close_device();
    }
}

static void reported_in_hz(void **state)
{
    for (int i = 0; i < 3; i++) {
        const kt_clock_info *info = &kt_device_get_info(device)->clocks[i];
        assert_int_equal(info->reported_period_ns, 0);
        EXPECT_NUMBER(info->frequency_hz, 12000048);
        EXPECT_NUMBER(info->period_ns, 1e9 / 12000048);
        assert_int_equal(info->valid_bits, i == CLOCK_GLOBAL ? 36 : 32);
    }
}

/* ---- timestamps that are none ---- */

/* Of both ways to time; those that are good are right. */
static void expect_state(const work *w, kt_timestamp_state expected, uint64_t around_most)
{
    enum { SAMPLES = 40, TICKS = 20000 };
    kt_result *result = NULL;
    stub_take(TICKS);
    EXPECT_OK(try_measure(w, SAMPLES, 1, &result));
    const kt_series *series = work_of(result);
    uint32_t bad = 0;
    for (size_t i = 0; i < series->raw_count; i++)
        bad += series->raw[i].state == expected;
    assert_in_range(bad, 4, 30);
    assert_int_equal(series->discarded[expected], bad);
    assert_int_equal(series->summary.n, SAMPLES - bad);
    for (size_t i = 0; i < series->summary.n; i++)
        assert_in_range(llround(series->samples_ns[i] / period_of(CLOCK_KERNEL)), TICKS,
                        TICKS + around_most);
    kt_result_destroy(&result);
}

static void expect_states(void **state)
{
    const int expected = *(const int *)*state;
    made = make_fill();
    expect_state(&made, expected, 0);
}

/* More than kerntime looks at: what some of them say is not said of all. */
static void too_many_tiles(void **state)
{
    made = make_fill();
    EXPECT_OK(try_measure(&made, 3, 1, &measured));
    const kt_series *series = work_of(measured);
    assert_int_equal(series->raw_count, 3);
    for (size_t i = 0; i < series->raw_count; i++)
        assert_int_equal(series->raw[i].state, KT_TIMESTAMP_ERROR);
}

/* One of the two is a 0, the other a number. */
static void zero_of_copies(void **state)
{
    made = make_copy(KT_MEMORY_HOST, KT_MEMORY_DEVICE);
    expect_state(&made, KT_TIMESTAMP_ZERO, AROUND_MOST);
}

const struct CMUnitTest level_zero_times[] = {
    MOOD(exact),
    MOOD(exact_copies),
    MOOD(beyond_the_wrap),
    MOOD(trials),
    MOOD(several_steps),
    MOOD(several_steps_zero),
    MOOD(context_beside),
    MOOD(found_12_mhz),
    MOOD(found_12000048_hz),
    MOOD(found_19_2_mhz),
    MOOD(found_without_a_word),
    BARE(found_on_the_hosts_clock),
    MOOD(reported_in_hz),
    MOOD_OF("zero", expect_states, &(int){KT_TIMESTAMP_ZERO}),
    MOOD_OF("backwards", expect_states, &(int){KT_TIMESTAMP_NEGATIVE}),
    MOOD_OF("not_ready", expect_states, &(int){KT_TIMESTAMP_NOT_READY}),
    MOOD_OF("failed", expect_states, &(int){KT_TIMESTAMP_ERROR}),
    MOOD(too_many_tiles),
    MOOD(zero_of_copies),
    MOODS_END,
};
