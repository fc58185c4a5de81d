/* SPDX-License-Identifier: MIT */
/* Reports: what is added is there, speed-ups find their baseline, and every byte of JSON is JSON.
 * */
#define _DEFAULT_SOURCE /* setenv */
#include "tests/unit/collect.h"
#include "tests/unit/json_check.h"
#include "tests/unit/rig.h"

#include <stdio.h>

static void print_report(const kt_report *report, kt_format format)
{
    const kt_sink sink = {.write = collect};
    output_bytes = 0;
    EXPECT_OK(kt_report_write(report, format, &sink));
    if (format == KT_FORMAT_JSON && !json_check(output, output_bytes, NULL, NULL))
        fail_msg("not JSON: %s", output);
}

/* On the rig's clock a step takes 6000 ns and a submission, plain, 6000 ns as well. */
static rig *measure_on_cpu(void)
{
    const kt_context_options options = rig_fake_clock(1000, 1250);
    rig *r = rig_make_with("cpu:0", &options, 1);
    rig_measure(r, 10, KT_TIMING_BOTH, 1);
    return r;
}

/* An empty report; the one before is destroyed. */
static kt_report *make_report(void)
{
    static kt_report *report;
    kt_report_destroy(&report);
    EXPECT_OK(kt_report_create(&report, NULL));
    return report;
}

static const kt_param size_64[] = {{"size", 64}};

static kt_baseline make_baseline(const char *name)
{
    static const double samples_ns[] = {90000, 30000, 60000}; /* their median 60000 */
    return (kt_baseline){.workload = "unit",
                         .params = size_64,
                         .param_count = 1,
                         .name = name,
                         .flags = "-O2",
                         .samples_ns = samples_ns,
                         .n = 3,
                         .summary = {.median = -1}};
}

static const kt_series *find(const kt_report *report, const char *step)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        if (strcmp(kt_report_series(report, i)->step, step) == 0)
            return kt_report_series(report, i);
    fail_msg("no series %s", step);
    return NULL;
}

static void speedups_whichever_is_added_first(void **state)
{
    for (int baseline_first = 0; baseline_first < 2; baseline_first++) {
        rig *r = measure_on_cpu();
        kt_report *report = make_report();
        EXPECT_OK(kt_report_add_device(report, kt_device_get_info(r->device), NULL));
        const kt_baseline baseline = make_baseline("sequential"), best = make_baseline("best");
        if (baseline_first)
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        EXPECT_OK(kt_report_add_baseline(report, &best)); /* speed-ups are not made of it */
        rig_report(r, report);
        if (!baseline_first) {
            EXPECT_NUMBER(find(report, "first")->speedup, NAN);
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        }
        EXPECT_NUMBER(find(report, "first")->speedup, 10); /* 60000 / 6000 */
        EXPECT_NUMBER(find(report, "wall")->speedup, 10);
        EXPECT_NUMBER(find(report, "wall_timestamped")->speedup, 7.5); /* 60000 / 8000 */
        print_report(report, KT_FORMAT_JSON);
        EXPECT_TEXT_HAS(output, "\"median_ns\": 60000");
        EXPECT_TEXT_HAS(output, "\"speedup\": 10");
        EXPECT_TEXT_HAS(output, "\"flags\": \"-O2\"");
        print_report(report, KT_FORMAT_TABLE);
        EXPECT_TEXT_HAS(output, "10.0x");
        EXPECT_TEXT_HAS(output, "6.000 us");
        EXPECT_TEXT_HAS(output, "60.00 us");
    }
}

static void other_work_gives_no_speedup(void **state)
{
    static const kt_param size_65[] = {{"size", 65}}, name_64[] = {{"n", 64}},
                          two[] = {{"size", 64}, {"size", 64}};
    kt_baseline others[5];
    for (int i = 0; i < 5; i++)
        others[i] = make_baseline("sequential");
    others[0].params = size_65;
    others[1].params = name_64;
    others[2].params = two;
    others[2].param_count = 2;
    others[3].workload = "matmul";
    others[4].param_count = 0;
    rig *r = measure_on_cpu();
    kt_report *report = make_report();
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(r->device), NULL));
    rig_report(r, report);
    for (int i = 0; i < 5; i++) {
        EXPECT_OK(kt_report_add_baseline(report, &others[i]));
        EXPECT_NUMBER(find(report, "first")->speedup, NAN);
    }
}

/* As after a measurement, which finds out about clocks. */
static void a_device_added_again_is_known_better(void **state)
{
    kt_report *report = make_report();
    kt_device_info info = {.id = "opencl:0", .clock_count = 1};
    info.clocks[0] = (kt_clock_info){.name = "kernel", .period_ns = NAN, .drift_ppm = NAN};
    const kt_timer_limits limits = {.min_span_ns = 25, .trusted = 1};
    EXPECT_OK(kt_report_add_device(report, &info, &limits));
    info.clocks[0].period_ns = 41.5;
    info.clocks[0].period_uncertainty_ns = 0.25;
    info.clocks[0].drift_ppm = 12;
    info.clocks[0].uncertainty_ns = 70;
    info.clocks[0].period_source = info.clocks[0].relation_source = KT_SOURCE_BRACKETED_SUBMISSIONS;
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    assert_int_equal(kt_report_device_count(report), 1);
    const kt_clock_info *clock = &kt_report_device(report, 0)->clocks[0];
    EXPECT_NUMBER(clock->period_ns, 41.5);
    EXPECT_NUMBER(clock->period_uncertainty_ns, 0.25);
    EXPECT_NUMBER(clock->uncertainty_ns, 70);
    assert_int_equal(clock->relation_source, KT_SOURCE_BRACKETED_SUBMISSIONS);
    EXPECT_NUMBER(kt_report_timer_limits(report, 0)->min_span_ns, 25); /* nobody brought another */
    print_report(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(output, "\"period_ns\": 41.5, \"frequency_hz\": 0, "
                            "\"period_uncertainty_ns\": 0.25, \"valid_bits\": null, "
                            "\"valid_bits_min\": null, \"domain\": null, \"uncertainty_ns\": 70, "
                            "\"drift_ppm\": 12, \"period_source\": \"bracketed_submissions\", "
                            "\"relation_source\": \"bracketed_submissions\"}");
}

/* Simulated time over this machine's time would be a number without a meaning. */
static void simulated_work_gives_no_speedup(void **state)
{
    rig *r = rig_make("sim:0", 1);
    rig_measure(r, 10, KT_TIMING_BOTH, 1);
    kt_report *report = make_report();
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(r->device),
                                   kt_device_get_timer_limits(r->device)));
    const kt_baseline baseline = make_baseline("sequential");
    EXPECT_OK(kt_report_add_baseline(report, &baseline));
    rig_report(r, report);
    EXPECT_OK(kt_report_add_baseline(report, &baseline));
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        EXPECT_NUMBER(kt_report_series(report, i)->speedup, NAN);
    print_report(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(output, "\"min_span_ns\": 100");
    EXPECT_TEXT_HAS(output, "\"speedup\": null");
    EXPECT_TEXT_HAS(output, "\"started\": \"simulated\""); /* the same bytes on any day */
}

static void failures_are_rows(void **state)
{
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "matmul/99999",
                              .workload = "matmul",
                              .variant = "tiled",
                              .params = size_64,
                              .param_count = 1};
    kt_report *report = make_report();
    EXPECT_OK(kt_report_add_failure(report, "cuda:0", &desc, KT_SERIES_NOT_POSSIBLE,
                                    "too large \"by far\""));
    EXPECT_OK(kt_report_add_failure(report, "cuda:0", &desc, KT_SERIES_FAILED, NULL));
    assert_int_equal(kt_report_series_count(report), 2);
    assert_null(kt_report_series(report, 2));
    const kt_series *row = kt_report_series(report, 0);
    assert_string_equal(row->name, "matmul/99999");
    assert_string_equal(row->workload, "matmul");
    assert_string_equal(row->variant, "tiled");
    assert_string_equal(row->device, "cuda:0");
    assert_int_equal(row->params[0].value, 64);
    assert_int_equal(row->status, KT_SERIES_NOT_POSSIBLE);
    assert_string_equal(row->error, "too large \"by far\"");
    assert_int_equal(row->summary.n, 0);
    EXPECT_NUMBER(row->summary.median, NAN);
    EXPECT_NUMBER(row->first_use_ns, NAN);
    print_report(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(output, "\"not_possible\"");
    EXPECT_TEXT_HAS(output, "too large \\\"by far\\\"");
    print_report(report, KT_FORMAT_TABLE);
    EXPECT_TEXT_HAS(output, "matmul/99999");
}

/* A report holds copies: what it was given may be gone. */
static void everything_is_copied(void **state)
{
    char word[] = "bench", name[] = "job", device[] = "sim:9", reason[] = "a reason",
         param[] = "size", backend_why[] = "no driver";
    const char *words[] = {word};
    const kt_report_desc desc = {.size = sizeof desc, .command = words, .command_count = 1};
    kt_report *report;
    EXPECT_OK(kt_report_create(&report, &desc));
    const kt_param params[] = {{param, 5}};
    const kt_job_desc job = {.size = sizeof job, .name = name, .params = params, .param_count = 1};
    EXPECT_OK(kt_report_add_failure(report, device, &job, KT_SERIES_FAILED, reason));
    const kt_backend_info backend = {
        .name = "cuda", .title = "CUDA", .status = KT_UNAVAILABLE, .reason = backend_why};
    EXPECT_OK(kt_report_add_backend(report, &backend));
    char *const texts[] = {word, name, device, reason, param, backend_why};
    for (int i = 0; i < 6; i++)
        memset(texts[i], '!', strlen(texts[i]));
    print_report(report, KT_FORMAT_JSON);
    const char *const expected[] = {"\"bench\"",    "\"job\"",  "\"sim:9\"",
                                    "\"a reason\"", "\"size\"", "\"no driver\""};
    for (int i = 0; i < 6; i++)
        EXPECT_TEXT_HAS(output, expected[i]);
    assert_null(strstr(output, "!!"));
    kt_report_destroy(&report);
    assert_null(report);
    kt_report_destroy(&report);
}

/* Neither the texts nor the numbers that a series points to belong to the report afterwards. */
static void a_series_is_copied_as_it_is(void **state)
{
    char name[] = "copy/8", kind[] = "heap", clock[] = "kernel", param[] = "bytes";
    double samples_ns[] = {30, 10, 20};
    kt_param params[] = {{param, 8}};
    kt_raw raw[] = {{.state = KT_TIMESTAMP_LOST, .host_before_ns = 7}};
    const kt_series series = {
        .name = name,
        .workload = name,
        .device = name,
        .params = params,
        .param_count = 1,
        .run = 3,
        .step = name,
        .kind = KT_SERIES_COPY,
        .clock = clock,
        .src = kind,
        .dst = kind,
        .samples_ns = samples_ns,
        .discarded = {[KT_TIMESTAMP_LOST] = 5},
        .summary = {.n = 3, .median = 77}, /* not theirs: nothing is computed anew */
        .speedup = 4,
        .raw = raw,
        .raw_count = 1,
    };
    kt_report *report = make_report();
    EXPECT_OK(kt_report_add_series(report, &series));
    memset(name, '!', strlen(name));
    memset(kind, '!', strlen(kind));
    memset(clock, '!', strlen(clock));
    memset(param, '!', strlen(param));
    samples_ns[0] = params[0].value = raw[0].host_before_ns = -1;
    const kt_series *copy = kt_report_series(report, 0);
    const char *const texts[] = {copy->name, copy->workload, copy->device, copy->step};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(texts[i], "copy/8");
    assert_string_equal(copy->src, "heap");
    assert_string_equal(copy->dst, "heap");
    assert_string_equal(copy->clock, "kernel");
    assert_null(copy->variant);
    assert_null(copy->error);
    assert_string_equal(copy->params[0].name, "bytes");
    assert_int_equal(copy->params[0].value, 8);
    assert_int_equal(copy->run, 3);
    assert_int_equal(copy->discarded[KT_TIMESTAMP_LOST], 5);
    EXPECT_NUMBER(copy->samples_ns[0], 30);
    EXPECT_NUMBER(copy->summary.median, 77);
    EXPECT_NUMBER(copy->speedup, 4);
    assert_int_equal(copy->raw_count, 1);
    assert_int_equal(copy->raw[0].host_before_ns, 7);
}

/* The baseline does the work of all steps: one step alone has no speed-up over it. */
static void steps_of_several_have_no_speedup(void **state)
{
    rig *r = measure_on_cpu();
    const kt_baseline baseline = make_baseline("sequential");
    kt_series step = *kt_result_series(r->results[0], 0), total = step;
    step.step = "one of them";
    total.step = "total";
    for (int baseline_first = 0; baseline_first < 2; baseline_first++) {
        kt_report *report = make_report();
        if (baseline_first)
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        EXPECT_OK(kt_report_add_series(report, &step));
        EXPECT_OK(kt_report_add_series(report, &total));
        if (!baseline_first)
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        assert_true(isnan(kt_report_series(report, 0)->speedup));
        EXPECT_NUMBER(kt_report_series(report, 1)->speedup, 10);
    }
}

/* Runs of several processes are merged so: the numbers of one, the baselines of another. */
static void added_series_find_their_baseline(void **state)
{
    rig *r = measure_on_cpu();
    kt_series known = *kt_result_series(r->results[0], 0), unknown = known;
    known.speedup = 2;
    const kt_baseline baseline = make_baseline("sequential");
    for (int baseline_first = 0; baseline_first < 2; baseline_first++) {
        kt_report *report = make_report();
        if (baseline_first)
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        EXPECT_OK(kt_report_add_series(report, &known));
        EXPECT_OK(kt_report_add_series(report, &unknown));
        if (!baseline_first)
            EXPECT_OK(kt_report_add_baseline(report, &baseline));
        EXPECT_NUMBER(kt_report_series(report, 0)->speedup, 2);
        EXPECT_NUMBER(kt_report_series(report, 1)->speedup, 10);
        assert_int_equal(kt_report_baseline_count(report), 1);
        EXPECT_NUMBER(kt_report_baseline(report, 0)->summary.median, 60000);
        assert_null(kt_report_baseline(report, 1));
    }
}

static void an_origin_stays_what_was_given(void **state)
{
    char version[] = "9.8.7", started[] = "2031-02-03T04:05:06Z", os[] = "an os",
         clock[] = "a clock";
    kt_report_origin origin = {
        .version = version, .started = started, .os = os, .clock = clock, .cores = 77};
    const kt_report_desc desc = {.size = sizeof desc, .document = "devices", .origin = &origin};
    rig *r = rig_make("sim:0", 0);
    kt_report *report;
    EXPECT_OK(kt_report_create(&report, &desc));
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(r->device), NULL));
    version[0] = started[0] = os[0] = clock[0] = '!';
    print_report(report, KT_FORMAT_JSON);
    EXPECT_TEXT_HAS(output, "\"version\": \"9.8.7\"");
    EXPECT_TEXT_HAS(output, "\"started\": \"2031-02-03T04:05:06Z\"");
    EXPECT_TEXT_HAS(output, "{\"os\": \"an os\", \"cpu\": null, \"cores\": 77, "
                            "\"clock\": \"a clock\"}");
    const kt_report_desc *kept = kt_report_get_desc(report);
    assert_string_equal(kept->document, "devices");
    assert_string_equal(kept->origin->version, "9.8.7");
    assert_null(kept->origin->cpu);
    kt_report_destroy(&report);
    const char **const texts[] = {&origin.version, &origin.started, &origin.os, &origin.clock};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = *texts[i];
        *texts[i] = NULL;
        EXPECT_STATUS(kt_report_create(&report, &desc), KT_INVALID);
        assert_null(report);
        *texts[i] = text;
    }
}

/* A device and an origin with all that identifies them. */
static kt_report *make_identified(int anonymous)
{
    const kt_launch launch = {.rank = 1, .size = 2, .variable = "RANK"};
    const kt_report_origin origin = {.version = "1",
                                     .started = "s",
                                     .os = "os",
                                     .clock = "c",
                                     .id = "secret-id",
                                     .host = "secret-host",
                                     .boot_id = "secret-boot",
                                     .launch = &launch};
    const kt_report_desc desc = {.size = sizeof desc, .origin = &origin, .anonymous = anonymous};
    const kt_device_info info = {.id = "cuda:0",
                                 .name = "a GPU",
                                 .pci_address = "secret-pci",
                                 .uuid = "secret-uuid",
                                 .serial = "secret-serial"};
    kt_report *report;
    EXPECT_OK(kt_report_create(&report, &desc));
    EXPECT_OK(kt_report_add_device(report, &info, NULL));
    return report;
}

static void what_identifies_is_left_out_if_asked(void **state)
{
    static const char *const all[] = {"secret-id",  "secret-host", "secret-boot",  "\"rank\": 1",
                                      "secret-pci", "secret-uuid", "secret-serial"};
    kt_report *report = make_identified(0);
    print_report(report, KT_FORMAT_JSON);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        EXPECT_TEXT_HAS(output, all[i]);
    kt_report_destroy(&report);
    report = make_identified(1);
    print_report(report, KT_FORMAT_CSV);
    assert_null(strstr(output, "secret"));
    print_report(report, KT_FORMAT_JSON);
    assert_null(strstr(output, "secret"));
    EXPECT_TEXT_HAS(output, "\"launch\": null");
    assert_null(kt_report_get_desc(report)->origin->launch);
    kt_report_destroy(&report);
}

static void simulated_ranks_are_told_apart(void **state)
{
    rig sim;
    rig_open(&sim, "sim:0");
    setenv("MY_RANK", "7", 1);
    const kt_report_desc desc = {.size = sizeof desc, .rank_variable = "MY_RANK"};
    kt_report *report;
    EXPECT_OK(kt_report_create(&report, &desc));
    unsetenv("MY_RANK");
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(sim.device), NULL));
    const kt_report_origin *origin = kt_report_get_desc(report)->origin;
    assert_string_equal(origin->host, "simulated");
    assert_null(origin->boot_id);
    assert_int_equal(origin->launch->rank, 7);
    kt_report_destroy(&report);
    /* To have none is no failure. */
    EXPECT_STATUS(kt_report_create(NULL, &desc), KT_INVALID);
    char before[512];
    snprintf(before, sizeof before, "%s", kt_error_text());
    EXPECT_OK(kt_report_create(&report, &desc));
    assert_null(kt_report_get_desc(report)->origin->launch);
    assert_string_equal(kt_error_text(), before);
    kt_report_destroy(&report);
    rig_close(&sim);
}

static void simulated_devices_hide_this_machine_only_while_alone(void **state)
{
    rig sim, cpu;
    rig_open(&sim, "sim:0");
    rig_open(&cpu, "cpu:0");
    kt_report *report = make_report();
    const kt_report_desc *desc = kt_report_get_desc(report);
    assert_string_equal(desc->document, "result");
    assert_string_equal(desc->origin->version, kt_version());
    char os[96];
    snprintf(os, sizeof os, "%s", desc->origin->os);
    assert_string_not_equal(os, "simulated");
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(sim.device), NULL));
    assert_string_equal(desc->origin->os, "simulated");
    assert_string_equal(desc->origin->version, kt_version());
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(cpu.device), NULL));
    assert_string_equal(desc->origin->os, os);
    assert_int_equal(kt_report_device_count(report), 2);
    assert_string_equal(kt_report_device(report, 1)->id, "cpu:0");
    assert_null(kt_report_device(report, 2));
    assert_null(kt_report_timer_limits(report, 1));
    const kt_timer_limits limits = {.resolution_ns = 3};
    EXPECT_OK(kt_report_add_device(report, kt_device_get_info(cpu.device), &limits));
    assert_int_equal(kt_report_device_count(report), 2);
    EXPECT_NUMBER(kt_report_timer_limits(report, 1)->resolution_ns, 3);
    assert_null(kt_report_timer_limits(report, 2));
    rig_close(&cpu);
    rig_close(&sim);
}

/* Columns on the screen before `part` in a line: one for each character that is no continuation
 * byte. */
static unsigned column_of(const char *line, const char *part)
{
    unsigned column = 0;
    for (const char *at = line, *end = strstr(line, part); at < end; at++)
        column += ((unsigned char)*at & 0xC0) != 0x80;
    return column;
}

static void columns_of_the_table_line_up(void **state)
{
    static const char *const names[] = {"a", "matmul/2048", "M\xc3\xa4trix\xc3\x97/16"};
    kt_report *report = make_report();
    for (int i = 0; i < 3; i++) {
        rig *r = rig_make("sim:0", 0);
        kt_step copy = {.kind = KT_STEP_COPY, .copy_bytes = 8};
        EXPECT_OK(kt_memory_create(r->device, KT_MEMORY_HEAP, 8, &r->input));
        copy.src = copy.dst = r->input;
        const kt_job_desc desc = {
            .size = sizeof desc, .name = names[i], .steps = &copy, .step_count = 1};
        EXPECT_OK(kt_job_create(r->device, &desc, &r->job));
        rig_measure(r, 10, KT_TIMING_BOTH, 1);
        rig_report(r, report);
    }
    print_report(report, KT_FORMAT_TABLE);
    const char *line = strstr(output, "NAME"); /* the table comes last */
    unsigned device = column_of(line, "DEVICE");
    assert_true(device > strlen("matmul/2048"));
    unsigned median_end = column_of(line, "DEVICE TIME") + (unsigned)strlen("DEVICE TIME");
    for (int i = 0; i < 3; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(strncmp(line, names[i], strlen(names[i])), 0);
        assert_int_equal(column_of(line, "sim:0"), device);
        /* 8 bytes take 1000.8 ns; the number stands at the right of its column. */
        assert_int_equal(column_of(line, "1.001 us") + strlen("1.001 us"), median_end);
    }
}

static void raw_timestamps_are_text(void **state)
{
    rig *r = rig_make("sim:0:start=18446744000000000000", 1);
    kt_result *result = rig_measure(r, 10, KT_TIMING_BOTH, 1);
    const kt_raw raw = rig_series(result, "first")->raw[9];
    kt_report *report = make_report();
    rig_report(r, report);
    print_report(report, KT_FORMAT_JSON);
    char expected[96];
    snprintf(expected, sizeof expected, "\"start_ticks\": \"%llu\"",
             (unsigned long long)raw.start_ticks);
    EXPECT_TEXT_HAS(output, expected);
    assert_true(raw.start_ticks >
                UINT64_MAX / 2); /* more than a signed or rounded number could hold */
}

static int refuse_after(void *user, const char *data, size_t bytes)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void a_sink_may_refuse(void **state)
{
    rig *r = rig_make("sim:0", 3);
    rig_measure(r, 300, KT_TIMING_BOTH, 1); /* several buffers long */
    kt_report *report = make_report();
    rig_report(r, report);
    for (int accepted = 0; accepted < 4; accepted++) {
        int left = accepted;
        const kt_sink sink = {.write = refuse_after, .user = &left};
        EXPECT_STATUS(kt_report_write(report, KT_FORMAT_JSON, &sink), KT_IO_ERROR);
        assert_int_equal(left, -1); /* asked once more, and then no more */
    }
    const kt_sink sink = {.write = collect};
    EXPECT_STATUS(kt_report_write(report, (kt_format)77, &sink), KT_INVALID);
}

/* What could not begin has no memories: the direction tells their kinds. */
static void a_copy_that_could_not_begin_is_a_copy(void **state)
{
    kt_report *report = make_report();
    kt_step step = {.kind = KT_STEP_COPY, .copy_bytes = 12};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "copy/12",
                        .workload = "copy",
                        .variant = "heap-shared",
                        .steps = &step,
                        .step_count = 1};
    EXPECT_OK(kt_report_add_failure(report, "cuda:0", &desc, KT_SERIES_NOT_POSSIBLE, "too large"));
    desc.variant = NULL; /* nobody knows */
    EXPECT_OK(kt_report_add_failure(report, "cuda:0", &desc, KT_SERIES_FAILED, "lost"));
    const kt_series *known = kt_report_series(report, 0), *unknown = kt_report_series(report, 1);
    assert_int_equal(known->kind, KT_SERIES_COPY);
    assert_string_equal(known->src, "heap");
    assert_string_equal(known->dst, "shared");
    assert_true(known->bytes == 12);
    assert_int_equal(unknown->kind, KT_SERIES_COPY);
    assert_null(unknown->src);
    assert_null(unknown->dst);
}

/* Each refused alone, and nothing is added. */
static void what_lacks_a_member_is_refused(void **state)
{
    kt_report *report = make_report();
    const kt_series whole = {.name = "unit", .workload = "unit", .device = "sim:0", .step = "unit"};
    static const kt_param unnamed = {NULL, 1};
    kt_series series[10];
    for (int i = 0; i < 10; i++)
        series[i] = whole;
    series[0].name = NULL;
    series[1].workload = NULL;
    series[2].device = NULL;
    series[3].step = NULL;
    series[4].param_count = 1;
    series[5].param_count = 1, series[5].params = &unnamed;
    series[6].summary.n = 1;
    series[7].status = (kt_series_status)99;
    series[8].method = (kt_method)-1;
    series[9].kind = (kt_series_kind)99;
    for (int i = 0; i < 10; i++)
        EXPECT_STATUS(kt_report_add_series(report, &series[i]), KT_INVALID);
    kt_baseline baselines[6];
    for (int i = 0; i < 6; i++)
        baselines[i] = make_baseline("sequential");
    baselines[0].name = NULL;
    baselines[1].workload = NULL;
    baselines[2].flags = NULL;
    baselines[3].params = NULL;
    baselines[4].params = &unnamed;
    baselines[5].samples_ns = NULL;
    for (int i = 0; i < 6; i++)
        EXPECT_STATUS(kt_report_add_baseline(report, &baselines[i]), KT_INVALID);
    kt_job_desc job = {.size = sizeof job, .params = &unnamed, .param_count = 1};
    EXPECT_STATUS(kt_report_add_failure(report, "sim:0", &job, KT_SERIES_NOT_POSSIBLE, "no"),
                  KT_INVALID);
    job.name = "unit";
    EXPECT_STATUS(kt_report_add_failure(report, "sim:0", &job, KT_SERIES_NOT_POSSIBLE, "no"),
                  KT_INVALID);
    kt_device_info info = {.id = "sim:0", .clock_count = KT_CLOCKS_MAX + 1};
    EXPECT_STATUS(kt_report_add_device(report, &info, NULL), KT_INVALID);
    info = (kt_device_info){.id = "sim:0", .queue_group_count = KT_QUEUE_GROUPS_MAX + 1};
    EXPECT_STATUS(kt_report_add_device(report, &info, NULL), KT_INVALID);
    assert_int_equal(kt_report_series_count(report), 0);
    assert_int_equal(kt_report_baseline_count(report), 0);
    assert_int_equal(kt_report_device_count(report), 0);
    kt_series bare = whole; /* no samples, no error: what may be missing */
    EXPECT_OK(kt_report_add_series(report, &bare));
    print_report(report, KT_FORMAT_JSON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_whichever_is_added_first),
        cmocka_unit_test(what_lacks_a_member_is_refused),
        cmocka_unit_test(other_work_gives_no_speedup),
        cmocka_unit_test(a_device_added_again_is_known_better),
        cmocka_unit_test(simulated_work_gives_no_speedup),
        cmocka_unit_test(failures_are_rows),
        cmocka_unit_test(everything_is_copied),
        cmocka_unit_test(a_series_is_copied_as_it_is),
        cmocka_unit_test(added_series_find_their_baseline),
        cmocka_unit_test(steps_of_several_have_no_speedup),
        cmocka_unit_test(an_origin_stays_what_was_given),
        cmocka_unit_test(simulated_devices_hide_this_machine_only_while_alone),
        cmocka_unit_test(what_identifies_is_left_out_if_asked),
        cmocka_unit_test(simulated_ranks_are_told_apart),
        cmocka_unit_test(columns_of_the_table_line_up),
        cmocka_unit_test(raw_timestamps_are_text),
        cmocka_unit_test(a_sink_may_refuse),
        cmocka_unit_test(a_copy_that_could_not_begin_is_a_copy),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, rig_end);
}
