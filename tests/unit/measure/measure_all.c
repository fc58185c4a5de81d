/* SPDX-License-Identifier: MIT */
/* Several jobs in turns: who runs when, what each gets, and what becomes of one that fails. */
#include "tests/unit/rig.h"

#include <stdatomic.h>
#include <stdio.h>

#define JOBS_MAX 3

/* A submission of sim that takes KERNEL ns: see src/backends/sim/job.c; timestamped, one step costs 101
 * more. */
#define WALL_NS(kernel_ns) (2003.0 + 3001 + (kernel_ns) + 2011)
#define TIMESTAMP_NS       101

typedef struct worker {
    kt_job *job;
    char letter;
    uint32_t submissions;
    uint32_t wrong_at;                       /* the submission whose output is wrong; 0: none */
    uint32_t asked, cancel_at, last_samples; /* by the progress callback */
    double last_fraction;
} worker;

typedef struct team {
    kt_context *context;
    kt_device *devices[2];
    kt_program *programs[2];
    worker workers[JOBS_MAX];
    uint32_t count;
} team;

static char order[512]; /* the letter of each submission */

/* A clock of our own, which the kernel alone moves: 1 ms, and the more the later it is. */
static atomic_llong drifting_ns;

static int64_t drifting_clock(void *user)
{
    return atomic_load(&drifting_ns);
}

static void kernel(const kt_c_group *group, void *const *args)
{
    long long now_ns = atomic_load(&drifting_ns);
    atomic_store(&drifting_ns, now_ns + 1000000 + now_ns / 1000);
}

static kt_status note_submission(void *user, char *reason, size_t reason_bytes)
{
    worker *w = user;
    size_t used = strlen(order);
    if (used + 1 < sizeof order) {
        order[used] = w->letter;
        order[used + 1] = '\0';
    }
    w->submissions++;
    return KT_OK;
}

static kt_status check_output(void *user, char *reason, size_t reason_bytes)
{
    const worker *w = user;
    if (w->submissions != w->wrong_at)
        return KT_OK;
    snprintf(reason, reason_bytes, "%c spoilt it", w->letter);
    return KT_WRONG_RESULT;
}

static int watch(void *user, const kt_progress *progress)
{
    worker *w = user;
    assert_true(progress->fraction >= w->last_fraction && progress->fraction <= 1);
    assert_true(progress->samples >= w->last_samples);
    w->last_fraction = progress->fraction;
    w->last_samples = progress->samples;
    return ++w->asked != w->cancel_at;
}

static void open_device(team *to, int index, const char *device)
{
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_C_FUNCTION,
                                     .entry = "unit",
                                     .function = kernel};
    EXPECT_OK(kt_device_open(to->context, device, &to->devices[index]));
    EXPECT_OK(kt_program_create(to->devices[index], &program, &to->programs[index]));
}

static void add_worker(team *to, int device)
{
    worker *w = &to->workers[to->count];
    w->letter = (char)('A' + to->count++);
    const char name[] = {w->letter, '\0'};
    const kt_step step = {.program = to->programs[device]};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = name,
                              .steps = &step,
                              .step_count = 1,
                              .reset = note_submission,
                              .verify = check_output,
                              .user = w};
    EXPECT_OK(kt_job_create(to->devices[device], &desc, &w->job));
}

/* `first` jobs on one device, `second` on another. */
static void set_up(team *to, const char *device, uint32_t first, uint32_t second)
{
    const kt_context_options options = {.size = sizeof options,
                                        .host_clock = {.now = drifting_clock}};
    *to = (team){0};
    order[0] = '\0';
    atomic_store(&drifting_ns, 1);
    EXPECT_OK(kt_context_create(&to->context, &options));
    open_device(to, 0, device);
    for (uint32_t i = 0; i < first; i++)
        add_worker(to, 0);
    if (second)
        open_device(to, 1, "sim:1:kernel_ns=5000000");
    for (uint32_t i = 0; i < second; i++)
        add_worker(to, 1);
}

static void tear_down(team *to, kt_measure_item *measured)
{
    for (uint32_t i = 0; i < to->count; i++) {
        kt_result_destroy(&measured[i].result);
        kt_job_destroy(&to->workers[i].job);
    }
    for (int i = 0; i < 2; i++) {
        kt_program_destroy(&to->programs[i]);
        kt_device_close(&to->devices[i]);
    }
    kt_context_destroy(&to->context);
}

/* The team of a test, set up anew after the one before is taken down. */
static team t;
static kt_measure_item items[JOBS_MAX];

static int end(void **state)
{
    tear_down(&t, items);
    memset(items, 0, sizeof items);
    return 0;
}

static void start(const char *device, uint32_t first, uint32_t second)
{
    end(NULL);
    set_up(&t, device, first, second);
}

/* So many wall times, after a warm-up of one submission. */
static kt_measure_options walls(uint32_t count)
{
    return (kt_measure_options){.size = sizeof(kt_measure_options),
                                .samples_min = count,
                                .samples_max = count,
                                .max_time_ns = 1,
                                .timeout_ns = 1000000000,
                                .timing = KT_TIMING_WALL};
}

/* All jobs with the same options. */
static kt_status measure(const kt_measure_options *options)
{
    for (uint32_t i = 0; i < t.count; i++)
        items[i] = (kt_measure_item){.job = t.workers[i].job, .options = options};
    return kt_measure_all(items, t.count);
}

static const kt_series *wall_of(const kt_measure_item *item)
{
    assert_non_null(item->result);
    return rig_series(item->result, "wall");
}

static void expect_ok(const kt_measure_item *item, size_t count, double ns)
{
    EXPECT_STATUS(item->status, KT_OK);
    assert_string_equal(item->error, "");
    rig_expect_all(wall_of(item), count, ns);
    assert_int_equal(wall_of(item)->stop, KT_STOP_MAX_SAMPLES);
}

/*
 * A sample takes 5.007 ms, so three fit into a turn. All begin (first use, one of warm-up), then
 * turns go there and back. Each begins with one that does not count, but for those that follow a
 * turn of the same job.
 */
static void turns_go_there_and_back(void **state)
{
    start("sim:0:kernel_ns=5000000", 3, 0);
    const kt_measure_options seven = walls(7);
    EXPECT_OK(measure(&seven));
    assert_string_equal(order, "AABBCC"
                               "AAAABBBBCCCC"
                               "CCCBBBBAAAA"
                               "ABBCC");
    static const uint32_t warmup_n[] = {1 + 2, 1 + 3, 1 + 2};
    for (int i = 0; i < 3; i++) {
        expect_ok(&items[i], 7, WALL_NS(5e6));
        assert_int_equal(wall_of(&items[i])->warmup_n, warmup_n[i]);
        EXPECT_NUMBER(wall_of(&items[i])->warmup_ns, warmup_n[i] * WALL_NS(5e6));
    }
}

/* What fills the caches itself within a small part of its time needs no preparation. */
static void long_submissions_take_turns_one_by_one(void **state)
{
    start("sim:0:kernel_ns=30000000", 2, 0);
    const kt_measure_options five = walls(5);
    EXPECT_OK(measure(&five));
    assert_string_equal(order, "AABB"
                               "ABBAABBAAB");
    expect_ok(&items[0], 5, WALL_NS(30e6));
    expect_ok(&items[1], 5, WALL_NS(30e6));
}

static void who_is_done_drops_out(void **state)
{
    start("sim:0:kernel_ns=5000000", 2, 0);
    const kt_measure_options three = walls(3), seven = walls(7);
    items[0] = (kt_measure_item){.job = t.workers[0].job, .options = &three};
    items[1] = (kt_measure_item){.job = t.workers[1].job, .options = &seven};
    EXPECT_OK(kt_measure_all(items, 2));
    assert_string_equal(order, "AABB"
                               "AAAABBBB"
                               "BBB"
                               "B");
    expect_ok(&items[0], 3, WALL_NS(5e6));
    expect_ok(&items[1], 7, WALL_NS(5e6));
}

/*
 * Of both kinds, nine samples of 2.014 ms a turn. What does not count continues their order, A B B
 * A: timestamped before sample 0, plain before sample 9. The second job's second turn follows its
 * first.
 */
static void the_order_within_samples_goes_on(void **state)
{
    start("sim:0:kernel_ns=1000000", 2, 0);
    kt_measure_options twelve = walls(12);
    twelve.timing = KT_TIMING_BOTH;
    EXPECT_OK(measure(&twelve));
    const kt_series *a = wall_of(&items[0]), *b = wall_of(&items[1]);
    assert_int_equal(a->warmup_n, 4);
    EXPECT_NUMBER(a->warmup_ns, 4 * WALL_NS(1e6) + 2 * TIMESTAMP_NS);
    assert_int_equal(b->warmup_n, 3);
    EXPECT_NUMBER(b->warmup_ns, 3 * WALL_NS(1e6) + 2 * TIMESTAMP_NS);
    expect_ok(&items[0], 12, WALL_NS(1e6));
    expect_ok(&items[1], 12, WALL_NS(1e6));
}

/*
 * The time of the others is not its own. Two rounds of 5 ms fit into the 12.5 ms of warm-up; what
 * it ran since then are its samples and what came before some turns: 50 ms and less than two more,
 * though there are three such jobs.
 */
static void each_has_its_own_time(void **state)
{
    start("sim:0:kernel_ns=5000000,jitter_ns=50000", 3, 0);
    kt_measure_options options = walls(1);
    options.samples_max = 1000;
    options.rel_err = 1e-12;
    options.max_time_ns = 50000000;
    EXPECT_OK(measure(&options));
    for (int i = 0; i < 3; i++) {
        const kt_series *wall = wall_of(&items[i]);
        assert_int_equal(wall->stop, KT_STOP_MAX_TIME);
        assert_int_equal(wall->warmup_end, KT_WARMUP_SHORT);
        assert_true(wall->warmup_n > 2);
        double own_ns = wall->warmup_ns - 2 * WALL_NS(5e6);
        for (size_t k = 0; k < wall->summary.n; k++)
            own_ns += wall->samples_ns[k];
        assert_true(own_ns > 49.5e6 && own_ns < 61e6);
    }
}

/*
 * Everything becomes slower by 1 per mille of the time that has passed. 100 samples of 1.1 ms and
 * more later that is a tenth: what is measured second seems that much slower, unless both are
 * measured in turns.
 */
static void drift_hits_all_alike(void **state)
{
    const kt_measure_options hundred = walls(100);
    start("cpu:0", 2, 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(kt_measure(t.workers[i].job, &hundred, &items[i].result));
    }
    double apart = wall_of(&items[1])->summary.mean / wall_of(&items[0])->summary.mean;
    assert_true(apart > 1.08 && apart < 1.13);

    start("cpu:0", 2, 0);
    EXPECT_OK(measure(&hundred));
    const kt_summary *a = &wall_of(&items[0])->summary, *b = &wall_of(&items[1])->summary;
    EXPECT_NEAR(b->mean / a->mean, 1, 0.005);
    assert_true(a->max / a->min > 1.15); /* it was there */
    assert_true(b->max / b->min > 1.15);
}

static void one_that_fails_ends_alone(void **state)
{
    start("sim:0:kernel_ns=5000000", 3, 0);
    t.workers[1].wrong_at = 5; /* first use, warm-up, one that does not count, a sample, this */
    t.workers[2].wrong_at = 1;
    const kt_measure_options seven = walls(7);
    EXPECT_STATUS(measure(&seven), KT_WRONG_RESULT);
    assert_string_equal(kt_error_text(),
                        "wrong output: B spoilt it"); /* the first's, not the latest */
    assert_string_equal(order, "AABBC"
                               "AAAABBB"
                               "AAAA"
                               "A");
    expect_ok(&items[0], 7, WALL_NS(5e6));
    EXPECT_STATUS(items[1].status, KT_WRONG_RESULT);
    assert_string_equal(items[1].error, "wrong output: B spoilt it");
    assert_int_equal(wall_of(&items[1])->status, KT_SERIES_FAILED);
    assert_string_equal(wall_of(&items[1])->error, "wrong output: B spoilt it");
    assert_int_equal(wall_of(&items[1])->summary.n, 1);
    EXPECT_STATUS(items[2].status, KT_WRONG_RESULT);
    assert_string_equal(items[2].error, "wrong output: C spoilt it");
    assert_int_equal(wall_of(&items[2])->summary.n, 0);
}

/* Two on a device that hangs, one on another. Submissions 1 to 4 begin A and B; 5 to 8 are A's
 * turn, then B's. */
static void a_hang_ends_all_on_that_device(void **state)
{
    static const struct {
        const char *device;
        kt_status status[2];
        int samples[2]; /* -1: no result */
    } cases[] = {{"sim:0:kernel_ns=5000000,hang=1", {KT_TIMEOUT, KT_DEVICE_LOST}, {0, -1}},
                 {"sim:0:kernel_ns=5000000,hang=3", {KT_DEVICE_LOST, KT_TIMEOUT}, {0, 0}},
                 {"sim:0:kernel_ns=5000000,hang=8", {KT_TIMEOUT, KT_DEVICE_LOST}, {2, 0}},
                 {"sim:0:kernel_ns=5000000,hang=11", {KT_DEVICE_LOST, KT_TIMEOUT}, {3, 1}}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        start(cases[c].device, 2, 1);
        const kt_measure_options seven = walls(7);
        EXPECT_STATUS(measure(&seven), cases[c].status[0]);
        assert_string_equal(kt_error_text(), items[0].error);
        for (int i = 0; i < 2; i++) {
            EXPECT_STATUS(items[i].status, cases[c].status[i]);
            EXPECT_TEXT_HAS(items[i].error, "did not answer");
            if (cases[c].samples[i] < 0)
                assert_null(items[i].result);
            else
                assert_int_equal(wall_of(&items[i])->summary.n, cases[c].samples[i]);
        }
        expect_ok(&items[2], 7, WALL_NS(5e6));
    }
}

/* Each is asked by its own callback: before it begins, before and after the round of warm-up, after each
 * sample but the last. */
static void cancelling_concerns_one(void **state)
{
    kt_measure_options options[JOBS_MAX];
    start("sim:0:kernel_ns=5000000", 3, 0);
    for (int i = 0; i < 3; i++) {
        options[i] = walls(7);
        options[i].progress = watch;
        options[i].progress_user = &t.workers[i];
        items[i] = (kt_measure_item){.job = t.workers[i].job, .options = &options[i]};
    }
    t.workers[0].cancel_at = 1;
    t.workers[1].cancel_at = 5; /* after its second sample */
    EXPECT_STATUS(kt_measure_all(items, 3), KT_CANCELLED);
    assert_string_equal(kt_error_text(), "measuring A was cancelled");
    assert_string_equal(order, "BBCC"
                               "BBBCCCC"
                               "CCC"
                               "C");
    EXPECT_STATUS(items[0].status, KT_CANCELLED);
    assert_int_equal(wall_of(&items[0])->summary.n, 0);
    EXPECT_STATUS(items[1].status, KT_CANCELLED);
    assert_string_equal(items[1].error, "measuring B was cancelled");
    assert_int_equal(wall_of(&items[1])->summary.n, 2);
    assert_int_equal(wall_of(&items[1])->status, KT_SERIES_PARTIAL);
    expect_ok(&items[2], 7, WALL_NS(5e6));
    assert_int_equal(t.workers[2].asked, 3 + 7);
    EXPECT_NEAR(t.workers[2].last_fraction, 1, 1e-12);
}

static void what_cannot_be_begun_has_no_result(void **state)
{
    start("sim:0:kernel_ns=5000000", 3, 0);
    const kt_measure_options three = walls(3), bad = {.size = sizeof bad, .rel_err = -1};
    kt_result *const stale = (kt_result *)(void *)&t;
    for (int i = 0; i < 3; i++)
        items[i] = (kt_measure_item){.job = t.workers[i].job, .options = &three};
    items[1].options = &bad;
    items[1].result = stale;
    EXPECT_STATUS(kt_measure_all(items, 3), KT_INVALID);
    EXPECT_TEXT_HAS(items[1].error, "below 0");
    EXPECT_STATUS(items[1].status, KT_INVALID);
    assert_null(items[1].result);
    assert_int_equal(t.workers[1].submissions, 0);
    expect_ok(&items[0], 3, WALL_NS(5e6));
    expect_ok(&items[2], 3, WALL_NS(5e6));
    EXPECT_OK(kt_measure_all(NULL, 0));
}

/* To the bit, also where turns end and noise goes on. */
static void one_item_is_a_measurement_like_any(void **state)
{
    const kt_measure_options options = {.size = sizeof options, .samples_min = 200, .keep_raw = 1};
    kt_measure_item both[2][JOBS_MAX];
    team teams[2];
    for (int i = 0; i < 2; i++) {
        set_up(&teams[i], "sim:0:kernel_ns=1000000,jitter_ns=9000,seed=5", 1, 0);
        both[i][0] = (kt_measure_item){.job = teams[i].workers[0].job, .options = &options};
    }
    EXPECT_OK(kt_measure(teams[0].workers[0].job, &options, &both[0][0].result));
    EXPECT_OK(kt_measure_all(both[1], 1));
    assert_int_equal(teams[0].workers[0].submissions, teams[1].workers[0].submissions);
    static const char *const steps[] = {"A", "wall", "wall_timestamped"};
    for (int s = 0; s < 3; s++) {
        const kt_series *one = rig_series(both[0][0].result, steps[s]);
        const kt_series *other = rig_series(both[1][0].result, steps[s]);
        assert_true(one->summary.n >= 200);
        assert_int_equal(one->summary.n, other->summary.n);
        assert_memory_equal(one->samples_ns, other->samples_ns,
                            one->summary.n * sizeof *one->samples_ns);
        assert_memory_equal(&one->summary, &other->summary, sizeof one->summary);
        assert_int_equal(one->warmup_n, other->warmup_n);
        assert_int_equal(one->raw[199].host_after_ns, other->raw[199].host_after_ns);
    }
    for (int i = 0; i < 2; i++)
        tear_down(&teams[i], both[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_go_there_and_back),
        cmocka_unit_test(long_submissions_take_turns_one_by_one),
        cmocka_unit_test(who_is_done_drops_out),
        cmocka_unit_test(the_order_within_samples_goes_on),
        cmocka_unit_test(each_has_its_own_time),
        cmocka_unit_test(drift_hits_all_alike),
        cmocka_unit_test(one_that_fails_ends_alone),
        cmocka_unit_test(a_hang_ends_all_on_that_device),
        cmocka_unit_test(cancelling_concerns_one),
        cmocka_unit_test(what_cannot_be_begun_has_no_result),
        cmocka_unit_test(one_item_is_a_measurement_like_any),
    };
    return cmocka_run_group_tests_name("measure_all", tests, NULL, end);
}
