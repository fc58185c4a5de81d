/* SPDX-License-Identifier: MIT */
/* Traces: every byte of small ones, what is refused, what is counted, and that no two events of a
 * row overlap. */
#include "tests/unit/collect.h"
#include "tests/unit/json_check.h"
#include "tests/unit/testing.h"
#include "trace/lanes.h"
#include "trace/names.h"

#include <inttypes.h>
#include <kerntime/kerntime.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void write_trace(kt_trace *trace)
{
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    EXPECT_OK(kt_trace_write(trace, &sink));
    if (!json_check(output, output_bytes, NULL, NULL))
        fail_msg("not JSON: %s", output);
}

/* What is written, but for the head with the version. */
static void expect_written(kt_trace *trace, const char *other, const char *events)
{
    char expected[1 << 14];
    snprintf(
        expected, sizeof expected,
        "{\n  \"displayTimeUnit\": \"ns\",\n  \"otherData\": {\n    \"kerntime\": \"%s\",\n%s  },\n"
        "  \"traceEvents\": [%s]\n}\n",
        kt_version(), other, events);
    write_trace(trace);
    assert_string_equal(output, expected);
}

static kt_trace *make_trace(uint32_t events_max)
{
    const kt_trace_options options = {.size = sizeof options, .events_max = events_max};
    kt_trace *trace = NULL;
    EXPECT_OK(kt_trace_create(&trace, &options));
    return trace;
}

static kt_trace_event make_event(int64_t begin_ns, int64_t end_ns)
{
    return (kt_trace_event){.timeline = "a clock",
                            .process = "dev:0",
                            .track = "kernel",
                            .name = "work",
                            .category = "kernel",
                            .begin_ns = begin_ns,
                            .end_ns = end_ns};
}

static void add(kt_trace *trace, int64_t begin_ns, int64_t end_ns)
{
    const kt_trace_event event = make_event(begin_ns, end_ns);
    EXPECT_OK(kt_trace_add(trace, &event));
}

/* ---- bytes ---- */

static void an_empty_one(void **state)
{
    kt_trace *trace = NULL;
    EXPECT_OK(kt_trace_create(&trace, NULL));
    expect_written(trace, "    \"timelines\": [],\n    \"lost\": 0,\n    \"omitted\": {}\n", "");
    kt_trace_destroy(&trace);
    assert_null(trace);
    kt_trace_destroy(&trace);
}

/* The metadata of the only process and its first row. */
#define PROCESS                                                                                \
    "\n    {\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"args\": "     \
    "{\"name\": \"dev:0\"}},\n"                                                                \
    "    {\"name\": \"process_sort_index\", \"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"args\": " \
    "{\"sort_index\": 0}},\n"
#define ROW(name, tid, index)                                                                  \
    "    {\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": " #tid ", \"args\": " \
    "{\"name\": \"" name "\"}},\n"                                                             \
    "    {\"name\": \"thread_sort_index\", \"ph\": \"M\", \"pid\": 1, \"tid\": " #tid          \
    ", \"args\": {\"sort_index\": " #index "}},\n"
#define WORK(ts, dur, tid)                                                                       \
    "    {\"name\": \"work\", \"cat\": \"kernel\", \"ph\": \"X\", \"ts\": " ts ", \"dur\": " dur \
    ", \"pid\": 1, \"tid\": " #tid ", \"args\": {\"uncertainty_ns\": 0}}"
#define OTHER(first_ns)                                                              \
    "    \"timelines\": [\n      {\"clock\": \"a clock\", \"first_ns\": \"" first_ns \
    "\", \"pids\": [1]}\n    ],\n    \"lost\": 0,\n    \"omitted\": {}\n"

/* 1 ns, 999 ns and 1 us are told apart; the order of adding does not matter. */
static void times_in_us(void **state)
{
    kt_trace *trace = make_trace(0);
    add(trace, 5000000999, 5000001999);
    add(trace, 5000000000, 5000000001);
    add(trace, 6123456789, 6123457788);
    expect_written(trace, OTHER("5000000000"),
                   PROCESS ROW("kernel", 2, 0) WORK("0.000", "0.001", 2) ",\n" WORK(
                       "0.999", "1.000", 2) ",\n" WORK("1123456.789", "0.999", 2) "\n  ");
    kt_trace_destroy(&trace);
}

static void all_of_64_bits(void **state)
{
    kt_trace *trace = make_trace(0);
    add(trace, INT64_MIN, INT64_MAX); /* 2^64 - 1 ns */
    expect_written(trace, OTHER("-9223372036854775808"),
                   PROCESS ROW("kernel", 2, 0) WORK("0.000", "18446744073709551.615", 2) "\n  ");
    add(trace, INT64_MAX, INT64_MAX);
    expect_written(trace, OTHER("-9223372036854775808"),
                   PROCESS ROW("kernel", 2, 0) ROW("kernel (2)", 3, 1)
                       WORK("0.000", "18446744073709551.615", 2) ",\n" WORK("18446744073709551.615",
                                                                            "0.000", 3) "\n  ");
    kt_trace_destroy(&trace);
}

/* Two overlap, one lies within another, one begins where another ends, and one of 0 ns touches
 * another. */
static void what_overlaps_has_rows_of_its_own(void **state)
{
    kt_trace *trace = make_trace(0);
    add(trace, 1000, 5000); /* row 1 */
    add(trace, 2000, 3000); /* row 2 */
    add(trace, 4000, 6000); /* row 2 */
    add(trace, 5000, 5500); /* row 1, for the first has ended */
    add(trace, 6000, 6000); /* row 1: the third ends in this ns */
    expect_written(
        trace, OTHER("1000"),
        PROCESS ROW("kernel", 2, 0) ROW("kernel (2)", 3, 1)
            WORK("0.000", "4.000", 2) ",\n" WORK("4.000", "0.500", 2) ",\n" WORK(
                "5.000", "0.000", 2) ",\n" WORK("1.000", "1.000", 3) ",\n" WORK("3.000", "2.000",
                                                                                3) "\n  ");
    kt_trace_destroy(&trace);
}

#define VALUE(ts, value)                                        \
    "    {\"name\": \"core clock\", \"ph\": \"C\", \"ts\": " ts \
    ", \"pid\": 1, \"args\": {\"MHz\": " value "}}"

static kt_trace_counter make_counter(int64_t moment_ns, double value)
{
    return (kt_trace_counter){.timeline = "a clock",
                              .process = "dev:0",
                              .track = "core clock",
                              .name = "MHz",
                              .moment_ns = moment_ns,
                              .value = value};
}

static void add_value(kt_trace *trace, int64_t moment_ns, double value)
{
    const kt_trace_counter counter = make_counter(moment_ns, value);
    EXPECT_OK(kt_trace_add_counter(trace, &counter));
}

/* They have no row, and the order of adding does not matter. A row may have the name of a counter. */
static void counters_are_curves(void **state)
{
    kt_trace *trace = make_trace(3);
    add_value(trace, 3000, 1200.5);
    add_value(trace, 1000, 1410);
    expect_written(trace, OTHER("1000"),
                   PROCESS VALUE("0.000", "1410") ",\n" VALUE("2.000", "1200.5") "\n  ");
    kt_trace_event event = make_event(1500, 2500);
    event.track = "core clock";
    EXPECT_OK(kt_trace_add(trace, &event));
    expect_written(trace, OTHER("1000"),
                   PROCESS ROW("core clock", 3, 1) VALUE("0.000", "1410") ",\n" VALUE(
                       "2.000", "1200.5") ",\n" WORK("0.500", "1.000", 3) "\n  ");
    add_value(trace, 4000, 0); /* beyond what it may keep */
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    assert_int_equal(counts.events, 3);
    assert_int_equal(counts.lost, 1);
    kt_trace_destroy(&trace);
}

static void what_is_no_value_is_refused(void **state)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    kt_trace *trace = make_trace(0);
    kt_trace_counter counter;
    for (int i = 0; i < 3; i++) {
        counter = make_counter(0, values[i]);
        assert_int_equal(kt_trace_add_counter(trace, &counter), KT_INVALID);
    }
    counter = make_counter(0, 1);
    counter.process = NULL;
    assert_int_equal(kt_trace_add_counter(trace, &counter), KT_INVALID);
    counter = make_counter(0, 1);
    counter.track = NULL;
    assert_int_equal(kt_trace_add_counter(trace, &counter), KT_INVALID);
    counter = make_counter(0, 1);
    counter.name = NULL;
    assert_int_equal(kt_trace_add_counter(trace, &counter), KT_INVALID);
    assert_int_equal(kt_trace_add_counter(trace, NULL), KT_INVALID);
    assert_int_equal(kt_trace_add_counter(NULL, &counter), KT_INVALID);
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    assert_int_equal(counts.events + counts.lost, 0);
    kt_trace_destroy(&trace);
}

static void names_as_bad_as_can_be(void **state)
{
    kt_trace *trace = make_trace(0);
    const kt_trace_arg args[] = {{.name = "", .text = "</script>\x80"},
                                 {.name = "a\"b", .number = INT64_MIN}};
    const kt_trace_event event = {.timeline = "\"\\\n",
                                  .process = "\t\x01",
                                  .track = "\xC3\xA9\x7F",
                                  .name = "\xED\xA0\x80",
                                  .category = "a,b",
                                  .begin_ns = -7,
                                  .end_ns = -7,
                                  .uncertainty_ns = NAN,
                                  .args = args,
                                  .arg_count = 2};
    EXPECT_OK(kt_trace_add(trace, &event));
    EXPECT_OK(kt_trace_omit(trace, "\"\r"));
    expect_written(
        trace,
        "    \"timelines\": [\n      {\"clock\": \"\\\"\\\\\\n\", \"first_ns\": \"-7\", \"pids\": "
        "[1]}\n"
        "    ],\n    \"lost\": 0,\n    \"omitted\": {\"\\\"\\u000d\": 1}\n",
        "\n    {\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"args\": "
        "{\"name\": "
        "\"\\u0009\\u0001\"}},\n"
        "    {\"name\": \"process_sort_index\", \"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"args\": "
        "{\"sort_index\": 0}},\n" ROW("\xC3\xA9\\u007f", 2, 0)
        /* A surrogate in UTF-8 is three bytes that are no character. */
        "    {\"name\": \"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\", \"cat\": \"a,b\", \"ph\": \"X\", "
        "\"ts\": 0.000, "
        "\"dur\": 0.000, \"pid\": 1, \"tid\": 2, \"args\": {\"\": \"</script>\xEF\xBF\xBD\", "
        "\"a\\\"b\": "
        "-9223372036854775808, \"uncertainty_ns\": null}}\n  ");
    kt_trace_destroy(&trace);
}

/* Two clocks of the host have nothing to do with each other: each group begins at 0 and says whose
 * it is. The same process on two of them is two groups. */
static void time_lines_of_their_own(void **state)
{
    kt_trace *trace = make_trace(0);
    kt_trace_event event = make_event(7000000, 7001000);
    event.timeline = NULL;
    EXPECT_OK(kt_trace_add(trace, &event));
    event.timeline = "virtual";
    event.begin_ns = 10, event.end_ns = 20;
    EXPECT_OK(kt_trace_add(trace, &event));
    event.begin_ns = 5, event.end_ns = 10;
    event.process = "dev:1";
    EXPECT_OK(kt_trace_add(trace, &event));
    write_trace(trace);
    char system[256];
    snprintf(system, sizeof system, "{\"clock\": \"%s\", \"first_ns\": \"7000000\", \"pids\": [1]}",
             kt_host_domain_name(KT_HOST_MONOTONIC_RAW));
    EXPECT_TEXT_HAS(output, system);
    EXPECT_TEXT_HAS(output, "{\"clock\": \"virtual\", \"first_ns\": \"5\", \"pids\": [2, 3]}");
    EXPECT_TEXT_HAS(
        output, "\"pid\": 1, \"tid\": 0, \"args\": {\"name\": \"dev:0 [CLOCK_MONOTONIC_RAW]\"}}");
    EXPECT_TEXT_HAS(output, "\"pid\": 2, \"tid\": 0, \"args\": {\"name\": \"dev:0 [virtual]\"}}");
    EXPECT_TEXT_HAS(output, "\"pid\": 3, \"tid\": 0, \"args\": {\"name\": \"dev:1 [virtual]\"}}");
    EXPECT_TEXT_HAS(output, "\"ts\": 0.000, \"dur\": 1.000, \"pid\": 1, \"tid\": 4");
    EXPECT_TEXT_HAS(output, "\"ts\": 0.005, \"dur\": 0.010, \"pid\": 2, \"tid\": 5");
    EXPECT_TEXT_HAS(output, "\"ts\": 0.000, \"dur\": 0.005, \"pid\": 3, \"tid\": 6");
    kt_trace_destroy(&trace);
}

/* ---- what is refused and what is counted ---- */

static void expect_refused(kt_trace *trace, const kt_trace_event *event, const char *part)
{
    EXPECT_STATUS(kt_trace_add(trace, event), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), part);
}

static void nothing_reversed_or_nameless(void **state)
{
    kt_trace *trace = make_trace(0);
    kt_trace_event event = make_event(1000, 999);
    expect_refused(trace, &event, "work ends at 999 ns, before it begins at 1000 ns");
    event = make_event(INT64_MAX, INT64_MIN);
    expect_refused(trace, &event, "before it begins");
    const char **texts[] = {&event.process, &event.track, &event.name, &event.category};
    for (int i = 0; i < 4; i++) {
        event = make_event(0, 1);
        *texts[i] = NULL;
        expect_refused(trace, &event, "needs a process, a track, a name and a category");
    }
    kt_trace_arg args[KT_TRACE_ARGS_MAX + 1] = {{.name = "x"}, {.name = "y"}, {.name = "x"}};
    event = make_event(0, 1);
    event.args = args;
    event.arg_count = 3;
    expect_refused(trace, &event, "two arguments x");
    args[2].name = "uncertainty_ns";
    expect_refused(trace, &event, "two arguments uncertainty_ns");
    args[2].name = NULL;
    expect_refused(trace, &event, "argument 2 has no name");
    event.arg_count = KT_TRACE_ARGS_MAX + 1;
    expect_refused(trace, &event, "17 arguments, at most 16");
    EXPECT_STATUS(kt_trace_omit(trace, NULL), KT_INVALID);
    EXPECT_STATUS(kt_trace_omit(trace, ""), KT_INVALID);
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    assert_int_equal(counts.events + counts.lost + counts.omitted, 0);
    expect_written(trace, "    \"timelines\": [],\n    \"lost\": 0,\n    \"omitted\": {}\n", "");
    const kt_trace_options none = {0};
    kt_trace *other = NULL;
    EXPECT_STATUS(kt_trace_create(&other, &none), KT_INVALID);
    kt_trace_destroy(&trace);
}

static void a_full_one_counts(void **state)
{
    kt_trace *trace = make_trace(2);
    for (int i = 0; i < 5; i++)
        add(trace, i, i + 1);
    for (int i = 0; i < 30; i++) { /* more reasons than there is room for at first */
        char reason[16];
        snprintf(reason, sizeof reason, "r%d", i % 20);
        EXPECT_OK(kt_trace_omit(trace, reason));
    }
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    assert_int_equal(counts.events, 2);
    assert_int_equal(counts.lost, 3);
    assert_int_equal(counts.omitted, 30);
    write_trace(trace);
    EXPECT_TEXT_HAS(output, "\"lost\": 3,\n    \"omitted\": {\"r0\": 2, \"r1\": 2,");
    EXPECT_TEXT_HAS(output, "\"r9\": 2, \"r10\": 1,");
    EXPECT_TEXT_HAS(output, "\"r19\": 1}");
    kt_trace_destroy(&trace);
}

static int refuse(void *user, const char *data, size_t bytes)
{
    return 1;
}

/* Texts may change or go away after they were added, and a written trace can be added to. */
static void it_keeps_what_it_needs(void **state)
{
    kt_trace *trace = make_trace(0);
    char name[] = "first";
    kt_trace_event event = make_event(10, 20);
    event.name = name;
    EXPECT_OK(kt_trace_add(trace, &event));
    memset(name, 'x', sizeof name - 1);
    const kt_sink broken = {.write = refuse};
    EXPECT_STATUS(kt_trace_write(trace, &broken), KT_IO_ERROR);
    write_trace(trace);
    EXPECT_TEXT_HAS(
        output,
        "{\"name\": \"first\", \"cat\": \"kernel\", \"ph\": \"X\", \"ts\": 0.000, \"dur\": 0.010");
    add(trace, 5, 15);
    write_trace(trace);
    EXPECT_TEXT_HAS(
        output,
        "{\"name\": \"first\", \"cat\": \"kernel\", \"ph\": \"X\", \"ts\": 0.005, \"dur\": 0.010");
    EXPECT_STATUS(kt_trace_write_file(trace, "no/such/folder"), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "no/such/folder");
    kt_trace_destroy(&trace);
}

static void *add_many(void *user)
{
    for (int i = 0; i < 2000; i++)
        add(user, i, i + 1);
    return NULL;
}

static void threads_add_at_once(void **state)
{
    kt_trace *trace = make_trace(5000);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, trace), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    assert_int_equal(counts.events, 5000);
    assert_int_equal(counts.lost, 3000);
    kt_trace_destroy(&trace);
}

/* ---- lanes ---- */

#define SPAN_COUNT 300

typedef struct span {
    int64_t begin_ns, end_ns;
    uint32_t lane;
} span;

static int by_begin(const void *a, const void *b)
{
    const span *left = a, *right = b;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return (left->end_ns > right->end_ns) - (left->end_ns < right->end_ns);
}

/* In half ns: one that lasts 0 ns takes the half before and the half after its moment. */
static bool overlap(const span *a, const span *b)
{
    int64_t a0 = 2 * a->begin_ns, a1 = 2 * a->end_ns, b0 = 2 * b->begin_ns, b1 = 2 * b->end_ns;
    if (a0 == a1)
        a0--, a1++;
    if (b0 == b1)
        b0--, b1++;
    return a0 < b1 && b0 < a1;
}

/* Each is in the lowest lane in which none before it overlaps it, and no more lanes are used than
 * events overlap at one moment: all by looking at all pairs. */
static void check_spans(span *spans, uint32_t count)
{
    uint32_t lane_count = 0, deepest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lane = 0, depth = 1;
        for (bool taken = true; taken; lane += taken) {
            taken = false;
            for (uint32_t k = 0; k < i; k++)
                taken |= spans[k].lane == lane && overlap(&spans[k], &spans[i]);
        }
        for (uint32_t k = 0; k < i; k++)
            depth += overlap(&spans[k], &spans[i]);
        assert_int_equal(spans[i].lane, lane);
        lane_count = lane >= lane_count ? lane + 1 : lane_count;
        deepest = depth > deepest ? depth : deepest;
    }
    assert_int_equal(lane_count, deepest);
}

static void lanes_are_few_and_free_of_overlaps(void **state)
{
    uint64_t random = 5;
    kt_lanes lanes = {0};
    for (int round = 0; round < 100; round++) {
        /* From all at one moment to hardly any two. */
        uint64_t range = UINT64_C(1) << random_bits(&random) % 14,
                 longest = 1 + random_bits(&random) % 40;
        span spans[SPAN_COUNT];
        for (int i = 0; i < SPAN_COUNT; i++) {
            spans[i].begin_ns = (int64_t)(random_bits(&random) % range) - 100;
            spans[i].end_ns = spans[i].begin_ns + (int64_t)(random_bits(&random) % longest);
        }
        qsort(spans, SPAN_COUNT, sizeof *spans, by_begin);
        for (int i = 0; i < SPAN_COUNT; i++)
            EXPECT_OK(kt_lanes_place(&lanes, spans[i].begin_ns, spans[i].end_ns, &spans[i].lane));
        check_spans(spans, SPAN_COUNT);
        kt_lanes_clear(&lanes);
    }
    kt_lanes_fini(&lanes);
}

static void lanes_at_the_ends_of_time(void **state)
{
    kt_lanes lanes = {0};
    static const struct {
        int64_t begin_ns, end_ns;
        uint32_t lane;
    } spans[] = {{INT64_MIN, INT64_MIN, 0},
                 {INT64_MIN, INT64_MAX, 1},
                 {0, INT64_MAX, 0},
                 {INT64_MAX, INT64_MAX, 2},
                 {INT64_MAX, INT64_MAX, 3}};
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        uint32_t lane;
        EXPECT_OK(kt_lanes_place(&lanes, spans[i].begin_ns, spans[i].end_ns, &lane));
        assert_int_equal(lane, spans[i].lane);
    }
    kt_lanes_fini(&lanes);
}

/* ---- names ---- */

static void each_name_has_one_number(void **state)
{
    kt_names names = {0};
    char text[32];
    uint32_t number;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            snprintf(text, sizeof text, "%" PRIu32 "%s", i, i % 3 ? "" : "\xFF long");
            EXPECT_OK(kt_names_add_text(&names, text, &number));
            assert_int_equal(number, i);
        }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "%" PRIu32 "%s", i, i % 3 ? "" : "\xFF long");
        assert_string_equal(kt_names_get(&names, i), text);
    }
    /* Bytes with zeros in them, and none at all. */
    EXPECT_OK(kt_names_add(&names, "a\0b", 3, &number));
    assert_int_equal(number, 5000);
    EXPECT_OK(kt_names_add(&names, "a\0c", 3, &number));
    assert_int_equal(number, 5001);
    EXPECT_OK(kt_names_add(&names, "", 0, &number));
    assert_int_equal(number, 5002);
    EXPECT_OK(kt_names_add_text(&names, "", &number));
    assert_int_equal(number, 5003);
    kt_names_fini(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one),
        cmocka_unit_test(times_in_us),
        cmocka_unit_test(all_of_64_bits),
        cmocka_unit_test(what_overlaps_has_rows_of_its_own),
        cmocka_unit_test(counters_are_curves),
        cmocka_unit_test(what_is_no_value_is_refused),
        cmocka_unit_test(names_as_bad_as_can_be),
        cmocka_unit_test(time_lines_of_their_own),
        cmocka_unit_test(nothing_reversed_or_nameless),
        cmocka_unit_test(a_full_one_counts),
        cmocka_unit_test(it_keeps_what_it_needs),
        cmocka_unit_test(threads_add_at_once),
        cmocka_unit_test(lanes_are_few_and_free_of_overlaps),
        cmocka_unit_test(lanes_at_the_ends_of_time),
        cmocka_unit_test(each_name_has_one_number),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
