/* SPDX-License-Identifier: MIT */
#include "tests/unit/cli/read_document.h"

#include "tests/unit/testing.h"

#include <float.h>
#include <math.h>

int json_text_collect(void *user, const char *data, size_t bytes)
{
    json_text *t = user;
    if (t->bytes + bytes >= sizeof t->data)
        return -1;
    memcpy(t->data + t->bytes, data, bytes);
    t->bytes += bytes;
    t->data[t->bytes] = '\0';
    return 0;
}

const json_text *json_text_write(json_text *to, const kt_report *report)
{
    const kt_sink sink = {.write = json_text_collect, .user = to};
    to->bytes = 0;
    EXPECT_OK(kt_report_write(report, KT_FORMAT_JSON, &sink));
    return to;
}

kt_report *document_begin(const char *kind)
{
    static const char *const words[] = {"bench", "--json", "m\xc3\xa4tmul \"1\".json", "\xff", ""};
    static const kt_report_origin origin = {.version = "0.0.1",
                                            .started = "2001-02-03T04:05:06Z",
                                            .os = "an os",
                                            .cpu = "a cpu",
                                            .clock = "CLOCK",
                                            .cores = 2,
                                            .id = "0123456789abcdef0123456789abcdef"};
    const kt_report_desc desc = {.size = sizeof desc,
                                 .document = kind,
                                 .command = words,
                                 .command_count = 5,
                                 .origin = &origin};
    kt_report *report = NULL;
    EXPECT_OK(kt_report_create(&report, &desc));
    return report;
}

kt_report *document_full(void)
{
    static const double samples_ns[] = {1.0 / 3, 52.083333, 1e15, 0, 5e-324, DBL_MAX, -0.0};
    static const kt_raw raw[] = {
        {.state = KT_TIMESTAMP_OK,
         .has_timestamps = 1,
         .has_queue_timestamps = 1,
         .end_ticks = UINT64_MAX},
        {.state = KT_TIMESTAMP_THROTTLED, .host_before_ns = INT64_MIN, .host_after_ns = INT64_MAX},
        {.state = KT_TIMESTAMP_NEGATIVE, .has_elapsed = 1, .elapsed_ms = 0.1F, .gap_ms = -FLT_MAX},
        {.state = KT_TIMESTAMP_OK,
         .has_timestamps = 1,
         .start_ticks = 7,
         .end_ticks = 20,
         .has_context = 1,
         .context_start_ticks = 8,
         .context_end_ticks = UINT64_MAX}};
    const kt_param param = {"size", 8};
    kt_series series = {.name = "matmul/8",
                        .workload = "matmul",
                        .variant = "tiled",
                        .device = "cuda:0",
                        .params = &param,
                        .param_count = 1,
                        .run = UINT32_MAX,
                        .step = "matmul",
                        .kind = KT_SERIES_COPY,
                        .status = KT_SERIES_PARTIAL,
                        .error = "it ended early",
                        .wrong = 1,
                        .method = KT_METHOD_EVENT_PAIR,
                        .clock = "kernel",
                        .trials = 4,
                        .verified = 1,
                        .zero_copy = 1,
                        .src = "heap",
                        .dst = "shared",
                        .bytes = 1e16,
                        .flops = 1e300,
                        .first_use_ns = 12.5,
                        .first_use_device_ns = NAN,
                        .warmup_n = 3,
                        .warmup_ns = 13.5,
                        .warmup_end = KT_WARMUP_SHORT,
                        .cold = 1,
                        .stop = KT_STOP_MAX_TIME,
                        .samples_ns = samples_ns,
                        .summary = {.n = 7,
                                    .min = 1,
                                    .max = 2,
                                    .mean = 3,
                                    .median = 1.0 / 3,
                                    .stddev = 5,
                                    .mad = 6,
                                    .p95 = 7,
                                    .ci95_low = 8,
                                    .ci95_high = 9,
                                    .p95_ci95_low = -12,
                                    .p95_ci95_high = 14,
                                    .robust_stddev = 15,
                                    .resolution = 16,
                                    .outliers_low = 3,
                                    .outliers_high = 4,
                                    .inflation = 17,
                                    .drift = -0.25,
                                    .cluster_low = 18,
                                    .cluster_high = 19,
                                    .cluster_high_share = 1,
                                    .warnings = (1u << KT_WARNING_COUNT) - 1},
                        .median_total_ns = 10,
                        .clock_period_ns = 83.125,
                        .clock_resolution_ns = 1.25,
                        .context_ns = 11,
                        .context_missing = 5,
                        .fastest = 1,
                        .speedup = 0.1,
                        .raw = raw,
                        .raw_count = 4};
    for (uint32_t i = 1; i < KT_TIMESTAMP_STATE_COUNT; i++)
        series.discarded[i] = UINT32_MAX - i;
    const kt_device_info info = {.id = "cuda:0",
                                 .backend = "cuda",
                                 .name = "a name",
                                 .vendor = "a vendor",
                                 .driver = "a driver",
                                 .vendor_id = 1,
                                 .clocks = {{.name = "kernel",
                                             .method = KT_METHOD_EVENT_PAIR,
                                             .period_ns = 0.5,
                                             .frequency_hz = 2e9,
                                             .valid_bits = 32,
                                             .domain = "MONO",
                                             .uncertainty_ns = 3,
                                             .drift_ppm = -4.25,
                                             .period_source = KT_SOURCE_REPORTED,
                                             .relation_source = KT_SOURCE_BRACKETED_SUBMISSIONS},
                                            {.name = "context",
                                             .method = KT_METHOD_DEVICE_TIMESTAMP,
                                             .period_ns = 83.25,
                                             .period_uncertainty_ns = 0.75,
                                             .reported_period_ns = 83,
                                             .frequency_hz = NAN,
                                             .valid_bits = 32,
                                             .pauses = 1,
                                             .uncertainty_ns = NAN,
                                             .drift_ppm = NAN,
                                             .period_source = KT_SOURCE_CALIBRATED_TIMESTAMPS}},
                                 .clock_count = 2,
                                 .queue_groups = {{KT_QUEUE_COMPUTE | KT_QUEUE_METRICS, 1},
                                                  {KT_QUEUE_COPY | KT_QUEUE_COOPERATIVE, 8}},
                                 .queue_group_count = 2,
                                 .memory_kinds = 1u << KT_MEMORY_HEAP,
                                 .copies = {[KT_MEMORY_HEAP] = 1u << KT_MEMORY_HEAP},
                                 .maps = 1u << KT_MEMORY_SHARED,
                                 .compute_units = 2,
                                 .max_group_size = 3,
                                 .memory_bytes = 4,
                                 .max_memory_bytes = 5,
                                 .max_argument_bytes = 6,
                                 .quirk = "it cuts long loops"};
    const kt_timer_limits limits = {.resolution_ns = 1,
                                    .min_span_ns = 2,
                                    .timestamp_overhead_ns = -3,
                                    .trusted = 1,
                                    .clocks = {{"context", 4, "they stand"}, {"other", 5, ""}}};
    const kt_backend_info backend = {.name = "hip", .reason = "no driver"};
    const kt_baseline baseline = {.workload = "matmul",
                                  .params = &param,
                                  .param_count = 1,
                                  .name = "sequential",
                                  .flags = "-O2",
                                  .samples_ns = samples_ns,
                                  .n = 2};
    kt_report *report = document_begin("result");
    EXPECT_OK(kt_report_add_device(report, &info, &limits));
    EXPECT_OK(kt_report_set_clock_error(report, info.id, "no clock"));
    EXPECT_OK(kt_report_add_backend(report, &backend));
    EXPECT_OK(kt_report_add_series(report, &series));
    EXPECT_OK(kt_report_add_baseline(report, &baseline));
    return report;
}

kt_report *document_doctor(void)
{
    static const kt_diagnostic_value values[] = {
        {"resolution_ns", 1.0 / 3}, {"least", -DBL_MAX}, {"share", NAN}, {"\"a\"", 7}};
    const kt_device_info info = {.id = "cuda:0", .backend = "cuda", .name = "a name"};
    const kt_diagnostic diagnostic = {.device = "cuda:0",
                                      .check = "resolution",
                                      .severity = KT_SEVERITY_WARNING,
                                      .seen = "it was \"seen\"",
                                      .means = "it means",
                                      .advice = "it is to be done",
                                      .values = values,
                                      .value_count = 4};
    kt_report *report = document_begin("doctor");
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    EXPECT_OK(kt_report_add_diagnostic(report, &diagnostic));
    return report;
}

kt_report *document_states(void)
{
    kt_device_info info = {.id = "cuda:0", .backend = "cuda"};
    kt_device_state state = {.source = "NVML, sysfs"};
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        state.reading[i] = KT_READING_OK;
        state.value[i] = 100 + i / 3.0;
    }
    state.value[KT_STATE_THROTTLE] = KT_THROTTLE_POWER_CAP | KT_THROTTLE_SETTING;
    state.value[KT_STATE_CLOCKS_LOCKED] = 0;
    state.value[KT_STATE_TEMPERATURE] = -0.5;
    static const kt_state_value missing[] = {KT_STATE_MEMORY_CLOCK, KT_STATE_ENERGY, KT_STATE_POWER,
                                             KT_STATE_OTHERS, KT_STATE_PERSISTENCE};
    static const kt_reading reasons[] = {KT_READING_UNSUPPORTED, KT_READING_DENIED,
                                         KT_READING_INVALID, KT_READING_FAILED, KT_READING_ASLEEP};
    for (int i = 0; i < 5; i++) {
        state.value[missing[i]] = NAN;
        state.reading[missing[i]] = reasons[i];
    }
    kt_report *report = document_begin("devices");
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    EXPECT_OK(kt_report_set_device_state(report, info.id, &state));
    strcpy(info.id, "cpu:0");
    state.source[0] = '\0';
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    EXPECT_OK(kt_report_set_device_state(report, info.id, &state));
    return report;
}

kt_report *document_measured(void)
{
    const kt_energy measured = {.dispatch_j = 0.25,
                                .ci95_low_j = 0.24,
                                .ci95_high_j = 0.26,
                                .power_w = 300.5,
                                .idle_w = 75,
                                .update_ms = 20.5,
                                .duration_s = 2.5,
                                .dispatches = UINT64_C(10) << 40,
                                .windows = 12,
                                .throttle = KT_THROTTLE_POWER_CAP};
    const kt_energy refused = {.reason = "it \"sleeps\"",
                               .dispatch_j = NAN,
                               .ci95_low_j = NAN,
                               .ci95_high_j = NAN,
                               .power_w = NAN,
                               .idle_w = NAN,
                               .update_ms = NAN,
                               .duration_s = NAN};
    kt_report *report = document_full();
    kt_series series = *kt_report_series(report, 0);
    series.energy = &measured;
    series.state = (kt_state_summary){.readings = 3,
                                      .core_clock_mhz = 1400.5,
                                      .core_clock_low_mhz = 1300,
                                      .core_clock_high_mhz = 1500,
                                      .memory_clock_mhz = NAN,
                                      .temperature_c = -5,
                                      .power_w = 0,
                                      .throttle = KT_THROTTLE_MASK,
                                      .left_out = KT_THROTTLE_THERMAL,
                                      .kept_throttled = 7,
                                      .read_s = 0.125,
                                      .waited_s = 0.5};
    EXPECT_OK(kt_report_add_series(report, &series));
    series.energy = &refused;
    EXPECT_OK(kt_report_add_series(report, &series));
    return report;
}
