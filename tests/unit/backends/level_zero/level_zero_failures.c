/* SPDX-License-Identifier: MIT */
/* What is said when there is no device, or when one does not do what it should; and what devices
 * tell of themselves. */
#include "tests/unit/backends/level_zero/level_zero.h"
#include "tests/unit/backends/level_zero/local_kernel.h"

/* ---- no device ---- */

static void expect_unavailable(void **state)
{
    const char *reason = *(const char **)*state;
    EXPECT_STATUS(open_device(), KT_UNAVAILABLE);
    EXPECT_TEXT_HAS(kt_error_text(), reason);
    close_device();
}

/* Installing what is there would help nobody. */
static void no_device_of_two(void **state)
{
    EXPECT_STATUS(open_device(), KT_UNAVAILABLE);
    EXPECT_TEXT_HAS(kt_error_text(), "none of Level Zero's 2 drivers has a device");
    assert_null(strstr(kt_error_text(), "install"));
    close_device();
}

static void not_initialised(void **state)
{
    EXPECT_STATUS(open_device(), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "zeInit failed: ZE_RESULT_ERROR_UNKNOWN");
    close_device();
}

/* ---- devices that fail ---- */

/* All calls succeed, nothing is executed: that is an error, and no time of 0. */
static void nothing_executed(void **state)
{
    kt_memory *memory = NULL;
    char byte = 1;
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, 64, &memory));
    EXPECT_STATUS(kt_memory_write(memory, 0, &byte, 1), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "is not ready: nothing was executed");
    kt_memory_destroy(&memory);
    made = make_fill();
    EXPECT_STATUS(try_measure(&made, 3, 1, &measured), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "is not ready: nothing was executed");
    assert_true(!measured || !kt_result_find(measured, "work") ||
                kt_result_find(measured, "work")->summary.n == 0);
}

static void hangs(void **state)
{
    made = make_fill();
    EXPECT_STATUS(try_measure(&made, 3, 1, &measured), KT_TIMEOUT);
}

static void device_is_lost(void **state)
{
    made = make_fill();
    EXPECT_STATUS(try_measure(&made, 3, 1, &measured), KT_DEVICE_LOST);
    EXPECT_TEXT_HAS(kt_error_text(), "ZE_RESULT_ERROR_DEVICE_LOST");
}

static void too_large(void **state)
{
    kt_memory *memory = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEVICE, 50001, &memory), KT_LIMIT);
    EXPECT_OK(kt_memory_create(device, KT_MEMORY_DEVICE, 50000, &memory));
    kt_memory_destroy(&memory);
}

static void not_built(void **state)
{
    kt_program *program = NULL;
    EXPECT_STATUS(make_program(&program), KT_BUILD_FAILED);
    EXPECT_TEXT_HAS(kt_error_text(), "stub says no");
}

static void built_without_kernels(void **state)
{
    kt_program *program = NULL;
    EXPECT_STATUS(make_program(&program), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "the driver finds no kernel fill");
}

/* ---- what is told ---- */

static void expect_group(uint32_t index, uint32_t kinds, uint32_t queues)
{
    const kt_queue_group *group = &kt_device_get_info(device)->queue_groups[index];
    assert_int_equal(group->kinds, kinds);
    assert_int_equal(group->queue_count, queues);
}

/* As a GPU with engines that only copy, and work for all directions on the one that does all. */
static void groups_of_queues(void **state)
{
    const uint32_t all = KT_QUEUE_COMPUTE | KT_QUEUE_COPY | KT_QUEUE_COOPERATIVE;
    assert_int_equal(kt_device_get_info(device)->queue_group_count, 3);
    expect_group(0, all, 1);
    expect_group(1, KT_QUEUE_COPY, 1);
    expect_group(2, KT_QUEUE_COPY, 8);
    made = make_copy(KT_MEMORY_SHARED, KT_MEMORY_HEAP);
    EXPECT_OK(try_measure(&made, 3, 1, &measured));
}

/* Then engines that copy do set-up and checking, and fill what empties the caches; no step is a
 * copy. */
static void engines_apart(void **state)
{
    enum { BYTES = 1024 };
    const kt_measure_options cold = {
        .size = sizeof cold, .samples_min = 3, .samples_max = 3, .max_time_ns = 1, .cold = 1};
    char wrote[BYTES], read[BYTES] = {0};
    for (int from = 0; from < KT_MEMORY_KIND_COUNT; from++)
        assert_int_equal(kt_device_get_info(device)->copies[from], 0);
    made = make_fill();
    memset(wrote, 0x5a, sizeof wrote);
    EXPECT_OK(kt_memory_write(made.memory, 0, wrote, sizeof wrote));
    EXPECT_OK(kt_memory_read(made.memory, 0, read, sizeof read));
    assert_memory_equal(read, wrote, sizeof read);
    EXPECT_OK(kt_measure(made.job, &cold, &measured));
    assert_int_equal(work_of(measured)->summary.n, 3);
}

static void local_memory(void **state)
{
    expect_local_memory(device);
}

/* The first of two does not say which engines it has. */
static void one_device_of_two(void **state)
{
    kt_device *second = NULL;
    EXPECT_TEXT_HAS(kt_device_get_info(device)->name, "Stub of Level Zero 1");
    EXPECT_STATUS(kt_device_open(context, "level_zero:1", &second), KT_UNAVAILABLE);
}

static void no_device_that_answers(void **state)
{
    EXPECT_STATUS(open_device(), KT_NO_MEMORY);
    EXPECT_TEXT_HAS(kt_error_text(), "zeDeviceGetCommandQueueGroupProperties failed");
    close_device();
}

/* What did not tell its caches once is asked again, in place of going on with what is taken where
 * nothing is known. */
static void caches_asked_again(void **state)
{
    const kt_measure_options cold = {
        .size = sizeof cold, .samples_min = 3, .samples_max = 3, .max_time_ns = 1, .cold = 1};
    kt_result *result = NULL;
    made = make_fill();
    EXPECT_STATUS(kt_measure(made.job, &cold, &result), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "zeDeviceGetCacheProperties failed");
    kt_result_destroy(&result);
    EXPECT_OK(kt_measure(made.job, &cold, &result));
    assert_int_equal(work_of(result)->summary.n, 3);
    kt_result_destroy(&result);
}

/* A number is told as one; what only Intel's driver is known for is not said of it. */
static void another_vendor(void **state)
{
    const kt_device_info *info = kt_device_get_info(device);
    assert_int_equal(info->vendor_id, 4660);
    assert_string_equal(info->vendor, "");
    EXPECT_TEXT_HAS(info->driver, "Level Zero 0x01036237 (API 1.");
    assert_false(info->memory_kinds & 1u << KT_MEMORY_HEAP);
}

static void expect_quirk(void **state)
{
    const char *has = *(const char **)*state;
    EXPECT_TEXT_HAS(kt_device_get_info(device)->quirk, has);
    assert_true(has[0] || !kt_device_get_info(device)->quirk[0]);
}

/* Then the clock of events alone is found, by commands between two looks at the host's; empty steps
 * are timestamped by it. */
static void without_pairs(void **state)
{
    EXPECT_OK(kt_device_find_clocks(device));
    const kt_clock_info *clocks = kt_device_get_info(device)->clocks;
    assert_int_equal(clocks[0].relation_source, KT_SOURCE_BRACKETED_SUBMISSIONS);
    assert_int_equal(clocks[1].relation_source, KT_SOURCE_BRACKETED_SUBMISSIONS);
    made = make_copy(KT_MEMORY_DEVICE, KT_MEMORY_DEVICE);
    EXPECT_OK(try_measure(&made, 3, 1, &measured));
    assert_int_equal(work_of(measured)->summary.n, 3);
}

static void with_pairs(void **state)
{
    kt_clock *clock = NULL;
    kt_clock_pair pair;
    EXPECT_OK(kt_device_clock_pair(device, 1, &pair));
    EXPECT_STATUS(kt_device_clock_pair(device, 0, &pair), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(),
                    "both clocks at once for \"global\" alone; this one is \"kernel\"");
    EXPECT_OK(kt_clock_open(device, 1, NULL, &clock));
    assert_int_equal(kt_device_get_info(device)->clocks[1].relation_source,
                     KT_SOURCE_CALIBRATED_TIMESTAMPS);
    kt_clock_close(&clock);
    EXPECT_STATUS(kt_clock_open(device, 2, NULL, &clock), KT_UNSUPPORTED);
}

const struct CMUnitTest level_zero_failures[] = {
    BARE_OF("no_driver", expect_unavailable,
            &(const char *){
                "the Level Zero loader is there, and finds no driver or no device: install"}),
    BARE_OF("no_device", expect_unavailable,
            &(const char *){"Level Zero's driver has no device that can compute"}),
    BARE(no_device_of_two),
    BARE(not_initialised),
    MOOD(nothing_executed),
    MOOD(hangs),
    MOOD(device_is_lost),
    MOOD(too_large),
    MOOD(not_built),
    MOOD(built_without_kernels),
    MOOD(groups_of_queues),
    MOOD(engines_apart),
    MOOD(local_memory),
    MOOD(one_device_of_two),
    BARE(no_device_that_answers),
    MOOD(caches_asked_again),
    MOOD(another_vendor),
    MOOD_OF("tiles_unseen", expect_quirk,
            &(const char *){"over 3 tiles and its driver does not tell the times of each"}),
    MOOD_OF("without_quirk", expect_quirk, &(const char *){""}),
    MOOD(without_pairs),
    MOOD(with_pairs),
    MOODS_END,
};
