/* SPDX-License-Identifier: MIT */
/*
 * Every backend fills what the contract requires, and the template, which is in no list, keeps
 * compiling and doing what a backend does.
 */
#include "backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TIMEOUT_NS INT64_C(1000000000)

#define ITEMS 6

extern const kt_backend kt_backend_template;

static void check_slots(const kt_backend *backend, const char *name)
{
    assert_string_equal(backend->name, name);
    assert_true(backend->title && *backend->title);
    assert_non_null(backend->lib_init);
    /* Built without the vendor's headers it keeps its row, and says so. */
    if (!backend->device_info) {
        uint32_t count = 0;
        assert_int_equal(backend->lib_init(NULL, &count), KT_UNAVAILABLE);
        return;
    }
    assert_non_null(backend->device_init);
    assert_non_null(backend->memory_init);
    assert_non_null(backend->memory_read);
    assert_non_null(backend->memory_write);
    assert_non_null(backend->program_init);
    assert_non_null(backend->job_init);
    assert_non_null(backend->job_submit);
    assert_non_null(backend->job_wait);
    assert_non_null(backend->job_read);
    const kt_instrumentation *calls = backend->instrumentation;
    if (!calls)
        return;
    assert_non_null(calls->timer_context_init);
    assert_true(calls->mark_read ? calls->mark_fini != NULL : calls->recording_read != NULL);
}

static void test_required_slots(void **state)
{
    (void)state;
#define CHECK(name, id) check_slots(&kt_backend_##name, #name);
    KT_BACKENDS_(CHECK)
#undef CHECK
    check_slots(&kt_backend_template, "template");
}

/* Adds a number to each item of its group. */
static void add(const kt_c_group *group, void *const *args)
{
    int *items = (int *)args[0] + group->group[0] * group->group_size[0];
    for (uint32_t i = 0; i < group->group_size[0]; i++)
        items[i] += *(const int *)args[1];
}

static int64_t now(void *user)
{
    return ++*(int64_t *)user;
}

/* As the core does: zeroed, and of the size that the backend names. */
static void *private_memory(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    assert_non_null(memory);
    return memory;
}

static void run_job(const kt_backend *b, void *device, const kt_backend_job *desc)
{
    kt_timestamp timestamps[2] = {{0}};
    void *job = private_memory(b->job_size);
    assert_int_equal(b->job_init(job, device, desc), KT_OK);
    assert_int_equal(b->job_submit(job, true, 3), KT_OK);
    assert_int_equal(b->job_wait(job, TIMEOUT_NS), KT_OK);
    assert_int_equal(b->job_read(job, timestamps), KT_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(timestamps[i].state, KT_TIMESTAMP_OK);
        assert_true(timestamps[i].start_ticks < timestamps[i].end_ticks);
    }
    assert_true(timestamps[0].end_ticks < timestamps[1].start_ticks);
    assert_int_equal(b->job_submit(job, false, 1), KT_OK);
    assert_int_equal(b->job_wait(job, TIMEOUT_NS), KT_OK);
    b->job_fini(job);
    free(job);
}

/* A kernel on one memory and a copy to another, three times and once. */
static void run_steps(const kt_backend *b, void *device)
{
    const kt_program_desc program_desc = {.size = sizeof program_desc,
                                          .language = KT_LANGUAGE_C_FUNCTION,
                                          .entry = "add",
                                          .function = add};
    int items[ITEMS] = {1, 2, 3, 4, 5, 6}, copied[ITEMS] = {0}, number = -10;
    void *program = private_memory(b->program_size);
    void *src = private_memory(b->memory_size), *dst = private_memory(b->memory_size);
    assert_int_equal(b->program_init(program, device, &program_desc), KT_OK);
    assert_int_equal(b->memory_init(src, device, KT_MEMORY_HEAP, sizeof items), KT_OK);
    assert_int_equal(b->memory_init(dst, device, KT_MEMORY_HEAP, sizeof items), KT_OK);
    assert_int_equal(b->memory_write(src, 0, items, sizeof items, TIMEOUT_NS), KT_OK);
    const kt_backend_arg args[2] = {{.memory = src},
                                    {.value = &number, .value_bytes = sizeof number}};
    const kt_backend_step steps[2] = {{.kind = KT_STEP_DISPATCH,
                                       .program = program,
                                       .args = args,
                                       .arg_count = 2,
                                       .groups = {2, 1, 1},
                                       .group_size = {ITEMS / 2, 1, 1}},
                                      {.kind = KT_STEP_COPY,
                                       .src = src,
                                       .dst = dst,
                                       .src_offset_bytes = sizeof(int),
                                       .copy_bytes = 2 * sizeof(int)}};
    run_job(b, device, &(kt_backend_job){.steps = steps, .step_count = 2});
    assert_int_equal(b->memory_read(src, 0, items, sizeof items, TIMEOUT_NS), KT_OK);
    assert_int_equal(b->memory_read(dst, 0, copied, sizeof copied, TIMEOUT_NS), KT_OK);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(items[i], 1 + i + 4 * number);
    assert_int_equal(copied[0], items[1]);
    assert_int_equal(copied[1], items[2]);
    b->memory_fini(dst);
    b->memory_fini(src);
    free(dst);
    free(src);
    free(program);
}

static void test_template_works(void **state)
{
    (void)state;
    const kt_backend *b = &kt_backend_template;
    int64_t time_ns = 0;
    const kt_host_clock host = {.now = now, .user = &time_ns};
    uint32_t count = 0;
    kt_device_info info = {0};
    void *device = private_memory(b->device_size);
    assert_int_equal(b->lib_init(NULL, &count), KT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(b->device_info(NULL, 0, NULL, &info), KT_OK);
    assert_true(info.memory_kinds & 1u << KT_MEMORY_HEAP);
    assert_int_equal(b->device_init(device, NULL, 0, NULL, &info, &host), KT_OK);
    kt_clock_pair pair;
    assert_int_equal(b->clock_pair(device, 0, &pair), KT_OK);
    assert_true(pair.host_before_ns < (int64_t)pair.ticks);
    assert_true((int64_t)pair.ticks < pair.host_after_ns);
    run_steps(b, device);
    free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_required_slots),
        cmocka_unit_test(test_template_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
