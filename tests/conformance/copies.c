/* SPDX-License-Identifier: MIT */
/* Copies between memories of all kinds, and maps: those that a device offers copy just the right
 * bytes, and take a time that can be; all others are refused. */
#include "suite.h"
#include "workloads/copy/copy.h"

#include <stdio.h>
#include <stdlib.h>

#define MIB               ((size_t)1 << 20)
#define SAMPLES           3     /* of each direction and size */
#define FAST_BYTES_PER_NS 100.0 /* no copy through memory is faster than about that */

static bool has(kt_memory_kind kind)
{
    return s.info->memory_kinds & 1u << kind;
}

static bool copies(kt_memory_kind from, kt_memory_kind to)
{
    return s.info->copies[from] & 1u << to;
}

static kt_memory_kind usual_kind(void)
{
    kt_memory *usual = make_memory(KT_MEMORY_DEFAULT, 1, 0);
    kt_memory_kind kind = kt_memory_get_kind(usual);
    kt_memory_destroy(&usual);
    return kind;
}

void offers_are_of_its_kinds(void **state)
{
    for (kt_memory_kind from = KT_MEMORY_HEAP; from < KT_MEMORY_KIND_COUNT; from++) {
        assert_int_equal(s.info->copies[from] & ~s.info->memory_kinds, 0);
        assert_true(has(from) || !s.info->copies[from]);
    }
    assert_int_equal(s.info->copies[KT_MEMORY_DEFAULT], 0);
    assert_int_equal(s.info->maps & ~s.info->memory_kinds, 0);
    assert_false(s.info->maps & 1u << KT_MEMORY_HOST);
    assert_true(!s.info->maps || has(KT_MEMORY_HOST)); /* a map has the host at one end */
    /* What every kernel needs: into the memory that it works on, and back. */
    kt_memory_kind kind = usual_kind();
    assert_true(copies(kind, kind));
    static const kt_memory_kind of_the_host[] = {KT_MEMORY_HEAP, KT_MEMORY_HOST};
    for (size_t i = 0; i < sizeof of_the_host / sizeof of_the_host[0]; i++)
        if (has(of_the_host[i]))
            assert_true(copies(of_the_host[i], kind) && copies(kind, of_the_host[i]));
}

/* ---- parts of memories ---- */

/* Which bytes are copied, and where to. */
typedef struct part {
    size_t src, dst, count;
} part;

static const part any_bytes[] = {{17, 1001, 3333}, {9, 5, 1}, {4099, 1, MIB + 1}};
static const part whole_words[] = {{20, 1004, 3332}, {8, 4, 4}, {4100, 12, MIB + 4}};
#define PARTS (sizeof any_bytes / sizeof any_bytes[0])

/* Whether the part is copied; if it is, just the right bytes, and if not, none. */
static bool copies_part(kt_memory_kind from, kt_memory_kind to, const part *which)
{
    size_t bytes = (which->src > which->dst ? which->src : which->dst) + which->count + 33;
    kt_memory *src = make_memory(from, bytes, 5), *dst = make_memory(to, bytes, 6);
    const kt_step step = {.kind = KT_STEP_COPY,
                          .src = src,
                          .dst = dst,
                          .src_offset_bytes = which->src,
                          .dst_offset_bytes = which->dst,
                          .copy_bytes = which->count};
    kt_status status = run_steps(&step, 1);
    if (status != KT_OK)
        EXPECT_STATUS(status, KT_UNSUPPORTED);
    unsigned char *content = malloc(bytes);
    assert_non_null(content);
    EXPECT_OK(kt_memory_read(dst, 0, content, bytes));
    for (size_t i = 0; i < bytes; i++) {
        bool copied = status == KT_OK && i >= which->dst && i < which->dst + which->count;
        if (content[i] != (copied ? pattern(i - which->dst + which->src, 5) : pattern(i, 6)))
            fail_msg("byte %zu from %s to %s memory", i, kt_memory_kind_name(from),
                     kt_memory_kind_name(to));
    }
    free(content);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
    return status == KT_OK;
}

static void check_offered(kt_memory_kind from, kt_memory_kind to)
{
    for (size_t i = 0; i < PARTS; i++) {
        bool odd = copies_part(from, to, &any_bytes[i]);
        if (odd == (s.profile->no_odd_copies != NULL))
            fail_msg("%zu bytes from %s to %s memory: %s", any_bytes[i].count,
                     kt_memory_kind_name(from), kt_memory_kind_name(to),
                     odd ? "copied" : kt_error_text());
        if (!odd)
            assert_true(copies_part(from, to, &whole_words[i]));
    }
}

/* By its offer, whatever the bytes. */
static void check_refused(kt_step_kind kind, kt_memory_kind from, kt_memory_kind to)
{
    kt_memory *src = make_memory(from, 64, 1), *dst = make_memory(to, 64, 2);
    const kt_step step = {.kind = kind, .src = src, .dst = dst, .copy_bytes = 64};
    EXPECT_STATUS(run_steps(&step, 1), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), kt_memory_kind_name(from == KT_MEMORY_HOST ? to : from));
    EXPECT_TEXT_HAS(kt_error_text(), s.info->id);
    kt_memory_destroy(&dst);
    kt_memory_destroy(&src);
}

void parts_are_copied_between_kinds(void **state)
{
    unsigned done = 0, refused = 0;
    for (kt_memory_kind from = KT_MEMORY_HEAP; from < KT_MEMORY_KIND_COUNT; from++)
        for (kt_memory_kind to = KT_MEMORY_HEAP; to < KT_MEMORY_KIND_COUNT; to++) {
            if (!has(from) || !has(to))
                continue;
            if (copies(from, to)) {
                check_offered(from, to);
                done++;
            } else {
                check_refused(KT_STEP_COPY, from, to);
                refused++;
            }
        }
    print_message("%u pairs copied, %u refused\n", done, refused);
}

void maps_that_are_not_offered(void **state)
{
    if (!has(KT_MEMORY_HOST)) {
        kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 64, 1);
        const kt_step step = {.kind = KT_STEP_MAP, .src = memory, .dst = memory, .copy_bytes = 64};
        EXPECT_STATUS(run_steps(&step, 1),
                      KT_INVALID); /* there is no memory that could stand for the view */
        kt_memory_destroy(&memory);
        return;
    }
    for (kt_memory_kind kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++) {
        if (!has(kind) || kind == KT_MEMORY_HOST || s.info->maps & 1u << kind)
            continue;
        check_refused(KT_STEP_MAP, KT_MEMORY_HOST, kind);
        check_refused(KT_STEP_MAP, kind, KT_MEMORY_HOST);
    }
}

/* ---- as they are measured ---- */

/* 1 %: a device's clock may go fast, and which one it is, is known to less than its step. */
static void check_time(const kt_series *copy, double copy_ns, double wall_ns)
{
    double resolution_ns = kt_device_get_timer_limits(s.device)->resolution_ns;
    assert_true(wall_ns > 0);
    assert_true(copy_ns > 0 || copy->status == KT_SERIES_BELOW_MIN_SPAN);
    if (copy_ns > 1.01 * wall_ns + 2 * resolution_ns)
        fail_msg("%s, %g bytes: %g ns of %g ns", copy->variant, copy->bytes, copy_ns, wall_ns);
}

/*
 * No copy takes longer on the device than the host waits for it, and none takes no time. A clock
 * that is set while a copy runs gives timestamps that cannot be, whose copy has no time: it is counted
 * by what is wrong with them. One submission may be lost: the host may come late to release a blocked
 * stream. Nothing else may be without a time.
 */
static void check_times(const kt_series *copy, const kt_series *wall)
{
    uint32_t refused[KT_TIMESTAMP_STATE_COUNT] = {0};
    size_t timed = 0;
    assert_int_equal(copy->raw_count, SAMPLES);
    assert_int_equal(wall->summary.n, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        kt_timestamp_state state = copy->raw[i].state;
        if (state == KT_TIMESTAMP_OK)
            check_time(copy, copy->samples_ns[timed++], wall->samples_ns[i]);
        else if (state == KT_TIMESTAMP_NEGATIVE || state == KT_TIMESTAMP_AMBIGUOUS ||
                 (state == KT_TIMESTAMP_LOST && refused[state] == 0))
            refused[state]++;
        else
            fail_msg("%s, %g bytes: a timestamp is \"%s\"", copy->variant, copy->bytes,
                     kt_timestamp_state_name(state));
    }
    assert_true(timed > 0);
    assert_int_equal(copy->summary.n, timed);
    if (copy->status == KT_SERIES_BELOW_MIN_SPAN)
        refused[KT_TIMESTAMP_BELOW_MIN_SPAN] = (uint32_t)timed;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(copy->discarded[i], refused[i]);
}

static void check_result(const kt_result *result, const copy_direction *direction, uint64_t size)
{
    const kt_series *copy = kt_result_find(result, "copy");
    const kt_series *wall = kt_result_find(result, "wall");
    const kt_series *timestamped = kt_result_find(result, "wall_timestamped");
    assert_true(copy->verified && wall->verified && timestamped->verified);
    assert_int_equal(copy->kind, KT_SERIES_COPY);
    assert_string_equal(copy->src, kt_memory_kind_name(direction->src));
    assert_string_equal(copy->dst, kt_memory_kind_name(direction->dst));
    EXPECT_NUMBER(copy->bytes, (double)size);
    EXPECT_NUMBER(wall->bytes, (double)size);
    assert_int_equal(wall->status, KT_SERIES_OK);
    assert_true(wall->summary.min > 0);
    if (s.no_device_time) {
        assert_int_equal(copy->status, KT_SERIES_NOT_POSSIBLE);
        return;
    }
    /* A mebibyte is copied in more than nothing; what is mapped may take that, as may anything
     * where an empty step takes longer: some drivers are slow to begin one, and machines are busy
     * at times. */
    double min_span_ns = kt_device_get_timer_limits(s.device)->min_span_ns;
    bool may_be_below =
        size <= MIB || direction->way == COPY_MAP || min_span_ns > (double)size / FAST_BYTES_PER_NS;
    bool measured = copy->status == KT_SERIES_OK || copy->status == KT_SERIES_PARTIAL;
    if (!measured && (copy->status != KT_SERIES_BELOW_MIN_SPAN || !may_be_below))
        fail_msg("%s of %u bytes: %s", copy->variant, (unsigned)size,
                 copy->error ? copy->error : "below the floor");
    check_times(copy, timestamped);
}

static void measure(const copy_direction *direction, uint64_t size)
{
    char name[COPY_NAME_BYTES];
    copy_direction_name(direction, name);
    const kt_param param = {"size", (int64_t)size};
    kt_job_desc desc = {
        .size = sizeof desc, .name = "copy", .variant = name, .params = &param, .param_count = 1};
    const kt_measure_options few = {.size = sizeof few,
                                    .samples_min = SAMPLES,
                                    .samples_max = SAMPLES,
                                    .max_time_ns = 1,
                                    .trials = 1,
                                    .keep_raw = 1};
    workload_run run = {0};
    kt_result *result = NULL;
    EXPECT_OK(workload_open(&run, &workload_copy, NULL, s.device, size, &desc));
    EXPECT_OK(kt_measure(run.job, &few, &result));
    check_result(result, direction, size);
    kt_result_destroy(&result);
    workload_close(&run);
}

void each_direction_is_measured(void **state)
{
    static const uint64_t any_sizes[] = {1, 4099, MIB + 13}, word_sizes[] = {4, 4100, MIB + 12};
    const uint64_t *sizes = s.profile->no_odd_copies ? word_sizes : any_sizes;
    copy_direction directions[COPY_DIRECTIONS_MAX];
    size_t count = copy_directions_of(s.info, directions);
    for (size_t d = 0; d < count; d++)
        for (size_t i = 0; i < sizeof any_sizes / sizeof any_sizes[0]; i++)
            measure(&directions[d], sizes[i]);
    print_message("%zu directions\n", count);
}
