/* SPDX-License-Identifier: MIT */
#include "tests/unit/documents.h"

#include "tests/unit/collect.h"

#include <stdio.h>

const char *const document_output = output;

unsigned document_notes_max;

const char *document_print(document_printer *format, const kt_document *document)
{
    const kt_sink sink = {.write = collect, .notes_max = document_notes_max};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    output[0] = '\0';
    format(document, &writer);
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
    return output;
}

const kt_param size_8[1] = {{"size", 8}}, size_9[1] = {{"size", 9}};

/* A kernel of which nothing is known but its median. */
kt_series make_series(const char *name, const char *device, double median_ns)
{
    kt_series series = {.name = name,
                        .workload = "work",
                        .device = device,
                        .params = size_8,
                        .param_count = 1,
                        .step = "work",
                        .trials = 1,
                        .bytes = NAN,
                        .flops = NAN,
                        .first_use_ns = NAN,
                        .first_use_device_ns = NAN,
                        .warmup_ns = NAN,
                        .median_total_ns = NAN,
                        .context_ns = NAN,
                        .speedup = NAN};
    kt_summarize(NULL, 0, 0, NULL, &series.summary);
    series.summary.median = median_ns;
    return series;
}

kt_baseline make_work_baseline(const char *name, double median_ns)
{
    kt_baseline baseline = {.workload = "work",
                            .params = size_8,
                            .param_count = 1,
                            .name = name,
                            .flags = "-O2",
                            .n = 3};
    kt_summarize(NULL, 0, 0, NULL, &baseline.summary);
    baseline.summary.median = median_ns;
    return baseline;
}

kt_document make_document(kt_series *series, uint32_t count)
{
    static const kt_report_origin origin = {
        .version = "1", .started = "2001-02-03T04:05:06Z", .os = "an os", .clock = "a clock"};
    return (kt_document){
        .desc = {.document = "result", .origin = &origin}, .series = series, .series_count = count};
}

kt_document_device make_device(const char *id, const char *name)
{
    kt_document_device device = {.info = {.clock_count = 1}};
    snprintf(device.info.id, sizeof device.info.id, "%s", id);
    snprintf(device.info.name, sizeof device.info.name, "%s", name);
    snprintf(device.info.driver, sizeof device.info.driver, "%s", name);
    snprintf(device.info.clocks[0].name, sizeof device.info.clocks[0].name, "%s", name);
    snprintf(device.info.clocks[0].domain, sizeof device.info.clocks[0].domain, "%s", name);
    snprintf(device.info.quirk, sizeof device.info.quirk, "%s", name);
    return device;
}

const char *const nasty[NASTY_COUNT] = {
    "a,b",
    "say \"when\"",
    "two\nlines",
    "carriage\rreturn",
    "both\r\n",
    "\ttab",
    "a|b||",
    "\\|",
    "\\",
    "`code` ``",
    "*b* _i_ a_b __init__",
    "[x](http://example.org)",
    "<img src=x>&amp;",
    "# ~~gone~~ $x$",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'quoted",
    " blank ",
    "",
    "\033[2J\033]0;title\007",
    "\x9b"
    "31m",
    "\xc2\x9b"
    "31m\x7f",
    "\xe2\x80\xa8\xe2\x80\xae",
    "gr\xc3\xbc\xc3\x9f \xf0\x9f\x95\x92",
    "cut off \xe2\x82",
    "\xff\xfe\xc0\xaf\xed\xa0\x80",
    "\v\f\b",
};

void make_nasty(nasty_document *n)
{
    static const double samples_ns[] = {1, 2.5, 1e300, 1. / 3};
    static const char *const words[] = {"bench"};
    for (size_t i = 0; i < NASTY_COUNT; i++) {
        n->params[i][0] = (kt_param){"size", (int64_t)i};
        n->params[i][1] = (kt_param){nasty[i], INT32_MIN};
        kt_series series = make_series(nasty[i], nasty[(i + 1) % NASTY_COUNT], NAN);
        kt_summary *summary = &series.summary;
        series.params = n->params[i];
        series.param_count = 2;
        series.variant = i % 2 ? nasty[(i + 2) % NASTY_COUNT] : NULL;
        series.step = nasty[(i + 3) % NASTY_COUNT];
        series.error = i % 3 ? nasty[(i + 4) % NASTY_COUNT] : NULL;
        series.status = i % 3 ? KT_SERIES_PARTIAL : KT_SERIES_OK;
        series.clock = nasty[(i + 5) % NASTY_COUNT];
        series.method = KT_METHOD_EVENT_PROFILE;
        series.verified = i % 2;
        series.src = series.dst = i % 2 ? "heap" : NULL;
        series.bytes = i % 2 ? 4096 : NAN;
        series.flops = i % 3 ? 1e15 / 7 : NAN;
        series.first_use_ns = i % 5 ? 1e-7 : NAN;
        series.warmup_ns = i % 5 ? 2e10 : NAN;
        series.warmup_end = (kt_warmup_end)(i % 4);
        series.cold = i % 2;
        series.stop = (kt_stop)(i % 5);
        series.discarded[KT_TIMESTAMP_ZERO] = (uint32_t)i;
        series.discarded[KT_TIMESTAMP_THROTTLED] = 7;
        series.samples_ns = samples_ns;
        *summary = (kt_summary){.n = i % 4,
                                .min = 1. / 3,
                                .median = 1.75 + (double)i,
                                .mean = 1e300,
                                .max = 1e300,
                                .stddev = NAN,
                                .mad = 0.1,
                                .p95 = 123456789.125,
                                .ci95_low = i % 2 ? 1 : NAN,
                                .ci95_high = i % 2 ? 2.5 : NAN,
                                .p95_ci95_low = i % 3 ? 0 : NAN,
                                .p95_ci95_high = i % 3 ? 1e300 : NAN,
                                .robust_stddev = i % 2 ? 1. / 7 : NAN,
                                .resolution = i % 2 ? 0.25 : 0,
                                .outliers_low = (double)i,
                                .outliers_high = 0x1p52,
                                .inflation = i % 3 ? 1.5 : NAN,
                                .drift = i & KT_WARNING_DRIFT ? -0.02 : NAN,
                                .cluster_low = i & KT_WARNING_BIMODAL ? 1 : NAN,
                                .cluster_high = i & KT_WARNING_BIMODAL ? 1e300 : NAN,
                                .cluster_high_share = i & KT_WARNING_BIMODAL ? 1. / 3 : NAN,
                                .warnings = i % (1u << KT_WARNING_COUNT)};
        if (i % 7 == 6) /* of what was measured in vain */
            kt_summarize(NULL, 0, 0, NULL, summary);
        series.median_total_ns = summary->median;
        n->series[i] = series;
        n->devices[i] = make_device(nasty[i], nasty[i]);
    }
    static const kt_param same_as_5[] = {{"size", 5}, {"\ttab", INT32_MIN}};
    for (int i = 0; i < 2; i++) {
        double sorted[1];
        n->baselines[i] = (kt_baseline){.workload = "work",
                                        .params = same_as_5,
                                        .param_count = 2,
                                        .name = i ? "best" : "sequential",
                                        .flags = nasty[3],
                                        .samples_ns = samples_ns,
                                        .threads = 1 + (uint32_t)i,
                                        .n = 1};
        kt_summarize(samples_ns, 1, 0, sorted, &n->baselines[i].summary);
    }
    n->document = make_document(n->series, NASTY_COUNT);
    n->document.desc.command = words;
    n->document.desc.command_count = 1;
    n->document.devices = n->devices;
    n->document.device_count = NASTY_COUNT;
    n->document.baselines = n->baselines;
    n->document.baseline_count = 2;
}

void expect_printable(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (; *at; at++) {
        if (*at < 0x20 || *at == 0x7F)
            assert_int_equal(*at, '\n');
        assert_false(at[0] == 0xC2 && at[1] < 0xA0); /* C1 */
        assert_false(at[0] == 0xFF || at[0] == 0xFE || at[0] == 0xC0);
    }
}

unsigned count_borders(const char *line)
{
    unsigned count = 0;
    for (; *line && *line != '\n'; line++) {
        if (*line == '\\')
            line++;
        else
            count += *line == '|';
    }
    return count;
}
