/* SPDX-License-Identifier: MIT */
/* Which advice is chosen, and the numbers in it, for series made by hand. */
#include "cli/session/advice.h"
#include "tests/unit/testing.h"

#include <stdio.h>

static const double samples_ns[] = {42, 40, 41, 43, 39};

/* A series without a fault: 100 us +-0.1 %, stopped because it was known well enough. */
static kt_series good(const char *device)
{
    return (kt_series){
        .name = "fill/32",
        .workload = "fill",
        .device = device,
        .step = "fill",
        .method = KT_METHOD_EVENT_PROFILE,
        .trials = 1,
        .stop = KT_STOP_REL_ERR,
        .samples_ns = samples_ns,
        .speedup = NAN,
        .summary =
            {.n = 5, .mean = 100000, .median = 100000, .ci95_low = 99900, .ci95_high = 100100},
    };
}

/* With so many samples and half an interval that is this share of the median. */
static kt_series wide(const char *device, double error, kt_stop stop)
{
    kt_series s = good(device);
    s.stop = stop;
    s.summary.ci95_low = 100000 * (1 - error);
    s.summary.ci95_high = 100000 * (1 + error);
    return s;
}

static kt_series warned(const char *device, unsigned warnings)
{
    kt_series s = wide(device, NAN, KT_STOP_MAX_SAMPLES);
    s.summary.warnings = warnings;
    s.summary.drift = warnings & KT_WARNING_DRIFT ? 0.031 : NAN;
    s.summary.cluster_low = 100000;
    s.summary.cluster_high = 108000;
    return s;
}

/* What is known besides the series; two seconds of a quiet host that tells no frequency. */
typedef struct scene {
    kt_measure_options measure;
    uint32_t runs;
    kt_host_state before, after;
} scene;

static scene quiet(void)
{
    return (scene){
        .measure = {.size = sizeof(kt_measure_options)},
        .before = {.at_ns = 1, .busy_ns = 0, .own_ns = 0, .cores = 2, .frequency_hz = NAN},
        .after =
            {.at_ns = 2000000001, .busy_ns = 2e9, .own_ns = 2e9, .cores = 2, .frequency_hz = NAN},
    };
}

/* NULL: none. The devices have timer limits: resolution 10 ns, shortest span 100 ns. */
static void expect(const scene *s, const kt_series *series, size_t count, const char *expected)
{
    const kt_report_origin origin = {.version = "", .started = "", .os = "", .clock = ""};
    const kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    kt_report *report = NULL;
    EXPECT_OK(kt_report_create(&report, &desc));
    kt_device_info info = {.id = "dev:0"};
    const kt_timer_limits limits = {.resolution_ns = 10, .min_span_ns = 100, .trusted = 1};
    EXPECT_OK(kt_report_add_device(report, &info, &limits));
    for (size_t i = 0; i < count; i++)
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    const advice_facts facts = {.report = report,
                                .measure = &s->measure,
                                .runs = s->runs,
                                .before = &s->before,
                                .after = &s->after};
    char text[ADVICE_BYTES] = "untouched";
    assert_int_equal(advice_choose(&facts, text), expected != NULL);
    assert_string_equal(text, expected ? expected : "untouched");
    kt_report_destroy(&report);
}

#define EXPECT_ADVICE(scene_, expected, ...)         \
    expect(scene_, (const kt_series[]){__VA_ARGS__}, \
           sizeof((const kt_series[]){__VA_ARGS__}) / sizeof(kt_series), expected)

static void what_is_good_needs_none(void **state)
{
    scene s = quiet();
    expect(&s, NULL, 0, NULL);
    EXPECT_ADVICE(&s, NULL, good("dev:0"), good("dev:1"));
    /* Nor does what could not be measured at all, or was ended from outside. */
    kt_series failed = wide("dev:0", 0.1, KT_STOP_MAX_TIME), cancelled = failed;
    failed.status = KT_SERIES_FAILED;
    cancelled.status = KT_SERIES_PARTIAL;
    cancelled.stop = KT_STOP_NONE;
    EXPECT_ADVICE(&s, NULL, failed, cancelled);
}

static void trials_where_a_sample_is_too_short(void **state)
{
    scene s = quiet();
    kt_series below = good("dev:0");
    below.status = KT_SERIES_BELOW_MIN_SPAN;
    below.summary.median = NAN;
    /* Ten shortest spans are 1000 ns, 1 / 0.5 % steps of the clock 2000 ns; the median of the samples is 41
     * ns: 48.8. */
    EXPECT_ADVICE(&s, "use --trials 64: fill/32 on dev:0 is too short for the device's clock",
                  below);
    s.measure.rel_err = 0.02; /* 500 ns, so the shortest spans decide: 24.4 */
    EXPECT_ADVICE(&s, "use --trials 32: fill/32 on dev:0 is too short for the device's clock",
                  below);
    s = quiet();
    /* The resolution of its own, 16 ns of 4 trials: 16 / 0.005 / 150 = 21.3. The shortest one counts. */
    kt_series coarse = good("dev:0"), longer;
    coarse.trials = 4;
    coarse.stop = KT_STOP_RESOLUTION;
    coarse.summary.resolution = 4;
    coarse.summary.median = 150;
    coarse.summary.warnings = KT_WARNING_COARSE_CLOCK;
    EXPECT_ADVICE(&s, "use --trials 32: fill/32 on dev:0 is too short for the device's clock",
                  coarse);
    longer = coarse;
    longer.name = "fill/64";
    longer.summary.median = 300;
    EXPECT_ADVICE(&s, "use --trials 32: fill/32 on dev:0 is too short for the device's clock",
                  longer, coarse);
    /* What is asked for already, or does not help. */
    kt_series enough = coarse;
    enough.trials = 32;
    enough.summary.resolution = 0.5;
    EXPECT_ADVICE(&s, NULL, enough);
    kt_series empty = coarse, changing = coarse, wall = coarse, unknown = coarse;
    empty.workload = "empty";    /* its size is the number of dispatches */
    changing.workload = "saxpy"; /* adds to its own output */
    wall.kind = KT_SERIES_WALL;
    wall.step = "wall";
    unknown.device = "dev:7"; /* no timer limits */
    EXPECT_ADVICE(&s, NULL, empty, changing, wall, unknown);
    s.measure.cold = 1;
    EXPECT_ADVICE(&s, NULL, coarse);
}

/* What is below the shortest span gets there by its size, if by no number of trials. */
static void sizes_where_trials_are_no_way(void **state)
{
    scene s = quiet();
    const char *text =
        "use a larger --size: saxpy/32 on dev:0 is shorter than the shortest measurable span";
    kt_series below = good("dev:0"), changing, own, wall;
    below.status = KT_SERIES_BELOW_MIN_SPAN;
    below.summary.median = NAN;
    changing = own = wall = below;
    changing.workload = "saxpy"; /* adds to its own output */
    changing.name = "saxpy/32";
    own.workload = "somebody's"; /* has no --size */
    static const kt_param largest = {"size", 268435456};
    kt_series empty = below, large = changing;
    empty.workload = "empty"; /* its --size is a number of dispatches */
    large.params = &largest;
    large.param_count = 1;
    wall.kind = KT_SERIES_WALL;
    EXPECT_ADVICE(&s, NULL, own, wall, empty, large);
    EXPECT_ADVICE(&s, text, own, empty, large, changing);
    /* Trials first. */
    EXPECT_ADVICE(&s, "use --trials 64: fill/32 on dev:0 is too short for the device's clock",
                  changing, below);
    s.measure.cold = 1;
    EXPECT_ADVICE(&s, text, changing, below);
    /* Nothing was seen of it at all. */
    static const double nothing[5] = {0};
    s = quiet();
    below.samples_ns = nothing;
    EXPECT_ADVICE(
        &s, "use a larger --size: fill/32 on dev:0 is shorter than the shortest measurable span",
        below);
}

/* Which look sure of themselves: there is nothing else to tell it by. */
static void all_cores_with_others(void **state)
{
    scene s = quiet();
    kt_series all = good("cpu:0"), one = good("cpu:0");
    all.workload = one.workload = "copy";
    all.variant = "heap-heap-all-cores";
    one.variant = "heap-heap";
    EXPECT_ADVICE(&s, NULL, all);
    s.after.busy_ns = 5.2e9; /* 3.2 s of two seconds: 1.6 cores */
    EXPECT_ADVICE(&s,
                  "use a quieter machine: other processes used 1.6 of 2 cores, and copies on all "
                  "cores waited for them",
                  one, all);
    EXPECT_ADVICE(&s, NULL, one);
    all.status = KT_SERIES_NOT_POSSIBLE;
    EXPECT_ADVICE(&s, NULL, all);
    all.status = KT_SERIES_OK;
    s.after.busy_ns = 2.38e9; /* less than a tenth of the cores */
    EXPECT_ADVICE(&s, NULL, all);
    s.after.busy_ns = NAN;
    EXPECT_ADVICE(&s, NULL, all);
}

static void a_quieter_machine(void **state)
{
    scene s = quiet();
    const char *text =
        "use a quieter machine for narrower intervals: other processes used 0.5 of 2 cores";
    s.after.busy_ns = 3e9; /* a second of two seconds */
    EXPECT_ADVICE(&s, text, wide("dev:0", 0.01, KT_STOP_MAX_TIME));
    EXPECT_ADVICE(&s, text, warned("dev:0", KT_WARNING_BIMODAL));
    EXPECT_ADVICE(&s, NULL, good("dev:0")); /* no harm done */
    kt_series simulated = warned("sim:0", KT_WARNING_DRIFT);
    simulated.method = KT_METHOD_SIMULATED;
    EXPECT_ADVICE(&s, NULL, simulated);
    s.after.busy_ns = NAN; /* the system does not tell */
    s.before.load = 1.75;
    EXPECT_ADVICE(&s,
                  "use a quieter machine for narrower intervals: the load average was 1.8 before",
                  warned("dev:0", KT_WARNING_BIMODAL));
    EXPECT_ADVICE(&s, NULL, good("dev:0"));
    s.after.busy_ns = 2.38e9; /* less than a tenth of the cores */
    EXPECT_ADVICE(&s, "use --max-time 8s: the interval of fill/32 on dev:0 is +-1 %, wanted 0.5 %",
                  wide("dev:0", 0.01, KT_STOP_MAX_TIME));
}

static void a_governor_that_lets_the_clock_be(void **state)
{
    scene s = quiet();
    kt_series series = warned("dev:0", KT_WARNING_BIMODAL);
    snprintf(s.after.governor, sizeof s.after.governor, "powersave");
    EXPECT_ADVICE(&s,
                  "run \"cpupower frequency-set -g performance\": the governor \"powersave\" may "
                  "change the frequency of the cores",
                  series);
    s.before.frequency_hz = 1.21e9;
    s.after.frequency_hz = 3.1e9;
    EXPECT_ADVICE(&s,
                  "run \"cpupower frequency-set -g performance\": the governor \"powersave\" took "
                  "the cores from 1.2 to 3.1 GHz",
                  series);
    EXPECT_ADVICE(&s, NULL, good("dev:0"));
    snprintf(s.after.governor, sizeof s.after.governor, "performance");
    EXPECT_ADVICE(&s,
                  "use --runs 6: fill/32 on dev:0 is bimodal, clusters 8 % apart, which may differ "
                  "by process",
                  series);
}

static void drift_and_bimodal_times(void **state)
{
    scene s = quiet();
    EXPECT_ADVICE(&s,
                  "lock the clocks, or raise --samples: fill/32 on dev:0 rose by 3.1 % of its "
                  "median while sampling",
                  warned("dev:0", KT_WARNING_BIMODAL), warned("dev:0", KT_WARNING_DRIFT));
    kt_series faster = warned("dev:1", KT_WARNING_DRIFT);
    faster.summary.drift = -0.16;
    EXPECT_ADVICE(&s,
                  "lock the clocks, or raise --samples: fill/32 on dev:1 fell by 16 % of its "
                  "median while sampling",
                  warned("dev:0", KT_WARNING_DRIFT), faster);
    /* Nothing falls by more than 100 %. */
    faster.summary.drift = -1.32;
    faster.stop = KT_STOP_MAX_TIME;
    EXPECT_ADVICE(&s,
                  "lock the clocks, or raise --max-time: fill/32 on dev:1 fell by 1.3 times its "
                  "median while sampling",
                  faster);
    /* The clocks of a simulated device cannot be locked; whether runs differ can be asked of it. */
    kt_series simulated = warned("sim:0", KT_WARNING_DRIFT | KT_WARNING_BIMODAL);
    simulated.method = KT_METHOD_SIMULATED;
    EXPECT_ADVICE(&s,
                  "use --runs 6: fill/32 on sim:0 is bimodal, clusters 8 % apart, which may differ "
                  "by process",
                  simulated);
    s.runs = 6;
    EXPECT_ADVICE(&s, NULL, simulated);
}

static void runs_that_differ(void **state)
{
    scene s = quiet();
    s.runs = 3;
    kt_series runs[3] = {good("dev:0"), good("dev:0"), good("dev:0")};
    for (uint32_t i = 0; i < 3; i++)
        runs[i].run = i;
    expect(&s, runs, 3, NULL);
    runs[2].summary =
        (kt_summary){.n = 5, .median = 104000, .ci95_low = 100050, .ci95_high = 104100};
    expect(&s, runs, 3, NULL); /* the intervals have something in common */
    runs[2].summary.ci95_low = 103900;
    expect(&s, runs, 3,
           "use --runs 6: runs of fill/32 on dev:0 differ by 4 %, more than their intervals allow");
    runs[2].summary =
        (kt_summary){.n = 5, .median = 100400, .ci95_low = 100300, .ci95_high = 100500};
    expect(&s, runs, 3, NULL); /* less than anybody wanted to know */
    runs[2].summary =
        (kt_summary){.n = 5, .median = 104000, .ci95_low = 103900, .ci95_high = 104100};
    s.runs = 6;
    expect(&s, runs, 3, NULL);
    s.runs = 3;
    runs[2].device = "dev:1";
    expect(&s, runs, 3, NULL);
}

static void samples_and_time_go_with_the_square(void **state)
{
    scene s = quiet();
    /* 2 s and 5 samples, four times the wanted width: sixteen times as many. */
    EXPECT_ADVICE(&s, "use --max-time 32s: the interval of fill/32 on dev:0 is +-2 %, wanted 0.5 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_TIME));
    EXPECT_ADVICE(&s, "use --samples ..80: the interval of fill/32 on dev:0 is +-2 %, wanted 0.5 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_SAMPLES));
    s.measure.samples_min = 20;
    s.measure.samples_max = 500;
    s.measure.rel_err = 0.01;
    s.measure.max_time_ns = 333000000;
    EXPECT_ADVICE(&s, "use --samples 20..20: the interval of fill/32 on dev:0 is +-2 %, wanted 1 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_SAMPLES));
    EXPECT_ADVICE(&s, "use --max-time 1.4s: the interval of fill/32 on dev:0 is +-2 %, wanted 1 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_TIME));
    /* A wall time, whose interval nobody sees, only where there is no other; never wall_timestamped. */
    kt_series wall = wide("dev:0", 0.04, KT_STOP_MAX_TIME),
              timestamped = wide("dev:0", 0.2, KT_STOP_MAX_TIME);
    wall.kind = timestamped.kind = KT_SERIES_WALL;
    wall.step = "wall";
    timestamped.step = "wall_timestamped";
    EXPECT_ADVICE(&s, "use --max-time 1.4s: the interval of fill/32 on dev:0 is +-2 %, wanted 1 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_TIME), wall, timestamped);
    EXPECT_ADVICE(&s,
                  "use --max-time 5.4s: the interval of the wall time of fill/32 on dev:0 is +-4 "
                  "%, wanted 1 %",
                  wall, timestamped);
    /* 0.333 s * 98^2 is most of an hour. */
    EXPECT_ADVICE(&s, NULL, wide("dev:0", 0.98, KT_STOP_MAX_TIME));
    /* More samples that take more time than there is: 0.1 ms, twice for both kinds and twice for
     * what is between, for 5 * 2^2 of them is 8 ms. */
    s.measure.max_time_ns = 5000000;
    EXPECT_ADVICE(&s,
                  "use --samples 20..20 --max-time 8ms: the interval of fill/32 on dev:0 is +-2 %, "
                  "wanted 1 %",
                  wide("dev:0", 0.02, KT_STOP_MAX_SAMPLES));
    /* Twenty and no more, as asked for. */
    s.measure.samples_max = 20;
    EXPECT_ADVICE(&s, NULL, wide("dev:0", 0.02, KT_STOP_MAX_SAMPLES));
}

/* In a direction of many, which are no runs of each other; --trials is for kernels, and larger
 * sizes stand beside it. */
static void copies_by_their_direction(void **state)
{
    scene s = quiet();
    s.runs = 2;
    kt_series copies[2] = {good("dev:0"), good("dev:0")};
    for (uint32_t i = 0; i < 2; i++) {
        copies[i].name = "copy/8192";
        copies[i].workload = "copy";
        copies[i].variant = i ? "device-heap" : "heap-device";
        copies[i].run = i;
    }
    copies[1].summary =
        (kt_summary){.n = 5, .median = 104000, .ci95_low = 103900, .ci95_high = 104100};
    expect(&s, copies, 2, NULL);
    copies[1].variant = "heap-device";
    expect(&s, copies, 2,
           "use --runs 6: runs of copy/8192 heap-device on dev:0 differ by 4 %, more than their "
           "intervals allow");
    copies[1].status = KT_SERIES_BELOW_MIN_SPAN;
    expect(&s, copies, 2, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_good_needs_none),
        cmocka_unit_test(trials_where_a_sample_is_too_short),
        cmocka_unit_test(sizes_where_trials_are_no_way),
        cmocka_unit_test(all_cores_with_others),
        cmocka_unit_test(a_quieter_machine),
        cmocka_unit_test(a_governor_that_lets_the_clock_be),
        cmocka_unit_test(drift_and_bimodal_times),
        cmocka_unit_test(runs_that_differ),
        cmocka_unit_test(samples_and_time_go_with_the_square),
        cmocka_unit_test(copies_by_their_direction),
    };
    return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
