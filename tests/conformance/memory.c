/* SPDX-License-Identifier: MIT */
/* What a device says of itself, and its memories. */
#include "suite.h"

#include <stdlib.h>

void info_is_sane(void **state)
{
    const kt_device_info *info = s.info;
    assert_true(info->name[0] && info->driver[0] && info->id[0]);
    assert_int_equal(strncmp(info->id, info->backend, strlen(info->backend)), 0);
    assert_in_range(info->clock_count, 1, KT_CLOCKS_MAX);
    for (uint32_t i = 0; i < info->clock_count; i++) {
        const kt_clock_info *clock = &info->clocks[i];
        assert_true(clock->name[0]);
        if (kt_method_is_elapsed_only(clock->method)) {
            assert_true(isnan(clock->period_ns) && isnan(clock->frequency_hz));
            assert_int_equal(clock->valid_bits, 0);
        } else {
            /* One that is told in whole ns is found later, and so is one of which Metal tells
             * nothing. */
            bool is_reported =
                strcmp(info->backend, "metal") != 0 || strcmp(clock->name, "gpu") != 0;
            assert_true(clock->period_ns > 0 ||
                        (isnan(clock->period_ns) && (clock->reported_period_ns || !is_reported)));
            assert_in_range(clock->valid_bits, is_reported ? 1 : 0, is_reported ? 64 : 0);
        }
        assert_true(clock->method != KT_METHOD_NONE);
    }
    const uint32_t languages = KT_LANGUAGE_C_FUNCTION | KT_LANGUAGE_OPENCL_C |
                               KT_LANGUAGE_SPIRV_SHADER | KT_LANGUAGE_WGSL | KT_LANGUAGE_PTX |
                               KT_LANGUAGE_CUDA_C | KT_LANGUAGE_SPIRV_KERNEL | KT_LANGUAGE_MSL;
    assert_true(info->languages != 0 || s.no_programs);
    assert_true((info->languages & ~languages) == 0);
    assert_true(info->memory_kinds != 0);
    assert_int_equal(info->compute_units == 0, s.profile->no_compute_units != NULL);
    assert_true(info->max_memory_bytes <= info->memory_bytes || info->memory_bytes == 0);
    assert_true(info->max_argument_bytes <= info->max_memory_bytes || info->max_memory_bytes == 0);
    /* Describing tells the same as opening did. */
    kt_device_info described;
    EXPECT_OK(kt_device_describe(s.context, info->id, &described));
    assert_string_equal(described.name, info->name);
    assert_string_equal(described.driver, info->driver);
    assert_int_equal(described.memory_kinds, info->memory_kinds);
    assert_int_equal(described.max_group_size, info->max_group_size);
    assert_int_equal(described.max_argument_bytes, info->max_argument_bytes);
}

/* Parts of odd sizes at odd places are written anew one after the other, and each is read back with
 * what lies around it. */
static void check_memory(kt_memory_kind kind, size_t bytes)
{
    const struct {
        size_t offset, bytes;
    } parts[] = {{bytes / 3, bytes / 2}, {bytes - 1, 1}, {0, 1}, {1, 3}, {63, 2}, {65, 127}};
    kt_memory *memory = make_memory(kind, bytes, 1);
    assert_int_equal(kt_memory_get_kind(memory), kind);
    unsigned char *expected = malloc(bytes), *seen = malloc(bytes);
    assert_true(expected && seen);
    for (size_t i = 0; i < bytes; i++)
        expected[i] = pattern(i, 1);
    for (unsigned p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        unsigned char *part = expected + parts[p].offset;
        if (parts[p].offset + parts[p].bytes > bytes)
            continue;
        for (size_t i = 0; i < parts[p].bytes; i++)
            part[i] = pattern(i, p + 2);
        EXPECT_OK(kt_memory_write(memory, parts[p].offset, part, parts[p].bytes));
        EXPECT_OK(kt_memory_read(memory, parts[p].offset, seen, parts[p].bytes));
        assert_memory_equal(seen, part, parts[p].bytes);
    }
    memset(seen, 0, bytes);
    EXPECT_OK(kt_memory_read(memory, 0, seen, bytes));
    assert_memory_equal(seen, expected, bytes);
    free(seen);
    free(expected);
    kt_memory_destroy(&memory);
}

void memories_hold_what_is_written(void **state)
{
    /* The last one is larger than what is moved at a time, and no multiple of it. */
    static const size_t sizes[] = {1, 7, 4097, ((size_t)9 << 20) + 13};
    for (kt_memory_kind kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++) {
        if (!(s.info->memory_kinds & (1u << kind))) {
            kt_memory *none = NULL;
            EXPECT_STATUS(kt_memory_create(s.device, kind, 64, &none), KT_UNSUPPORTED);
            EXPECT_TEXT_HAS(kt_error_text(), kt_memory_kind_name(kind));
            assert_null(none);
            continue;
        }
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            check_memory(kind, sizes[i]);
    }
}

void memories_have_ends(void **state)
{
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 100, 3);
    assert_true(kt_memory_get_kind(memory) != KT_MEMORY_DEFAULT);
    unsigned char data[200] = {0};
    static const size_t beyond[][2] = {{0, 101}, {100, 1}, {101, 0}, {60, 41}, {SIZE_MAX, 2}};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        EXPECT_STATUS(kt_memory_write(memory, beyond[i][0], data, beyond[i][1]), KT_INVALID);
        EXPECT_STATUS(kt_memory_read(memory, beyond[i][0], data, beyond[i][1]), KT_INVALID);
    }
    EXPECT_OK(kt_memory_read(memory, 0, data, 100));
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(data[i], pattern(i, 3)); /* nothing was written */
    kt_memory_destroy(&memory);
}
