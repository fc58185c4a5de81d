/* That the keys of the script work. */
#include "selftest.h"

#include <string.h>

/* Nothing in kerntime's way of working may be misuse; selftest_misuse.c shows that such a case can
 * fail. */
static void nothing(struct world *w)
{
    (void)w;
}

/* ---- work ---- */

static void fills_and_copies(struct world *w)
{
    append_fill(w, NULL);
    barrier(w, NULL);
    GOOD(ze.CommandListAppendMemoryCopy(w->list, w->b, w->a, BYTES, NULL, 0, NULL));
    execute(w);
    for (int i = 0; i < WORDS; i++)
        CHECK(w->b[i] == 0x12345678u);
    const uint16_t pattern = 0x0102;
    GOOD(ze.CommandListReset(w->list));
    GOOD(ze.CommandListAppendMemoryFill(w->list, w->b, &pattern, 2, 8, NULL, 0, NULL));
    execute(w);
    CHECK(w->b[0] == 0x01020102 && w->b[1] == 0x01020102 && w->b[2] == 0x12345678);
}

static void copy_is_skipped(struct world *w)
{
    memset(w->b, 0, BYTES);
    GOOD(ze.CommandListAppendMemoryCopy(w->list, w->b, w->a, BYTES, NULL, 0, NULL));
    execute(w);
    CHECK(w->b[0] == 0);
}

static void result_is_wrong(struct world *w)
{
    append_fill(w, NULL);
    execute(w);
    CHECK(w->a[0] == 0x12345678 && w->a[WORDS - 1] != 0x12345678);
}

/* What was executed is not there before somebody has waited. */
static void works_late(struct world *w)
{
    append_fill(w, w->events[0]);
    w->a[0] = 0;
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    CHECK(w->a[0] == 0);
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
    GOOD(ze.EventQueryStatus(w->events[0]));
    CHECK(w->a[0] == 0x12345678);
    GOOD(ze.CommandQueueSynchronize(w->queue, 0));
}

static void asked_in_vain(struct world *w)
{
    append_fill(w, w->events[0]);
    barrier(w, w->events[1]);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    ze.ktStubAdvance(1000000000);
    for (int i = 0; i < 3; i++)
        CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
    GOOD(ze.EventQueryStatus(w->events[0]));
    for (int i = 0; i < 3; i++)
        CHECK(ze.CommandQueueSynchronize(w->queue, 0) == ZE_RESULT_NOT_READY);
    GOOD(ze.CommandQueueSynchronize(w->queue, 0));
    GOOD(ze.EventQueryStatus(w->events[1]));
}

static void immediate_commands(struct world *w)
{
    const ze_group_count_t groups = {WORDS / 256, 1, 1};
    GOOD(ze.CommandListAppendLaunchKernel(w->immediate, w->fill, &groups, w->events[0], 0, NULL));
    GOOD(ze.CommandListAppendMemoryCopy(w->immediate, w->b, w->a, BYTES, w->events[1], 1,
                                        &w->events[0]));
    GOOD(ze.EventHostSynchronize(w->events[1], FOREVER_NS));
    CHECK(w->b[0] == 0x12345678);
    GOOD(ze.CommandListHostSynchronize(w->immediate, 0));
}

static void immediate_at_once(struct world *w)
{
    const ze_group_count_t groups = {WORDS / 256, 1, 1};
    GOOD(ze.CommandListAppendLaunchKernel(w->immediate, w->fill, &groups, w->events[0], 0, NULL));
    CHECK(w->a[0] == 0x12345678);
    GOOD(ze.EventQueryStatus(w->events[0]));
}

static void hangs(struct world *w)
{
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    int64_t before = ze.ktStubNow();
    CHECK(ze.CommandQueueSynchronize(w->queue, 5000000000) == ZE_RESULT_NOT_READY);
    CHECK(ze.ktStubNow() - before >= 5000000000);
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
}

static void is_lost(struct world *w)
{
    GOOD(ze.CommandListClose(w->list));
    CHECK(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL) ==
          ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(ze.CommandQueueSynchronize(w->queue, 0) == ZE_RESULT_ERROR_DEVICE_LOST);
    w->list = NULL;
}

/* As Intel's driver without a GPU: all succeeds, and nothing is executed. */
static void executes_nothing(struct world *w)
{
    uint64_t host = 0, ticks = 0;
    ze_kernel_timestamp_result_t timestamps;
    w->a[0] = 7;
    append_fill(w, w->events[0]);
    execute(w);
    GOOD(ze.EventHostSynchronize(w->events[0], FOREVER_NS));
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
    CHECK(ze.EventQueryKernelTimestamp(w->events[0], &timestamps) == ZE_RESULT_NOT_READY);
    CHECK(ze.DeviceGetGlobalTimestamps(w->device, &host, &ticks) == ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK(w->a[0] == 7);
}

/* ---- timestamps ---- */

static ze_kernel_timestamp_result_t timestamps_of(ze_event_handle_t event)
{
    ze_kernel_timestamp_result_t timestamps;
    memset(&timestamps, 0xee, sizeof timestamps);
    GOOD(ze.EventQueryKernelTimestamp(event, &timestamps));
    return timestamps;
}

static void kernel_timestamps(struct world *w)
{
    ze.ktStubSetCounters(0, 0xffffff00u);
    append_fill(w, w->events[0]);
    execute(w);
    ze_kernel_timestamp_result_t timestamps = timestamps_of(w->events[0]);
    /* 10 ms at 12 MHz are 120,000 ticks: across the wrap of 32 bits. */
    CHECK(timestamps.global.kernelStart > 0xffffff00u && timestamps.global.kernelEnd < 120000);
    CHECK(((timestamps.global.kernelEnd - timestamps.global.kernelStart) & 0xffffffffu) == 120000);
    CHECK(((timestamps.context.kernelEnd - timestamps.context.kernelStart) & 0xffffffffu) == 60000);
}

static void timestamps_in_lists(struct world *w)
{
    ze_kernel_timestamp_result_t *out = (ze_kernel_timestamp_result_t *)(void *)&w->timestamps[4];
    ze.ktStubTake(777);
    ze.ktStubSetCounters((UINT64_C(1) << 36) - 20, 5);
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w->list, &w->timestamps[0], NULL, 0, NULL));
    barrier(w, NULL);
    append_fill(w, w->events[0]);
    GOOD(ze.CommandListAppendQueryKernelTimestamps(w->list, 1, &w->events[0], out, NULL, NULL, 1,
                                                   &w->events[0]));
    barrier(w, NULL);
    GOOD(ze.CommandListAppendWriteGlobalTimestamp(w->list, &w->timestamps[1], NULL, 0, NULL));
    execute(w);
    uint64_t span = (w->timestamps[1] - w->timestamps[0]) & ((UINT64_C(1) << 36) - 1);
    CHECK(w->timestamps[1] < (UINT64_C(1) << 36) && span >= 777 && span < 777 + 20);
    CHECK(out->global.kernelEnd - out->global.kernelStart == 777);
    CHECK(timestamps_of(w->events[0]).global.kernelEnd == out->global.kernelEnd);
}

static void garbage_above(struct world *w)
{
    uint64_t host = 0, ticks = 0;
    GOOD(ze.DeviceGetGlobalTimestamps(w->device, &host, &ticks));
    CHECK(ticks >> 36 != 0);
}

/* Without barriers kernels begin at once; with them one after the other. */
static void barriers_order(struct world *w)
{
    append_fill(w, w->events[0]);
    barrier(w, NULL);
    append_fill(w, w->events[1]);
    execute(w);
    CHECK(timestamps_of(w->events[1]).global.kernelStart >=
          timestamps_of(w->events[0]).global.kernelEnd);
}

static void two_tiles(struct world *w)
{
    uint32_t count = 0;
    ze_kernel_timestamp_result_t all[2];
    append_fill(w, w->events[0]);
    execute(w);
    GOOD(ze.EventQueryTimestampsExp(w->events[0], w->device, &count, NULL));
    CHECK(count == 2);
    GOOD(ze.EventQueryTimestampsExp(w->events[0], w->device, &count, all));
    CHECK(all[0].global.kernelStart > all[1].global.kernelStart);
    CHECK(all[0].global.kernelEnd < all[1].global.kernelEnd);
    CHECK(all[1].global.kernelEnd - all[1].global.kernelStart == 192);
}

static void timestamps_not_written(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    CHECK(timestamps_of(w->events[0]).global.kernelStart == 0xeeeeeeeeeeeeeeeeu);
}

static void timestamps_zero(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    CHECK(timestamps_of(w->events[0]).global.kernelStart == 0);
}

static void timestamps_backwards(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    ze_kernel_timestamp_result_t timestamps = timestamps_of(w->events[0]);
    CHECK(timestamps.global.kernelEnd < timestamps.global.kernelStart);
}

static void timestamps_fail(struct world *w)
{
    ze_kernel_timestamp_result_t timestamps;
    append_fill(w, w->events[0]);
    execute(w);
    CHECK(ze.EventQueryKernelTimestamp(w->events[0], &timestamps) == ZE_RESULT_ERROR_UNKNOWN);
}

/* What the host was once told stays so for it, whatever a list has done since; a host reset or a
 * new append ends that. */
static void signal_is_cached(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    GOOD(ze.EventQueryStatus(w->events[0]));
    GOOD(ze.CommandListReset(w->list));
    GOOD(ze.CommandListAppendEventReset(w->list, w->events[0]));
    execute(w);
    GOOD(ze.EventQueryStatus(w->events[0]));
    CHECK(timestamps_of(w->events[0]).global.kernelEnd != 0);
    GOOD(ze.EventHostReset(w->events[0]));
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
}

static void signal_is_asked(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    GOOD(ze.EventQueryStatus(w->events[0]));
    GOOD(ze.CommandListReset(w->list));
    GOOD(ze.CommandListAppendEventReset(w->list, w->events[0]));
    execute(w);
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
}

static void append_ends_caching(struct world *w)
{
    append_fill(w, w->events[0]);
    execute(w);
    GOOD(ze.EventQueryStatus(w->events[0]));
    GOOD(ze.CommandListReset(w->list));
    GOOD(ze.CommandListAppendEventReset(w->list, w->events[0]));
    execute(w);
    GOOD(ze.CommandListReset(w->list));
    append_fill(w, w->events[0]);
    CHECK(ze.EventQueryStatus(w->events[0]) == ZE_RESULT_NOT_READY);
}

/* Zeros stand there from when an appended query begins until it ends. */
static void zeros_come_first(struct world *w)
{
    ze_kernel_timestamp_result_t *out = (ze_kernel_timestamp_result_t *)(void *)&w->timestamps[4];
    append_fill(w, w->events[0]);
    barrier(w, w->events[1]);
    GOOD(ze.CommandListAppendQueryKernelTimestamps(w->list, 1, &w->events[0], out, NULL,
                                                   w->events[2], 0, NULL));
    memset(out, 0xee, sizeof *out);
    GOOD(ze.CommandListClose(w->list));
    GOOD(ze.CommandQueueExecuteCommandLists(w->queue, 1, &w->list, NULL));
    GOOD(ze.EventHostSynchronize(w->events[1], FOREVER_NS));
    CHECK(out->global.kernelEnd == 0 && out->context.kernelStart == 0);
    CHECK(ze.EventHostSynchronize(w->events[2], 1000000) == ZE_RESULT_NOT_READY);
    CHECK(out->global.kernelEnd == 0);
    GOOD(ze.CommandQueueSynchronize(w->queue, FOREVER_NS));
    CHECK(out->global.kernelEnd == timestamps_of(w->events[0]).global.kernelEnd);
}

/* ---- what is told ---- */

static uint64_t resolution(struct world *w, ze_structure_type_t type)
{
    ze_device_properties_t properties = {.stype = type};
    return ze.DeviceGetProperties(w->device, &properties) == ZE_RESULT_SUCCESS
               ? properties.timerResolution
               : UINT64_MAX;
}

static void both_units(struct world *w)
{
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES) == 83);
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2) == 12000048);
}

static void whole_ns(struct world *w)
{
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2) == 52);
}

static void refuses_cycles(struct world *w)
{
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES) == 52);
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2) == UINT64_MAX);
}

static void always_cycles(struct world *w)
{
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES) == 19200000);
}

static void no_resolution(struct world *w)
{
    CHECK(resolution(w, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2) == 0);
}

static void groups_of_pvc(struct world *w)
{
    uint32_t count = 0;
    ze_command_queue_group_properties_t groups[3];
    for (int i = 0; i < 3; i++)
        groups[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    GOOD(ze.DeviceGetCommandQueueGroupProperties(w->device, &count, NULL));
    CHECK(count == 3);
    GOOD(ze.DeviceGetCommandQueueGroupProperties(w->device, &count, groups));
    CHECK(groups[2].flags == ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY && groups[2].numQueues == 8);
}

/* The group that computes does not copy. */
static void groups_apart(struct world *w)
{
    ze_command_list_handle_t list = NULL;
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = 1};
    GOOD(ze.CommandListCreate(w->context, w->device, &desc, &list));
    GOOD(ze.CommandListAppendMemoryCopy(list, w->b, w->a, BYTES, NULL, 0, NULL));
    GOOD(ze.CommandListDestroy(list));
    append_fill(w, w->events[0]);
    execute(w);
    CHECK(w->a[0] == 0x12345678);
}

static void has_parts(struct world *w)
{
    uint32_t count = 0;
    ze_device_handle_t parts[3];
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    GOOD(ze.DeviceGetSubDevices(w->device, &count, NULL));
    CHECK(count == 3);
    GOOD(ze.DeviceGetSubDevices(w->device, &count, parts));
    GOOD(ze.DeviceGetProperties(parts[2], &properties));
    CHECK(parts[0] != parts[2] && (properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE));
    GOOD(ze.DeviceGetSubDevices(parts[2], &count, NULL));
    CHECK(count == 0);
}

static void has_no_parts(struct world *w)
{
    uint32_t count = 5;
    GOOD(ze.DeviceGetSubDevices(w->device, &count, NULL));
    CHECK(count == 0);
}

static void no_driver(struct world *w)
{
    uint32_t count = 5;
    (void)w;
    GOOD(ze.Init(0));
    GOOD(ze.DriverGet(&count, NULL));
    CHECK(count == 0);
}

static void no_device(struct world *w)
{
    uint32_t one = 1, count = 5;
    GOOD(ze.Init(0));
    GOOD(ze.DriverGet(&one, &w->driver));
    GOOD(ze.DeviceGet(w->driver, &count, NULL));
    CHECK(count == 0);
}

static void pairs_unsupported(struct world *w)
{
    uint64_t host = 0, ticks = 0;
    CHECK(ze.DeviceGetGlobalTimestamps(w->device, &host, &ticks) ==
          ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

static void pairs_agree(struct world *w)
{
    uint64_t host[2], ticks[2];
    GOOD(ze.DeviceGetGlobalTimestamps(w->device, &host[0], &ticks[0]));
    ze.ktStubAdvance(INT64_C(100) * 1000000000);
    GOOD(ze.DeviceGetGlobalTimestamps(w->device, &host[1], &ticks[1]));
    CHECK(host[1] - host[0] == UINT64_C(100000000000) + 20);
    CHECK(ticks[1] - ticks[0] - 1920000000 <= 1);
}

static void lists_are_reported(struct world *w)
{
    ze_bool_t immediate = false;
    ze_context_handle_t context = NULL;
    ze_device_handle_t device = NULL;
    GOOD(ze.CommandListIsImmediate(w->immediate, &immediate));
    GOOD(ze.CommandListGetContextHandle(w->list, &context));
    GOOD(ze.CommandListGetDeviceHandle(w->list, &device));
    CHECK(immediate && context == w->context && device == w->device);
}

const struct test_case cases[] = {
    {"", nothing, NULL, false},
    {"", fills_and_copies, NULL, false},
    {"clock=host", fills_and_copies, NULL, false},
    {"", fills_and_copies, "zeCommandListAppendLaunchKernel 1", false},
    {"", fills_and_copies, "kernel fill 1", false},
    {"skip_copy=1", copy_is_skipped, NULL, false},
    {"wrong=1", result_is_wrong, NULL, false},
    {"", works_late, NULL, false},
    {"late=3", asked_in_vain, NULL, false},
    {"", immediate_commands, NULL, false},
    {"immediate=at_once", immediate_at_once, NULL, false},
    {"hang=1", hangs, "leak queue 1", false},
    {"lost=1", is_lost, "leak queue 1", false},
    {"aub=1", executes_nothing, NULL, false},
    {"hz=12000000,kernel_ns=10000000,context_percent=50", kernel_timestamps, NULL, false},
    {"", timestamps_in_lists, NULL, false},
    {"garbage=1", garbage_above, NULL, false},
    {"", barriers_order, NULL, false},
    {"tiles=2", two_tiles, NULL, false},
    {"timestamps=unwritten", timestamps_not_written, NULL, false},
    {"timestamps=zero", timestamps_zero, NULL, false},
    {"timestamps=backwards", timestamps_backwards, NULL, false},
    {"timestamps=error", timestamps_fail, NULL, false},
    {"signalled=cached", signal_is_cached, NULL, false},
    {"", signal_is_asked, NULL, false},
    {"signalled=cached", append_ends_caching, NULL, false},
    {"query_ns=2000000", zeros_come_first, NULL, false},
    {"hz=12000048", both_units, NULL, false},
    {"unit=old", whole_ns, NULL, false},
    {"unit=refused", refuses_cycles, NULL, false},
    {"unit=hz", always_cycles, NULL, false},
    {"unit=zero", no_resolution, NULL, false},
    {"groups=pvc", groups_of_pvc, NULL, false},
    {"groups=apart", groups_apart, NULL, false},
    {"tiles=3", has_parts, NULL, false},
    {"", has_no_parts, NULL, false},
    {"drivers=0", no_driver, NULL, true},
    {"devices=0", no_device, NULL, true},
    {"calibrated_timestamps=unsupported", pairs_unsupported, NULL, false},
    {"", pairs_agree, NULL, false},
    {"", lists_are_reported, NULL, false},
    {"kernel_bits=65", nothing, "abort", false},
    {"unit=cycles", nothing, "abort", false},
    {NULL, NULL, NULL, false},
};
