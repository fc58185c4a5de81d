/* SPDX-License-Identifier: MIT */
/*
 * Snapshots as text, JSON and CSV: every byte of rows made by hand, hostile names, and what a
 * program writes. With --print json or csv it prints a document for other readers.
 */
#define _GNU_SOURCE
#include "output/registry/registry.h"
#include "support/fault.h"
#include "tests/unit/collect.h"
#include "tests/unit/documents.h"
#include "tests/unit/json_check.h"

#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const kt_report_origin origin = {.version = "1.2.3",
                                        .started = "2026-01-31T12:00:00Z",
                                        .os = "an os",
                                        .clock = "a clock",
                                        .cores = 4,
                                        .host = "lab"};

static const kt_row *row_of(const void *rows, uint32_t index)
{
    return (const kt_row *)rows + index;
}

typedef void printer(const kt_registry_document *document, kt_writer *writer);

static const char *print(printer *format, const kt_row *rows, uint32_t count, uint64_t dropped)
{
    const kt_registry_document document = {&origin, row_of, rows, count, dropped};
    const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    format(&document, &writer);
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
    return output;
}

/* Durations 1000, 2000 and 4500 ns. */
static const kt_row known = {.name = "blur",
                             .backend = KT_BACKEND_LEVEL_ZERO,
                             .count = 3,
                             .total_ns = 7500,
                             .min_ns = 1000,
                             .max_ns = 4500,
                             .mean_ns = 2500,
                             .last_ns = 2000,
                             .stddev_ns = 1802.75,
                             .p50_ns = 2016.5,
                             .p95_ns = 4400,
                             .p99_ns = 4450.5,
                             .discarded = {[KT_TIMESTAMP_LOST] = 2, [KT_TIMESTAMP_OVERWRITTEN] = 1},
                             .stop_late = 1,
                             .period_uncertainty = 4.5e-7};

static kt_row empty_row(const char *name)
{
    return (kt_row){.name = name,
                    .min_ns = NAN,
                    .max_ns = NAN,
                    .mean_ns = NAN,
                    .last_ns = NAN,
                    .stddev_ns = NAN,
                    .p50_ns = NAN,
                    .p95_ns = NAN,
                    .p99_ns = NAN,
                    .period_uncertainty = NAN};
}

static kt_row row_of_one(const char *name, kt_backend_id backend, double ns)
{
    return (kt_row){name, backend, 1, ns, ns, ns, ns, ns, NAN, ns, ns, ns, {0}, NULL, 0, NAN};
}

/* ---- text ---- */

static void text(void **state)
{
    kt_row rows[] = {known, row_of_one("much longer", KT_BACKEND_CPU, 0.25), empty_row("not yet")};
    rows[2].discarded[KT_TIMESTAMP_ERROR] = UINT64_MAX;
    assert_string_equal(
        print(kt_print_registry_table, rows, 3, 1),
        "name         backend          avg       min       max  n       p95     total\n"
        "blur         level_zero  2.500 us  1.000 us  4.500 us  3  4.400 us  7.500 us\n"
        "much longer  cpu         0.250 ns  0.250 ns  0.250 ns  1  0.250 ns  0.250 ns\n"
        "not yet      -                  -         -         -  0         -         -\n"
        "blur on level_zero: 3 spans without a duration: 2 lost, 1 overwritten\n"
        "not yet: 18446744073709551615 spans without a duration: 18446744073709551615 error\n"
        "1 duration dropped: below 0, not finite, above 31 years, no name, no such backend, or no "
        "room\n");
    assert_string_equal(print(kt_print_registry_table, NULL, 0, 0), "nothing was recorded\n");
    assert_string_equal(print(kt_print_registry_table, NULL, 0, 20),
                        "nothing was recorded\n"
                        "20 durations dropped: below 0, not finite, above 31 years, no name, no "
                        "such backend, or no room\n");
}

/* Of a coarse clock: what is left are the long ones. Where nothing is left there is no number to
 * doubt. */
static void too_short_for_the_clock(void **state)
{
    kt_row rows[] = {row_of_one("add", KT_BACKEND_WEBGPU, 300000), empty_row("none")};
    rows[0].discarded[KT_TIMESTAMP_BELOW_MIN_SPAN] = 19;
    rows[0].discarded[KT_TIMESTAMP_ZERO] = 1;
    rows[1].discarded[KT_TIMESTAMP_BELOW_MIN_SPAN] = 20;
    print(kt_print_registry_table, rows, 2, 0);
    EXPECT_TEXT_HAS(output,
                    "\nadd on webgpu: 20 spans without a duration: 1 zero, 19 below_min_span; "
                    "the short ones are missing, so avg, min and p95 are too high\n"
                    "none: 20 spans without a duration: 20 below_min_span\n");
}

/* Said of a row only where at least half of its spans are in doubt. */
static void stopped_late(void **state)
{
    kt_row rows[] = {row_of_one("few", KT_BACKEND_OPENCL, 300000),
                     row_of_one("half", KT_BACKEND_OPENCL, 300000)};
    rows[0].count = rows[1].count = 21;
    rows[0].stop_late = 10;
    rows[1].stop_late = 11;
    print(kt_print_registry_table, rows, 2, 0);
    EXPECT_TEXT_HAS(output,
                    "300.0 us  300.0 us\n"
                    "half on opencl: 11 of 21 spans contain host time; for blocking calls use "
                    "kt_timer_event_opencl()\n");
}

/* ---- JSON ---- */

#define JSON_HEAD                                                                                  \
    "{\n  \"schema\": \"kerntime/1\",\n  \"document\": \"registry\",\n  \"version\": \"1.2.3\",\n" \
    "  \"written\": \"2026-01-31T12:00:00Z\",\n  \"host\": {\"name\": \"lab\", \"os\": \"an "      \
    "os\", "                                                                                       \
    "\"cpu\": null, \"cores\": 4, \"clock\": \"a clock\"},\n"

static void json(void **state)
{
    const kt_row rows[] = {known, empty_row("not yet")};
    assert_string_equal(
        print(kt_print_registry_json, rows, 2, 7), JSON_HEAD
        "  \"dropped\": 7,\n  \"rows\": [\n    {\n"
        "      \"name\": \"blur\",\n      \"backend\": \"level_zero\",\n      \"n\": 3,\n"
        "      \"total_ns\": 7500,\n      \"min_ns\": 1000,\n      \"mean_ns\": 2500,\n"
        "      \"max_ns\": 4500,\n      \"last_ns\": 2000,\n      \"stddev_ns\": 1802.75,\n"
        "      \"p50_ns\": 2016.5,\n      \"p95_ns\": 4400,\n      \"p99_ns\": 4450.5,\n"
        "      \"stop_late\": 1,\n      \"period_uncertainty\": 4.5e-07,\n"
        "      \"discarded\": {\"not_ready\": 0, \"zero\": 0, \"error\": 0, \"negative\": 0, "
        "\"lost\": 2, \"overwritten\": 1, \"ambiguous\": 0, "
        "\"below_min_span\": 0, \"throttled\": 0}\n    },\n    {\n"
        "      \"name\": \"not yet\",\n      \"backend\": null,\n      \"n\": 0,\n"
        "      \"total_ns\": 0,\n      \"min_ns\": null,\n      \"mean_ns\": null,\n"
        "      \"max_ns\": null,\n      \"last_ns\": null,\n      \"stddev_ns\": null,\n"
        "      \"p50_ns\": null,\n      \"p95_ns\": null,\n      \"p99_ns\": null,\n"
        "      \"stop_late\": 0,\n      \"period_uncertainty\": null,\n"
        "      \"discarded\": {\"not_ready\": 0, \"zero\": 0, \"error\": 0, \"negative\": 0, "
        "\"lost\": 0, \"overwritten\": 0, \"ambiguous\": 0, "
        "\"below_min_span\": 0, \"throttled\": 0}\n    }\n  ]\n}\n");
    assert_true(json_check(output, output_bytes, NULL, NULL));
    assert_string_equal(print(kt_print_registry_json, NULL, 0, 0),
                        JSON_HEAD "  \"dropped\": 0,\n  \"rows\": []\n}\n");
}

/* ---- CSV ---- */

#define CSV_HEAD                                                                            \
    "name,backend,n,total_ns,min_ns,mean_ns,max_ns,last_ns,stddev_ns,p50_ns,p95_ns,p99_ns," \
    "stop_late,period_uncertainty,"                                                         \
    "discarded_not_ready,discarded_zero,discarded_error,discarded_negative,"                \
    "discarded_lost,discarded_overwritten,discarded_ambiguous,"                             \
    "discarded_below_min_span,discarded_throttled,dropped,written,host\n"

static void csv(void **state)
{
    const kt_row rows[] = {known, empty_row("=1+1"), row_of_one("a,\"b\"", KT_BACKEND_CPU, 0)};
    assert_string_equal(
        print(kt_print_registry_csv, rows, 3, UINT64_MAX), CSV_HEAD
        "blur,level_zero,3,7500,1000,2500,4500,2000,1802.75,2016.5,4400,"
        "4450.5,1,4.5e-07,0,0,0,0,2,1,0,0,0,18446744073709551615,2026-01-31T12:00:00Z,lab\n"
        "'=1+1,,0,0,,,,,,,,,0,,0,0,0,0,0,0,0,0,0,18446744073709551615,"
        "2026-01-31T12:00:00Z,lab\n"
        "\"a,\"\"b\"\"\",cpu,1,0,0,0,0,0,,0,0,0,0,,0,0,0,0,0,0,0,0,0,"
        "18446744073709551615,2026-01-31T12:00:00Z,lab\n");
    assert_string_equal(print(kt_print_registry_csv, NULL, 0, 0), CSV_HEAD);
}

/* ---- names that nobody should choose ---- */

static void make_nasty_rows(kt_row rows[NASTY_COUNT])
{
    for (uint32_t i = 0; i < NASTY_COUNT; i++) {
        rows[i] = i % 3 ? row_of_one(nasty[i], (kt_backend_id)(i % KT_BACKEND_ID_COUNT), i / 7.)
                        : empty_row(nasty[i]);
        rows[i].discarded[KT_TIMESTAMP_LOST] = i % 2;
    }
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void hostile_names_stay_on_their_line(void **state)
{
    kt_row rows[NASTY_COUNT];
    make_nasty_rows(rows);
    print(kt_print_registry_table, rows, NASTY_COUNT, 0);
    /* A head, a line for each and a sentence for every other one. */
    assert_int_equal(count_of(output, "\n"), 1 + NASTY_COUNT + NASTY_COUNT / 2);
    for (const unsigned char *at = (const unsigned char *)output; *at; at += json_utf8(at, 4)) {
        assert_true(*at == '\n' || (*at >= 0x20 && *at != 0x7F));
        assert_int_not_equal(json_utf8(at, 4), 0);
    }
    print(kt_print_registry_json, rows, NASTY_COUNT, 0);
    assert_true(json_check(output, output_bytes, NULL, NULL));
    assert_int_equal(count_of(output, "      \"name\": "), NASTY_COUNT);
    print(kt_print_registry_csv, rows, NASTY_COUNT, 0);
    EXPECT_TEXT_HAS(output, "\n\"two\nlines\",");
    EXPECT_TEXT_HAS(output, "\n'@SUM(A1),");
    EXPECT_TEXT_HAS(output, "\n\"say \"\"when\"\"\",");
    assert_null(strchr(output, '\033'));
}

/* A program may hand over any number as a backend; files have no name for it. */
static void a_backend_that_is_none(void **state)
{
    const kt_row rows[] = {row_of_one("x", (kt_backend_id)77, 1)};
    EXPECT_TEXT_HAS(print(kt_print_registry_json, rows, 1, 0), "\"backend\": null");
    EXPECT_TEXT_HAS(print(kt_print_registry_csv, rows, 1, 0), "\nx,,1,");
    EXPECT_TEXT_HAS(print(kt_print_registry_table, rows, 1, 0), "\nx     -        ");
}

/* ---- what a program writes ---- */

static int refuse(void *user, const char *data, size_t bytes)
{
    (void)user;
    (void)data;
    (void)bytes;
    return 1;
}

static void of_the_registry(void **state)
{
    kt_reset();
    kt_record_name("blur", KT_BACKEND_CPU, 250);
    kt_record_name("blur", KT_BACKEND_CPU, NAN);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    const kt_sink sink = {.write = collect}, broken = {.write = refuse};
    output_bytes = 0;
    EXPECT_OK(kt_snapshot_write(snapshot, KT_FORMAT_TABLE, &sink));
    assert_string_equal(output,
                        "name  backend       avg       min       max  n       p95     total\n"
                        "blur  cpu      250.0 ns  250.0 ns  250.0 ns  1  250.0 ns  250.0 ns\n"
                        "1 duration dropped: below 0, not finite, above 31 years, no name, no such "
                        "backend, or no room\n");
    output_bytes = 0;
    EXPECT_OK(kt_snapshot_write(snapshot, KT_FORMAT_CSV, &sink));
    /* When and where the program ran, so that files of several machines can be stacked. */
    char host[65] = "", ending[80];
    gethostname(host, sizeof host - 1);
    snprintf(ending, sizeof ending, "Z,%s\n", host);
    EXPECT_TEXT_HAS(output, CSV_HEAD "blur,cpu,1,250,250,250,250,250,,250,250,250,"
                                     "0,,0,0,0,0,0,0,0,0,0,1,20");
    EXPECT_TEXT_HAS(output, ending);
    output_bytes = 0;
    EXPECT_OK(kt_snapshot_write(snapshot, KT_FORMAT_JSON, &sink));
    assert_true(json_check(output, output_bytes, NULL, NULL));
    char version[64];
    snprintf(version, sizeof version, "\"version\": \"%s\"", kt_version());
    EXPECT_TEXT_HAS(output, version);
    EXPECT_TEXT_HAS(output, "\"mean_ns\": 250,");
    for (int format = KT_FORMAT_TABLE; format <= KT_FORMAT_CSV; format++) {
        EXPECT_STATUS(kt_snapshot_write(snapshot, (kt_format)format, &broken), KT_IO_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "the snapshot could not be written");
    }
    EXPECT_STATUS(kt_snapshot_write(snapshot, KT_FORMAT_MARKDOWN, &sink), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "there is no format 3");
    EXPECT_STATUS(kt_snapshot_write(snapshot, KT_FORMAT_COUNT, &sink), KT_INVALID);
    kt_snapshot_destroy(&snapshot);
    output_bytes = 0;
    EXPECT_OK(kt_snapshot_write(NULL, KT_FORMAT_TABLE, &sink));
    assert_string_equal(output, "nothing was recorded\n");
}

static void expect_file(const char *path, const char *expected)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_not_equal(fread(found, 1, sizeof found - 1, file), 0);
    fclose(file);
    assert_string_equal(found, expected);
}

static void to_a_file(void **state)
{
    char folder[] = "/tmp/kerntime-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/registry.txt", folder);
    EXPECT_OK(kt_snapshot_write_file(NULL, KT_FORMAT_TABLE, path));
    expect_file(path, "nothing was recorded\n");
#if KT_FAULTS
    /* A write that fails leaves the old file whole. */
    kt_fault_set(KT_FAULT_WRITE, 1);
    EXPECT_STATUS(kt_snapshot_write_file(NULL, KT_FORMAT_JSON, path), KT_IO_ERROR);
    assert_non_null(kt_fault_fired(KT_FAULT_WRITE));
    kt_fault_set(KT_FAULT_WRITE, 0);
    expect_file(path, "nothing was recorded\n");
#endif
    /* What is no format leaves the file as it is, and none beside it; rmdir() sees that. */
    EXPECT_STATUS(kt_snapshot_write_file(NULL, (kt_format)-1, path), KT_INVALID);
    expect_file(path, "nothing was recorded\n");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    EXPECT_STATUS(kt_snapshot_write_file(NULL, KT_FORMAT_TABLE, path), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), folder);
    /* A disk that is full. */
    if (access("/dev/full", W_OK) == 0)
        EXPECT_STATUS(kt_snapshot_write_file(NULL, KT_FORMAT_JSON, "/dev/full"), KT_IO_ERROR);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        kt_row rows[NASTY_COUNT];
        make_nasty_rows(rows);
        rows[1] = known;
        fputs(print(strcmp(argv[2], "csv") == 0 ? kt_print_registry_csv : kt_print_registry_json,
                    rows, NASTY_COUNT, 3),
              stdout);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(too_short_for_the_clock),
        cmocka_unit_test(stopped_late),
        cmocka_unit_test(json),
        cmocka_unit_test(csv),
        cmocka_unit_test(hostile_names_stay_on_their_line),
        cmocka_unit_test(a_backend_that_is_none),
        cmocka_unit_test(of_the_registry),
        cmocka_unit_test(to_a_file),
    };
    return cmocka_run_group_tests_name("snapshot_write", tests, NULL, NULL);
}
