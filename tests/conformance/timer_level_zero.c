/* SPDX-License-Identifier: MIT */
/*
 * A Level Zero program of a user's own with timers in its lists, in each group of queues that the
 * device has: a span of a list and an event that is handed out, in an immediate list and in a
 * regular one.
 *
 *   conformance_timer_level_zero            on a driver that executes
 *   conformance_timer_level_zero nothing    on Intel's without a GPU, which takes all calls, and all that waits succeeds: there no span
 *                                           may have a time
 *
 * Exit code 77: there is no driver.
 */
#include "tests/unit/backends/level_zero/level_zero_user.h"

#include <stdio.h>

enum { SKIPPED = 77, GROUPS_MAX = 8, RUNS = 3, PATIENCE_NS = 5000000 };

static user u;
static bool executes = true;

typedef struct spans {
    kt_timer_context *timer_context;
    kt_timer *streamed, *handed, *recorded, *handed_by_list;
    kt_recording *recording;
} spans;

/* A group that does not copy is not asked to. */
static void append(const work *w, bool copies, ze_event_handle_t signal)
{
    if (copies)
        work_fill(&u, w, signal);
    else
        assert_int_equal(u.ze.CommandListAppendBarrier(w->list, signal, 0, NULL),
                         ZE_RESULT_SUCCESS);
}

static void spans_open(spans *s, const work *now)
{
    const kt_level_zero_import desc = user_describe(&u);
    *s = (spans){0};
    EXPECT_OK(kt_timer_context_import_level_zero(&desc, &s->timer_context));
    EXPECT_OK(kt_timer_context_add_level_zero_list(s->timer_context, now->list));
    EXPECT_OK(kt_timer_create(s->timer_context, "streamed", &s->streamed));
    EXPECT_OK(kt_timer_create(s->timer_context, "handed", &s->handed));
    EXPECT_OK(kt_timer_create(s->timer_context, "recorded", &s->recorded));
    EXPECT_OK(kt_timer_create(s->timer_context, "handed by a list", &s->handed_by_list));
    EXPECT_OK(kt_recording_create(s->timer_context, NULL, &s->recording));
}

static void spans_close(spans *s)
{
    kt_recording_destroy(&s->recording);
    kt_timer_destroy(&s->streamed);
    kt_timer_destroy(&s->handed);
    kt_timer_destroy(&s->recorded);
    kt_timer_destroy(&s->handed_by_list);
    kt_timer_context_close(&s->timer_context);
}

static void stream(const spans *s, const work *now, bool copies)
{
    EXPECT_OK(kt_timer_start(s->streamed, now->list));
    append(now, copies, NULL);
    EXPECT_OK(kt_timer_stop(s->streamed, now->list));
    ze_event_handle_t event = kt_timer_event_level_zero(s->handed);
    assert_non_null(event);
    append(now, copies, event);
    work_wait(&u, now);
}

static void record(const spans *s, const work *later, bool copies)
{
    EXPECT_OK(kt_recording_begin_level_zero(s->recording, later->list));
    EXPECT_OK(kt_recording_start(s->recording, s->recorded));
    append(later, copies, NULL);
    EXPECT_OK(kt_recording_stop(s->recording, s->recorded));
    ze_event_handle_t event = kt_recording_event_level_zero(s->recording, s->handed_by_list);
    assert_non_null(event);
    append(later, copies, event);
    EXPECT_OK(kt_recording_stop(s->recording, s->handed_by_list));
    work_end(&u, later);
}

/* Every span has a time if commands are executed, and none has if they are not. */
static void check(const spans *s, uint64_t count)
{
    kt_timer_context_counts counts;
    kt_status expected = executes ? KT_OK : KT_TIMEOUT;
    EXPECT_STATUS(kt_timer_wait(s->streamed, PATIENCE_NS), expected);
    EXPECT_STATUS(kt_timer_wait(s->handed, PATIENCE_NS), expected);
    EXPECT_STATUS(kt_timer_wait(s->recorded, PATIENCE_NS), expected);
    EXPECT_STATUS(kt_timer_wait(s->handed_by_list, PATIENCE_NS), expected);
    kt_timer_context_get_counts(s->timer_context, &counts);
    assert_int_equal(counts.recorded, executes ? count : 0);
    assert_int_equal(counts.in_flight, executes ? 0 : count);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        assert_int_equal(counts.discarded[i], 0);
}

static void time_in(uint32_t group, bool copies)
{
    work now, later;
    spans s;
    const user whole = u;
    ze_command_queue_handle_t queue = NULL;
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .ordinal = group,
                                          .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    assert_int_equal(u.ze.CommandQueueCreate(u.context, u.device, &desc, &queue),
                     ZE_RESULT_SUCCESS);
    u.queue = queue;
    work_open_in(&u, &later, group);
    work_open_immediate_in(&u, &now, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, group);
    spans_open(&s, &now);
    stream(&s, &now, copies);
    record(&s, &later, copies);
    /* A second run of what has not ended would be refused. */
    unsigned runs = executes ? RUNS : 1;
    for (unsigned i = 0; i < runs; i++) {
        EXPECT_OK(kt_recording_submit(s.recording));
        work_submit(&u, &later);
        work_wait(&u, &later);
    }
    check(&s, 2 + 2 * (uint64_t)runs);
    spans_close(&s);
    work_close(&u, &now);
    work_close(&u, &later);
    assert_int_equal(u.ze.CommandQueueDestroy(queue), ZE_RESULT_SUCCESS);
    u = whole;
}

static void in_each_group(void **state)
{
    uint32_t count = 0;
    ze_command_queue_group_properties_t groups[GROUPS_MAX];
    for (int i = 0; i < GROUPS_MAX; i++)
        groups[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    user_open(&u);
    assert_int_equal(u.ze.DeviceGetCommandQueueGroupProperties(u.device, &count, NULL),
                     ZE_RESULT_SUCCESS);
    assert_true(count > 0 && count <= GROUPS_MAX);
    assert_int_equal(u.ze.DeviceGetCommandQueueGroupProperties(u.device, &count, groups),
                     ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        print_message("group %u of %u, kinds 0x%x\n", i, count, groups[i].flags);
        time_in(i, groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
    }
    user_close(&u);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_each_group)};
    if (!user_has_driver()) {
        printf("skipped: Level Zero finds no driver that works here\n");
        return SKIPPED;
    }
    executes = argc < 2 || strcmp(argv[1], "nothing") != 0;
    return cmocka_run_group_tests_name("timers in Level Zero's groups of queues", tests, NULL,
                                       NULL);
}
