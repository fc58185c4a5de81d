/* SPDX-License-Identifier: MIT */
/* Simulated devices do the work for its results: never twice for the same contents, always for
 * others. */
#include "tests/unit/rig.h"

enum { ITEMS = 64, GROUP = 16 };

static unsigned calls; /* of the kernel; a simulated device runs on its caller's thread */

static void plus_one(const kt_c_group *group, void *const *args)
{
    int32_t *numbers = args[0];
    calls++;
    for (uint32_t i = 0; i < GROUP; i++)
        numbers[group->group[0] * GROUP + i]++;
}

/* Adds one to each number, in place, in one step or in two. */
typedef struct work {
    rig r;
    int32_t first;     /* number that the input begins with */
    int32_t change;    /* of `first` from submission to submission */
    int32_t additions; /* that are due in one submission */
} work;

static kt_status reset(void *user, char *reason, size_t reason_bytes)
{
    work *w = user;
    int32_t numbers[ITEMS];
    w->first += w->change;
    for (int32_t i = 0; i < ITEMS; i++)
        numbers[i] = w->first + i;
    return kt_memory_write(w->r.input, 0, numbers, sizeof numbers);
}

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    work *w = user;
    int32_t numbers[ITEMS];
    kt_status status = kt_memory_read(w->r.input, 0, numbers, sizeof numbers);
    for (int32_t i = 0; i < ITEMS && status == KT_OK; i++)
        if (numbers[i] != w->first + i + w->additions)
            return KT_WRONG_RESULT;
    return status;
}

static void set_up(work *w, uint32_t step_count)
{
    *w = (work){0};
    rig *r = &w->r;
    rig_open(r, "sim:0");
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_DEFAULT, ITEMS * sizeof(int32_t), &r->input));
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_C_FUNCTION,
                                     .entry = "plus_one",
                                     .function = plus_one};
    EXPECT_OK(kt_program_create(r->device, &program, &r->program));
    const kt_arg arg = {.memory = r->input};
    kt_step steps[2] = {{.name = "first"}, {.name = "second"}};
    for (int i = 0; i < 2; i++) {
        steps[i].program = r->program;
        steps[i].args = &arg;
        steps[i].arg_count = 1;
        steps[i].groups[0] = ITEMS / GROUP;
        steps[i].group_size[0] = GROUP;
    }
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "plus one",
                              .steps = steps,
                              .step_count = step_count,
                              .trials_max = step_count == 1 ? 1 : 0,
                              .reset = reset,
                              .verify = verify,
                              .user = w};
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
}

/* Measures, each submission verified, and tells how often all groups were run. */
static unsigned runs(work *w, uint32_t trials, uint32_t *submissions)
{
    calls = 0;
    kt_result *result = rig_measure(&w->r, 5, KT_TIMING_BOTH, trials);
    assert_true(kt_result_series(result, 0)->verified);
    *submissions = rig_submissions(result);
    assert_int_equal(calls % (ITEMS / GROUP), 0);
    return calls / (ITEMS / GROUP);
}

static void the_same_contents_are_computed_once(void **state)
{
    work w;
    uint32_t submissions;
    set_up(&w, 1);
    w.additions = 1;
    assert_int_equal(runs(&w, 1, &submissions), 1);
    assert_int_equal(submissions, 1 + 2 + 10);
    assert_int_equal(runs(&w, 1, &submissions), 0);
    rig_close(&w.r);
}

static void other_contents_are_computed_anew(void **state)
{
    work w;
    uint32_t submissions;
    set_up(&w, 1);
    w.additions = 1;
    w.change = 1;
    assert_int_equal(runs(&w, 1, &submissions), 1 + 2 + 10);
    rig_close(&w.r);
}

/* What three in a row make of the same contents is not what two make. */
static void other_trials_are_computed_anew(void **state)
{
    work w;
    uint32_t submissions;
    set_up(&w, 2);
    for (uint32_t trials = 3; trials >= 2; trials--) {
        w.additions = 2 * (int32_t)trials; /* two steps */
        assert_int_equal(runs(&w, trials, &submissions), 2 * trials);
    }
    rig_close(&w.r);
}

/* ---- maps ---- */

enum { MAPPED = 64 };

/* One job maps memory of the device for the host and back; another one's work goes on between. */
typedef struct mapping {
    kt_context *context;
    kt_device *device;
    kt_memory *seen, *mapped; /* of kind host, and of the device */
} mapping;

static void open_mapping(mapping *m, const char *device, kt_memory_kind kind)
{
    EXPECT_OK(kt_context_create(&m->context, NULL));
    EXPECT_OK(kt_device_open(m->context, device, &m->device));
    EXPECT_OK(kt_memory_create(m->device, KT_MEMORY_HOST, MAPPED, &m->seen));
    EXPECT_OK(kt_memory_create(m->device, kind, (size_t)2 * MAPPED, &m->mapped));
}

static void close_mapping(mapping *m)
{
    kt_memory_destroy(&m->seen);
    kt_memory_destroy(&m->mapped);
    kt_device_close(&m->device);
    kt_context_destroy(&m->context);
}

static void fill(kt_memory *memory, size_t offset, int byte)
{
    char bytes[MAPPED];
    memset(bytes, byte, sizeof bytes);
    EXPECT_OK(kt_memory_write(memory, offset, bytes, sizeof bytes));
}

static void expect_bytes(kt_memory *memory, size_t offset, int byte)
{
    char bytes[MAPPED], expected[MAPPED];
    memset(expected, byte, sizeof expected);
    EXPECT_OK(kt_memory_read(memory, offset, bytes, sizeof bytes));
    assert_memory_equal(bytes, expected, sizeof bytes);
}

/* Of the second half of the device's memory. Each of `count` samples took `ns`. */
static void map(mapping *m, bool for_host, uint32_t count, double ns)
{
    kt_step step = {.kind = KT_STEP_MAP, .name = "copy", .copy_bytes = MAPPED};
    if (for_host) {
        step.src = m->mapped;
        step.src_offset_bytes = MAPPED;
        step.dst = m->seen;
    } else {
        step.src = m->seen;
        step.dst = m->mapped;
        step.dst_offset_bytes = MAPPED;
    }
    rig r = {0};
    const kt_job_desc desc = {.size = sizeof desc, .name = "map", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(m->device, &desc, &r.job));
    kt_result *result = rig_measure(&r, count, KT_TIMING_DEVICE, 1);
    const kt_series *series = rig_series(result, "copy");
    rig_expect_all(series, count, ns);
    assert_int_equal(series->kind, KT_SERIES_COPY);
    assert_string_equal(series->dst, for_host ? "host" : "shared");
    rig_close(&r);
}

static void mapped_for_reading_the_host_sees_what_is_there(void **state)
{
    mapping m;
    open_mapping(&m, "sim:0:latency_ns=700", KT_MEMORY_DEVICE);
    fill(m.mapped, 0, 'a');
    fill(m.mapped, MAPPED, 'b');
    map(&m, true, 5, 700);
    expect_bytes(m.seen, 0, 'b');
    fill(m.mapped, MAPPED, 'c');
    expect_bytes(m.seen, 0, 'b'); /* of the moment when it was mapped */
    map(&m, true, 5, 700);
    expect_bytes(m.seen, 0, 'c');
    close_mapping(&m);
}

static void mapped_for_writing_the_device_gets_what_was_written(void **state)
{
    mapping m;
    open_mapping(&m, "sim:0:latency_ns=700,copy_gbs=0.001", KT_MEMORY_SHARED);
    fill(m.mapped, 0, 'a');
    fill(m.mapped, MAPPED, 'b');
    fill(m.seen, 0, 'd');
    expect_bytes(m.mapped, MAPPED, 'b');
    map(&m, false, 5, 700); /* however slow copies are */
    expect_bytes(m.mapped, MAPPED, 'd');
    expect_bytes(m.mapped, 0, 'a');
    close_mapping(&m);
}

static void views_begin_where_the_memory_does(void **state)
{
    mapping m;
    open_mapping(&m, "sim:0", KT_MEMORY_DEVICE);
    for (int for_host = 0; for_host < 2; for_host++) {
        const kt_step step = {.kind = KT_STEP_MAP,
                              .src = for_host ? m.mapped : m.seen,
                              .dst = for_host ? m.seen : m.mapped,
                              .src_offset_bytes = for_host ? 0 : 8,
                              .dst_offset_bytes = for_host ? 8 : 0,
                              .copy_bytes = MAPPED / 2};
        const kt_job_desc desc = {
            .size = sizeof desc, .name = "map", .steps = &step, .step_count = 1};
        kt_job *job = NULL;
        EXPECT_STATUS(kt_job_create(m.device, &desc, &job), KT_INVALID);
        EXPECT_TEXT_HAS(kt_error_text(), "begins where the host's memory does");
    }
    close_mapping(&m);
}

/* With a kernel in the job what it does is remembered, what maps hand over too. */
static kt_status write_seen(void *user, char *reason, size_t reason_bytes)
{
    const int32_t zeros[ITEMS] = {0};
    return kt_memory_write(user, 0, zeros, sizeof zeros);
}

static kt_status verify_seen(void *user, char *reason, size_t reason_bytes)
{
    int32_t numbers[ITEMS];
    kt_status status = kt_memory_read(user, 0, numbers, sizeof numbers);
    for (int32_t i = 0; i < ITEMS && status == KT_OK; i++)
        if (numbers[i] != 1)
            return KT_WRONG_RESULT;
    return status;
}

static void maps_are_remembered_with_kernels(void **state)
{
    work w;
    set_up(&w, 1);
    rig *r = &w.r;
    kt_memory *seen = NULL;
    EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_HOST, ITEMS * sizeof(int32_t), &seen));
    const kt_arg arg = {.memory = r->input};
    const kt_step steps[] = {
        {.kind = KT_STEP_MAP, .name = "in", .src = seen, .dst = r->input, .copy_bytes = 4 * ITEMS},
        {.name = "add",
         .program = r->program,
         .args = &arg,
         .arg_count = 1,
         .groups = {ITEMS / GROUP},
         .group_size = {GROUP}},
        {.kind = KT_STEP_MAP, .name = "out", .src = r->input, .dst = seen, .copy_bytes = 4 * ITEMS},
    };
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "in and out",
                              .steps = steps,
                              .step_count = 3,
                              .reset = write_seen,
                              .verify = verify_seen,
                              .user = seen};
    kt_job_destroy(&r->job);
    EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
    uint32_t submissions;
    /* The first finds zeros in the device's memory, all others ones. */
    assert_int_equal(runs(&w, 1, &submissions), 2);
    assert_true(submissions > 2);
    kt_memory_destroy(&seen);
    rig_close(r);
}

/* Its standard deviation is a share of each duration: twice the time, twice the noise. */
static void noise_is_a_share_of_the_duration(void **state)
{
    for (int twice = 1; twice <= 2; twice++) {
        rig r;
        rig_set_up(&r,
                   twice == 1 ? "sim:0:kernel_ns=100000,jitter_share=0.05,period_ns=0.001"
                              : "sim:0:kernel_ns=200000,jitter_share=0.05,period_ns=0.001",
                   1);
        kt_result *result = rig_measure(&r, 4000, KT_TIMING_DEVICE, 1);
        const kt_summary *summary = &rig_series(result, "first")->summary;
        double ns = 1e5 * twice;
        EXPECT_NEAR(summary->mean, ns, 4 * 0.05 * ns / sqrt(4000));
        /* Of an exponential law's kurtosis of 9: sqrt(8 / 4 / 4000) is one standard error. */
        EXPECT_NEAR(summary->stddev, 0.05 * ns, 4 * sqrt(2. / 4000) * 0.05 * ns);
        assert_true(summary->min > ns * (1 - 0.0503));
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_contents_are_computed_once),
        cmocka_unit_test(other_contents_are_computed_anew),
        cmocka_unit_test(other_trials_are_computed_anew),
        cmocka_unit_test(mapped_for_reading_the_host_sees_what_is_there),
        cmocka_unit_test(mapped_for_writing_the_device_gets_what_was_written),
        cmocka_unit_test(views_begin_where_the_memory_does),
        cmocka_unit_test(maps_are_remembered_with_kernels),
        cmocka_unit_test(noise_is_a_share_of_the_duration),
    };
    return cmocka_run_group_tests_name("sim_work", tests, NULL, NULL);
}
