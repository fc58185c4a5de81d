/* SPDX-License-Identifier: MIT */
/* A device whose driver gives no timestamps, in every output: wall times alone, one sentence why, and
 * nothing that looks like a time of the device. */
#include "cli/result_file/read_result.h"
#include "cli/session/advice.h"
#include "tests/unit/cli/read_document.h"
#include "tests/unit/testing.h"

#include <stdio.h>

#define REASON "its driver gives no timestamps"

static char reason[READ_REASON_BYTES];

static kt_device_info gpu(void)
{
    return (kt_device_info){.id = "vulkan:0",
                            .backend = "vulkan",
                            .name = "a GPU",
                            .driver = "a driver 1.2",
                            .type = KT_DEVICE_GPU,
                            .memory_kinds = 1u << KT_MEMORY_DEVICE,
                            .quirk = "it cuts loops short"};
}

/* As a measurement of a job of one step, with raw timestamps, leaves it. */
static kt_series of_step(const char *step)
{
    static const kt_param param = {"size", 8};
    bool wall = strncmp(step, "wall", 4) == 0;
    kt_series series = {.name = "saxpy/8",
                        .workload = "saxpy",
                        .device = "vulkan:0",
                        .params = &param,
                        .param_count = 1,
                        .step = step,
                        .kind = wall ? KT_SERIES_WALL : KT_SERIES_KERNEL,
                        .status = wall ? KT_SERIES_OK : KT_SERIES_NOT_POSSIBLE,
                        .error = wall ? NULL : REASON,
                        .method = KT_METHOD_HOST_WALL,
                        .trials = 1,
                        .verified = 1,
                        .bytes = 96,
                        .flops = 16,
                        .first_use_ns = 5000,
                        .first_use_device_ns = NAN,
                        .warmup_ns = 6000,
                        .warmup_n = 3,
                        .warmup_end = KT_WARMUP_STEADY,
                        .stop = KT_STOP_MAX_SAMPLES,
                        .median_total_ns = NAN,
                        .context_ns = NAN,
                        .speedup = NAN};
    kt_summarize(NULL, 0, 0, NULL, &series.summary);
    return series;
}

static kt_report *make_report(const char *kind)
{
    static const double samples_ns[] = {2000, 2004, 2002};
    static const kt_raw lost[] = {
        {.state = KT_TIMESTAMP_LOST, .host_before_ns = 100, .host_after_ns = 2100}};
    const kt_timer_limits none = {.resolution_ns = NAN,
                                  .min_span_ns = NAN,
                                  .timestamp_overhead_ns = NAN,
                                  .overhead_ns = 900,
                                  .reason = REASON};
    const kt_device_info info = gpu();
    bool list = strcmp(kind, "devices") == 0;
    kt_series series[] = {of_step("saxpy"), of_step("wall"), of_step("wall_timestamped")};
    kt_report *report = document_begin(kind);
    EXPECT_OK(kt_report_add_device(report, &info, list ? NULL : &none));
    for (int i = 0; i < 3 && !list; i++) {
        double scratch[3];
        if (i > 0)
            kt_summarize(samples_ns, 3, 0, scratch, &series[i].summary);
        series[i].samples_ns = i > 0 ? samples_ns : NULL;
        series[i].median_total_ns = series[i].summary.median;
        series[i].raw = lost;
        series[i].raw_count = i == 0;
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    }
    return report;
}

static const char *print(const kt_report *report, kt_format format)
{
    static json_text output;
    const kt_sink sink = {.write = json_text_collect, .user = &output};
    output.bytes = 0;
    EXPECT_OK(kt_report_write(report, format, &sink));
    return output.data;
}

static void the_list_says_that_there_is_none(void **state)
{
    kt_report *report = make_report("devices");
    assert_string_equal(
        print(report, KT_FORMAT_TABLE),
        "vulkan:0  a GPU (gpu)\n"
        "    driver   a driver 1.2\n"
        "    clock    none: the driver has no timestamps, so all times are wall times\n"
        "    memory   device\n"
        "    issue    it cuts loops short\n");
    const char *json = print(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(json, "\"clocks\": [],");
    EXPECT_TEXT_HAS(json, "\"untrusted\": null,"); /* nothing was measured */
    EXPECT_TEXT_HAS(json, "\"quirk\": \"it cuts loops short\"\n");
    kt_report_destroy(&report);
}

/* The quirk is not among the notes: it is news where an output was wrong, and stands there then. */
static void people_see_wall_times_and_the_reason(void **state)
{
    kt_report *report = make_report("result");
    assert_string_equal(print(report, KT_FORMAT_TABLE),
                        "vulkan:0: a GPU, a driver 1.2\n"
                        "warning: vulkan:0: untrusted timestamps, no device time: " REASON "\n"
                        "\n"
                        "NAME     DEVICE    DEVICE TIME  95% INTERVAL  MEAN      WALL  SAMPLES\n"
                        "saxpy/8  vulkan:0            -                      2.002 us        3\n");
    assert_string_equal(
        print(report, KT_FORMAT_MARKDOWN),
        "- vulkan:0: a GPU, a driver 1.2\n"
        "- warning: vulkan:0: untrusted timestamps, no device time: " REASON "\n"
        "\n"
        "| NAME    | DEVICE   | DEVICE TIME | 95% INTERVAL | MEAN |     WALL | SAMPLES |\n"
        "| ------- | -------- | ----------: | -----------: | ---: | -------: | ------: |\n"
        "| saxpy/8 | vulkan:0 |           - |              |      | 2.002 us |       3 |\n");
    kt_report_destroy(&report);
}

static void files_have_no_clock_and_no_device_time(void **state)
{
    kt_report *report = make_report("result");
    const char *json = print(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(
        json, "\"clocks\": [],\n      \"resolution_ns\": null,\n      \"min_span_ns\": null,\n"
              "      \"timestamp_overhead_ns\": null,\n      \"untrusted\": \"" REASON "\",\n");
    EXPECT_TEXT_HAS(json, "\"status\": \"not_possible\",\n      \"error\": \"" REASON "\",\n"
                          "      \"method\": \"host-wall\",\n      \"clock\": null,\n");
    EXPECT_TEXT_HAS(json, "{\"state\": \"lost\", \"host_before_ns\": 100, "
                          "\"host_after_ns\": 2100}\n");
    const char *csv = print(report, KT_FORMAT_CSV);
    EXPECT_TEXT_HAS(csv, "\nsaxpy/8,saxpy,8,,vulkan:0,0,saxpy,kernel,not_possible," REASON
                         ",host-wall,,1,true,false,false,,,96,16,5000,3,6000,steady,max_samples,0,"
                         "0,,,");
    EXPECT_TEXT_HAS(csv, "\nsaxpy/8,saxpy,8,,vulkan:0,0,wall,wall,ok,,host-wall,,1,true,");
    kt_report_destroy(&report);
}

static void it_is_read_as_it_was_written(void **state)
{
    static const char *const kinds[] = {"devices", "result"};
    for (int i = 0; i < 2; i++) {
        kt_report *report = make_report(kinds[i]), *copy = NULL;
        static json_text first, second;
        json_text_write(&first, report);
        if (read_result_text(first.data, first.bytes, &copy, reason) != 0)
            fail_msg("refused: %s\n%s", reason, first.data);
        assert_string_equal(json_text_write(&second, copy)->data, first.data);
        assert_int_equal(kt_report_device(copy, 0)->clock_count, 0);
        for (int format = KT_FORMAT_TABLE; format < KT_FORMAT_COUNT; format++) {
            static char wanted[sizeof first.data];
            snprintf(wanted, sizeof wanted, "%s", print(report, (kt_format)format));
            assert_string_equal(print(copy, (kt_format)format), wanted);
        }
        kt_report_destroy(&copy);
        kt_report_destroy(&report);
    }
}

/* It is about the wall times, for there are no others. */
static void advice_is_about_wall_times(void **state)
{
    const kt_device_info info = gpu();
    const kt_timer_limits none = {
        .resolution_ns = NAN, .min_span_ns = NAN, .timestamp_overhead_ns = NAN, .reason = REASON};
    kt_series series[] = {of_step("saxpy"), of_step("wall"), of_step("wall_timestamped")};
    kt_report *report = document_begin("result");
    EXPECT_OK(kt_report_add_device(report, &info, &none));
    series[1].stop = KT_STOP_MAX_TIME;
    series[1].summary.median = series[1].summary.mean = 2000;
    series[1].summary.ci95_low = 1920;
    series[1].summary.ci95_high = 2080;
    for (int i = 0; i < 3; i++)
        EXPECT_OK(kt_report_add_series(report, &series[i]));
    /* Half the width takes four times as long. */
    const kt_measure_options measure = {.rel_err = 0.02, .max_time_ns = 1000000000};
    const kt_host_state host = {.cores = 2, .frequency_hz = NAN};
    const advice_facts facts = {
        .report = report, .measure = &measure, .runs = 1, .before = &host, .after = &host};
    char text[ADVICE_BYTES] = "";
    assert_true(advice_choose(&facts, text));
    assert_string_equal(text, "use --max-time 4s: the interval of the wall time of saxpy/8 on "
                              "vulkan:0 is +-4 %, wanted 2 %");
    kt_report_destroy(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_says_that_there_is_none),
        cmocka_unit_test(people_see_wall_times_and_the_reason),
        cmocka_unit_test(files_have_no_clock_and_no_device_time),
        cmocka_unit_test(it_is_read_as_it_was_written),
        cmocka_unit_test(advice_is_about_wall_times),
    };
    return cmocka_run_group_tests_name("no_clock", tests, NULL, NULL);
}
