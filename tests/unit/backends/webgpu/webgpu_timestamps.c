/* SPDX-License-Identifier: MIT */
/* What becomes of timestamps: exact ones, coarse ones, and such as are none. */
#include "tests/unit/backends/webgpu/webgpu.h"

/* Longer than any step takes. */
#define STEP_NS 1000000

static void expect_samples(const kt_series *series, uint32_t count, double ns)
{
    assert_int_equal(series->status, KT_SERIES_OK);
    assert_int_equal(series->summary.n, count);
    assert_int_equal(series->method, KT_METHOD_DEVICE_TIMESTAMP);
    for (uint32_t i = 0; i < count; i++)
        EXPECT_NUMBER(series->samples_ns[i], ns);
}

/* The stub takes 777 ns for a copy, and for a dispatch, of which `trials` come in a row. */
typedef struct trials_case {
    uint32_t samples, trials;
} trials_case;

static void exact(void **state)
{
    const trials_case *c = *state;
    kt_result *result = measure_copy(c->samples, c->trials, KT_TIMING_BOTH);
    expect_samples(series_of(result, "step"), c->samples, 777);
    kt_result_destroy(&result);
    result = measure_fill(c->samples, c->trials, KT_TIMING_BOTH);
    expect_samples(series_of(result, "step"), c->samples, 777);
    kt_result_destroy(&result);
    EXPECT_NUMBER(kt_device_get_timer_limits(device)->resolution_ns, 1);
}

/* Two dispatches, a copy, and a dispatch of what was copied: four steps of 777 ns in one encoder.
 * The span has, besides, one to sixteen ns between two passes, and the empty passes around the
 * copy, of 1 ns. */
static void several_passes(void **state)
{
    enum { COUNT = 20 };
    const uint32_t n = 100;
    uint32_t words[100] = {0};
    kt_memory *a = make_memory(KT_MEMORY_DEVICE, sizeof words);
    kt_memory *b = make_memory(KT_MEMORY_DEVICE, sizeof words);
    kt_program *program = make_fill();
    fill_step fills[3];
    fill_step_make(&fills[0], "first", program, a, &n);
    fill_step_make(&fills[1], "second", program, a, &n);
    fill_step_make(&fills[2], "third", program, a, &n);
    const kt_step copy = {
        .name = "copy", .kind = KT_STEP_COPY, .src = a, .dst = b, .copy_bytes = sizeof words};
    const kt_step steps[] = {fills[0].step, fills[1].step, copy, fills[2].step};
    kt_job *job = make_job(steps, 4);
    kt_result *result = measure_job(job, COUNT, 1, KT_TIMING_BOTH);
    static const char *const names[] = {"first", "second", "copy", "third"};
    for (int i = 0; i < 4; i++)
        expect_samples(series_of(result, names[i]), COUNT, 777);
    expect_samples(series_of(result, "total"), COUNT, 4 * 777);
    const kt_series *span = series_of(result, "span");
    assert_int_equal(span->summary.n, COUNT);
    assert_true(span->summary.min >= 4 * 777 + 3 + 2 && span->summary.max <= 4 * 777 + 3 * 16 + 2);
    EXPECT_OK(kt_memory_read(b, 0, words, sizeof words));
    assert_true(words[0] != 0 && words[99] == words[0]);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    kt_memory_destroy(&b);
    kt_memory_destroy(&a);
}

/* The host's clock is looked at before the copy and after it, and moves with each look. */
static void by_the_host(void **state)
{
    assert_int_equal(info->clock_count, 2);
    assert_int_equal(info->clocks[0].method, KT_METHOD_DEVICE_TIMESTAMP);
    assert_int_equal(info->clocks[1].method, KT_METHOD_HOST_WALL);
    kt_memory *heap = make_memory(KT_MEMORY_HEAP, 100);
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, 100);
    for (int to_heap = 0; to_heap < 2; to_heap++) {
        const kt_step copy = {.name = "step",
                              .kind = KT_STEP_COPY,
                              .src = to_heap ? memory : heap,
                              .dst = to_heap ? heap : memory,
                              .copy_bytes = 100};
        kt_job *job = make_job(&copy, 1);
        kt_result *result = measure_job(job, 10, 1, KT_TIMING_BOTH);
        const kt_series *series = series_of(result, "step");
        assert_int_equal(series->method, KT_METHOD_HOST_WALL);
        assert_int_equal(series->summary.n, 10);
        for (int i = 0; i < 10; i++)
            EXPECT_NUMBER(series->samples_ns[i], STEP_NS);
        kt_result_destroy(&result);
        kt_job_destroy(&job);
    }
    kt_memory_destroy(&memory);
    kt_memory_destroy(&heap);
}

/* To the device by the host, there by a pass, and back by the host: each by its clock. */
static void by_both(void **state)
{
    char bytes[100], seen[100] = "";
    memset(bytes, 7, sizeof bytes);
    kt_memory *from = make_memory(KT_MEMORY_HEAP, 100), *to = make_memory(KT_MEMORY_HEAP, 100);
    kt_memory *a = make_memory(KT_MEMORY_DEVICE, 100), *b = make_memory(KT_MEMORY_DEVICE, 100);
    EXPECT_OK(kt_memory_write(from, 0, bytes, sizeof bytes));
    const kt_step steps[] = {
        {.name = "up", .kind = KT_STEP_COPY, .src = from, .dst = a, .copy_bytes = 100},
        {.name = "over", .kind = KT_STEP_COPY, .src = a, .dst = b, .copy_bytes = 100},
        {.name = "down", .kind = KT_STEP_COPY, .src = b, .dst = to, .copy_bytes = 100}};
    kt_job *job = make_job(steps, 3);
    kt_result *result = measure_job(job, 10, 1, KT_TIMING_BOTH);
    assert_int_equal(series_of(result, "up")->method, KT_METHOD_HOST_WALL);
    expect_samples(series_of(result, "over"), 10, 777);
    assert_int_equal(series_of(result, "down")->method, KT_METHOD_HOST_WALL);
    EXPECT_OK(kt_memory_read(to, 0, seen, sizeof seen));
    assert_memory_equal(bytes, seen, sizeof bytes);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&b);
    kt_memory_destroy(&a);
    kt_memory_destroy(&to);
    kt_memory_destroy(&from);
}

/* Cut to 65,536 ns, which is found though nobody tells; a dispatch of 777 ns is below that. An
 * empty step takes 70,000 ns: all timestamps are multiples of the grid, one or two apart. */
static void cut(void **state)
{
    kt_result *result = measure_fill(20, 1, KT_TIMING_BOTH);
    EXPECT_NUMBER(kt_device_get_timer_limits(device)->resolution_ns, 65536);
    const kt_series *series = series_of(result, "step");
    assert_int_equal(series->status, KT_SERIES_BELOW_MIN_SPAN);
    assert_int_equal(series->discarded[KT_TIMESTAMP_BELOW_MIN_SPAN], 20);
    kt_result_destroy(&result);
}

/* A clock of 80 ns. */
static void coarse(void **state)
{
    kt_result *result = measure_copy(20, 1, KT_TIMING_BOTH);
    EXPECT_NUMBER(kt_device_get_timer_limits(device)->resolution_ns, 80);
    expect_samples(series_of(result, "step"), 20, 80000);
    kt_result_destroy(&result);
}

/* No timestamps: said, and there are wall times. */
static void none(void **state)
{
    assert_int_equal(info->clock_count, 0);
    kt_result *result = measure_copy(10, 1, KT_TIMING_BOTH);
    assert_int_equal(series_of(result, "wall")->summary.n, 10);
    assert_int_equal(series_of(result, "wall")->status, KT_SERIES_OK);
    const kt_series *series = series_of(result, "step");
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(series->summary.n, 0);
    kt_result_destroy(&result);
    EXPECT_OK(run_fill(1000));
}

/* Not one timestamp is to be trusted: no device time, and the reason is told. */
static void zeros(void **state)
{
    kt_result *result = measure_copy(20, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "step");
    assert_int_equal(series->summary.n, 0);
    assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    assert_false(kt_device_get_timer_limits(device)->trusted);
    EXPECT_TEXT_HAS(kt_device_get_timer_limits(device)->reason, "zero");
    assert_int_equal(series_of(result, "wall")->summary.n, 20);
    kt_result_destroy(&result);
}

/* Of every four in a row one is in that state: counted, and no sample is made of it. */
static void every_4th(void **state)
{
    kt_result *result = measure_fill(40, 1, KT_TIMING_BOTH);
    const kt_series *series = series_of(result, "step");
    assert_int_equal(series->summary.n, 30);
    for (size_t i = 0; i < series->summary.n; i++)
        EXPECT_NUMBER(series->samples_ns[i], 777);
    assert_int_equal(series->discarded[*(const kt_timestamp_state *)*state], 10);
    kt_result_destroy(&result);
}

static int set_up_stepped(void **state)
{
    open_device(STEP_NS);
    return 0;
}

#define STEPPED(test) STEPPED_OF(#test, test, NULL)
#define STEPPED_OF(name, test, state)                \
    {                                                \
        name, test, set_up_stepped, tear_down, state \
    }

static trials_case alone = {30, 1}, in_a_row = {10, 3};
static kt_timestamp_state zero = KT_TIMESTAMP_ZERO;
static kt_timestamp_state negative = KT_TIMESTAMP_NEGATIVE; /* by 2^20 ns */

const struct CMUnitTest webgpu_timestamp_tests[] = {
    STEPPED_OF("exact", exact, &alone),
    STEPPED_OF("trials", exact, &in_a_row),
    STEPPED(several_passes),
    STEPPED(by_the_host),
    STEPPED(by_both),
    STEPPED(cut),
    STEPPED(coarse),
    STEPPED(none),
    STEPPED(zeros),
    STEPPED_OF("some_zero", every_4th, &zero),
    STEPPED_OF("some_backwards", every_4th, &negative),
    MOODS_END,
};
