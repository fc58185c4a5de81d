/* SPDX-License-Identifier: MIT */
/*
 * How exact durations are through both APIs, against the stub's truth, from 10 us to 10 s: within
 * 0.1 %, or a tick; and within what is stated in 99 of 100 cases, which is at most 4 times what
 * they are really off. Stated is the share by which the period in use may be wrong
 * (period_uncertainty_ns), and a step of the clock. Random numbers are the stub's and this
 * program's own, so a run is like the next.
 *
 * The benchmark API reckons with the period as it was when the clock was opened, with 20 pairs, or as
 * many more as it takes to know it within 100 millionths. The instrumentation API's has been followed for
 * 20 frames since the import, which took some 30 to 45 pairs before them.
 *
 *   unit_metal_exact TICK_NS STEP_NS COMMANDS_STEP_NS
 *
 * are the length of a tick of the device's clock by the host's, in what steps it moves, and in what
 * steps command buffers' times do.
 */
#include "tests/unit/backends/metal/metal_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { CLOCKS = 300, SPANS = 6, PAIRS = 20, GPU_CLOCK = 0, COMMANDS_CLOCK = 1, DECADES = 6 };
#define SHORTEST_NS 1e4
#define LONGEST_NS  1e10

static user u;
static double tick_ns, step_ns, commands_step_ns;
static bool by_passes, by_encoders;
static uint64_t seed = 20261123;

/* Durations of about one length, and how far they were off. */
typedef struct decade {
    unsigned spans, covered;
    double error_squares, stated_ns; /* sums */
} decade;

/* What was seen of some clocks: each gives one length of a tick. */
typedef struct seen {
    decade decades[DECADES];
    unsigned clocks;
    unsigned spans, good, covered;
    unsigned untold; /* spans across the first turn of a counter whose width nobody tells */
    double worst;    /* of what is allowed */
    double step_ns;  /* of the clock */
    double pairs;
} seen;

/* Evenly on a logarithmic scale. */
static int64_t random_duration_ns(void)
{
    return llround(SHORTEST_NS * pow(LONGEST_NS / SHORTEST_NS, random_share(&seed)));
}

/* ---- what is held against the truth ---- */

static void see_clock(seen *s, const kt_clock_info *info, const kt_clock_state *state)
{
    if (state->period_exact) /* it is the host's own clock, which takes no pairs */
        assert_true(info->period_ns == tick_ns && info->period_uncertainty_ns == 0);
    else
        assert_true(state->pairs >= PAIRS && info->period_uncertainty_ns > 0);
    s->clocks++;
    s->pairs += (double)state->pairs;
}

static void see_span(seen *s, const kt_clock_info *info, double ns, double true_ns)
{
    double least_ns = s->step_ns, off_ns = fabs(ns - true_ns);
    bool is_found = info->period_source != KT_SOURCE_REPORTED;
    double share = is_found ? info->period_uncertainty_ns / info->period_ns : 0;
    double stated_ns = ns * share + least_ns, allowed_ns = fmax(0.001 * true_ns, least_ns);
    int k = (int)log10(true_ns / SHORTEST_NS);
    decade *d = &s->decades[k < DECADES ? k : DECADES - 1];
    s->spans++;
    s->good += off_ns <= allowed_ns;
    s->covered += off_ns <= stated_ns;
    s->worst = fmax(s->worst, off_ns / allowed_ns);
    d->spans++;
    d->covered += off_ns <= stated_ns;
    d->error_squares += off_ns * off_ns;
    d->stated_ns += stated_ns;
}

/* Which of all scripts that of a narrow counter may have. */
static void see_unreported(seen *s, bool is_ambiguous)
{
    if (!is_ambiguous || !strstr(getenv("KT_STUB_METAL"), "bits="))
        fail_msg("it was not told: %s", kt_error_text());
    s->untold++;
}

/* Of the decade where it is the largest. The ends of a span are anywhere in their steps, so it is
 * off by 0.41 of one (RMS); where spans and steps go together it is less, but no clock can know
 * that. */
static double stated_over_rms(const seen *s)
{
    double most = 0;
    for (int k = 0; k < DECADES; k++) {
        const decade *d = &s->decades[k];
        double rms_ns = fmax(sqrt(d->error_squares / d->spans), s->step_ns / sqrt(6));
        if (d->spans)
            most = fmax(most, d->stated_ns / d->spans / rms_ns);
    }
    return most;
}

/* Of the decade where it is the smallest; of so few, chance may take three standard deviations. */
static double share_covered(const seen *s, bool *enough)
{
    double least = 1;
    *enough = true;
    for (int k = 0; k < DECADES; k++) {
        const decade *d = &s->decades[k];
        if (!d->spans)
            continue;
        double share = (double)d->covered / d->spans;
        *enough &= share >= 0.99 - 3 * sqrt(0.01 * 0.99 / d->spans);
        least = fmin(least, share);
    }
    return least;
}

static void judge(const seen *s, const char *what)
{
    double good = (double)s->good / s->spans, covered = (double)s->covered / s->spans;
    bool enough;
    double ratio = stated_over_rms(s), decade_covered = share_covered(s, &enough);
    print_message(
        "| %s | %s | %.1f pairs | %u spans, %u untold | %.2f %% within 0.1 %% or a tick, worst "
        "%.2f of it | %.2f %% within stated, of a decade %.2f %% at least | stated/RMS %.2f |\n",
        getenv("KT_STUB_METAL"), what, s->clocks ? s->pairs / s->clocks : 0, s->spans, s->untold,
        100 * good, s->worst, 100 * covered, 100 * decade_covered, ratio);
    assert_true(s->good == s->spans);
    assert_true(covered >= 0.99 && enough);
    assert_true(ratio <= 4);
    assert_true(s->untold <= s->spans / 50);
}

/* ---- the instrumentation API ---- */

static void encode_span(void *commands, void *descriptor, kt_timer *timer)
{
    if (by_passes) {
        EXPECT_OK(kt_timer_pass_metal(timer, commands, descriptor));
        user_pass(&u, commands, USER_COMPUTE, descriptor);
        return;
    }
    void *encoder = user_begin(&u, commands, USER_COMPUTE, NULL);
    EXPECT_OK(kt_timer_start_metal(timer, commands, encoder));
    user_work(&u, encoder, USER_COMPUTE, 1);
    EXPECT_OK(kt_timer_stop_metal(timer, encoder));
    user_end(&u, encoder);
}

static void time_span(kt_timer_context *timer_context, kt_timer *timer, bool as_commands, seen *s)
{
    const kt_clock_info *info =
        kt_timer_context_get_clock(timer_context, as_commands ? COMMANDS_CLOCK : GPU_CLOCK);
    double ns = NAN;
    int64_t true_ns = random_duration_ns();
    void *commands = user_commands(&u), *descriptor = user_pass_descriptor(&u, USER_COMPUTE);
    u.stub.take(true_ns);
    if (as_commands) {
        EXPECT_OK(kt_timer_add_metal_commands(timer, commands));
        user_pass(&u, commands, USER_COMPUTE, NULL);
    } else {
        encode_span(commands, descriptor, timer);
    }
    user_commit(&u, commands);
    user_wait(&u, commands);
    user_release(&u, descriptor);
    user_release(&u, commands);
    EXPECT_OK(kt_timer_context_wait(timer_context, 0));
    if (kt_timer_elapsed(timer, &ns) == KT_OK)
        see_span(s, info, ns, (double)true_ns);
    else
        see_unreported(s, strstr(kt_error_text(), "ambiguous") != NULL);
}

/* Frames of 10 to 20 ms, each of which calibrates. */
static void calibrate(kt_timer_context *timer_context)
{
    for (int i = 0; i < PAIRS; i++) {
        u.stub.advance(10000000 + (int64_t)(random_share(&seed) * 1e7));
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
    }
}

static void instrumentation_api(void **state)
{
    seen gpu = {.step_ns = fmax(step_ns, tick_ns)}, commands = {.step_ns = commands_step_ns};
    const kt_metal_import desc = user_describe(&u);
    for (int i = 0; i < CLOCKS; i++) {
        kt_timer_context *timer_context = NULL;
        kt_timer *timer = NULL;
        kt_clock_state clock;
        u.stub.take(10000);
        EXPECT_OK(kt_timer_context_import_metal(&desc, &timer_context));
        EXPECT_OK(kt_timer_create(timer_context, "span", &timer));
        bool has_gpu = kt_timer_context_get_clock(timer_context, GPU_CLOCK) != NULL;
        assert_int_equal(has_gpu, by_passes || by_encoders);
        calibrate(timer_context);
        if (has_gpu) {
            EXPECT_OK(kt_timer_context_get_clock_state(timer_context, GPU_CLOCK, &clock));
            see_clock(&gpu, kt_timer_context_get_clock(timer_context, GPU_CLOCK), &clock);
        }
        for (int k = 0; k < SPANS; k++) {
            if (has_gpu)
                time_span(timer_context, timer, false, &gpu);
            time_span(timer_context, timer, true, &commands);
        }
        kt_timer_destroy(&timer);
        kt_timer_context_close(&timer_context);
    }
    if (gpu.clocks)
        judge(&gpu, "instrumentation API");
    judge(&commands, "instrumentation API, command buffers");
}

/* ---- the benchmark API ---- */

static const char source[] =
    "#include <metal_stdlib>\n"
    "kernel void work(device uint *numbers [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "    numbers[i] += i;\n"
    "}\n";

static kt_job *make_job(kt_device *device, kt_memory **memory, kt_program **program)
{
    kt_job *job = NULL;
    const kt_program_desc text = {.size = sizeof text,
                                  .language = KT_LANGUAGE_MSL,
                                  .source = source,
                                  .source_bytes = sizeof source - 1,
                                  .entry = "work"};
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEFAULT, 4096, memory));
    EXPECT_OK(kt_program_create(device, &text, program));
    const kt_arg arg = {.memory = *memory};
    const kt_step step = {.program = *program,
                          .args = &arg,
                          .arg_count = 1,
                          .groups = {16, 1, 1},
                          .group_size = {64, 1, 1}};
    const kt_job_desc desc = {.size = sizeof desc, .name = "work", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(device, &desc, &job));
    return job;
}

static kt_result *measure_once(kt_job *job, int64_t true_ns)
{
    kt_result *result = NULL;
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 1,
                                        .samples_max = 1,
                                        .max_time_ns = 1,
                                        .timeout_ns = INT64_C(100000) * 1000000000,
                                        .trials = 1,
                                        .timing = KT_TIMING_DEVICE};
    u.stub.take(true_ns);
    EXPECT_OK(kt_measure(job, &options, &result));
    return result;
}

/* Empty steps take as long as is said here, too, so they are run first. */
static void measure_spans(kt_device *device, seen *s)
{
    kt_memory *memory = NULL;
    kt_program *program = NULL;
    kt_job *job = make_job(device, &memory, &program);
    kt_result *result = measure_once(job, 1000);
    kt_result_destroy(&result);
    for (int k = 0; k < SPANS; k++) {
        int64_t true_ns = random_duration_ns();
        result = measure_once(job, true_ns);
        const kt_series *series = kt_result_find(result, "work");
        assert_non_null(series);
        if (series->summary.n == 1)
            see_span(s, &kt_device_get_info(device)->clocks[GPU_CLOCK], series->samples_ns[0],
                     (double)true_ns);
        else
            see_unreported(s, series->discarded[KT_TIMESTAMP_AMBIGUOUS] == 1);
        kt_result_destroy(&result);
    }
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    kt_memory_destroy(&memory);
}

/* Where a narrow counter turns over within the trial, its samples are not trusted. */
static bool is_by_samples(kt_device *device, bool is_expected)
{
    bool is_gpu = strcmp(kt_device_get_info(device)->clocks[0].name, "gpu") == 0;
    if (!strstr(getenv("KT_STUB_METAL"), "bits="))
        assert_int_equal(is_gpu, is_expected);
    return is_gpu;
}

/* The device's first clock is that of samples, or else that of command buffers, whose tick is
 * told. */
static void benchmark_api(void **state)
{
    bool has_gpu = by_passes || by_encoders;
    seen s = {.step_ns = has_gpu ? fmax(step_ns, tick_ns) : commands_step_ns};
    for (int i = 0; i < CLOCKS; i++) {
        kt_context *context = NULL;
        kt_device *device = NULL;
        kt_clock *clock = NULL;
        kt_clock_state known;
        const kt_clock_options options = {.size = sizeof options, .pairs = PAIRS};
        u.stub.take(10000);
        EXPECT_OK(kt_context_create(&context, NULL));
        EXPECT_OK(kt_device_open(context, "metal:0", &device));
        if (is_by_samples(device, has_gpu)) {
            EXPECT_OK(kt_clock_open(device, GPU_CLOCK, &options, &clock));
            kt_clock_get_state(clock, &known);
            see_clock(&s, &kt_device_get_info(device)->clocks[GPU_CLOCK], &known);
        }
        measure_spans(device, &s);
        kt_clock_close(&clock);
        kt_device_close(&device);
        kt_context_destroy(&context);
    }
    judge(&s, has_gpu ? "benchmark API" : "benchmark API, command buffers");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instrumentation_api),
        cmocka_unit_test(benchmark_api),
    };
    const char *library = getenv("KERNTIME_LIB_METAL"), *script = getenv("KT_STUB_METAL");
    if (argc != 4 || !library || !script || !user_open(&u, library)) {
        fprintf(stderr,
                "usage: unit_metal_exact TICK_NS STEP_NS COMMANDS_STEP_NS, over the stub\n");
        return 2;
    }
    metal_time_follow(&u, true);
    tick_ns = atof(argv[1]);
    step_ns = atof(argv[2]);
    commands_step_ns = atof(argv[3]);
    bool is_believed = !strstr(script, "timestamps=") && !strstr(script, "sampling=none");
    by_passes = is_believed && strstr(script, "sampling=apple");
    by_encoders = is_believed && !by_passes;
    int failed = cmocka_run_group_tests_name("how exact Metal's times are", tests, NULL, NULL);
    user_close(&u);
    return failed;
}
