/* SPDX-License-Identifier: MIT */
/* What doctor makes of kernels that it ran: made-up observations. And the loop kernel's marks,
 * which make it a new one. */
#include "cli/doctor/kernel.h"
#include "cli/doctor/kernels_judge.h"
#include "tests/unit/cli/doctor_test.h"
#include "tests/unit/testing.h"

#include <math.h>

#define EXPECT_DIAGNOSTIC(f, check_, severity_, text)                                     \
    do {                                                                                  \
        assert_string_equal((f).check, check_);                                           \
        assert_string_equal(kt_severity_name((f).severity), kt_severity_name(severity_)); \
        EXPECT_TEXT_HAS((f).seen, text);                                                  \
    } while (0)

/* ---- results and loops ---- */

static void wrong_results_are_faults(void **state)
{
    doctor_diagnostic f = judge_results(&(doctor_kernels){.results = 1114});
    EXPECT_DIAGNOSTIC(f, "results", KT_SEVERITY_GOOD, "all 1,114 submissions were correct");
    assert_string_equal(f.means, "");
    f = judge_results(&(doctor_kernels){.results = 200, .wrong = 1, .first_wrong = 40});
    EXPECT_DIAGNOSTIC(f, "results", KT_SEVERITY_FAULT, "submission 40 of 200 gave a wrong result");
    EXPECT_NUMBER(value_of(&f, "first_wrong"), 40);
    f = judge_results(&(doctor_kernels){.results = 200, .wrong = 3, .first_wrong = 7});
    EXPECT_DIAGNOSTIC(f, "results", KT_SEVERITY_FAULT,
                      "3 of 200 submissions gave wrong results, the first of them number 7");
}

static void loops_that_are_cut(void **state)
{
    loops_seen seen = {.iterations = 1000000, .results = 3, .right = 3, .quirk = ""};
    doctor_diagnostic f = judge_loops(&seen);
    EXPECT_DIAGNOSTIC(f, "loops", KT_SEVERITY_GOOD,
                      "a loop of 1,000,000 iterations runs to its end");
    EXPECT_NUMBER(value_of(&f, "done"), 1000000);
    seen.right = 2; /* wrong now and then is no property of loops */
    EXPECT_DIAGNOSTIC(judge_loops(&seen), "loops", KT_SEVERITY_GOOD, "runs to its end");
    seen = (loops_seen){.iterations = 100000,
                        .results = 3,
                        .cut = 3,
                        .done_min = 65535,
                        .done_max = 65535,
                        .quirk = "it ends them"};
    f = judge_loops(&seen);
    EXPECT_DIAGNOSTIC(f, "loops", KT_SEVERITY_FAULT,
                      "a loop of 100,000 iterations ended after 65,535, without an error");
    EXPECT_TEXT_HAS(f.means, "known problem of this driver: it ends them");
    EXPECT_TEXT_HAS(f.advice, "split long loops");
    EXPECT_NUMBER(value_of(&f, "done"), 65535);
    seen.done_min = 40000;
    seen.quirk = "";
    f = judge_loops(&seen);
    EXPECT_DIAGNOSTIC(f, "loops", KT_SEVERITY_FAULT, "ended after 40,000 to 65,535, without");
    assert_null(strstr(f.means, "known"));
    seen.cut = 0;
    EXPECT_DIAGNOSTIC(judge_loops(&seen), "loops", KT_SEVERITY_FAULT, "3 wrong results");
    seen.results = 0;
    seen.most_ns = 2.5e9;
    f = judge_loops(&seen);
    EXPECT_DIAGNOSTIC(f, "loops", KT_SEVERITY_NOTE, "take more than 2.500 s");
    EXPECT_NUMBER(value_of(&f, "done"), NAN);
}

/* ---- first use ---- */

static void first_use_inside_and_outside(void **state)
{
    first_use_seen seen = {.wall_ns = 60e3,
                           .steady_wall_ns = 50e3,
                           .device_ns = 11e3,
                           .steady_device_ns = 10e3,
                           .resolution_ns = 1,
                           .build_ns = NAN,
                           .compiles = true};
    EXPECT_DIAGNOSTIC(judge_first_use(&seen), "first_use", KT_SEVERITY_GOOD,
                      "as long as later runs");
    assert_false(first_use_is_longer(&seen));
    seen.wall_ns = 65.65e6;
    assert_true(first_use_is_longer(&seen));
    doctor_diagnostic f = judge_first_use(&seen);
    EXPECT_DIAGNOSTIC(f, "first_use", KT_SEVERITY_NOTE, "65.60 ms longer than later runs, outside");
    EXPECT_TEXT_HAS(f.means, "probably still compiles");
    EXPECT_NUMBER(value_of(&f, "cost_ns"), 65.6e6);
    seen.compiles = false; /* a function of this process: whatever it was, no compiler */
    f = judge_first_use(&seen);
    assert_null(strstr(f.means, "compiles"));
    seen.compiles = seen.known = true;
    EXPECT_DIAGNOSTIC(judge_first_use(&seen), "first_use", KT_SEVERITY_NOTE,
                      "run of a known kernel");
    seen.compiles = false;
    f = judge_first_use(&seen);
    EXPECT_TEXT_HAS(f.means, "new memory or an idle device");
    assert_null(strstr(f.means, "first time"));
    seen.compiles = true;
    seen.known = false;
    seen.device_ns = 50e3; /* page faults, beside 65 ms of compiling */
    assert_false(first_use_is_timestamped(&seen));
    EXPECT_DIAGNOSTIC(judge_first_use(&seen), "first_use", KT_SEVERITY_NOTE, "outside");
    seen.device_ns = 40.8e6;
    seen.build_ns = 512e6;
    assert_true(first_use_is_timestamped(&seen));
    f = judge_first_use(&seen);
    EXPECT_DIAGNOSTIC(f, "first_use", KT_SEVERITY_WARNING,
                      "takes 40.80 ms by its timestamps, later");
    EXPECT_TEXT_HAS(f.seen, "building it took 512.0 ms before");
    seen.resolution_ns = 65536e3; /* one step of the clock is no sign */
    assert_false(first_use_is_timestamped(&seen));
}

static void first_use_by_the_wall_and_of_little(void **state)
{
    first_use_seen seen = {.wall_ns = 48e6,
                           .steady_wall_ns = 400e3,
                           .device_ns = NAN,
                           .steady_device_ns = NAN,
                           .resolution_ns = NAN,
                           .build_ns = NAN};
    doctor_diagnostic f = judge_first_use(&seen);
    EXPECT_DIAGNOSTIC(f, "first_use", KT_SEVERITY_NOTE, "47.60 ms longer than later runs");
    assert_null(strstr(f.seen, "timestamps"));
    /* Cold caches, within the timestamps: true, and not compiling. */
    seen.wall_ns = 500e3;
    seen.device_ns = 120e3;
    seen.steady_device_ns = 30e3;
    f = judge_first_use(&seen);
    EXPECT_DIAGNOSTIC(f, "first_use", KT_SEVERITY_NOTE, "takes 120.0 us by its timestamps");
    assert_null(strstr(f.means, "compiles"));
}

/* ---- agreement ---- */

/* Lengths from 10 us to 164 ms whose device time is `factor` of the truth; launching takes
 * `launch_ns`. */
static agreement_seen make_rungs(double factor, double launch_ns)
{
    agreement_seen seen = {.count = 8, .resolution_ns = 1, .shortest_ns = 10e3};
    double true_ns = 10e3;
    for (uint32_t i = 0; i < seen.count; i++, true_ns *= 4)
        seen.rungs[i] =
            (agreement_rung){.device_ns = factor * true_ns, .wall_ns = true_ns + launch_ns};
    return seen;
}

static void times_that_agree(void **state)
{
    agreement_seen seen = make_rungs(1, 30e3);
    doctor_diagnostic f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_GOOD,
                      "device time is 1.000 of wall time at 163.9 ms");
    /* 640 us of 670 is 0.955, 160 of 190 is 0.84. */
    EXPECT_TEXT_HAS(f.seen, "from 640.0 us on");
    EXPECT_TEXT_HAS(f.means, "shorter kernels");
    EXPECT_NUMBER(value_of(&f, "from_ns"), 640e3);
    EXPECT_NUMBER(value_of(&f, "slope"), 1);
    assert_false(agreement_is_doubtful(&seen));
    seen = make_rungs(1, 0);
    f = judge_agreement(&seen);
    EXPECT_NUMBER(value_of(&f, "from_ns"), 10e3);
    assert_string_equal(f.means, "");
    seen.resolution_ns =
        65536; /* of which 20 are 1.3 ms, so that 2.56 ms are the first to be sure of */
    f = judge_agreement(&seen);
    EXPECT_NUMBER(value_of(&f, "from_ns"), 2560e3);
}

static void a_wrong_tick_is_found(void **state)
{
    agreement_seen seen = make_rungs(0.5, 30e3);
    assert_true(agreement_is_doubtful(&seen));
    doctor_diagnostic f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_FAULT,
                      "only 0.5 of wall time, for kernels of any length");
    EXPECT_TEXT_HAS(f.means, "2 times the assumed one");
    seen = make_rungs(2, 30e3);
    assert_true(agreement_is_doubtful(&seen));
    f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_FAULT, "device time is 2 times the wall time");
    EXPECT_TEXT_HAS(f.means, "0.5 times the assumed one");
    seen = make_rungs(0.9, 30e3);
    EXPECT_DIAGNOSTIC(judge_agreement(&seen), "agreement", KT_SEVERITY_WARNING,
                      "only 0.9 of wall time");
    seen = make_rungs(1.01, 30e3); /* clocks drift, and the host's is no better */
    EXPECT_DIAGNOSTIC(judge_agreement(&seen), "agreement", KT_SEVERITY_GOOD, "device time is 1.01");
}

/* Three submissions of 1 ms on a counter of 36 bits of 10 ns. The first ones were refused: their
 * timestamps are `refused_ns` apart. */
static agreement_rung look_at_three(uint32_t refused, double refused_ns)
{
    static const double samples_ns[3] = {990e3, 990e3, 990e3};
    const kt_clock_info clock = {.period_ns = 10, .valid_bits = 36};
    agreement_rung rung = {.device_ns = NAN, .wall_ns = NAN};
    kt_raw raw[3];
    for (uint32_t i = 0; i < 3; i++) {
        bool bad = i < refused;
        uint64_t ticks = bad ? (uint64_t)(refused_ns / 10) : 99000;
        raw[i] = (kt_raw){.state = bad ? KT_TIMESTAMP_AMBIGUOUS : KT_TIMESTAMP_OK,
                          .has_timestamps = 1,
                          .start_ticks = 5000,
                          .end_ticks = 5000 + ticks,
                          .host_after_ns = 1000000};
    }
    const kt_series series = {.trials = 1, .samples_ns = samples_ns, .raw = raw, .raw_count = 3};
    agreement_look(&rung, &clock, &series);
    return rung;
}

static void one_misread_timestamp_is_no_fast_clock(void **state)
{
    agreement_rung rung = look_at_three(1, 0x1p32 * 10 + 990e3);
    EXPECT_NUMBER(rung.device_ns, 990e3);
    EXPECT_NUMBER(rung.wall_ns, 1e6);
    assert_int_equal(rung.unusable, 0);
    rung = look_at_three(3, 1.05e6); /* a clock that is fast makes all of them too long */
    EXPECT_NUMBER(rung.device_ns, 1.05e6);
    rung = look_at_three(2, 1.05e6); /* of one the host was held up behind it */
    EXPECT_NUMBER(rung.device_ns, 1.05e6);
}

/* Events that tell too much, and by how much. */
static void distances_that_are_refused_count_as_well(void **state)
{
    const kt_clock_info clock = {.method = KT_METHOD_EVENT_PAIR, .period_ns = NAN};
    agreement_rung rung = {.device_ns = NAN, .wall_ns = NAN};
    kt_raw raw[3];
    for (int i = 0; i < 3; i++)
        raw[i] = (kt_raw){.state = KT_TIMESTAMP_AMBIGUOUS,
                          .has_elapsed = 1,
                          .elapsed_ms = 1.25F,
                          .host_after_ns = 1000000};
    const kt_series series = {.trials = 1, .raw = raw, .raw_count = 3};
    agreement_look(&rung, &clock, &series);
    EXPECT_NUMBER(rung.device_ns, 1.25e6);
    EXPECT_NUMBER(rung.wall_ns, 1e6);
    assert_int_equal(rung.unusable, 0);
}

static void what_else_may_differ(void **state)
{
    agreement_seen seen = make_rungs(1, 20e6); /* slow to launch, or to tell that it is done */
    EXPECT_DIAGNOSTIC(judge_agreement(&seen), "agreement", KT_SEVERITY_NOTE,
                      "about 20.00 ms longer");
    seen = make_rungs(1, 0);
    for (uint32_t i = 6; i < seen.count; i++) /* begins anew */
        seen.rungs[i].device_ns = 1e6;
    EXPECT_DIAGNOSTIC(judge_agreement(&seen), "agreement", KT_SEVERITY_FAULT,
                      "agree at 10.24 ms, but at");
    seen = make_rungs(1, 0);
    for (uint32_t i = 5; i < seen.count; i++)
        seen.rungs[i] = (agreement_rung){
            .device_ns = NAN, .unusable = 12, .ambiguous = 12, .state = KT_TIMESTAMP_AMBIGUOUS};
    assert_true(agreement_is_doubtful(&seen));
    doctor_diagnostic f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_WARNING,
                      "kernels longer than 2.560 ms have no device time");
    EXPECT_TEXT_HAS(f.means, "resets too often");
    seen.rungs[7].ambiguous = 11; /* one of them was lost, so that they may all have been */
    seen.rungs[7].state = KT_TIMESTAMP_LOST;
    f = judge_agreement(&seen);
    EXPECT_TEXT_HAS(f.seen, "all 36 timestamp pairs were unusable, the last was \"lost\"");
    assert_null(strstr(f.means, "counter"));
    for (uint32_t i = 0; i < seen.count; i++)
        seen.rungs[i].device_ns = NAN;
    EXPECT_DIAGNOSTIC(judge_agreement(&seen), "agreement", KT_SEVERITY_FAULT,
                      "no kernel of 10.00 us or more");
    seen.count = 1; /* a kernel that cannot be made longer, nor shorter */
    seen.rungs[0] = (agreement_rung){.device_ns = 99e6, .wall_ns = 100e6};
    f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_GOOD, "0.990 of wall time");
    EXPECT_NUMBER(value_of(&f, "slope"), NAN);
    seen.rungs[0].device_ns = 50e6; /* of one length nothing is "however long" */
    f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_WARNING,
                      "only one kernel could be timed: device time is 0.5");
    assert_null(strstr(f.seen, "any length"));
}

/* Of distances of events there are no ticks to be of a wrong length. */
static void what_is_of_a_wrong_length(void **state)
{
    for (int has_ticks = 0; has_ticks < 2; has_ticks++) {
        const char *what =
            has_ticks ? "the true tick length is" : "the true unit of elapsed times is";
        for (double factor = 0.25; factor <= 4; factor *= 16) {
            agreement_seen seen = make_rungs(factor, 0);
            for (uint32_t i = 0; i < seen.count; i++)
                seen.rungs[i].has_ticks = has_ticks;
            doctor_diagnostic f = judge_agreement(&seen);
            assert_int_equal(f.severity, KT_SEVERITY_FAULT);
            EXPECT_TEXT_HAS(f.means, what);
        }
    }
}

static void lengths_without_timestamps_are_passed_over(void **state)
{
    agreement_seen seen = make_rungs(1, 0);
    seen.rungs[0].device_ns = seen.rungs[6].device_ns = NAN;
    doctor_diagnostic f = judge_agreement(&seen);
    EXPECT_DIAGNOSTIC(f, "agreement", KT_SEVERITY_GOOD, "from 40.00 us on");
    assert_string_equal(f.means, ""); /* no shorter one was seen to be mostly launching */
    seen = make_rungs(1, 30e3);       /* from 640 us on, as above */
    seen.rungs[5].device_ns = NAN;
    f = judge_agreement(&seen);
    EXPECT_NUMBER(value_of(&f, "from_ns"), 640e3);
    EXPECT_TEXT_HAS(f.means, "shorter kernels");
}

/* ---- steady ---- */

static void a_change_under_load(void **state)
{
    double samples_ns[400];
    for (size_t i = 0; i < 400; i++) /* every third is disturbed, the more so the later */
        samples_ns[i] = i % 3 ? 1e6 : 1e6 + 5e3 * (double)i;
    EXPECT_NUMBER(steady_change(samples_ns, 400), 0);
    for (size_t i = 0; i < 400; i++)
        samples_ns[i] = i < 200 ? 1e6 : 1.12e6;
    EXPECT_NEAR(steady_change(samples_ns, 400), 0.12, 1e-9);
    EXPECT_NUMBER(steady_change(samples_ns, 29), NAN);
    for (size_t i = 320; i < 360; i++) /* one of the last three tenths is as the first one was */
        samples_ns[i] = 1e6;
    EXPECT_NUMBER(steady_change(samples_ns, 400), 0);
    for (size_t i = 0; i < 400; i++)
        samples_ns[i] = 1e6 - 500 * (double)i;
    EXPECT_NEAR(steady_change(samples_ns, 400), 0.8405 / 0.9805 - 1, 1e-9);
    steady_seen seen = {
        .change = 0.12, .under_ns = 5e8, .kernel_ns = 1e6, .groups = 64, .of_device = true};
    doctor_diagnostic f = judge_steady(&seen);
    EXPECT_DIAGNOSTIC(f, "steady", KT_SEVERITY_WARNING,
                      "64 groups and 1.000 ms takes 12 % longer after 500.0 ms of load");
    EXPECT_TEXT_HAS(f.means, "probably lowers its clock");
    seen.change = -0.05;
    f = judge_steady(&seen);
    EXPECT_DIAGNOSTIC(f, "steady", KT_SEVERITY_NOTE, "takes 5 % less time after");
    EXPECT_TEXT_HAS(f.means, "probably raises its clock");
    seen.step = 0.05; /* a step of the clock is as much */
    EXPECT_DIAGNOSTIC(judge_steady(&seen), "steady", KT_SEVERITY_GOOD, "takes as long after");
    seen.change = NAN;
    EXPECT_DIAGNOSTIC(judge_steady(&seen), "steady", KT_SEVERITY_NOTE, "under load unknown");
}

static void a_change_must_come_again(void **state)
{
    EXPECT_NUMBER(steady_combine(0.12, 0.1), 0.1);
    EXPECT_NUMBER(steady_combine(0.12, 0.14), 0.12);
    EXPECT_NUMBER(steady_combine(0.12, -0.1), 0);
    EXPECT_NUMBER(steady_combine(-0.12, -0.01), -0.01);
}

static void what_loads_a_device(void **state)
{
    static const struct {
        uint32_t units;
        kt_device_type type;
        uint32_t groups;
    } rows[] = {{1, KT_DEVICE_SIMULATED, 8}, {2, KT_DEVICE_CPU, 16},  {132, KT_DEVICE_GPU, 1056},
                {600, KT_DEVICE_GPU, 4096},  {0, KT_DEVICE_CPU, 128}, {0, KT_DEVICE_GPU, 4096},
                {0, KT_DEVICE_OTHER, 4096}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const kt_device_info info = {.type = rows[i].type, .compute_units = rows[i].units};
        assert_int_equal(steady_groups(&info), rows[i].groups);
    }
}

static void a_slow_kernel_runs_less_often(void **state)
{
    assert_int_equal(steady_samples(1e5), 500);
    assert_int_equal(steady_samples(2e6), 250);
    assert_int_equal(steady_samples(100e6), 30); /* 3 s */
    assert_int_equal(steady_samples(500e6), 6);
    assert_int_equal(steady_samples(20e9), 3);
}

/* ---- the kernel ---- */

static void lengths_are_made_of_iterations_then_trials(void **state)
{
    doctor_kernels kernels = {.dispatch_ns = 2000, .iteration_ns = 10};
    kernel_length length = kernel_of_length(&kernels, 10e3);
    assert_int_equal(length.iterations, 801);
    assert_int_equal(length.trials, 1);
    length = kernel_of_length(&kernels, 100e6); /* all iterations are 0.5 ms */
    assert_int_equal(length.iterations, KERNEL_ITERATIONS_MAX);
    assert_int_equal(length.trials, 199);
    EXPECT_NUMBER(length.expected_ns, 199 * 502e3);
    kernels.iteration_ns = 0; /* as on a simulated device */
    length = kernel_of_length(&kernels, 10e3);
    assert_int_equal(length.iterations, 1);
    assert_int_equal(length.trials, 5);
    length = kernel_of_length(&kernels, 1);
    assert_int_equal(length.trials, 1);
    length = kernel_of_length(&kernels, 1e12);
    assert_int_equal(length.trials, 4096);
}

static void counts_are_grouped(void **state)
{
    char text[32];
    assert_string_equal(kernel_format_count(text, 0), "0");
    assert_string_equal(kernel_format_count(text, 999), "999");
    assert_string_equal(kernel_format_count(text, 65535), "65,535");
    assert_string_equal(kernel_format_count(text, UINT32_MAX), "4,294,967,295");
}

static void the_output_tells_how_many(void **state)
{
    static const uint32_t counts[] = {0, 1, 65535, 100000};
    void *problem = NULL, *part = NULL;
    EXPECT_OK(workload_loop.problem_create(100000, &problem));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        EXPECT_OK(workload_loop.problem_create(counts[i], &part));
        assert_int_equal(loop_iterations_done(problem, ((loop_problem *)part)->expected),
                         counts[i]);
        workload_loop.problem_destroy(part);
    }
    EXPECT_OK(workload_loop.problem_create(100001, &part)); /* more than were asked for */
    assert_int_equal(loop_iterations_done(problem, ((loop_problem *)part)->expected),
                     LOOP_DONE_UNKNOWN);
    workload_loop.problem_destroy(part);
    const uint32_t spoilt[LOOP_ITEMS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    assert_int_equal(loop_iterations_done(problem, spoilt), LOOP_DONE_UNKNOWN);
    workload_loop.problem_destroy(problem);
}

static void a_wrong_group_is_found(void **state)
{
    void *problem = NULL;
    uint32_t states[3 * LOOP_ITEMS];
    EXPECT_OK(workload_loop.problem_create(1000, &problem));
    loop_problem *p = problem;
    p->groups = 3;
    for (int i = 0; i < 3; i++)
        memcpy(states + i * LOOP_ITEMS, p->expected, sizeof p->expected);
    assert_null(loop_first_wrong(p, states));
    states[2 * LOOP_ITEMS + 1]++;
    assert_ptr_equal(loop_first_wrong(p, states), states + 2 * LOOP_ITEMS);
    workload_loop.problem_destroy(problem);
}

static size_t differing_bytes(const void *a, const void *b, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((const char *)a)[i] != ((const char *)b)[i];
    return count;
}

/* A text without a mark would be found in a cache, and its first run look free. */
static void a_mark_is_in_every_language(void **state)
{
    loop_marked marked;
    const workload_kernel *plain = workload_loop.kernels;
    EXPECT_OK(loop_mark(&marked, 0x12222222)); /* shares no digit with the usual one */
    const workload_kernel *kernel = marked.workload.kernels;
    assert_int_equal(strlen(kernel->source), strlen(plain->source));
    assert_int_equal(strlen(kernel->wgsl), strlen(plain->wgsl));
    EXPECT_TEXT_HAS(kernel->source, "0x92222222u");
    EXPECT_TEXT_HAS(kernel->wgsl, "0x92222222u");
    assert_null(strstr(kernel->source, "0xa5c0de17u"));
    assert_int_equal(differing_bytes(kernel->source, plain->source, strlen(plain->source)), 8);
    if (plain->ptx) {
        assert_int_equal(strlen(kernel->ptx), strlen(plain->ptx));
        EXPECT_TEXT_HAS(plain->ptx, " -1514086889");  /* 0xa5c0de17 - 2^32 */
        EXPECT_TEXT_HAS(kernel->ptx, " -1843256798"); /* 0x92222222 - 2^32 */
        assert_null(strstr(kernel->ptx, "-1514086889"));
    }
    if (plain->spirv)
        assert_int_equal(differing_bytes(kernel->spirv, plain->spirv, plain->spirv_bytes), 4);
    if (plain->spirv_kernel)
        assert_int_equal(
            differing_bytes(kernel->spirv_kernel, plain->spirv_kernel, plain->spirv_kernel_bytes),
            4);
    assert_ptr_equal(kernel->function, plain->function);
    loop_marked_free(&marked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_results_are_faults),
        cmocka_unit_test(loops_that_are_cut),
        cmocka_unit_test(first_use_inside_and_outside),
        cmocka_unit_test(first_use_by_the_wall_and_of_little),
        cmocka_unit_test(times_that_agree),
        cmocka_unit_test(a_wrong_tick_is_found),
        cmocka_unit_test(one_misread_timestamp_is_no_fast_clock),
        cmocka_unit_test(distances_that_are_refused_count_as_well),
        cmocka_unit_test(what_else_may_differ),
        cmocka_unit_test(what_is_of_a_wrong_length),
        cmocka_unit_test(lengths_without_timestamps_are_passed_over),
        cmocka_unit_test(a_change_under_load),
        cmocka_unit_test(a_change_must_come_again),
        cmocka_unit_test(what_loads_a_device),
        cmocka_unit_test(a_slow_kernel_runs_less_often),
        cmocka_unit_test(lengths_are_made_of_iterations_then_trials),
        cmocka_unit_test(counts_are_grouped),
        cmocka_unit_test(the_output_tells_how_many),
        cmocka_unit_test(a_wrong_group_is_found),
        cmocka_unit_test(a_mark_is_in_every_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
