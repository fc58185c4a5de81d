/* SPDX-License-Identifier: MIT */
/* CSV of documents made by hand. With --print csv or json it prints the nastiest one for another
 * reader. */
#include "tests/unit/documents.h"

#include <stdio.h>

/* The cells of the table of fields: of NULL the columns' names. sim-csv of tests/cli has them in
 * words. */
static const char *fields_of(const kt_summary *summary)
{
    static char text[1024];
    size_t used = 0;
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        if (!summary)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s,", field->column);
        else if (!isnan(kt_summary_get(summary, field)))
            used += (size_t)snprintf(text + used, sizeof text - used, "%.10g,",
                                     kt_summary_get(summary, field));
        else
            used += (size_t)snprintf(text + used, sizeof text - used, ",");
    return text;
}

/* Expects the head and one row: what stands before the fields of the summary, and after them. */
static void expect_csv(const kt_document *document, const char *before, const char *after)
{
    char expected[4096];
    int head = snprintf(
        expected, sizeof expected,
        "name,workload,param_size,variant,device,run,step,kind,status,error,method,clock,trials,"
        "verified,zero_copy,cold,src,dst,bytes,flops,first_use_ns,warmup_n,warmup_ns,warmup_end,"
        "stop,n,discarded,%swarnings,median_total_ns,context_ns,speedup,speedup_ci95_low,speedup_"
        "ci95_high,"
        "speedup_best,speedup_best_ci95_low,speedup_best_ci95_high,gb_per_s,gflop_per_s,"
        "sequential_ns,best_ns,clock_resolution_ns,started,host,device_name,driver,"
        "throttled,throttle,core_clock_mhz,temperature_c,power_w,energy_j,energy_ci95_low_j,"
        "energy_ci95_high_j,gflop_per_j\n",
        fields_of(NULL));
    snprintf(expected + head, sizeof expected - (size_t)head, "%s%s%s", before,
             fields_of(&document->series[0].summary), after);
    assert_string_equal(document_print(kt_print_csv, document), expected);
}

static void csv_of_all_that_is_known(void **state)
{
    kt_series series = make_series("work/8", "opencl:0", NAN);
    series.variant = "tiled";
    series.run = 3;
    series.step = "copy";
    series.kind = KT_SERIES_COPY;
    series.status = KT_SERIES_PARTIAL;
    series.error = "it said \"no\", twice";
    series.method = KT_METHOD_EVENT_PROFILE;
    series.clock = "kernel";
    series.trials = 4;
    series.verified = 1;
    series.cold = 1;
    series.src = "heap";
    series.dst = "device";
    series.bytes = 4096;
    series.flops = 1024;
    series.first_use_ns = 107116.5;
    series.warmup_n = 3;
    series.warmup_ns = 321347.25;
    series.warmup_end = KT_WARMUP_MOVING;
    series.stop = KT_STOP_REL_ERR;
    series.discarded[KT_TIMESTAMP_NOT_READY] = 2;
    series.discarded[KT_TIMESTAMP_THROTTLED] = 5;
    series.state = (kt_state_summary){.readings = 1,
                                      .core_clock_mhz = 1410,
                                      .temperature_c = 61,
                                      .power_w = 299.5,
                                      .throttle = KT_THROTTLE_POWER_CAP,
                                      .left_out = KT_THROTTLE_THERMAL};
    const kt_energy energy = {.dispatch_j = 0.5, .ci95_low_j = 0.25, .ci95_high_j = 0.75};
    series.energy = &energy; /* 1024 operations by 0.5 J */
    series.summary =
        (kt_summary){.n = 10,
                     .min = 1,
                     .median = 2048,
                     .mean = 2.5,
                     .max = 4,
                     .stddev = 0.5,
                     .mad = 0.25,
                     .p95 = 3.75,
                     .ci95_low = 2048,
                     .ci95_high = 2048,
                     .p95_ci95_low = 3.25,
                     .p95_ci95_high = 4.5,
                     .robust_stddev = 0.375,
                     .resolution = 0.125,
                     .outliers_low = 0,
                     .outliers_high = 2,
                     .inflation = 1.0625,
                     .drift = -0.03125,
                     .cluster_low = 1.25,
                     .cluster_high = 2.25,
                     .cluster_high_share = 0.6875,
                     .warnings = KT_WARNING_BIMODAL | KT_WARNING_AUTOCORRELATED | KT_WARNING_DRIFT};
    series.median_total_ns = 8192;
    series.context_ns = 9;
    series.clock_resolution_ns = 31.25;
    series.speedup = 0.75;
    kt_baseline baselines[] = {
        make_work_baseline("sequential", 1536),
        make_work_baseline("best", 1024),
        make_work_baseline("best", 5),
    };
    baselines[0].summary.ci95_low = baselines[0].summary.ci95_high = 1536;
    baselines[2].params = size_9;
    kt_document document = make_document(&series, 1);
    document.baselines = baselines;
    document.baseline_count = 3;
    kt_report_origin origin = *document.desc.origin;
    origin.host = "lab,1";
    document.desc.origin = &origin;
    kt_document_device devices[] = {make_device("cpu:0", "a CPU"),
                                    make_device("opencl:0", "=a GPU")};
    document.devices = devices;
    document.device_count = 2;
    /* 4096 bytes in 2048 ns are 2 GB/s, 1024 operations 0.5 GFLOP/s. */
    expect_csv(
        &document,
        "work/8,work,8,tiled,opencl:0,3,copy,copy,partial,\"it said \"\"no\"\", twice\","
        "event-profile,kernel,4,true,false,true,heap,device,4096,1024,107116.5,3,321347.25,moving,"
        "rel_err,10,7,",
        "autocorrelated drift bimodal,8192,9,0.75,0.75,0.75,0.5,,,2,0.5,1536,1024,31.25,"
        "2001-02-03T04:05:06Z,\"lab,1\",'=a GPU,'=a GPU,"
        "5,power_cap thermal,1410,61,299.5,0.5,0.25,0.75,2.048e-06\n");
}

/* Unknown is empty, never 0; and 0 is 0. */
static void csv_of_what_is_unknown(void **state)
{
    kt_series series = make_series("work/8", "sim:0", NAN);
    const kt_document document = make_document(&series, 1);
    expect_csv(&document,
               "work/8,work,8,,sim:0,0,work,kernel,ok,,none,,1,false,false,false,,,,,,0,,,,0,0,",
               ",,,,,,,,,,,,,,2001-02-03T04:05:06Z,,,,,,,,,,,,\n");
    const kt_document empty = make_document(NULL, 0);
    document_print(kt_print_csv, &empty);
    assert_non_null(strstr(document_output, "name,workload,variant,"));
    assert_string_equal(strchr(document_output, '\n'), "\n"); /* a head and no row */
}

/* A column for each name that occurs, empty where the series has no such parameter. */
static void csv_of_several_parameters(void **state)
{
    const kt_param one[] = {{"size", 8}}, other[] = {{"n", -5}, {"size", INT64_MAX}};
    kt_series series[] = {make_series("a", "sim:0", 1), make_series("b", "sim:0", 1),
                          make_series("c", "sim:0", 1)};
    series[0].params = one;
    series[1].params = other;
    series[1].param_count = 2;
    series[2].param_count = 0;
    const kt_document document = make_document(series, 3);
    document_print(kt_print_csv, &document);
    assert_int_equal(strncmp(document_output, "name,workload,param_size,param_n,variant,", 41), 0);
    EXPECT_TEXT_HAS(document_output, "\na,work,8,,,sim:0,");
    EXPECT_TEXT_HAS(document_output, "\nb,work,9223372036854775807,-5,,sim:0,");
    EXPECT_TEXT_HAS(document_output, "\nc,work,,,,sim:0,");
}

static void csv_texts_are_no_formulas(void **state)
{
    static const struct {
        const char *text, *field;
    } cases[] = {{"=1+1", "'=1+1"},
                 {"+1", "'+1"},
                 {"-1", "'-1"},
                 {"@A1", "'@A1"},
                 {"\t=1", "'\t=1"},
                 {"\r=1", "\"'\r=1\""},
                 {"\n=1", "\"'\n=1\""},
                 {"=\"a\",b", "\"'=\"\"a\"\",b\""},
                 {"\uFF1D1", "'\uFF1D1"},
                 {"\uFF0B1", "'\uFF0B1"},
                 {"\uFF0D1", "'\uFF0D1"},
                 {"\uFF201", "'\uFF201"},
                 {"\uFF211", "\uFF211"},
                 {"a=1", "a=1"},
                 {"sim:0:seed=1", "sim:0:seed=1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_series series = make_series(cases[i].text, "sim:0", -2);
        const kt_document document = make_document(&series, 1);
        char expected[64];
        snprintf(expected, sizeof expected, ",gflop_per_j\n%s,work,8,", cases[i].field);
        document_print(kt_print_csv, &document);
        EXPECT_TEXT_HAS(document_output, expected);
        EXPECT_TEXT_HAS(document_output, ",-2,"); /* a number stays one */
    }
}

static int print_nasty(const char *format)
{
    static nasty_document n;
    make_nasty(&n);
    document_print(strcmp(format, "csv") == 0 ? kt_print_csv : kt_print_json, &n.document);
    return fputs(document_output, stdout) < 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--print") == 0)
        return print_nasty(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_all_that_is_known),
        cmocka_unit_test(csv_of_what_is_unknown),
        cmocka_unit_test(csv_of_several_parameters),
        cmocka_unit_test(csv_texts_are_no_formulas),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
