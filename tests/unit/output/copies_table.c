/* SPDX-License-Identifier: MIT */
/* Tables, result files and notes of copies whose times are known. */
#include "report/transfers.h"
#include "tests/unit/copies.h"

#include <stdio.h>

static const char *print(document_printer *format)
{
    const kt_document document = make_copies();
    return document_print(format, &document);
}

/* The lines of the output from the one that begins so to the next empty one, with "|" between two
 * cells. */
static const char *block(const char *begin)
{
    static char text[8192];
    size_t used = 0;
    EXPECT_TEXT_HAS(document_output, begin);
    const char *at = strstr(document_output, begin);
    while (at && *at && !(*at == '\n' && used && text[used - 1] == '\n')) {
        size_t blanks = strspn(at, " ");
        assert_true(used + 1 < sizeof text);
        text[used++] = blanks > 1 ? '|' : *at;
        at += blanks > 1 ? blanks : 1;
    }
    text[used] = '\0';
    return text;
}

/* The field of a row of CSV under that head; no field here is quoted. */
static const char *field_of(unsigned number, const char *head)
{
    static char text[64];
    unsigned column = 0;
    const char *at = strstr(document_output, head), *row = document_output;
    assert_non_null(at);
    for (const char *c = document_output; c < at; c++)
        column += *c == ',';
    for (; number > 0; number--)
        row = strchr(row, '\n') + 1;
    for (; column > 0; column--)
        row = strchr(row, ',') + 1;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(row, ",\n"), row);
    return text;
}

/* ---- tables ---- */

/* 1 MiB at 1 and 0.5 GB/s beside 5 by memcpy, the better of its ways. The yardstick last, sizes by
 * size. */
static void rows_have_both_times(void **state)
{
    add("cpu:0", "heap-heap", MIB, MIB / 4, false);
    add("opencl:0", "heap-device", MIB, MIB, false);
    add("opencl:0", "heap-device", MIB, 2 * MIB, true);
    add("opencl:0", "heap-device", 8 * KIB, 4 * KIB, false);
    add("cpu:0", "heap-heap-all-cores", MIB, MIB / 5, true);
    add("opencl:0", "device-heap", 1e6, 1e6, false)->trials = 3;
    print(kt_print_table);
    assert_string_equal(
        block("DIRECTION"),
        "DIRECTION|DEVICE|SIZE|TRIALS|DEVICE TIME|95% INTERVAL|GB/s|WALL|95% "
        "INTERVAL|GB/s|MEMCPY|SAMPLES\n"
        "heap-device|opencl:0|8 KiB|4.096 us|4.090 us .. 4.102 us|2.000|8\n"
        "heap-device|opencl:0|1 MiB|1.049 ms|1.047 ms .. 1.050 ms|1.000|2.097 ms|2.094 ms .. 2.100 "
        "ms|0.500|5.000|8\n"
        "device-heap|opencl:0|1000000 bytes|3|1.000 ms|998.4 us .. 1.002 ms|1.000|8\n"
        "heap-heap|cpu:0|1 MiB|262.1 us|261.7 us .. 262.6 us|4.000|8\n"
        "heap-heap-all-cores|cpu:0|1 MiB|-|209.7 us|209.4 us .. 210.0 us|5.000|8\n");
    EXPECT_TEXT_HAS(document_output, "\nnote: MEMCPY: memcpy() on cpu:0 at that size in GB/s, the "
                                     "better of one core and all\n");
    EXPECT_TEXT_HAS(document_output,
                    "\nnote: a model takes four sizes or more: --size 64KiB..1MiB\n");
}

/* Those that the document does not tell of come behind its own. */
static void devices_stand_as_in_the_document(void **state)
{
    add("cuda:1", "heap-device", MIB, MIB, false);
    add("cpu:0", "heap-heap", MIB, MIB, false);
    add("cuda:0", "heap-device", MIB, MIB, false);
    add("cuda:1", "device-heap", MIB, MIB, false);
    add("opencl:0", "heap-device", MIB, MIB, false);
    print(kt_print_table);
    static const char *const rows[] = {
        "\nheap-device|opencl:0|", "\nheap-device|cuda:1|", "\ndevice-heap|cuda:1|",
        "\nheap-device|cuda:0|",   "\nheap-heap|cpu:0|",
    };
    const char *at = block("DIRECTION");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at = strstr(at, rows[i]);
        assert_non_null(at);
    }
}

static void sizes_are_whole_numbers_of_a_unit(void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {
        {8 * KIB, "|8 KiB|"},    {1000, "|1000 bytes|"},    {1023 * MIB, "|1023 MiB|"},
        {1024 * MIB, "|1 GiB|"}, {MIB + KIB, "|1025 KiB|"}, {MIB + 1, "|1048577 bytes|"},
        {3072 * MIB, "|3 GiB|"}, {KIB, "|1 KiB|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        count = 0;
        add("opencl:0", "heap-device", cases[i].bytes, cases[i].bytes, false);
        print(kt_print_table);
        EXPECT_TEXT_HAS(block("heap-device"), cases[i].text);
    }
}

/* What is too short for the timer limits, and what failed, has no rate. */
static void nothing_is_made_of_no_time(void **state)
{
    kt_series *s = add("opencl:0", "heap-device", 8 * KIB, 100, false);
    s->status = KT_SERIES_BELOW_MIN_SPAN;
    s->summary.median = NAN;
    s = add("opencl:0", "heap-device", 16 * KIB, NAN, false);
    s->status = KT_SERIES_FAILED;
    s->error = "wrong bytes";
    s = add("opencl:0", "heap-device", 32 * KIB, NAN, false);
    s->status = KT_SERIES_NOT_POSSIBLE;
    s->error = "timestamps";
    add("opencl:0", "heap-device", 32 * KIB, 32 * KIB, true);
    s = add("opencl:0", "heap-device", 64 * KIB, 32 * KIB, false);
    s->status = KT_SERIES_PARTIAL;
    s->error = "lost";
    print(kt_print_table);
    assert_string_equal(
        block("DIRECTION"),
        "DIRECTION|DEVICE|SIZE|DEVICE TIME|95% INTERVAL|GB/s|WALL|95% INTERVAL|GB/s|SAMPLES|NOTE\n"
        "heap-device|opencl:0|8 KiB|< shortest span|8\n"
        "heap-device|opencl:0|16 KiB|-|8|failed\n"
        "heap-device|opencl:0|32 KiB|-|32.77 us|32.72 us .. 32.82 us|1.000|8\n"
        "heap-device|opencl:0|64 KiB|32.77 us|32.72 us .. 32.82 us|2.000|8|partial\n");
    EXPECT_TEXT_HAS(document_output,
                    "\nerror: failed copy/16384 heap-device on opencl:0: wrong bytes\n");
    EXPECT_TEXT_HAS(document_output,
                    "\nwarning: not_possible copy/32768 heap-device on opencl:0: timestamps\n");
    kt_document document = make_copies();
    devices[1].has_timer_limits = true;
    devices[1].limits = (kt_timer_limits){.trusted = 1, .clocks = {{.reason = "timestamps"}}};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, " on opencl:0: untrusted timestamps: timestamps\n");
}

static void copies_stand_behind_kernels(void **state)
{
    add("opencl:0", "heap-device", 8 * KIB, 4 * KIB, false);
    series[count++] = make_series("matmul/8", "opencl:0", 77);
    print(kt_print_markdown);
    assert_string_equal(
        document_output,
        "- cpu:0: cores, cores\n"
        "- opencl:0: a card, a card\n"
        "- note: \"-\": too few independent samples for an interval; raise --samples or "
        "--max-time\n"
        "- note: a model takes four sizes or more: --size 64KiB..1MiB\n"
        "\n"
        "| NAME     | DEVICE   | DEVICE TIME | 95% INTERVAL | MEAN | WALL | SAMPLES |\n"
        "| -------- | -------- | ----------: | -----------: | ---: | ---: | ------: |\n"
        "| matmul/8 | opencl:0 |     77.0 ns |            - |    - |      |       0 |\n"
        "\n"
        "| DIRECTION   | DEVICE   |  SIZE | DEVICE TIME |         95% INTERVAL |  GB/s "
        "| WALL | 95% INTERVAL | GB/s | SAMPLES |\n"
        "| ----------- | -------- | ----: | ----------: | -------------------: | ----: "
        "| ---: | -----------: | ---: | ------: |\n"
        "| heap-device | opencl:0 | 8 KiB |    4.096 us | 4.090 us .. 4.102 us | 2.000 "
        "|      |              |      |       8 |\n");
}

/* The second run takes twice as long. */
static void runs_are_gathered(void **state)
{
    for (uint32_t run = 0; run < 2; run++)
        for (int i = 0; i < 4; i++) {
            double bytes = 8 * KIB * (1 << i);
            add("opencl:0", "heap-device", bytes, (1 + run) * (1000 + bytes), false)->run = run;
        }
    print(kt_print_table);
    EXPECT_TEXT_HAS(block("DIRECTION"), "|RUN-TO-RUN RANGE|");
    EXPECT_TEXT_HAS(block("heap-device"), "|13.79 us|9.192 us .. 18.38 us (+100 %)|");
    EXPECT_TEXT_HAS(block("heap-device"), "|0.594|");
    /* The mean of both: 1.5 us and 1.5 ns a byte. */
    const char *model = block("DIRECTION    DEVICE    TIME");
    EXPECT_TEXT_HAS(model, "|device|< ");
    EXPECT_TEXT_HAS(model, "|0.667|");
    EXPECT_TEXT_HAS(model, "|8 KiB .. 64 KiB\n");
}

/* ---- models ---- */

static void models_tell_where_they_hold(void **state)
{
    /* 10 us and 4 GB/s up to 8 MiB, above half as long again: 10 us * 4 bytes/ns are 39.06 KiB. */
    add_line("opencl:0", "heap-device", 8 * KIB, 11, 10000, 4, false);
    add_line("opencl:0", "heap-device", 16 * MIB, 3, 15000, 4 / 1.5, false);
    add_line("opencl:0", "device-heap", 8 * KIB, 5, 0, 2, true);
    add_line("opencl:0", "device-device", 8 * KIB, 3, 5, 2, true);
    /* Four times as fast where caches hold it. */
    add_line("cpu:0", "heap-heap", 64 * KIB, 5, 100, 20, false);
    add_line("cpu:0", "heap-heap", 2 * MIB, 8, 100, 5, false);
    print(kt_print_table);
    const char *models = block("DIRECTION    DEVICE    TIME");
    EXPECT_TEXT_HAS(models, "\nheap-device|opencl:0|device|10.00 us|9.9");
    EXPECT_TEXT_HAS(models, "|4.000|3.99");
    EXPECT_TEXT_HAS(models, "|39.1 KiB|8 KiB .. 8 MiB; above: up to 1.5 times as long\n");
    EXPECT_TEXT_HAS(models, "\ndevice-heap|opencl:0|wall|< ");
    EXPECT_TEXT_HAS(models, " bytes|8 KiB .. 128 KiB\n");
    EXPECT_TEXT_HAS(models, "|64 KiB .. 1 MiB (caches)\nheap-heap|cpu:0|device|");
    EXPECT_TEXT_HAS(models, "|2 MiB .. 256 MiB\n");
    assert_null(strstr(models, "device-device")); /* three sizes are too few */
    EXPECT_TEXT_HAS(document_output, "\nnote: memory speed: 5.000 GB/s (heap-heap of 256 MiB on "
                                     "cpu:0); \"from cache\" is more than 1.1 times that\n");
    assert_null(strstr(document_output, "a model takes"));
}

/* Where the line is that of caches, larger sizes take longer for them; what takes longer below has
 * another cause. */
static void caches_are_named_where_they_end_a_line(void **state)
{
    add_line("pocl:0", "heap-device", 8 * KIB, 2, 30000, 20, false);
    add_line("pocl:0", "heap-device", 32 * KIB, 9, 0, 20, false);
    add_line("pocl:0", "heap-device", 16 * MIB, 3, 0, 1.2, false);
    add_line("opencl:0", "device-device", 8 * KIB, 8, 0, 20, false);
    add_line("opencl:0", "device-device", 2 * MIB, 3, 0, 5, false);
    add("cpu:0", "heap-heap", 128 * MIB, 128 * MIB / 5, false);
    print(kt_print_table);
    const char *models = block("DIRECTION      DEVICE    TIME");
    /* 30409.6 ns in place of 409.6, and 20 over 1.2. */
    EXPECT_TEXT_HAS(models,
                    "|32 KiB .. 8 MiB; below: up to 74 times as long; above: up to 17 times "
                    "as long (caches)\n");
    EXPECT_TEXT_HAS(models, "|8 KiB .. 1 MiB; above: up to 4.0 times as long\n");
}

/* 5 GB/s are the memory's own speed: 5.5 are trusted, more is not, unless a copy engine does the
 * copy: that of a GPU reads a bus of 50 GB/s at full speed, where one core's memcpy() gets 5. */
static void what_is_faster_than_memory_is_from_cache(void **state)
{
    add("cpu:0", "heap-heap", 128 * MIB, 128 * MIB / 4, false);
    add("cpu:0", "heap-heap-all-cores", 128 * MIB, 128 * MIB / 5, false);
    add("cpu:0", "heap-heap-all-cores", MIB, MIB / 50, false);
    add("pocl:0", "heap-device", MIB, MIB / 5.49, false);
    add("pocl:0", "heap-device", 2 * MIB, 2 * MIB / 5.51, false);
    add("pocl:0", "device-host", 2 * MIB, 2 * MIB / 7, true);
    add("opencl:0", "device-device", 2 * MIB, 2 * MIB / 40, false);
    add("opencl:0", "heap-shared", 64 * MIB, 64 * MIB / 49.8, false);
    add("opencl:0", "device-host", 2 * MIB, 2 * MIB / 7, true);
    print(kt_print_table);
    static const struct {
        const char *row;
        bool from_cache;
    } rows[] = {{"heap-heap            cpu:0     128 MiB", false},
                {"heap-heap-all-cores  cpu:0       1 MiB", true},
                {"heap-heap-all-cores  cpu:0     128 MiB", false},
                {"heap-device          pocl:0      1 MiB", false},
                {"heap-device          pocl:0      2 MiB", true},
                {"device-host          pocl:0      2 MiB", true},
                {"device-device        opencl:0    2 MiB", false},
                {"heap-shared          opencl:0   64 MiB", false},
                {"device-host          opencl:0    2 MiB", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256];
        const char *at = strstr(document_output, rows[i].row);
        assert_non_null(at);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        assert_int_equal(strstr(line, "  from cache") != NULL, rows[i].from_cache);
    }
    /* At 64 MiB nobody knows what the memory's own speed is. */
    for (int i = 0; i < 2; i++)
        params[i].value /= 2;
    print(kt_print_table);
    assert_null(strstr(document_output, "  from cache"));
}

/* ---- zero copies ---- */

static void a_zero_copy_has_no_rate(void **state)
{
    add_line("opencl:0", "device-host-map", 8 * KIB, 18, 300, 1e9, false);
    add_line("opencl:0", "device-host-map", 8 * KIB, 18, 2000, 1e9, true);
    add("cpu:0", "heap-heap", 8 * KIB, 8 * KIB, false);
    print(kt_print_table);
    const char *row = block("device-host-map");
    for (int i = 0; i < 18; i++, row = strchr(row, '\n') + 1) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(row, "\n"), row);
        EXPECT_TEXT_HAS(line, "device-host-map|opencl:0|");
        EXPECT_TEXT_HAS(line, "|2.00");
        EXPECT_TEXT_HAS(line, " us|8|zero-copy"); /* no rate, no memcpy */
    }
    const char *models = block("DIRECTION        DEVICE    TIME");
    EXPECT_TEXT_HAS(models, "|zero-copy: 300.0 ns whatever the size\n");
    EXPECT_TEXT_HAS(models, "|zero-copy: 2.000 us whatever the size\n");
}

/* Where the wall time is that of a copy, it is the device's clock that is wrong. */
static void a_clock_that_stands_still_is_no_zero_copy(void **state)
{
    add_line("opencl:0", "device-host", 8 * KIB, 18, 300, 1e9, false);
    add_line("opencl:0", "device-host", 8 * KIB, 18, 2000, 4, true);
    print(kt_print_table);
    assert_null(strstr(document_output, "zero-copy"));
    EXPECT_TEXT_HAS(document_output, "  not on a line\n");
}

/* One size on its own, which is no line whatever its time is. */
static void a_single_size_has_no_model(void **state)
{
    add("opencl:0", "device-host", MIB, MIB, false);
    add("opencl:0", "device-host", MIB, 300, true);
    add("cpu:0", "heap-heap", MIB, MIB / 25, false);
    print(kt_print_json);
    EXPECT_TEXT_HAS(document_output, "\"step\": \"copy\",\n      \"state\": \"none\",");
    EXPECT_TEXT_HAS(document_output, "\"step\": \"wall\",\n      \"state\": \"none\",");
}

/* By chance wall times may lie on a line, too; but no memory of this machine has its 200 GB/s. */
static void a_line_that_no_memory_has_rules_out_nothing(void **state)
{
    add_line("opencl:0", "host-device-map", 64 * KIB, 7, 700, 1e9, false);
    add_line("opencl:0", "host-device-map", 64 * KIB, 7, 28000, 200, true);
    add("cpu:0", "heap-heap", MIB, MIB / 25, false);
    print(kt_print_table);
    EXPECT_TEXT_HAS(document_output, "  zero-copy: 700.0 ns whatever the size\n");
}

/* What sizes this small need is hidden by what each takes: 64 KiB might be copied, and might
 * not. */
static void small_mappings_have_no_rate(void **state)
{
    for (int i = 0; i < 4; i++) {
        kt_series *s = add("opencl:0", "host-device-map", (8 << i) * KIB, 400, false);
        s->status = KT_SERIES_BELOW_MIN_SPAN;
        s->summary.median = NAN;
    }
    add_line("opencl:0", "host-device-map", 8 * KIB, 4, 40000, 1e6, true);
    add_line("opencl:0", "host-device", 8 * KIB, 4, 40000, 1e6, true);
    /* Larger, and surely copied: 1 us and 4 GB/s. */
    add_line("opencl:0", "device-host-map", 8 * KIB, 8, 1000, 4, false);
    add("cpu:0", "heap-heap", MIB, MIB / 25, false);
    print(kt_print_table);
    EXPECT_TEXT_HAS(
        block("host-device-map"),
        "host-device-map|opencl:0|8 KiB|< shortest span|40.00 us|39.94 us .. 40.06 us|8|mapped\n");
    EXPECT_TEXT_HAS(block("host-device "), "|40.00 us|39.94 us .. 40.06 us|0.205|8\n");
    EXPECT_TEXT_HAS(block("device-host-map"), "|3.048 us|3.043 us .. 3.053 us|2.688|8\n");
    const char *models = block("DIRECTION        DEVICE    TIME");
    EXPECT_TEXT_HAS(models,
                    "\nhost-device-map|opencl:0|wall|40.00 us|39.98 us .. 40.02 us|40.00 us "
                    "whatever the size so far: larger sizes tell the bandwidth\n");
    EXPECT_TEXT_HAS(models,
                    "\ndevice-host-map|opencl:0|device|1.000 us|997.3 ns .. 1.003 us|4.000|");
    print(kt_print_csv);
    assert_string_equal(field_of(5, "gb_per_s"), "");
    EXPECT_NEAR(strtod(field_of(9, "gb_per_s"), NULL), 8192.0 / 40000, 1e-5);
    EXPECT_NEAR(strtod(field_of(13, "gb_per_s"), NULL), 8192.0 / 3048, 1e-5);
}

/* Times on a line by chance, on which no memory of this machine is: with an API's own copy all the
 * same. */
static void a_mapping_takes_a_sure_line(void **state)
{
    static const double times[] = {1000, 965, 1240, 1200};
    for (int i = 0; i < 8; i++)
        add("opencl:0", i < 4 ? "host-device" : "host-device-map", (8 + 8 * (i % 4)) * KIB,
            times[i % 4], true);
    add("cpu:0", "heap-heap", MIB, MIB / 25, false);
    print(kt_print_table);
    EXPECT_TEXT_HAS(block("host-device "), "|1.200 us|1.198 us .. 1.202 us|27.31|8\n");
    EXPECT_TEXT_HAS(block("host-device-map"), "|1.200 us|1.198 us .. 1.202 us|8|mapped\n");
    const char *models = block("DIRECTION        DEVICE    TIME");
    EXPECT_TEXT_HAS(models, "|8 KiB .. 32 KiB\n");
    EXPECT_TEXT_HAS(models, "|wall|no sure growth with size\n");
    print(kt_print_json);
    EXPECT_TEXT_HAS(strstr(document_output, "\"transfers\""),
                    "\"state\": \"no_line\",\n      \"latency_ns\": null");
}

/* What is known of a zero copy whose times are all below the floor of 30 ns is just that. */
static void a_zero_copy_below_the_min_span(void **state)
{
    for (int i = 0; i < 18; i++) {
        kt_series *s = add("opencl:0", "host-device-map", (8 << i) * KIB, 20, false);
        s->status = KT_SERIES_BELOW_MIN_SPAN;
        s->summary.median = NAN;
    }
    add_line("opencl:0", "host-device-map", 8 * KIB, 18, 2000, 1e9, true);
    const kt_document document = make_copies();
    devices[1].has_timer_limits = true;
    devices[1].limits =
        (kt_timer_limits){.trusted = 1, .min_span_ns = 30, .resolution_ns = 10, .reason = ""};
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(block("host-device-map"), "|8 KiB|< 30.0 ns|2.000 us|");
    EXPECT_TEXT_HAS(document_output, "  zero-copy: < 30.0 ns whatever the size\n");
    EXPECT_TEXT_HAS(document_output, "  zero-copy: 2.000 us whatever the size\n");
    series[0].status = KT_SERIES_OK; /* some are known */
    series[0].summary.median = 40;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output, "  zero-copy: 20.0 ns whatever the size\n");
}

/* Where a way has no timestamps of the device, though others of it have. */
static void times_by_the_host_are_said(void **state)
{
    static const struct {
        kt_method method, clock;
        bool trusted;
        const char *end;
    } cases[] = {
        {KT_METHOD_HOST_WALL, KT_METHOD_DEVICE_TIMESTAMP, true, "|8|by the host's clock\n"},
        {KT_METHOD_HOST_WALL, KT_METHOD_DEVICE_TIMESTAMP, false, "|8\n"},
        {KT_METHOD_HOST_WALL, KT_METHOD_HOST_WALL, true, "|8\n"},
        {KT_METHOD_DEVICE_TIMESTAMP, KT_METHOD_DEVICE_TIMESTAMP, true, "|8\n"},
    };
    add("opencl:0", "heap-device", MIB, MIB, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const kt_document document = make_copies();
        series[0].method = cases[i].method;
        devices[1].has_timer_limits = true;
        devices[1].limits =
            (kt_timer_limits){.trusted = cases[i].trusted, .min_span_ns = 30, .reason = ""};
        devices[1].info.clocks[0].method = cases[i].clock;
        devices[1].info.clock_count = 1;
        document_print(kt_print_table, &document);
        EXPECT_TEXT_HAS(block("heap-device"), cases[i].end);
    }
}

/* Of what could not be begun the kinds of memory are known. */
static void a_failure_of_a_copy_is_one(void **state)
{
    const kt_param size[] = {{"size", 1 << 20}};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "copy/1048576",
                              .workload = "copy",
                              .variant = "heap-device",
                              .params = size,
                              .param_count = 1};
    const kt_document document = make_copies();
    kt_report *report = NULL;
    EXPECT_OK(kt_report_create(&report, NULL));
    EXPECT_OK(kt_report_add_device(report, &document.devices[1].info, NULL));
    EXPECT_OK(
        kt_report_add_failure(report, "opencl:0", &desc, KT_SERIES_NOT_POSSIBLE, "too large"));
    const kt_series *failure = kt_report_series(report, 0);
    assert_int_equal(failure->kind, KT_SERIES_COPY);
    assert_string_equal(failure->src, "heap");
    assert_string_equal(failure->dst, "device");
    series[count++] = *failure;
    print(kt_print_table);
    EXPECT_TEXT_HAS(block("DIRECTION"), "\nheap-device|opencl:0|1 MiB|-|");
    EXPECT_TEXT_HAS(block("DIRECTION"), "|not_possible\n");
    kt_report_destroy(&report);
}

/* ---- notes ---- */

static void sizes_with_one_cause_have_one_sentence(void **state)
{
    static char errors[6][64];
    for (int i = 0; i < 6; i++) {
        kt_series *s =
            add("opencl:0", i < 4 ? "heap-device" : "device-heap", (8 << i) * KIB, NAN, false);
        s->status = i == 3 ? KT_SERIES_PARTIAL : KT_SERIES_FAILED;
        snprintf(errors[i], sizeof errors[i], "timestamp %d of %d was lost", i, 8 << i);
        s->error = errors[i];
    }
    series[2].error = "timestamp 2 of none was lost";
    print(kt_print_table);
    EXPECT_TEXT_HAS(
        document_output,
        "\nerror: failed copy/8192 and 1 more size, heap-device on opencl:0: timestamp 0 of 8 was "
        "lost\n"
        "error: failed copy/32768 heap-device on opencl:0: timestamp 2 of none was lost\n"
        "error: failed copy/131072 and 1 more size, device-heap on opencl:0: timestamp 4 of 128 "
        "was "
        "lost\n"
        "warning: partial copy/65536 heap-device on opencl:0: timestamp 3 of 64 was lost\n\n");
}

/* The notes on copies: MEMCPY is explained where the column is, and nothing of kernels is said where
 * there are none. */
static void only_what_is_there_is_reported(void **state)
{
    add_line("cpu:0", "heap-heap", 64 * KIB, 12, 100, 5, false);
    kt_series *s = add("cpu:0", "heap-heap", 8 * KIB, 40, false);
    s->status = KT_SERIES_BELOW_MIN_SPAN;
    s->summary.median = NAN;
    s->cold = 1;
    print(kt_print_table);
    assert_null(strstr(document_output, "MEMCPY"));
    EXPECT_TEXT_HAS(document_output,
                    "\nnote: memory speed: 5.000 GB/s (heap-heap of 128 MiB on cpu:0); ");
    EXPECT_TEXT_HAS(document_output, "\ncold: caches were flushed before each submission\n");
    EXPECT_TEXT_HAS(document_output, "\nnote: \"< x\": shorter than the shortest measurable span, "
                                     "so not to be ranked; raise --size\n");
    /* Advice is what its work can follow: further trials are warm, and more dispatches of an empty
     * kernel are no longer. */
    static const kt_param dispatches = {"dispatches", 1};
    series[count] = make_series("empty/1", "cpu:0", NAN);
    series[count].params = &dispatches;
    series[count].status = KT_SERIES_BELOW_MIN_SPAN;
    series[count + 1] = make_series("matmul/8", "cpu:0", NAN);
    series[count + 1].status = KT_SERIES_BELOW_MIN_SPAN;
    series[count + 1].cold = 1;
    count += 2;
    print(kt_print_table);
    EXPECT_TEXT_HAS(document_output, ", so not to be ranked; raise --size\n");
    series[count - 1].cold = 0;
    print(kt_print_table);
    EXPECT_TEXT_HAS(document_output, ", so not to be ranked; raise --trials or --size\n");
    const kt_document empty_kernel = make_document(&series[count - 2], 1);
    document_print(kt_print_table, &empty_kernel);
    EXPECT_TEXT_HAS(document_output, ", so not to be ranked\n");
    kt_baseline baseline = {.workload = "work",
                            .params = size_8,
                            .param_count = 1,
                            .name = "sequential",
                            .flags = "-O2"};
    kt_document document = make_copies();
    document.baselines = &baseline;
    document.baseline_count = 1;
    document_print(kt_print_table, &document);
    EXPECT_TEXT_HAS(document_output,
                    "\ncold: caches were flushed before each submission; baselines "
                    "ran warm, so there is no SPEED-UP\n");
}

/* ---- files ---- */

static void files_hold_no_rate_of_a_zero_copy(void **state)
{
    add("opencl:0", "device-host", 8 * KIB, 4 * KIB, false);
    add_line("opencl:0", "device-host-map", 8 * KIB, 18, 300, 1e9, false);
    for (uint32_t i = 1; i < count; i++)
        series[i].zero_copy = 1;
    print(kt_print_csv);
    assert_string_equal(field_of(1, "gb_per_s"), "2");
    assert_string_equal(field_of(1, "zero_copy"), "false");
    assert_string_equal(field_of(2, "gb_per_s"), "");
    assert_string_equal(field_of(19, "gb_per_s"), "");
    assert_string_equal(field_of(19, "zero_copy"), "true");
    print(kt_print_json);
    const char *transfers = strstr(document_output, "\"transfers\": [");
    assert_non_null(transfers);
    EXPECT_TEXT_HAS(transfers, "\"step\": \"copy\",\n      \"state\": \"none\",");
    EXPECT_TEXT_HAS(
        transfers,
        "\"variant\": \"device-host-map\",\n      \"src\": \"device\",\n      \"dst\": \"host\",\n"
        "      \"step\": \"copy\",\n      \"state\": \"zero_copy\",\n      \"latency_ns\": 300.00");
    assert_null(strstr(transfers, "wall")); /* not measured */
    count = 0;
    series[count++] = make_series("matmul/8", "opencl:0", 77);
    print(kt_print_json);
    assert_null(strstr(document_output, "transfers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rows_have_both_times, empty),
        cmocka_unit_test_setup(devices_stand_as_in_the_document, empty),
        cmocka_unit_test_setup(sizes_are_whole_numbers_of_a_unit, empty),
        cmocka_unit_test_setup(nothing_is_made_of_no_time, empty),
        cmocka_unit_test_setup(copies_stand_behind_kernels, empty),
        cmocka_unit_test_setup(runs_are_gathered, empty),
        cmocka_unit_test_setup(models_tell_where_they_hold, empty),
        cmocka_unit_test_setup(caches_are_named_where_they_end_a_line, empty),
        cmocka_unit_test_setup(what_is_faster_than_memory_is_from_cache, empty),
        cmocka_unit_test_setup(a_zero_copy_has_no_rate, empty),
        cmocka_unit_test_setup(a_clock_that_stands_still_is_no_zero_copy, empty),
        cmocka_unit_test_setup(a_single_size_has_no_model, empty),
        cmocka_unit_test_setup(a_line_that_no_memory_has_rules_out_nothing, empty),
        cmocka_unit_test_setup(small_mappings_have_no_rate, empty),
        cmocka_unit_test_setup(a_mapping_takes_a_sure_line, empty),
        cmocka_unit_test_setup(a_zero_copy_below_the_min_span, empty),
        cmocka_unit_test_setup(times_by_the_host_are_said, empty),
        cmocka_unit_test_setup(a_failure_of_a_copy_is_one, empty),
        cmocka_unit_test_setup(sizes_with_one_cause_have_one_sentence, empty),
        cmocka_unit_test_setup(only_what_is_there_is_reported, empty),
        cmocka_unit_test_setup(files_hold_no_rate_of_a_zero_copy, empty),
    };
    return cmocka_run_group_tests_name("copies_table", tests, NULL, NULL);
}
