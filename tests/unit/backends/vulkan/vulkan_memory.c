/* SPDX-License-Identifier: MIT */
/* Memory of every type: which kinds it makes, and whether all bytes arrive. */
#include "tests/unit/backends/vulkan/vulkan.h"
#include "workloads/fill/value.h"
#include "workloads/workload.h"

#include <stdlib.h>

#define KIND(name) (1u << KT_MEMORY_##name)

typedef struct kinds_case {
    uint32_t kinds;
    kt_memory_kind default_kind;
} kinds_case;

static void kinds(void **state)
{
    const kinds_case *expected = *state;
    assert_int_equal(info->memory_kinds, expected->kinds);
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 1);
    assert_int_equal(kt_memory_get_kind(memory), expected->default_kind);
    kt_memory_destroy(&memory);
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        EXPECT_STATUS(kt_memory_create(device, (kt_memory_kind)kind, 1, &memory),
                      expected->kinds >> kind & 1 ? KT_OK : KT_UNSUPPORTED),
            kt_memory_destroy(&memory);
}

/* ---- memory of the process ---- */

static void no_heap(void **state)
{
    kinds(state);
    for (int kind = 0; kind < KT_MEMORY_KIND_COUNT; kind++)
        assert_int_equal(info->copies[kind] & KIND(HEAP), 0);
    assert_int_equal(info->copies[KT_MEMORY_HEAP], 0);
}

/* Offered, for the driver tells only of memory that is there what it can be used for; then
 * refused. */
typedef struct refused_case {
    kt_status status;
    const char *text;
} refused_case;

static void refused(void **state)
{
    const refused_case *expected = *state;
    assert_true(info->memory_kinds & KIND(HEAP));
    kt_memory *memory = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_HEAP, 5000, &memory), expected->status);
    EXPECT_TEXT_HAS(kt_error_text(), expected->text);
    assert_null(memory);
}

/* ---- bytes ---- */

static unsigned char pattern(size_t at, unsigned seed)
{
    return (unsigned char)(at * 167 + at / 253 + seed * 59);
}

static void fill(unsigned char *bytes, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = pattern(i, seed);
}

static void expect_copy(kt_memory_kind from, kt_memory_kind to)
{
    enum { BYTES = 1000 };
    unsigned char bytes[BYTES], seen[BYTES];
    kt_memory *src = make_memory(from, BYTES), *dst = make_memory(to, BYTES);
    kt_job *job = make_copy(src, dst, BYTES);
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .max_time_ns = 1};
    /* The second time the host writes over what the device wrote and nobody read. */
    for (unsigned seed = 1; seed <= 2; seed++) {
        kt_result *result = NULL;
        fill(bytes, BYTES, seed);
        EXPECT_OK(kt_memory_write(src, 0, bytes, BYTES));
        EXPECT_OK(kt_measure(job, &options, &result));
        kt_result_destroy(&result);
        if (seed == 1)
            EXPECT_OK(kt_memory_write(dst, 0, bytes, BYTES / 2));
        EXPECT_OK(kt_memory_read(dst, 0, seen, BYTES));
        assert_memory_equal(seen, bytes, BYTES);
    }
    kt_job_destroy(&job);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
}

/* Kernels take it like any other memory; what they write is what the host reads. */
static void kernel_on_heap(void **state)
{
    enum { COUNT = 1000 };
    const workload_kernel *fill = workload_find("fill")->kernels;
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_SPIRV_SHADER,
                                     .entry = "main",
                                     .source = (const char *)fill->spirv,
                                     .source_bytes = fill->spirv_bytes};
    const uint32_t count = COUNT;
    uint32_t seen[COUNT];
    kt_memory *memory = make_memory(KT_MEMORY_HEAP, sizeof seen);
    const kt_arg args[] = {{.memory = memory}, {.value = &count, .value_bytes = sizeof count}};
    kt_step step = {.args = args, .arg_count = 2, .groups = {4}, .group_size = {256}};
    EXPECT_OK(kt_program_create(device, &program, &step.program));
    const kt_job_desc desc = {.size = sizeof desc, .name = "fill", .steps = &step, .step_count = 1};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .max_time_ns = 1};
    kt_job *job = NULL;
    kt_result *result = NULL;
    EXPECT_OK(kt_job_create(device, &desc, &job));
    EXPECT_OK(kt_measure(job, &options, &result));
    EXPECT_OK(kt_memory_read(memory, 0, seen, sizeof seen));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(seen[i], FILL_VALUE);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_program_destroy(&step.program);
    kt_memory_destroy(&memory);
}

static void bytes(void **state)
{
    for (int from = KT_MEMORY_HEAP; from < KT_MEMORY_KIND_COUNT; from++) {
        if (!(info->memory_kinds >> from & 1))
            continue;
        for (int to = KT_MEMORY_HEAP; to < KT_MEMORY_KIND_COUNT; to++)
            if (info->memory_kinds >> to & 1)
                expect_copy((kt_memory_kind)from, (kt_memory_kind)to);
    }
}

static kinds_case unified = {KIND(HEAP) | KIND(SHARED), KT_MEMORY_SHARED},
                  discrete = {KIND(HEAP) | KIND(HOST) | KIND(DEVICE), KT_MEMORY_DEVICE},
                  bar = {KIND(HEAP) | KIND(HOST) | KIND(DEVICE) | KIND(SHARED), KT_MEMORY_DEVICE},
                  without_heap = {KIND(HOST) | KIND(DEVICE), KT_MEMORY_DEVICE};
static refused_case no_type = {KT_UNSUPPORTED, "buffers cannot be in heap memory"},
                    no_function = {KT_DRIVER_ERROR, "vkGetMemoryHostPointerPropertiesEXT"},
                    /* 5000 bytes are 8192 for the driver, in units of 4096. */
    whole_units = {KT_NO_MEMORY, "vkAllocateMemory"};

const struct CMUnitTest vulkan_memory_tests[] = {
    MOOD_OF("unified", kinds, &unified),
    MOOD_OF("discrete", kinds, &discrete),
    MOOD_OF("bar", kinds, &bar),
    MOOD_OF("no_heap", no_heap, &without_heap),
    MOOD_OF("heap_of_no_type", refused, &no_type),
    MOOD_OF("heap_without_function", refused, &no_function),
    MOOD_OF("heap_in_whole_units", refused, &whole_units),
    MOOD(bytes),
    MOOD(kernel_on_heap),
    MOODS_END,
};
