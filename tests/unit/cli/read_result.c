/* SPDX-License-Identifier: MIT */
/* Result files read back: what kerntime writes comes back to the byte. */
#include "cli/result_file/read_result.h"
#include "tests/unit/cli/read_document.h"
#include "tests/unit/rig.h"

#include <float.h>
#include <stdlib.h>

static char reason[READ_REASON_BYTES];

/* The report, as it was read back. */
static kt_report *expect_round_trip(const kt_report *report)
{
    static json_text first, second;
    kt_report *copy = NULL;
    json_text_write(&first, report);
    if (read_result_text(first.data, first.bytes, &copy, reason) != 0)
        fail_msg("refused: %s\n%s", reason, first.data);
    json_text_write(&second, copy);
    assert_string_equal(second.data, first.data);
    return copy;
}

static const kt_param two_params[] = {{"size", INT64_MIN}, {"", INT64_MAX}};

/* A row of what is not there: all that may be null is. */
static void add_failure(kt_report *report, kt_series_status status)
{
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "a/\n\x01", .params = two_params, .param_count = 2};
    EXPECT_OK(kt_report_add_failure(report, "sim:0", &desc, status, "too large \"by far\""));
}

/* Every kind of trouble that a simulated device can make. */
static void measurements_come_back(void **state)
{
    static const char *const devices[] = {"sim:0",
                                          "sim:0:period_ns=52.083333,bits=32,jitter_ns=400",
                                          "sim:0:zero=0.5,lost=0.2,negative=0.1",
                                          "sim:0:lost=1",
                                          "sim:0:kernel_ns=10",
                                          "sim:0:start=18446744073709551615"};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        rig *r = rig_make(devices[i], 3);
        kt_result *result = rig_measure(r, 20, KT_TIMING_BOTH, 3);
        const kt_series first = *kt_result_series(result, 0);
        kt_report *report = document_begin("result");
        EXPECT_OK(kt_report_add_device(report, kt_device_get_info(r->device),
                                       kt_device_get_timer_limits(r->device)));
        add_failure(report, KT_SERIES_NOT_POSSIBLE);
        rig_report(r, report);
        kt_report *copy = expect_round_trip(report);
        const kt_series *read = kt_report_series(copy, 1);
        assert_int_equal(read->status, first.status);
        assert_int_equal(read->summary.n, first.summary.n);
        assert_int_equal(read->raw_count, 20);
        assert_true(read->raw[19].start_ticks == first.raw[19].start_ticks);
        assert_memory_equal(read->discarded, first.discarded, sizeof read->discarded);
        EXPECT_NUMBER(kt_report_timer_limits(copy, 0)->min_span_ns,
                      kt_device_get_timer_limits(r->device)->min_span_ns);
        kt_report_destroy(&copy);
        kt_report_destroy(&report);
    }
}

static void backends_and_devices_come_back(void **state)
{
    kt_report *report = document_begin("devices");
    kt_device_info info = {
        .id = "opencl:3",
        .backend = "opencl",
        .name = "\xe2\x82\xac",
        .vendor_id = UINT32_MAX,
        .pci_address = "8000fa00:3b:1f.7",
        .uuid = "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff",
        .serial = "S1",
        .memory_kinds = 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_SHARED,
        .copies = {[KT_MEMORY_HEAP] = 1u << KT_MEMORY_SHARED,
                   [KT_MEMORY_SHARED] = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_SHARED},
        .maps = 1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED,
        .memory_bytes = UINT64_MAX,
        .max_memory_bytes = (UINT64_C(1) << 53) + 2,
        .max_argument_bytes = (UINT64_C(1) << 53) + 1,
        .clock_count = KT_CLOCKS_MAX};
    for (int i = 0; i < KT_CLOCKS_MAX; i++)
        info.clocks[i] = (kt_clock_info){.name = "kernel",
                                         .method = (kt_method)(i + 1),
                                         .period_ns = 1e-3 / 3,
                                         .period_uncertainty_ns = i % 2 ? 1e-6 / 3 : 0,
                                         .frequency_hz = i ? NAN : 1e15 / 3,
                                         .valid_bits = i ? 64 : 0,
                                         .valid_bits_min = i ? 0 : 33,
                                         .domain = "X",
                                         .uncertainty_ns = NAN,
                                         .drift_ppm = i ? 1e3 / 3 : NAN,
                                         .period_source = (kt_clock_source)i,
                                         .relation_source = (kt_clock_source)(3 - i)};
    memset(info.driver, 'd', sizeof info.driver - 1); /* as long as it can be */
    const kt_timer_limits untrusted = {.resolution_ns = NAN,
                                       .min_span_ns = NAN,
                                       .timestamp_overhead_ns = NAN,
                                       .reason = "they never move"};
    EXPECT_OK(kt_report_add_device(report, &info, &untrusted));
    info = (kt_device_info){.id = "cpu:0"}; /* of which nothing is known, but a quirk */
    memset(info.quirk, 'q', sizeof info.quirk - 1);
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    EXPECT_OK(kt_report_set_clock_error(report, "cpu:0", "it has\nnone"));
    EXPECT_STATUS(kt_report_set_clock_error(report, "cpu:1", "it has none"), KT_INVALID);
    const kt_backend_info missing = {.name = "cuda", .reason = "no driver"},
                          here = {.name = "cpu", .reason = "", .device_count = 1};
    EXPECT_OK(kt_report_add_backend(report, &missing));
    EXPECT_OK(kt_report_add_backend(report, &here));
    kt_report *copy = expect_round_trip(report);
    assert_int_equal(kt_report_device_count(copy), 2);
    assert_int_equal(kt_report_timer_limits(copy, 0)->trusted, 0);
    assert_string_equal(kt_report_timer_limits(copy, 0)->reason, "they never move");
    assert_null(kt_report_timer_limits(copy, 1));
    assert_string_equal(kt_report_device(copy, 0)->pci_address, "8000fa00:3b:1f.7");
    assert_string_equal(kt_report_device(copy, 0)->uuid, "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
    assert_string_equal(kt_report_device(copy, 0)->serial, "S1");
    assert_string_equal(kt_report_device(copy, 1)->uuid, "");
    const kt_clock_info *clocks = kt_report_device(copy, 0)->clocks;
    for (int i = 0; i < KT_CLOCKS_MAX; i++) {
        assert_int_equal(clocks[i].valid_bits, i ? 64 : 0);
        assert_int_equal(clocks[i].valid_bits_min, i ? 0 : 33);
        EXPECT_NUMBER(clocks[i].drift_ppm, i ? 1e3 / 3 : NAN);
        bool is_found = i > KT_SOURCE_REPORTED;
        EXPECT_NUMBER(clocks[i].period_uncertainty_ns, !is_found ? NAN : i % 2 ? 1e-6 / 3 : 0);
        assert_int_equal(clocks[i].period_source, i);
        assert_int_equal(clocks[i].relation_source, 3 - i);
    }
    const uint32_t *copies = kt_report_device(copy, 0)->copies;
    assert_int_equal(copies[KT_MEMORY_HEAP], 1u << KT_MEMORY_SHARED);
    assert_int_equal(copies[KT_MEMORY_HOST], 0);
    assert_int_equal(copies[KT_MEMORY_DEVICE], 0);
    assert_int_equal(copies[KT_MEMORY_SHARED], 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_SHARED);
    assert_int_equal(kt_report_device(copy, 0)->maps,
                     1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED);
    assert_int_equal(kt_report_device(copy, 1)->maps, 0);
    assert_string_equal(kt_report_device(copy, 0)->quirk, "");
    assert_string_equal(kt_report_device(copy, 1)->quirk, info.quirk);
    assert_int_equal(kt_report_device(copy, 1)->clock_count, 0);
    assert_null(kt_report_clock_error(copy, 0));
    assert_string_equal(kt_report_clock_error(copy, 1), "it has\nnone");
    assert_null(kt_report_clock_error(copy, 2));
    assert_true(kt_report_device(copy, 0)->memory_bytes == UINT64_MAX);
    assert_string_equal(kt_report_get_desc(copy)->document, "devices");
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

static void states_of_devices_come_back(void **state)
{
    kt_report *report = document_states();
    kt_report *copy = expect_round_trip(report);
    const kt_device_state *written = kt_report_device_state(report, 0);
    const kt_device_state *read = kt_report_device_state(copy, 0);
    assert_non_null(read);
    assert_string_equal(read->source, "NVML, sysfs");
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        assert_int_equal(read->reading[i], written->reading[i]);
        EXPECT_NUMBER(read->value[i], written->value[i]);
    }
    assert_null(kt_report_device_state(copy, 1));
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

static void an_origin_comes_back(void **state)
{
    const kt_launch launch = {.rank = 3,
                              .size = 8,
                              .local_rank = KT_LAUNCH_UNKNOWN,
                              .local_size = KT_LAUNCH_UNKNOWN,
                              .job = "4711.0",
                              .variable = "SLURM_PROCID"};
    const kt_report_origin origin = {.version = "0.0.1",
                                     .started = "2026-01-31T12:00:00Z",
                                     .os = "os",
                                     .clock = "clock",
                                     .cores = 1,
                                     .host = "h",
                                     .boot_id = "b",
                                     .launch = &launch};
    const kt_report_desc desc = {.size = sizeof desc, .origin = &origin};
    kt_report *report;
    EXPECT_OK(kt_report_create(&report, &desc));
    kt_report *copy = expect_round_trip(report);
    const kt_report_origin *read = kt_report_get_desc(copy)->origin;
    assert_string_equal(read->boot_id, "b");
    assert_int_equal(read->launch->rank, 3);
    assert_int_equal(read->launch->size, 8);
    assert_true(read->launch->local_rank == KT_LAUNCH_UNKNOWN);
    assert_string_equal(read->launch->job, "4711.0");
    assert_string_equal(read->launch->node, "");
    assert_string_equal(read->launch->variable, "SLURM_PROCID");
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

static void diagnostics_come_back(void **state)
{
    static const kt_diagnostic_value unnamed = {.value = 1};
    static const kt_diagnostic wrong[] = {
        {.device = "cuda:1", .check = "resolution", .seen = "seen"},
        {.device = "cuda:0", .seen = "seen"},
        {.device = "cuda:0", .check = "resolution"},
        {.check = "resolution", .seen = "seen"},
        {.device = "cuda:0", .check = "resolution", .seen = "s", .value_count = 1},
        {.device = "cuda:0",
         .check = "resolution",
         .seen = "s",
         .values = &unnamed,
         .value_count = 1},
        {.device = "cuda:0", .check = "resolution", .seen = "s", .severity = (kt_severity)4}};
    kt_report *report = document_doctor();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        EXPECT_STATUS(kt_report_add_diagnostic(report, &wrong[i]), KT_INVALID);
    const kt_diagnostic bare = {.device = "cuda:0", .check = "order", .seen = "in order"};
    EXPECT_OK(kt_report_add_diagnostic(report, &bare));
    kt_report *copy = expect_round_trip(report);
    assert_string_equal(kt_report_get_desc(copy)->document, "doctor");
    assert_int_equal(kt_report_diagnostic_count(copy), 2);
    const kt_diagnostic *full = kt_report_diagnostic(copy, 0),
                        *plain = kt_report_diagnostic(copy, 1);
    assert_string_equal(full->device, "cuda:0");
    assert_int_equal(full->severity, KT_SEVERITY_WARNING);
    assert_string_equal(full->seen, "it was \"seen\"");
    assert_string_equal(full->advice, "it is to be done");
    assert_int_equal(full->value_count, 4);
    assert_string_equal(full->values[2].name, "share");
    EXPECT_NUMBER(full->values[2].value, NAN);
    assert_string_equal(full->values[3].name, "\"a\"");
    EXPECT_NUMBER(full->values[3].value, 7);
    assert_string_equal(plain->check, "order");
    assert_null(plain->means);
    assert_null(plain->advice);
    assert_int_equal(plain->value_count, 0);
    assert_null(kt_report_diagnostic(copy, 2));
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

static void everything_comes_back(void **state)
{
    kt_report *report = document_full();
    add_failure(report, KT_SERIES_FAILED);
    kt_series series = *kt_report_series(report, 0);
    for (int i = 0; i < 5; i++) { /* each word */
        series.kind = (kt_series_kind)(i % 3);
        series.status = (kt_series_status)i;
        series.method = (kt_method)i;
        series.stop = (kt_stop)(i % 4);
        series.raw_count = 0; /* asked for, and there were none */
        EXPECT_OK(kt_report_add_series(report, &series));
    }
    kt_report *copy = expect_round_trip(report);
    const kt_series *read = kt_report_series(copy, 0);
    assert_true(signbit(read->samples_ns[6]));
    assert_true(read->raw[0].end_ticks == UINT64_MAX);
    assert_true(read->raw[1].host_before_ns == INT64_MIN);
    assert_int_equal(read->raw[1].has_timestamps, 0);
    assert_int_equal(read->raw[1].has_elapsed, 0);
    assert_true(read->raw[2].has_elapsed && !read->raw[2].has_timestamps);
    assert_true(read->raw[2].elapsed_ms == 0.1F && read->raw[2].gap_ms == -FLT_MAX);
    EXPECT_NUMBER(read->clock_period_ns, 83.125);
    assert_int_equal(read->context_missing, 5);
    assert_int_equal(read->fastest, 1);
    assert_int_equal(read->wrong, 1);
    EXPECT_NUMBER(read->clock_resolution_ns, 1.25);
    assert_int_equal(read->discarded[KT_TIMESTAMP_NOT_READY], UINT32_MAX - 1);
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

/* ---- memory runs out ---- */

static size_t allocations, failing; /* 0: none fails */
static bool json_failed;

static bool is_failing(void)
{
    return ++allocations == failing;
}

/* The linker puts these in place of the program's own calls (the library's and the reader's). */
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return is_failing() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_failing() ? NULL : __real_realloc(old, bytes);
}

static void *allocate_json(size_t bytes)
{
    if (!is_failing())
        return malloc(bytes);
    json_failed = true;
    return NULL;
}

/* Leaks are for the sanitizer to find. */
static void expect_every_allocation_to_matter(kt_report *whole, size_t least)
{
    static json_text document;
    json_text_write(&document, whole);
    kt_report_destroy(&whole);
    json_set_alloc_funcs(allocate_json, free);
    size_t refused = 0;
    for (failing = 1;; failing++) {
        kt_report *report = NULL;
        allocations = 0;
        json_failed = false;
        int result = read_result_text(document.data, document.bytes, &report, reason);
        if (result != 0)
            assert_null(report);
        /* jansson 2.14 may drop a character that it has no memory for, so that another text, or
         * none, is read. */
        if (!json_failed)
            assert_int_equal(result, allocations < failing ? READ_DONE : READ_NO_MEMORY);
        if (result != READ_DONE && !(json_failed && strncmp(reason, "line ", 5) == 0)) {
            EXPECT_TEXT_HAS(reason, "out of memory");
            assert_int_equal(result, READ_NO_MEMORY);
            refused++;
        }
        kt_report_destroy(&report);
        if (allocations < failing)
            break;
    }
    print_message("%zu of %zu allocations\n", refused, failing - 1);
    assert_true(refused > least);
    failing = 0;
    json_set_alloc_funcs(malloc, free);
}

static void any_allocation_may_fail(void **state)
{
    expect_every_allocation_to_matter(document_full(), 300);
    expect_every_allocation_to_matter(document_doctor(), 50);
}

/* Their models, and which of them copy nothing, are made anew of what was read. */
static void copies_come_back(void **state)
{
    kt_report *report = document_begin("result");
    const kt_device_info info = {.id = "opencl:0", .backend = "opencl", .type = KT_DEVICE_GPU};
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    for (int i = 0; i < 36; i++) {
        double bytes = 8192 * exp2(i % 18), ns = i < 18 ? 300 : 1000 + bytes / 3;
        const double samples_ns[] = {ns, ns + 1, ns + 2, ns + 1, ns};
        double scratch[5];
        char name[32];
        const kt_param size = {"size", (int64_t)bytes};
        snprintf(name, sizeof name, "copy/%.0f", bytes);
        kt_series series = {.name = name,
                            .workload = "copy",
                            .variant = i < 18 ? "device-host-map" : "device-host",
                            .device = "opencl:0",
                            .params = &size,
                            .param_count = 1,
                            .step = "copy",
                            .kind = KT_SERIES_COPY,
                            .trials = 1,
                            .bytes = bytes,
                            .flops = NAN,
                            .first_use_ns = NAN,
                            .first_use_device_ns = NAN,
                            .warmup_ns = NAN,
                            .median_total_ns = NAN,
                            .context_ns = NAN,
                            .speedup = NAN,
                            .samples_ns = samples_ns};
        kt_summarize(samples_ns, 5, 0, scratch, &series.summary);
        EXPECT_OK(kt_report_add_series(report, &series));
    }
    kt_report *copy = expect_round_trip(report);
    for (uint32_t i = 0; i < 36; i++)
        assert_int_equal(kt_report_series(copy, i)->zero_copy, i < 18);
    static json_text text;
    json_text_write(&text, copy);
    EXPECT_TEXT_HAS(text.data, "\"state\": \"zero_copy\"");
    EXPECT_TEXT_HAS(text.data, "\"state\": \"ok\"");
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

/* What the device did meanwhile, and energy: with numbers, and with a reason in their place. */
static void state_and_energy_come_back(void **state)
{
    kt_report *report = document_measured();
    kt_report *copy = expect_round_trip(report);
    uint32_t last = kt_report_series_count(copy) - 1;
    const kt_series *read = kt_report_series(copy, last - 1);
    assert_int_equal(read->state.readings, 3);
    EXPECT_NUMBER(read->state.core_clock_mhz, 1400.5);
    EXPECT_NUMBER(read->state.memory_clock_mhz, NAN);
    EXPECT_NUMBER(read->state.power_w, 0);
    assert_int_equal(read->state.throttle, KT_THROTTLE_MASK);
    assert_int_equal(read->state.left_out, KT_THROTTLE_THERMAL);
    assert_int_equal(read->state.kept_throttled, 7);
    assert_null(read->energy->reason);
    EXPECT_NUMBER(read->energy->dispatch_j, 0.25);
    assert_true(read->energy->dispatches == UINT64_C(10) << 40);
    assert_int_equal(read->energy->throttle, KT_THROTTLE_POWER_CAP);
    assert_string_equal(kt_report_series(copy, last)->energy->reason, "it \"sleeps\"");
    EXPECT_NUMBER(kt_report_series(copy, last)->energy->dispatch_j, NAN);
    assert_null(kt_report_series(copy, 0)->energy);
    assert_int_equal(kt_report_series(copy, 0)->state.readings, 0);
    kt_report_destroy(&copy);
    kt_report_destroy(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measurements_come_back),         cmocka_unit_test(copies_come_back),
        cmocka_unit_test(backends_and_devices_come_back), cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(an_origin_comes_back),           cmocka_unit_test(diagnostics_come_back),
        cmocka_unit_test(states_of_devices_come_back),    cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(state_and_energy_come_back),
    };
    return cmocka_run_group_tests_name("read_result", tests, NULL, rig_end);
}
