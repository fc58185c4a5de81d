/* SPDX-License-Identifier: MIT */
/*
 * Shared memory and maps of an OpenCL driver, which is the stub in one of its moods
 * (opencl_memory.sh) or a real one.
 *
 *   unit_opencl_memory shared|none [faults]     over the stub
 *   unit_opencl_memory ask                      as the driver answers; exits with 77 if there is no device
 */
#include "support/fault.h"
#include "tests/opencl_can.h"
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <stdio.h>

#define BYTES   8192
#define OFFSET  1000 /* of what is mapped */
#define MAPPED  5000
#define SKIPPED 77

static bool has_shared;
/* Why nothing is unmapped while its map command may still run: where a from-host map follows
 * another and nobody has written in between, or one submission maps the same memory twice. */
static const char *no_early_unmap;
static kt_context *context;
static kt_device *device;

static unsigned char byte_of(size_t at, unsigned char seed)
{
    return (unsigned char)(at * 131 + at / 251 + seed * 29u + 1);
}

static kt_status fill(kt_memory *memory, unsigned char seed)
{
    unsigned char content[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        content[i] = byte_of(i, seed);
    /* In pieces, as large memory is. */
    kt_status status = kt_memory_write(memory, 0, content, 3000);
    return status == KT_OK ? kt_memory_write(memory, 3000, content + 3000, BYTES - 3000) : status;
}

static kt_memory *make(kt_memory_kind kind, unsigned char seed)
{
    kt_memory *memory = NULL;
    EXPECT_OK(kt_memory_create(device, kind, BYTES, &memory));
    EXPECT_OK(fill(memory, seed));
    return memory;
}

/* `count` bytes from `at` on are those of `seed`, as of position `as`. */
static void expect_bytes(kt_memory *memory, size_t at, size_t count, size_t as, unsigned char seed)
{
    unsigned char content[BYTES];
    EXPECT_OK(kt_memory_read(memory, 0, content, BYTES / 2));
    EXPECT_OK(kt_memory_read(memory, BYTES / 2, content + BYTES / 2, BYTES / 2));
    for (size_t i = 0; i < count; i++)
        if (content[at + i] != byte_of(as + i, seed))
            fail_msg("byte %zu of %s memory", at + i,
                     kt_memory_kind_name(kt_memory_get_kind(memory)));
}

static kt_step map_to_host(kt_memory *from, kt_memory *host)
{
    return (kt_step){.name = "to",
                     .kind = KT_STEP_MAP,
                     .src = from,
                     .dst = host,
                     .src_offset_bytes = OFFSET,
                     .copy_bytes = MAPPED};
}

static kt_step map_from_host(kt_memory *host, kt_memory *to)
{
    return (kt_step){.name = "from",
                     .kind = KT_STEP_MAP,
                     .src = host,
                     .dst = to,
                     .dst_offset_bytes = OFFSET,
                     .copy_bytes = MAPPED};
}

static kt_status create_job(const kt_step *steps, uint32_t count, kt_job **out)
{
    const kt_job_desc desc = {
        .size = sizeof desc, .name = "job", .steps = steps, .step_count = count};
    return kt_job_create(device, &desc, out);
}

/* Some submissions, timestamped and not, in turn. */
static kt_status run(kt_job *job)
{
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = 2, .samples_max = 2, .max_time_ns = 1};
    kt_result *result = NULL;
    kt_status status = kt_measure(job, &options, &result);
    kt_result_destroy(&result);
    return status;
}

static void skip_if(const char *reason)
{
    if (!reason)
        return;
    print_message("skipped: %s\n", reason);
    skip();
}

/* ---- what is offered ---- */

static void kinds_and_pairs(void **state)
{
    const uint32_t heap = 1u << KT_MEMORY_HEAP, host = 1u << KT_MEMORY_HOST,
                   of_device = 1u << KT_MEMORY_DEVICE,
                   shared = has_shared ? 1u << KT_MEMORY_SHARED : 0;
    const kt_device_info *info = kt_device_get_info(device);
    assert_int_equal(info->memory_kinds, heap | host | of_device | shared);
    assert_int_equal(info->maps, of_device);
    assert_int_equal(info->copies[KT_MEMORY_HEAP], of_device | shared);
    assert_int_equal(info->copies[KT_MEMORY_HOST], of_device | shared);
    assert_int_equal(info->copies[KT_MEMORY_DEVICE], heap | host | of_device | shared);
    assert_int_equal(info->copies[KT_MEMORY_SHARED],
                     has_shared ? heap | host | of_device | shared : 0);
    kt_memory *usual = make(KT_MEMORY_DEFAULT, 0);
    assert_int_equal(kt_memory_get_kind(usual), KT_MEMORY_DEVICE);
    kt_memory_destroy(&usual);
}

/* ---- maps ---- */

static void what_is_mapped_is_seen(void **state)
{
    kt_memory *from = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    const kt_step step = map_to_host(from, host);
    kt_job *job = NULL;
    EXPECT_OK(create_job(&step, 1, &job));
    expect_bytes(host, 0, BYTES, 0, 2); /* nothing was mapped yet */
    EXPECT_OK(run(job));
    expect_bytes(host, 0, MAPPED, OFFSET, 1);
    expect_bytes(host, MAPPED, BYTES - MAPPED, MAPPED, 2);
    expect_bytes(from, 0, BYTES, 0, 1); /* may be read beside it */
    expect_bytes(host, 0, MAPPED, OFFSET, 1);
    /* Writing to the device's memory ends the mapping. */
    EXPECT_OK(fill(from, 3));
    expect_bytes(host, 0, BYTES, 0, 2);
    EXPECT_OK(run(job));
    expect_bytes(host, 0, MAPPED, OFFSET, 3);
    /* What is spoiled stays so until it is mapped anew, and the device's memory is not touched. */
    EXPECT_OK(fill(host, 4));
    expect_bytes(host, 0, BYTES, 0, 4);
    expect_bytes(from, 0, BYTES, 0, 3);
    EXPECT_OK(run(job));
    expect_bytes(host, 0, MAPPED, OFFSET, 3);
    kt_job_destroy(&job);
    expect_bytes(host, 0, BYTES, 0, 4); /* its own again */
    kt_memory_destroy(&host);
    kt_memory_destroy(&from);
}

static kt_status write_anew(void *user, char *reason, size_t reason_bytes)
{
    (void)reason, (void)reason_bytes;
    return fill(user, 9);
}

/* As a benchmark does it. */
static void what_is_written_each_time(void **state)
{
    kt_memory *middle = make(KT_MEMORY_DEVICE, 1), *in = make(KT_MEMORY_HOST, 2),
              *out = make(KT_MEMORY_HOST, 3);
    const kt_step steps[] = {map_from_host(in, middle), map_to_host(middle, out)};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "job",
                              .steps = steps,
                              .step_count = 2,
                              .reset = write_anew,
                              .user = in};
    kt_job *job = NULL;
    EXPECT_OK(kt_job_create(device, &desc, &job));
    EXPECT_OK(run(job));
    expect_bytes(out, 0, MAPPED, 0, 9);
    expect_bytes(middle, OFFSET, MAPPED, 0, 9);
    expect_bytes(middle, 0, OFFSET, 0, 1);
    kt_job_destroy(&job);
    kt_memory_destroy(&out);
    kt_memory_destroy(&in);
    kt_memory_destroy(&middle);
}

static void what_is_written_is_handed_over(void **state)
{
    skip_if(no_early_unmap);
    kt_memory *to = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    const kt_step step = map_from_host(host, to);
    kt_job *job = NULL;
    EXPECT_OK(create_job(&step, 1, &job));
    EXPECT_OK(run(job)); /* nothing was written while it was mapped */
    expect_bytes(to, 0, BYTES, 0, 1);
    EXPECT_OK(fill(host, 3));
    expect_bytes(host, 0, BYTES, 0, 3);
    EXPECT_OK(run(job)); /* of the later submissions nothing is written to */
    expect_bytes(to, OFFSET, MAPPED, 0, 3);
    expect_bytes(to, 0, OFFSET, 0, 1);
    expect_bytes(to, OFFSET + MAPPED, BYTES - OFFSET - MAPPED, OFFSET + MAPPED, 1);
    const unsigned char one = 0xEE;
    EXPECT_OK(kt_memory_write(host, 17, &one, 1));
    EXPECT_OK(run(job));
    unsigned char seen = 0;
    EXPECT_OK(kt_memory_read(to, OFFSET + 17, &seen, 1));
    assert_int_equal(seen, one);
    expect_bytes(to, OFFSET + 18, MAPPED - 18, 18, 3);
    /* Written and never submitted. */
    EXPECT_OK(fill(host, 4));
    kt_job_destroy(&job);
    EXPECT_OK(fill(to, 5));
    expect_bytes(to, 0, BYTES, 0, 5);
    kt_memory_destroy(&host);
    kt_memory_destroy(&to);
}

/* What else uses the memory finds it unmapped; the stub counts it as a misuse if not. */
static void others_find_it_unmapped(void **state)
{
    skip_if(no_early_unmap);
    kt_memory *middle = make(KT_MEMORY_DEVICE, 1), *in = make(KT_MEMORY_HOST, 2),
              *out = make(KT_MEMORY_HOST, 3), *heap = make(KT_MEMORY_HEAP, 4);
    const kt_step there_and_back[] = {map_from_host(in, middle), map_to_host(middle, out)};
    const kt_step copies[] = {
        {.name = "in", .kind = KT_STEP_COPY, .src = heap, .dst = middle, .copy_bytes = BYTES},
        {.name = "out", .kind = KT_STEP_COPY, .src = middle, .dst = heap, .copy_bytes = BYTES}};
    kt_job *maps = NULL, *job = NULL;
    EXPECT_OK(create_job(there_and_back, 2, &maps));
    EXPECT_OK(create_job(copies, 2, &job));
    EXPECT_OK(fill(in, 6));
    EXPECT_OK(run(maps));
    expect_bytes(out, 0, MAPPED, 0, 6);
    EXPECT_OK(run(job)); /* over what is mapped for reading */
    expect_bytes(middle, 0, BYTES, 0, 4);
    EXPECT_OK(fill(in, 7));
    EXPECT_OK(run(job)); /* and for writing */
    expect_bytes(heap, 0, BYTES, 0, 4);
    EXPECT_OK(fill(in, 8));
    expect_bytes(middle, OFFSET, MAPPED, 0, 8); /* which hands it over early */
    EXPECT_OK(run(maps));
    expect_bytes(out, 0, MAPPED, 0, 8);
    kt_job_destroy(&job);
    kt_job_destroy(&maps);
    kt_memory_destroy(&heap);
    kt_memory_destroy(&out);
    kt_memory_destroy(&in);
    kt_memory_destroy(&middle);
}

static void maps_that_cannot_be(void **state)
{
    skip_if(no_early_unmap);
    kt_memory *of_device = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    kt_step steps[] = {map_to_host(of_device, host), map_to_host(of_device, host)};
    kt_job *job = NULL, *other = NULL;
    EXPECT_OK(create_job(steps, 2, &job));
    EXPECT_OK(create_job(steps, 1, &other)); /* the same region */
    kt_job_destroy(&other);
    steps[1].src_offset_bytes--;
    EXPECT_STATUS(create_job(&steps[1], 1, &other), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "one mapped region");
    EXPECT_OK(run(job));
    expect_bytes(host, 0, MAPPED, OFFSET, 1);
    kt_job_destroy(&job);
    EXPECT_OK(create_job(&steps[1], 1, &job)); /* free again */
    const kt_measure_options twice = {.size = sizeof twice, .trials = 2};
    kt_result *result = NULL;
    EXPECT_STATUS(kt_measure(job, &twice, &result), KT_LIMIT);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&host);
    kt_memory_destroy(&of_device);
}

/* As long as another job maps the same region to the host. */
static void writing_ends_with_its_job(void **state)
{
    kt_memory *of_device = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    const kt_step to = map_to_host(of_device, host), from = map_from_host(host, of_device);
    kt_job *reader = NULL, *writer = NULL;
    EXPECT_OK(create_job(&to, 1, &reader));
    EXPECT_OK(create_job(&from, 1, &writer));
    kt_job_destroy(&writer);
    EXPECT_OK(fill(host, 3));
    expect_bytes(of_device, 0, BYTES, 0, 1);
    EXPECT_OK(run(reader));
    expect_bytes(host, 0, MAPPED, OFFSET, 1);
    kt_job_destroy(&reader);
    kt_memory_destroy(&host);
    kt_memory_destroy(&of_device);
}

/* ---- shared memory ---- */

static const char source[] = "__kernel void fill(__global uint *array, uint n) {"
                             " size_t i = get_global_id(0); if (i < n) array[i] = FILL_VALUE; }";

typedef struct shared_run {
    kt_program *program;
    kt_memory *shared, *other, *heap;
    kt_job *job;
} shared_run;

/* A kernel writes to shared memory, which is copied on. */
static kt_status open_shared(shared_run *r)
{
    const kt_program_desc program = {.size = sizeof program,
                                     .entry = "fill",
                                     .language = KT_LANGUAGE_OPENCL_C,
                                     .source = source,
                                     .build_flags = "-DFILL_VALUE=0x12345678"};
    const uint32_t n = BYTES / 4;
    kt_status status = kt_program_create(device, &program, &r->program);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_SHARED, BYTES, &r->shared);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_SHARED, BYTES, &r->other);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_HEAP, BYTES, &r->heap);
    const kt_arg args[] = {{.memory = r->shared}, {.value = &n, .value_bytes = sizeof n}};
    const kt_step steps[] = {{.name = "fill",
                              .program = r->program,
                              .args = args,
                              .arg_count = 2,
                              .groups = {n / 64},
                              .group_size = {64}},
                             {.name = "on",
                              .kind = KT_STEP_COPY,
                              .src = r->shared,
                              .dst = r->other,
                              .dst_offset_bytes = 4,
                              .copy_bytes = BYTES - 4},
                             {.name = "out",
                              .kind = KT_STEP_COPY,
                              .src = r->other,
                              .dst = r->heap,
                              .copy_bytes = BYTES}};
    return status == KT_OK ? create_job(steps, 3, &r->job) : status;
}

static void close_shared(shared_run *r)
{
    kt_job_destroy(&r->job);
    kt_memory_destroy(&r->heap);
    kt_memory_destroy(&r->other);
    kt_memory_destroy(&r->shared);
    kt_program_destroy(&r->program);
}

static void kernels_take_shared_memory(void **state)
{
    skip_if(has_shared ? NULL : "there is no shared memory");
    shared_run r = {0};
    uint32_t out[BYTES / 4] = {0};
    EXPECT_OK(open_shared(&r));
    EXPECT_OK(fill(r.shared, 1));
    EXPECT_OK(kt_memory_write(r.other, 0, "abcd", 4));
    EXPECT_OK(run(r.job));
    EXPECT_OK(kt_memory_read(r.heap, 0, out, sizeof out));
    assert_memory_equal(out, "abcd", 4);
    for (size_t i = 1; i < BYTES / 4; i++)
        assert_int_equal(out[i], 0x12345678);
    EXPECT_OK(kt_memory_read(r.shared, BYTES - 4, out, 4));
    assert_int_equal(out[0], 0x12345678);
    close_shared(&r);
}

/* ---- each driver call fails once ---- */

#if KT_FAULTS
static kt_status map_there_and_back(void)
{
    kt_memory *middle = NULL, *in = NULL, *out = NULL;
    kt_job *job = NULL;
    kt_status status = kt_memory_create(device, KT_MEMORY_DEVICE, BYTES, &middle);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_HOST, BYTES, &in);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_HOST, BYTES, &out);
    const kt_step steps[] = {map_from_host(in, middle), map_to_host(middle, out)};
    if (status == KT_OK)
        status = create_job(steps, 2, &job);
    if (status == KT_OK)
        status = fill(in, 1);
    if (status == KT_OK)
        status = run(job);
    if (status == KT_OK) /* over what is mapped for reading */
        status = fill(in, 2);
    if (status == KT_OK)
        status = fill(middle, 3); /* and for writing */
    kt_job_destroy(&job);
    kt_memory_destroy(&out);
    kt_memory_destroy(&in);
    kt_memory_destroy(&middle);
    return status;
}

/* The memory that stood for the view may go; whoever needs the device's memory then unmaps it. */
static void a_job_that_cannot_unmap(void **state)
{
    kt_memory *from = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    const kt_step step = map_to_host(from, host);
    kt_job *job = NULL;
    EXPECT_OK(create_job(&step, 1, &job));
    EXPECT_OK(run(job));
    kt_fault_set(KT_FAULT_DRIVER, 1);
    kt_job_destroy(&job);
    const char *fired = kt_fault_fired(KT_FAULT_DRIVER);
    kt_fault_set(KT_FAULT_DRIVER, 0);
    assert_string_equal(fired, "clEnqueueUnmapMemObject");
    expect_bytes(host, 0, BYTES, 0, 2); /* its own again */
    kt_memory_destroy(&host);
    EXPECT_OK(fill(from, 3));
    expect_bytes(from, 0, BYTES, 0, 3);
    kt_memory_destroy(&from);
}

/* Whatever a mapping shows that nobody has seen end, it is not read. */
static void a_map_that_did_not_end(void **state)
{
    kt_memory *from = make(KT_MEMORY_DEVICE, 1), *host = make(KT_MEMORY_HOST, 2);
    const kt_step step = map_to_host(from, host);
    unsigned unseen = 0;
    for (uint64_t nth = 1;; nth++) {
        kt_job *job = NULL;
        EXPECT_OK(create_job(&step, 1, &job));
        kt_fault_set(KT_FAULT_DRIVER, nth);
        kt_status status = run(job);
        const char *fired = kt_fault_fired(KT_FAULT_DRIVER);
        kt_fault_set(KT_FAULT_DRIVER, 0);
        /* Where unmapping fails, what was mapped before is still there. */
        bool seen = status == KT_OK || strcmp(fired, "clEnqueueUnmapMemObject") == 0;
        unseen += !seen;
        expect_bytes(host, 0, MAPPED, seen ? OFFSET : 0, seen ? 1 : 2);
        kt_job_destroy(&job);
        if (!fired)
            break;
    }
    assert_true(unseen > 3);
    kt_memory_destroy(&host);
    kt_memory_destroy(&from);
}

static void every_call_can_fail(void **state)
{
    /* The timer limits has been made: what fails is of the work. */
    for (uint64_t nth = 1;; nth++) {
        shared_run r = {0};
        kt_fault_set(KT_FAULT_DRIVER, nth);
        kt_status status = has_shared ? open_shared(&r) : KT_OK;
        if (status == KT_OK && has_shared)
            status = run(r.job);
        if (status == KT_OK)
            status = map_there_and_back();
        const char *fired = kt_fault_fired(KT_FAULT_DRIVER);
        kt_fault_set(KT_FAULT_DRIVER, 0);
        close_shared(&r);
        if (!fired) {
            EXPECT_OK(status);
            print_message("%llu calls\n", (unsigned long long)nth - 1);
            assert_true(nth > 50);
            return;
        }
        if (strcmp(fired, "clGetEventProfilingInfo") == 0) /* the timestamp is in state error */
            continue;
        assert_int_not_equal(status, KT_OK);
        EXPECT_TEXT_HAS(kt_error_text(), fired);
    }
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_pairs),
        cmocka_unit_test(what_is_mapped_is_seen),
        cmocka_unit_test(what_is_written_each_time),
        cmocka_unit_test(what_is_written_is_handed_over),
        cmocka_unit_test(others_find_it_unmapped),
        cmocka_unit_test(maps_that_cannot_be),
        cmocka_unit_test(writing_ends_with_its_job),
        cmocka_unit_test(kernels_take_shared_memory),
    };
    bool ask = argc > 1 && strcmp(argv[1], "ask") == 0;
    has_shared = argc > 1 && strcmp(argv[1], "shared") == 0;
    int failed = 1;
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    kt_status status = kt_device_open(context, "opencl:0", &device);
    if (status != KT_OK)
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
    if (status == KT_OK && ask) {
        has_shared = opencl_can_share_memory();
        no_early_unmap = opencl_can_unmap_early() ? NULL : "the driver refuses it";
    }
    if (status == KT_OK)
        failed = cmocka_run_group_tests_name(argv[1], tests, NULL, NULL);
#if KT_FAULTS
    const struct CMUnitTest faults[] = {cmocka_unit_test(a_job_that_cannot_unmap),
                                        cmocka_unit_test(a_map_that_did_not_end),
                                        cmocka_unit_test(every_call_can_fail)};
    if (status == KT_OK && argc > 2)
        failed += cmocka_run_group_tests_name("faults", faults, NULL, NULL);
#endif
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status == KT_UNAVAILABLE ? SKIPPED : failed;
}
