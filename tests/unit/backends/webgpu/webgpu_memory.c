/* SPDX-License-Identifier: MIT */
/* Kinds of memory, what copies may be, and limits. */
#include "tests/unit/backends/webgpu/webgpu.h"
#include "workloads/workload.h"

/* Any bytes, though WebGPU moves words of four. */
static void bytes(void **state)
{
    unsigned char content[23], seen[23];
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, sizeof content);
    for (size_t from = 0; from < 6; from++)
        for (size_t count = 1; from + count <= sizeof content; count++) {
            for (size_t i = 0; i < sizeof content; i++)
                content[i] = (unsigned char)(16 * from + count + 3 * i);
            EXPECT_OK(kt_memory_write(memory, 0, content, sizeof content));
            memset(content + from, 0xA5, count);
            EXPECT_OK(kt_memory_write(memory, from, content + from, count));
            memset(seen, 0, sizeof seen);
            EXPECT_OK(kt_memory_read(memory, 0, seen, sizeof seen));
            assert_memory_equal(content, seen, sizeof content);
            EXPECT_OK(kt_memory_read(memory, from, seen, count));
            assert_memory_equal(content + from, seen, count);
        }
    kt_memory_destroy(&memory);
}

/* More than one piece of 16 MiB, and a rest of 5 bytes. */
static void many_bytes(void **state)
{
    enum { COUNT = (16 << 20) + 4 * 1000 + 5 };
    unsigned char *content = test_malloc(COUNT), *seen = test_calloc(COUNT, 1);
    for (size_t i = 0; i < COUNT; i++)
        content[i] = (unsigned char)(i * 131 + i / 65536);
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, COUNT);
    EXPECT_OK(kt_memory_write(memory, 0, content, COUNT));
    EXPECT_OK(kt_memory_read(memory, 0, seen, COUNT));
    assert_memory_equal(content, seen, COUNT);
    kt_memory_destroy(&memory);
    test_free(content);
    test_free(seen);
}

static kt_status try_copy(kt_memory *src, size_t src_offset, kt_memory *dst, size_t dst_offset,
                          size_t count)
{
    const kt_step copy = {.kind = KT_STEP_COPY,
                          .src = src,
                          .dst = dst,
                          .src_offset_bytes = src_offset,
                          .dst_offset_bytes = dst_offset,
                          .copy_bytes = count};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &copy, .step_count = 1};
    kt_job *job = NULL;
    kt_status status = kt_job_create(device, &desc, &job);
    kt_job_destroy(&job);
    return status;
}

static void copies(void **state)
{
    assert_int_equal(info->memory_kinds, 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_DEVICE);
    kt_memory *a = make_memory(KT_MEMORY_DEVICE, 64), *b = make_memory(KT_MEMORY_DEVICE, 64);
    kt_memory *heap = make_memory(KT_MEMORY_HEAP, 64), *other = make_memory(KT_MEMORY_HEAP, 64);
    EXPECT_OK(try_copy(a, 4, b, 8, 12));
    EXPECT_OK(try_copy(heap, 0, b, 0, 64));
    EXPECT_STATUS(try_copy(a, 2, b, 8, 12), KT_UNSUPPORTED);
    EXPECT_STATUS(try_copy(a, 4, b, 9, 12), KT_UNSUPPORTED);
    EXPECT_STATUS(try_copy(a, 4, b, 8, 11), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "whole words");
    EXPECT_STATUS(try_copy(a, 0, a, 32, 32), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "within one buffer");
    EXPECT_STATUS(try_copy(heap, 0, other, 0, 64), KT_UNSUPPORTED);
    kt_memory_destroy(&other);
    kt_memory_destroy(&heap);
    kt_memory_destroy(&b);
    kt_memory_destroy(&a);
}

/* ---- limits ---- */

/* The largest fill, one that is too large, and the sentence. */
typedef struct limit_case {
    uint64_t within, beyond;
    const char *part;
} limit_case;

/* One that lies within what is asked for is no failure. */
static void limit(void **state)
{
    const limit_case *limit = *state;
    EXPECT_OK(run_fill(limit->within));
    EXPECT_STATUS(run_fill(limit->beyond), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), limit->part);
}

/* maxStorageBufferBindingSize of 4000 bytes; 3 groups of 256 elements. */
static limit_case binding_limit = {1000, 1001, "at most 4000 bytes"};
static limit_case groups_limit = {768, 769, "3 groups"};

/* More than a device has that was not asked for its adapter's limits: 2^28 bytes, of which none is
 * touched. */
static void all_of_the_adapter(void **state)
{
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, ((size_t)1 << 28) + 4);
    kt_memory_destroy(&memory);
}

static void group_limit(void **state)
{
    EXPECT_STATUS(run_fill(1000), KT_LIMIT);
}

static void buffer_limit(void **state)
{
    assert_int_equal(info->max_memory_bytes, 5000);
    kt_memory *memory = make_memory(KT_MEMORY_DEVICE, 5000), *none = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEVICE, 5001, &none), KT_LIMIT);
    kt_memory_destroy(&memory);
}

/* A kernel of three memories where two are allowed */
static void memories_limit(void **state)
{
    const workload *matmul = workload_find("matmul");
    workload_run run = {0};
    kt_job_desc desc = {.size = sizeof desc, .name = "matmul", .workload = "matmul"};
    void *problem = NULL;
    EXPECT_OK(matmul->problem_create(8, &problem));
    assert_int_not_equal(workload_open(&run, matmul, problem, device, 8, &desc), KT_OK);
    EXPECT_OK(run_fill(100));
    workload_close(&run);
    matmul->problem_destroy(problem);
}

/* The device has 100,000 bytes: over a limit of its. */
static void no_memory_left(void **state)
{
    kt_memory *first = make_memory(KT_MEMORY_DEVICE, 64000), *second = NULL;
    EXPECT_STATUS(kt_memory_create(device, KT_MEMORY_DEVICE, 64000, &second), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), "no memory left");
    kt_memory_destroy(&first);
    kt_memory_destroy(&second);
    first = make_memory(KT_MEMORY_DEVICE, 64000);
    kt_memory_destroy(&first);
}

const struct CMUnitTest webgpu_memory_tests[] = {
    MOOD(bytes),
    MOOD(many_bytes),
    MOOD(copies),
    MOOD_OF("binding_limit", limit, &binding_limit),
    MOOD(all_of_the_adapter),
    MOOD_OF("groups_limit", limit, &groups_limit),
    MOOD(group_limit),
    MOOD(buffer_limit),
    MOOD(memories_limit),
    MOOD(no_memory_left),
    MOODS_END,
};
