/* SPDX-License-Identifier: MIT */
/* Two jobs measured on two threads at once; also what the thread sanitizer is run on. */
#include "tests/unit/rig.h"

#include <pthread.h>

#define COUNT 60

/* A job of one thread, and what came of measuring it. */
typedef struct worker {
    rig r;
    kt_timing timing;
    kt_trace *trace; /* NULL: none */
    kt_status status;
    kt_result *result;
} worker;

static void *measure(void *user)
{
    worker *w = user;
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = COUNT,
                                        .samples_max = COUNT,
                                        .timing = w->timing,
                                        .trace = w->trace};
    w->status = kt_measure(w->r.job, &options, &w->result);
    return NULL;
}

static void measure_at_once(worker *workers, const char *device)
{
    rig shared;
    pthread_t threads[2];
    rig_open(&shared, device);
    for (int i = 0; i < 2; i++) {
        workers[i].r = shared;
        rig_make_job(&workers[i].r, 2);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, measure, &workers[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(workers[i].status);
        assert_non_null(workers[i].result);
        const kt_series *any = kt_result_series(workers[i].result, 0);
        assert_true(any->verified);
        assert_int_equal(rig_submissions(workers[i].result), workers[i].r.verify_count);
    }
    /* Each worker's rig shares its device with the other, so only what is its own is destroyed
     * here. */
    for (int i = 0; i < 2; i++) {
        workers[i].r.device = NULL;
        workers[i].r.context = NULL;
        rig_close(&workers[i].r);
    }
    rig_close(&shared);
}

static void destroy_results(worker *workers)
{
    for (int i = 0; i < 2; i++)
        kt_result_destroy(&workers[i].result);
}

/* The device runs one after the other, each for as long as ever. */
static void on_sim(void **state)
{
    worker workers[2] = {{.timing = KT_TIMING_BOTH}, {.timing = KT_TIMING_BOTH}};
    measure_at_once(workers, "sim:0");
    for (int i = 0; i < 2; i++) {
        rig_expect_all(rig_series(workers[i].result, "first"), COUNT, 100000);
        rig_expect_all(rig_series(workers[i].result, "second"), COUNT, 100000);
    }
    destroy_results(workers);
}

static void on_cpu(void **state)
{
    worker workers[2] = {{.timing = KT_TIMING_BOTH}, {.timing = KT_TIMING_DEVICE}};
    measure_at_once(workers, "cpu:0");
    for (int i = 0; i < 2; i++)
        assert_int_equal(rig_series(workers[i].result, "wall_timestamped")->summary.n, COUNT);
    destroy_results(workers);
}

/* One needs the timer limits, which is made while the other is measuring without it. Both are in one
 * trace. */
static void with_and_without_a_timer_limits(void **state)
{
    static const char *const devices[] = {"sim:0", "cpu:0"};
    for (int d = 0; d < 2; d++) {
        kt_trace *trace = NULL;
        EXPECT_OK(kt_trace_create(&trace, NULL));
        worker workers[2] = {{.timing = KT_TIMING_BOTH, .trace = trace},
                             {.timing = KT_TIMING_WALL, .trace = trace}};
        measure_at_once(workers, devices[d]);
        assert_int_equal(kt_result_series_count(workers[1].result), 1);
        kt_trace_counts counts; /* of each submission two events of the host's, of most steps one */
        kt_trace_get_counts(trace, &counts);
        uint32_t submissions =
            rig_submissions(workers[0].result) + rig_submissions(workers[1].result);
        assert_true(counts.events >= 2 * submissions);
        kt_trace_destroy(&trace);
        destroy_results(workers);
    }
}

/* Writes which thread it runs on: the address of a variable that each thread has for itself. */
static void write_thread(const kt_c_group *group, void *const *args)
{
    static _Thread_local int here;
    *(uintptr_t *)args[0] = (uintptr_t)&here;
}

/* A second team of OpenMP threads would make the kernels of both slower by a factor. */
static void all_jobs_of_the_cpu_run_on_one_thread(void **state)
{
    const kt_program_desc program_desc = {
        .size = sizeof program_desc, .entry = "write_thread", .function = write_thread};
    rig r;
    rig_open(&r, "cpu:0");
    kt_program *program;
    kt_memory *memories[2];
    kt_job *jobs[2];
    kt_measure_item items[2];
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .max_time_ns = 1};
    EXPECT_OK(kt_program_create(r.device, &program_desc, &program));
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(kt_memory_create(r.device, KT_MEMORY_DEFAULT, sizeof(uintptr_t), &memories[i]));
        const kt_arg arg = {.memory = memories[i]};
        const kt_step step = {.name = "write_thread",
                              .program = program,
                              .args = &arg,
                              .arg_count = 1,
                              .groups = {1, 1, 1},
                              .group_size = {1, 1, 1}};
        const kt_job_desc desc = {
            .size = sizeof desc, .name = "write_thread", .steps = &step, .step_count = 1};
        EXPECT_OK(kt_job_create(r.device, &desc, &jobs[i]));
        items[i] = (kt_measure_item){.job = jobs[i], .options = &options};
    }
    EXPECT_OK(kt_measure_all(items, 2));
    uintptr_t threads[2];
    for (int i = 0; i < 2; i++)
        EXPECT_OK(kt_memory_read(memories[i], 0, &threads[i], sizeof threads[i]));
    assert_int_equal(threads[0], threads[1]);
    for (int i = 0; i < 2; i++) {
        kt_result_destroy(&items[i].result);
        kt_job_destroy(&jobs[i]);
        kt_memory_destroy(&memories[i]);
    }
    kt_program_destroy(&program);
    rig_close(&r);
}

/* Two clocks of a device are followed, each by a thread, while a third one measures on it. */
static void *follow(void *user)
{
    worker *w = user;
    const kt_clock_options options = {.size = sizeof options, .interval_ns = 1};
    kt_clock *clock = NULL;
    w->status = kt_clock_open(w->r.device, 0, &options, &clock);
    for (int i = 0; i < COUNT && w->status == KT_OK; i++) {
        kt_clock_state state;
        int64_t host_ns;
        double uncertainty_ns;
        w->status = kt_clock_update(clock);
        kt_clock_get_state(clock, &state);
        if (w->status == KT_OK)
            w->status = kt_clock_to_host(clock, state.ticks, &host_ns, &uncertainty_ns);
    }
    kt_clock_close(&clock);
    return NULL;
}

static void clocks_are_followed_meanwhile(void **state)
{
    static const char *const devices[] = {
        "sim:0", "sim:0:calibrated_timestamps=0",
        "sim:0:calibrated_timestamps=0,period_reported=0,bits_reported=0", "cpu:0"};
    for (int d = 0; d < 4; d++) {
        worker workers[3] = {{.timing = KT_TIMING_BOTH}};
        pthread_t threads[3];
        rig_set_up(&workers[0].r, devices[d], 1);
        workers[1].r = workers[2].r = workers[0].r;
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, i ? follow : measure, &workers[i]),
                             0);
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < 3; i++)
            EXPECT_OK(workers[i].status);
        assert_int_equal(rig_series(workers[0].result, "first")->summary.n, COUNT);
        kt_result_destroy(&workers[0].result);
        rig_close(&workers[0].r);
    }
}

/* The last error is each thread's own. */
static void *fail_here(void *user)
{
    kt_device_info info;
    kt_status *status = user;
    *status = kt_error_text()[0] ? KT_INVALID : KT_OK;
    kt_context *context = NULL;
    if (kt_context_create(&context, NULL) == KT_OK)
        kt_device_describe(context, "sim:0:seed=none", &info);
    if (!strstr(kt_error_text(), "seed"))
        *status = KT_INVALID;
    kt_context_destroy(&context);
    return NULL;
}

static void errors_stay_in_their_thread(void **state)
{
    kt_context *context;
    kt_device_info info;
    EXPECT_OK(kt_context_create(&context, NULL));
    EXPECT_STATUS(kt_device_describe(context, "nothing:0", &info), KT_INVALID);
    char before[512];
    strncpy(before, kt_error_text(), sizeof before - 1);
    before[sizeof before - 1] = '\0';
    pthread_t thread;
    kt_status status = KT_NOT_READY;
    assert_int_equal(pthread_create(&thread, NULL, fail_here, &status), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, KT_OK);
    assert_string_equal(kt_error_text(), before);
    kt_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_sim),
        cmocka_unit_test(on_cpu),
        cmocka_unit_test(with_and_without_a_timer_limits),
        cmocka_unit_test(all_jobs_of_the_cpu_run_on_one_thread),
        cmocka_unit_test(clocks_are_followed_meanwhile),
        cmocka_unit_test(errors_stay_in_their_thread),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
