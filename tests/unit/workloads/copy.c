/* SPDX-License-Identifier: MIT */
/* The workload `copy`: directions, what its results say, and planted faults. */
#include "workloads/copy/copy.h"
#include "tests/unit/testing.h"
#include "workloads/copy/kernels.h"

#include <stdio.h>

#define MIB ((uint64_t)1 << 20)

/* ---- directions ---- */

static void directions_have_names(void **state)
{
    static const struct {
        const char *name;
        copy_direction direction;
    } known[] = {
        {"heap-device", {KT_MEMORY_HEAP, KT_MEMORY_DEVICE, COPY_COMMAND}},
        {"shared-shared", {KT_MEMORY_SHARED, KT_MEMORY_SHARED, COPY_COMMAND}},
        {"heap-heap-all-cores", {KT_MEMORY_HEAP, KT_MEMORY_HEAP, COPY_ALL_CORES}},
        {"device-host-map", {KT_MEMORY_DEVICE, KT_MEMORY_HOST, COPY_MAP}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char name[COPY_NAME_BYTES];
        copy_direction read;
        assert_string_equal(copy_direction_name(&known[i].direction, name), known[i].name);
        assert_true(copy_direction_parse(known[i].name, &read));
        assert_int_equal(read.src, known[i].direction.src);
        assert_int_equal(read.dst, known[i].direction.dst);
        assert_int_equal(read.way, known[i].direction.way);
    }
    static const char *const none[] = {"",
                                       "heap",
                                       "heap-",
                                       "-device",
                                       "heap-default",
                                       "default-heap",
                                       "Heap-heap",
                                       "heap-heap-",
                                       "heap-heap-cores",
                                       "heap_heap",
                                       "heap-heap ",
                                       "device",
                                       "heap-heap-device-map",
                                       "host-device-map-all-cores",
                                       "map"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        copy_direction read;
        if (copy_direction_parse(none[i], &read))
            fail_msg("\"%s\" is taken for a direction", none[i]);
    }
}

static void expect_directions(const kt_device_info *info, const char *expected)
{
    copy_direction directions[COPY_DIRECTIONS_MAX];
    char all[2048] = "";
    size_t count = copy_directions_of(info, directions), at = 0;
    assert_true(count <= COPY_DIRECTIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        char name[COPY_NAME_BYTES];
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", i ? " " : "",
                               copy_direction_name(&directions[i], name));
    }
    assert_string_equal(all, expected);
}

static void directions_of_devices(void **state)
{
    kt_device_info cpu = {.backend = "cpu"};
    cpu.copies[KT_MEMORY_HEAP] = 1u << KT_MEMORY_HEAP;
    expect_directions(&cpu, "heap-heap heap-heap-all-cores");
    kt_device_info other = {.backend = "other"};
    expect_directions(&other, "");
    other.copies[KT_MEMORY_HEAP] = 1u << KT_MEMORY_DEVICE;
    other.copies[KT_MEMORY_DEVICE] = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_DEVICE;
    expect_directions(&other, "heap-device device-heap device-device");
    other.maps = 1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED;
    expect_directions(&other, "heap-device device-heap device-device host-device-map "
                              "host-shared-map device-host-map shared-host-map");
    /* All there can be have room. */
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        cpu.copies[kind] = 2u | 4u | 8u | 16u;
    cpu.maps = 2u | 4u | 8u | 16u;
    copy_direction directions[COPY_DIRECTIONS_MAX];
    assert_int_equal(copy_directions_of(&cpu, directions), 16 + 1 + 6);
}

/* ---- on a device ---- */

typedef struct rig {
    kt_context *context;
    kt_device *device;
    workload_run run;
} rig;

static void open_device(rig *r, const char *device)
{
    *r = (rig){0};
    EXPECT_OK(kt_context_create(&r->context, NULL));
    EXPECT_OK(kt_device_open(r->context, device, &r->device));
}

static kt_status open_copy(rig *r, const char *direction, uint64_t size)
{
    r->run = (workload_run){0};
    const kt_param param = {"size", (int64_t)size};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "copy/size",
                        .workload = "copy",
                        .variant = direction,
                        .params = &param,
                        .param_count = 1};
    return workload_open(&r->run, &workload_copy, NULL, r->device, size, &desc);
}

static kt_status open_run(rig *r, const char *device, const char *direction, uint64_t size)
{
    open_device(r, device);
    return open_copy(r, direction, size);
}

static void close_run(rig *r)
{
    workload_close(&r->run);
    kt_device_close(&r->device);
    kt_context_destroy(&r->context);
}

static kt_status measure(rig *r, uint32_t samples, kt_result **result)
{
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = samples, .samples_max = samples, .max_time_ns = 1};
    return kt_measure(r->run.job, &options, result);
}

static const kt_series *series_of(const kt_result *result, const char *step)
{
    const kt_series *series = kt_result_find(result, step);
    assert_non_null(series);
    return series;
}

static uint32_t discarded(const kt_series *series, kt_timestamp_state state)
{
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        if (i != (int)state)
            assert_int_equal(series->discarded[i], 0);
    return series->discarded[state];
}

/* 1,000 ns and then 4 bytes a ns. */
static void a_result_is_that_of_a_copy(void **state)
{
    rig r;
    kt_result *result = NULL;
    EXPECT_OK(open_run(&r, "sim:0:copy_gbs=4,latency_ns=1000,min_span_ns=10", "host-device", 8192));
    EXPECT_OK(measure(&r, 5, &result));
    const kt_series *copy = series_of(result, "copy"), *wall = series_of(result, "wall");
    assert_int_equal(copy->kind, KT_SERIES_COPY);
    assert_int_equal(copy->status, KT_SERIES_OK);
    assert_string_equal(copy->src, "host");
    assert_string_equal(copy->dst, "device");
    assert_string_equal(copy->workload, "copy");
    assert_string_equal(copy->variant, "host-device");
    EXPECT_NUMBER(copy->bytes, 8192);
    EXPECT_NUMBER(copy->flops, NAN);
    EXPECT_NUMBER(copy->summary.median, 1000 + 8192 / 4.0);
    assert_int_equal(copy->summary.n, 5);
    assert_int_equal(copy->verified, 1);
    assert_int_equal(wall->kind, KT_SERIES_WALL);
    EXPECT_NUMBER(wall->bytes, 8192);
    assert_int_equal(wall->verified, 1);
    kt_result_destroy(&result);
    close_run(&r);
}

/* What is mapped takes the latency, whatever its size, and is verified like what is copied; an
 * earlier mapping is no answer. */
static void maps_are_verified(void **state)
{
    static const char *const directions[] = {"host-device-map", "device-host-map",
                                             "host-shared-map", "shared-host-map"};
    for (int i = 0; i < 4; i++) {
        rig r;
        kt_result *result = NULL;
        EXPECT_OK(open_run(&r, "sim:0:copy_gbs=4,latency_ns=1000,min_span_ns=10", directions[i],
                           MIB + 5));
        EXPECT_OK(measure(&r, 3, &result));
        const kt_series *copy = series_of(result, "copy");
        assert_int_equal(copy->kind, KT_SERIES_COPY);
        assert_int_equal(copy->verified, 1);
        EXPECT_NUMBER(copy->bytes, (double)(MIB + 5));
        EXPECT_NUMBER(copy->summary.median, 1000);
        kt_result_destroy(&result);
        close_run(&r);
        EXPECT_OK(open_run(&r, "sim:0:wrong=4", directions[i], 8192));
        EXPECT_STATUS(measure(&r, 3, &result), KT_WRONG_RESULT);
        EXPECT_TEXT_HAS(kt_error_text(), "wrong output: byte 0 is ");
        kt_result_destroy(&result);
        close_run(&r);
    }
}

/* By one core and by all, of sizes around pieces, pages and words. */
static void the_host_copies(void **state)
{
    static const uint64_t sizes[] = {1,    7,     8,       4095,    4096,
                                     4097, 65536, MIB - 1, MIB + 1, 2 * MIB + 12345};
    static const char *const directions[] = {"heap-heap", "heap-heap-all-cores"};
    rig r;
    open_device(&r, "cpu:0");
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            kt_result *result = NULL;
            EXPECT_OK(open_copy(&r, directions[d], sizes[i]));
            EXPECT_OK(measure(&r, 2, &result));
            const kt_series *copy = series_of(result, "copy");
            assert_int_equal(copy->kind, KT_SERIES_COPY);
            assert_string_equal(copy->src, "heap");
            assert_string_equal(copy->dst, "heap");
            EXPECT_NUMBER(copy->bytes, (double)sizes[i]);
            assert_int_equal(copy->verified, 1);
            kt_result_destroy(&result);
            workload_close(&r.run);
        }
    close_run(&r);
}

/* Within one memory, forwards and backwards, by less than is copied. */
enum { OVERLAPPED = 5000 };
static unsigned char before_overlap[OVERLAPPED];

static kt_status rewrite(void *user, char *text, size_t text_bytes)
{
    return kt_memory_write(user, 0, before_overlap, OVERLAPPED);
}

static void parts_that_overlap(void **state)
{
    static const size_t places[][2] = {{0, 100}, {100, 0}, {50, 51}, {7, 7}, {0, 2000}, {0, 2500}};
    enum { COUNT = 2500 };
    for (size_t i = 0; i < OVERLAPPED; i++)
        before_overlap[i] = (unsigned char)(i % 251);
    rig r;
    open_device(&r, "cpu:0");
    kt_memory *memory = NULL;
    EXPECT_OK(kt_memory_create(r.device, KT_MEMORY_HEAP, OVERLAPPED, &memory));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        size_t from = places[i][0], to = places[i][1];
        unsigned char after[OVERLAPPED];
        kt_result *result = NULL;
        const kt_step step = {.kind = KT_STEP_COPY,
                              .src = memory,
                              .dst = memory,
                              .src_offset_bytes = from,
                              .dst_offset_bytes = to,
                              .copy_bytes = COUNT};
        const kt_job_desc desc = {.size = sizeof desc,
                                  .name = "overlap",
                                  .steps = &step,
                                  .step_count = 1,
                                  .trials_max = 1,
                                  .reset = rewrite,
                                  .user = memory};
        EXPECT_OK(kt_job_create(r.device, &desc, &r.run.job));
        EXPECT_OK(measure(&r, 1, &result));
        EXPECT_OK(kt_memory_read(memory, 0, after, OVERLAPPED));
        for (size_t k = 0; k < OVERLAPPED; k++) {
            size_t source = k >= to && k < to + COUNT ? k - to + from : k;
            assert_int_equal(after[k], source % 251);
        }
        kt_result_destroy(&result);
        kt_job_destroy(&r.run.job);
    }
    kt_memory_destroy(&memory);
    close_run(&r);
}

/* All groups together copy each byte, and none beyond; no two of them write to one line of 64
 * bytes. */
static void parts_make_up_the_whole(void **state)
{
    enum { MOST = 1000 };
    unsigned char src[MOST], dst[MOST + 64];
    for (size_t i = 0; i < MOST; i++)
        src[i] = (unsigned char)(i % 255 + 1);
    for (uint64_t bytes = 1; bytes <= MOST; bytes += 37)
        for (uint32_t groups = 1; groups < 9; groups++) {
            void *args[] = {src, dst, &bytes};
            memset(dst, 0, sizeof dst);
            for (uint32_t g = 0; g < groups; g++) {
                const kt_c_group group = {.group = {g}, .groups = {groups, 1, 1}};
                unsigned char before[sizeof dst];
                memcpy(before, dst, sizeof dst);
                copy_c(&group, args);
                for (size_t i = 0; i < sizeof dst; i++)
                    if (before[i])
                        assert_int_equal(before[i], dst[i]);
            }
            assert_memory_equal(dst, src, bytes);
            for (size_t i = bytes; i < sizeof dst; i++)
                assert_int_equal(dst[i], 0);
        }
}

static void what_is_refused(void **state)
{
    static const struct {
        const char *device, *direction;
        kt_status status;
    } cases[] = {
        {"cpu:0", "heap-device", KT_UNSUPPORTED},
        {"cpu:0", "heap", KT_INVALID},
        {"cpu:0", NULL, KT_INVALID},
        {"sim:0", "heap-heap-all-cores", KT_OK}, /* it runs C functions, too */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig r;
        EXPECT_STATUS(open_run(&r, cases[i].device, cases[i].direction, 4096), cases[i].status);
        close_run(&r);
    }
}

/* ---- faults ---- */

static char reason[256];

static kt_status call(rig *r, kt_job_callback callback)
{
    reason[0] = '\0';
    return callback(&r->run, reason, sizeof reason);
}

/* A submission that was left out: in the end the destination is as it was. */
static void what_was_left_out_is_seen(void **state)
{
    static const uint64_t sizes[] = {1, 4097, 2 * MIB + 4};
    static const char *const unwritten[] = {"byte 0 was never written",
                                            "4,097 bytes from byte 0 on were never written",
                                            "2,097,156 bytes from byte 0 on were never written"};
    static const char *const stale[] = {
        "byte 0 is that of the submission before",
        "4,097 bytes from byte 0 on are those of the submission before",
        "2,097,156 bytes from byte 0 on are those of the submission before"};
    for (int i = 0; i < 3; i++) {
        rig r;
        kt_result *result = NULL;
        EXPECT_OK(open_run(&r, "sim:0", "shared-device", sizes[i]));
        EXPECT_OK(call(&r, workload_copy.reset));
        EXPECT_STATUS(call(&r, workload_copy.verify), KT_WRONG_RESULT);
        assert_string_equal(reason, unwritten[i]);
        EXPECT_OK(measure(&r, 1, &result));
        EXPECT_OK(call(&r, workload_copy.verify));
        EXPECT_OK(call(&r, workload_copy.reset));
        EXPECT_STATUS(call(&r, workload_copy.verify), KT_WRONG_RESULT);
        assert_string_equal(reason, stale[i]);
        kt_result_destroy(&result);
        close_run(&r);
    }
}

/* Whatever changes a byte after the copy: of the first, of one on the edge of pieces, of the
 * last. */
static void each_wrong_byte_is_seen(void **state)
{
    static const uint64_t places[] = {0, MIB - 1, MIB, 2 * MIB + 4};
    rig r;
    kt_result *result = NULL;
    EXPECT_OK(open_run(&r, "sim:0", "heap-device", 2 * MIB + 5));
    EXPECT_OK(measure(&r, 1, &result));
    for (int i = 0; i < 4; i++) {
        unsigned char byte, wrong;
        char expected[64];
        EXPECT_OK(kt_memory_read(r.run.output_memory, places[i], &byte, 1));
        wrong = byte ^ 0x10;
        EXPECT_OK(kt_memory_write(r.run.output_memory, places[i], &wrong, 1));
        EXPECT_STATUS(call(&r, workload_copy.verify), KT_WRONG_RESULT);
        snprintf(expected, sizeof expected, "is 0x%02x, not 0x%02x", wrong, byte);
        EXPECT_TEXT_HAS(reason, expected);
        EXPECT_OK(kt_memory_write(r.run.output_memory, places[i], &byte, 1));
        EXPECT_OK(call(&r, workload_copy.verify));
    }
    kt_result_destroy(&result);
    close_run(&r);
}

/* Its second submission is the only one of warm-up, as it is spoiled, and ends the measurement. */
static void sim_wrong_is_caught(void **state)
{
    rig r;
    kt_result *result = NULL;
    EXPECT_OK(open_run(&r, "sim:0:wrong=2", "heap-device", MIB + 5));
    EXPECT_STATUS(measure(&r, 5, &result), KT_WRONG_RESULT);
    /* The simulated fault is in the first byte of each transfer, and verifying takes five. The
     * third submission's pattern would begin with the low byte of (3 + 3 * 2^40) *
     * 0x9E3779B97F4A7C15: 3 * 0x15. */
    EXPECT_TEXT_HAS(kt_error_text(), "wrong output: byte 0 is 0x6a, not 0x3f; more wrong bytes: 4");
    for (uint32_t i = 0; i < kt_result_series_count(result); i++) {
        const kt_series *series = kt_result_series(result, i);
        assert_int_equal(series->status, KT_SERIES_FAILED);
        assert_int_equal(series->verified, 0);
        assert_int_equal(series->wrong, 1);
        assert_int_equal(series->summary.n, 0);
        EXPECT_TEXT_HAS(series->error, "wrong output: byte 0 is 0x6a");
    }
    kt_result_destroy(&result);
    close_run(&r);
}

static void expect_timestamps_gone(const char *device, kt_timestamp_state state, const char *error)
{
    enum { SAMPLES = 50 };
    rig r;
    kt_result *result = NULL;
    EXPECT_OK(open_run(&r, device, "heap-device", 8192));
    EXPECT_OK(measure(&r, SAMPLES, &result));
    const kt_series *copy = series_of(result, "copy"), *wall = series_of(result, "wall");
    assert_int_equal(copy->status, KT_SERIES_PARTIAL);
    uint32_t gone = discarded(copy, state);
    assert_in_range(gone, 1, SAMPLES - 1);
    assert_int_equal(copy->summary.n, SAMPLES - gone);
    EXPECT_TEXT_HAS(copy->error, error);
    EXPECT_NUMBER(copy->summary.min, 1000 + 8192 / 4.0); /* those that are left are right */
    EXPECT_NUMBER(copy->summary.max, 1000 + 8192 / 4.0);
    assert_int_equal(wall->status, KT_SERIES_OK); /* the host's clock saw all of them */
    assert_int_equal(wall->summary.n, SAMPLES);
    kt_result_destroy(&result);
    close_run(&r);
}

static void expect_no_timestamps(const char *device, const char *error)
{
    rig r;
    kt_result *result = NULL;
    EXPECT_OK(open_run(&r, device, "heap-device", 8192));
    EXPECT_OK(measure(&r, 5, &result));
    const kt_series *copy = series_of(result, "copy"), *wall = series_of(result, "wall");
    assert_int_equal(copy->status, KT_SERIES_NOT_POSSIBLE);
    assert_int_equal(copy->summary.n, 0);
    EXPECT_NUMBER(copy->summary.median, NAN);
    EXPECT_TEXT_HAS(copy->error, error);
    assert_int_equal(wall->status, KT_SERIES_OK);
    kt_result_destroy(&result);
    close_run(&r);
}

static void sim_lost_and_zero_are_caught(void **state)
{
    expect_timestamps_gone("sim:0:copy_gbs=4,lost=0.2", KT_TIMESTAMP_LOST,
                           "mostly in state \"lost\"");
    expect_timestamps_gone("sim:0:copy_gbs=4,zero=0.2", KT_TIMESTAMP_ZERO,
                           "mostly in state \"zero\"");
    expect_no_timestamps("sim:0:lost=1", "the last was lost");
    expect_no_timestamps("sim:0:zero=1", "the last was zero");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_have_names),
        cmocka_unit_test(directions_of_devices),
        cmocka_unit_test(a_result_is_that_of_a_copy),
        cmocka_unit_test(maps_are_verified),
        cmocka_unit_test(the_host_copies),
        cmocka_unit_test(parts_that_overlap),
        cmocka_unit_test(parts_make_up_the_whole),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_was_left_out_is_seen),
        cmocka_unit_test(each_wrong_byte_is_seen),
        cmocka_unit_test(sim_wrong_is_caught),
        cmocka_unit_test(sim_lost_and_zero_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
