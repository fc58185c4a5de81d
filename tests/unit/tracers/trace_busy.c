/* SPDX-License-Identifier: MIT */
/* Busy time and overlap of spans of several queues, against a union by brute force. */
#include "tests/unit/testing.h"

#include "tests/unit/tracers/process_image.h"
#include "tracers/common/busy.h"
#include "tracers/common/collect.h"

#define SPANS (3 * TRACE_WINDOW_SPANS)

typedef struct expectation {
    double busy_ns, span_ns, overlap_ns;
} expectation;

static int by_time(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (int)(a[1] - b[1]);
}

/* Counts how many spans are open between each two moments. */
static expectation by_brute_force(const trace_interval *spans, size_t count)
{
    int64_t(*moments)[2] = calloc(2 * count, sizeof *moments);
    for (size_t i = 0; i < count; i++) {
        moments[2 * i][0] = spans[i].begin_ns;
        moments[2 * i][1] = 1;
        moments[2 * i + 1][0] = spans[i].end_ns;
        moments[2 * i + 1][1] = -1;
    }
    qsort(moments, 2 * count, sizeof *moments, by_time);
    expectation sum = {.span_ns = (double)(moments[2 * count - 1][0] - moments[0][0])};
    int64_t open = 0;
    for (size_t i = 0; i + 1 < 2 * count; i++) {
        open += moments[i][1];
        double step = (double)(moments[i + 1][0] - moments[i][0]);
        sum.busy_ns += open > 0 ? step : 0;
        sum.overlap_ns += open > 1 ? step * (double)(open - 1) : 0;
    }
    free(moments);
    return sum;
}

static _Alignas(64) unsigned char image[PROCESS_IMAGE_BYTES];

/* An empty window of the image's device. */
static trace_window *begin_window(size_t *used)
{
    *used = make_process_image(image);
    trace_file_head *head = (trace_file_head *)(void *)image;
    trace_window *window = (trace_window *)(void *)(image + head->devices[0].window);
    memset(window, 0, sizeof *window);
    return window;
}

/* The device as the launcher reads it. */
static trace_total_device read_device(size_t used)
{
    trace_totals totals;
    assert_int_equal(trace_collect_bytes(image, used, &totals), 0);
    assert_int_equal(totals.device_count, 1);
    trace_total_device device = totals.devices[0];
    trace_free(&totals);
    return device;
}

static void expect_union(size_t used, const trace_interval *spans, size_t count)
{
    expectation expected = by_brute_force(spans, count);
    trace_total_device device = read_device(used);
    assert_int_equal(device.late, 0);
    EXPECT_NUMBER(device.busy_ns, expected.busy_ns);
    EXPECT_NUMBER(device.span_ns, expected.span_ns);
    EXPECT_NUMBER(device.idle_ns, expected.span_ns - expected.busy_ns);
    EXPECT_NUMBER(device.overlap_ns, expected.overlap_ns);
}

/* Spans of `queues` queues, which are recorded in batches of `batch` of one queue. */
static void record_queues(int queues, size_t batch, size_t count)
{
    size_t used;
    trace_window *window = begin_window(&used);
    trace_interval *spans = calloc(count, sizeof *spans);
    int64_t now[8] = {0};
    uint64_t random = 3;
    for (size_t i = 0; i < count; i++) {
        size_t queue = i / batch % (size_t)queues;
        int64_t begin = now[queue] + (int64_t)(random_bits(&random) % 1000);
        int64_t end = begin + (int64_t)(random_bits(&random) % 1000);
        now[queue] = end;
        spans[i] = (trace_interval){begin, end};
        trace_window_add(window, begin, end);
    }
    expect_union(used, spans, count);
    free(spans);
}

static void one_queue(void **state)
{
    record_queues(1, 4096, 10);
    record_queues(1, 4096, SPANS);
}

static void several_queues_in_batches(void **state)
{
    record_queues(2, 1, SPANS);
    record_queues(3, 100, SPANS);
    record_queues(4, 4096, SPANS);
}

static void out_of_order_spans_are_sorted(void **state)
{
    enum { COUNT = 5000 };
    size_t used;
    trace_window *window = begin_window(&used);
    trace_interval *spans = calloc(COUNT, sizeof *spans);
    uint64_t random = 5;
    for (size_t i = 0; i < COUNT; i++) {
        int64_t begin = (int64_t)(random_bits(&random) % 1000000);
        spans[i] = (trace_interval){begin, begin + (int64_t)(random_bits(&random) % 300)};
        trace_window_add(window, spans[i].begin_ns, spans[i].end_ns);
    }
    expect_union(used, spans, COUNT);
    free(spans);
}

/* A batch that comes when all its time is folded in is counted, and still in the sum. */
static void late_spans_are_counted(void **state)
{
    size_t used;
    trace_window *window = begin_window(&used);
    for (int64_t i = 0; i < 2 * TRACE_WINDOW_SPANS; i++)
        trace_window_add(window, 100 * i, 100 * i + 50);
    for (int64_t i = 0; i < 10; i++)
        trace_window_add(window, 100 * i, 100 * i + 50);
    for (int64_t i = 2 * TRACE_WINDOW_SPANS; i < 4 * TRACE_WINDOW_SPANS; i++)
        trace_window_add(window, 100 * i, 100 * i + 50);
    trace_total_device device = read_device(used);
    assert_int_equal(device.late, 10);
    EXPECT_NUMBER(device.busy_ns, 50.0 * 4 * TRACE_WINDOW_SPANS);
    EXPECT_NUMBER(device.overlap_ns, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_queue),
        cmocka_unit_test(several_queues_in_batches),
        cmocka_unit_test(out_of_order_spans_are_sorted),
        cmocka_unit_test(late_spans_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
