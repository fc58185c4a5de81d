/*
 * Timers in command lists of the program. Nothing here waits.
 *
 * zeCommandListAppendWriteGlobalTimestamp writes ticks into memory that the host sees. Commands of
 * a list have no order but by barriers, so each timestamp stands between two of them. The barrier
 * behind the second one signals an event with the scope of the host: a host that sees the event
 * signalled sees both timestamps.
 *
 * A period that the driver reports in whole ns is too coarse: 83 ns for 83.333 ns is 0.4 %. Import
 * then measures it by two readings of zeDeviceGetGlobalTimestamps, each the narrowest of a few,
 * until half of both widths is 10 ppm of their distance at most. That takes 50 ms to 1 s. Where it
 * cannot be reached, import is refused.
 *
 * Only the driver of a device says whether its events have a result for each tile. So import looks
 * for the driver that lists the device.
 */
#include "backends/level_zero/native.h"

#include "support/host_clock.h"

#include <kerntime/native/level_zero.h>
#include <math.h>

#define DRIVERS_MAX 16
#define DEVICES_MAX 64
/* For the length of a tick. */
#define READINGS         8
#define STEP_NS          INT64_C(50000000)
#define MEASURING_MAX_NS 1e9
#define PERIOD_UNSURE    1e-5 /* at most, of all of it */

/* ---- devices ---- */

static double width_ns(const kt_clock_pair *pair)
{
    return (double)(pair->host_after_ns - pair->host_before_ns);
}

/* The narrowest of some readings. The first one of a thread takes the longest, and is of no use. */
static kt_status read_narrow(const level_zero_native *n, kt_clock_pair *out)
{
    kt_clock_pair pair;
    kt_status status = level_zero_read_global(&n->api, n->base.device, &kt_system_clock, &pair);
    for (int i = 0; i < READINGS && status == KT_OK; i++) {
        status = level_zero_read_global(&n->api, n->base.device, &kt_system_clock, &pair);
        if (i == 0 || width_ns(&pair) < width_ns(out))
            *out = pair;
    }
    return status;
}

/* Two readings of the timer, so far apart that their widths matter no more than they may. */
static kt_status read_apart(const level_zero_native *n, kt_clock_pair *before, kt_clock_pair *after)
{
    kt_status status = read_narrow(n, before);
    while (status == KT_OK) {
        kt_system_clock.sleep(kt_system_clock.user, STEP_NS);
        status = read_narrow(n, after);
        if (status != KT_OK)
            break;
        double elapsed_ns = (double)(after->host_before_ns - before->host_before_ns);
        double unsure_ns = (width_ns(before) + width_ns(after)) / 2;
        if (unsure_ns <= PERIOD_UNSURE * elapsed_ns)
            return KT_OK;
        if (elapsed_ns >= MEASURING_MAX_NS)
            return kt_fail(KT_UNSUPPORTED,
                           "within %g s readings of the device's timer take %g ns, too long for "
                           "10 ppm",
                           elapsed_ns * 1e-9, 2 * unsure_ns);
    }
    return status;
}

/*
 * How long a tick is by the host's clock, where the driver tells it in whole ns, or not at all.
 * What is told in whole ns holds to 1 ns: readings that say else are of another clock.
 */
static kt_status measure_period(const level_zero_native *n, uint32_t told_ns, uint32_t bits,
                                double *period_ns)
{
    kt_clock_pair before, after;
    const char *why = "the driver tells its timer in whole ns only";
    if (told_ns == 0)
        why = "the driver does not tell how long a tick of its timer is";
    if (read_apart(n, &before, &after) != KT_OK)
        return kt_fail(KT_UNSUPPORTED, "%s, and it cannot be measured: %s", why, kt_error_text());
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    uint64_t ticks = (after.ticks - before.ticks) & mask;
    double elapsed_ns = (double)(after.host_before_ns - before.host_before_ns) / 2 +
                        (double)(after.host_after_ns - before.host_after_ns) / 2;
    *period_ns = elapsed_ns / (double)ticks;
    if (ticks == 0 || (told_ns && fabs(*period_ns - told_ns) > 1))
        return kt_fail(KT_UNSUPPORTED,
                       "the driver's timer is made up: within %g ms it went on by %llu ticks of "
                       "%u ns",
                       elapsed_ns * 1e-6, (unsigned long long)ticks, told_ns);
    return KT_OK;
}

/* The devices of a driver, or the tiles of a device. */
static kt_status list_devices(const ze_api *api, ze_driver_handle_t driver,
                              ze_device_handle_t whole, ze_device_handle_t *devices,
                              uint32_t *count)
{
    ze_device_handle_t *to = NULL;
    kt_status status = KT_OK;
    *count = 0;
    if (whole && !api->zeDeviceGetSubDevices)
        return KT_OK;
    for (int pass = 0; pass < 2 && status == KT_OK; pass++, to = devices) {
        if (pass == 1 && *count == 0)
            break;
        status = whole ? ZE_DO(api, zeDeviceGetSubDevices, whole, count, to)
                       : ZE_DO(api, zeDeviceGet, driver, count, to);
        *count = *count < DEVICES_MAX ? *count : DEVICES_MAX;
    }
    if (status != KT_OK)
        *count = 0;
    return status;
}

/* Whether a device, or a tile of one, is of this driver. */
static kt_status is_of(const ze_api *api, ze_driver_handle_t driver, ze_device_handle_t wanted,
                       bool *found)
{
    ze_device_handle_t devices[DEVICES_MAX] = {NULL}, tiles[DEVICES_MAX] = {NULL};
    uint32_t count = 0, tile_count = 0;
    kt_status status = list_devices(api, driver, NULL, devices, &count);
    for (uint32_t i = 0; i < count; i++)
        *found |= devices[i] == wanted;
    for (uint32_t i = 0; i < count && !*found; i++) {
        kt_status listed = list_devices(api, driver, devices[i], tiles, &tile_count);
        status = status == KT_OK ? listed : status;
        for (uint32_t k = 0; k < tile_count; k++)
            *found |= tiles[k] == wanted;
    }
    return status;
}

/* Handles do not tell their driver. NULL where it is not found; what fails matters then alone. */
static kt_status find_driver(const ze_api *api, ze_device_handle_t wanted, ze_driver_handle_t *out)
{
    ze_driver_handle_t drivers[DRIVERS_MAX] = {NULL};
    uint32_t count = 0;
    kt_status status = ZE_DO(api, zeDriverGet, &count, NULL);
    count = count < DRIVERS_MAX ? count : DRIVERS_MAX;
    if (status == KT_OK && count > 0)
        status = ZE_DO(api, zeDriverGet, &count, drivers);
    if (status != KT_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        kt_status asked = is_of(api, drivers[i], wanted, &found);
        if (found) {
            *out = drivers[i];
            return KT_OK;
        }
        status = status == KT_OK ? asked : status;
    }
    return status;
}

/* Whether events have a result for each tile: else one of them, or all, as the driver likes. */
static kt_status find_tiles(level_zero_native *n)
{
    ze_driver_handle_t driver = NULL;
    uint32_t tiles = 1;
    kt_status status = find_driver(&n->api, n->base.device, &driver);
    if (status == KT_OK && driver)
        status = level_zero_find_tiles(&n->api, driver, n->base.device, &tiles, &n->by_tile);
    return status;
}

/* Its clocks, as far as it has them. */
static kt_status describe(level_zero_native *n, kt_clock_info *clocks)
{
    ze_device_properties_t properties;
    kt_status status = level_zero_properties(&n->api, n->base.device, &properties);
    if (status != KT_OK)
        return status;
    kt_clock_info kernel = level_zero_clock(&properties, LEVEL_ZERO_KERNEL);
    kt_clock_info global = level_zero_clock(&properties, LEVEL_ZERO_GLOBAL);
    n->has_kernel_stamps = kernel.valid_bits != 0;
    n->has_global_stamps = global.valid_bits != 0;
    n->kernel_bits = kernel.valid_bits;
    if (!n->has_kernel_stamps && !n->has_global_stamps)
        return kt_fail(KT_UNSUPPORTED, "%s gives no stamps", properties.name);
    kernel.period_source = global.period_source = KT_SOURCE_TOLD;
    if (isnan(kernel.period_ns)) {
        status = measure_period(n, kernel.told_period_ns,
                                n->has_global_stamps ? global.valid_bits : kernel.valid_bits,
                                &kernel.period_ns);
        kernel.period_source = global.period_source = KT_SOURCE_PAIRS;
        global.period_ns = kernel.period_ns;
    }
    if (status == KT_OK && n->has_kernel_stamps)
        clocks[LEVEL_ZERO_KERNEL] = kernel;
    if (status == KT_OK && n->has_global_stamps)
        clocks[LEVEL_ZERO_GLOBAL] = global;
    return status;
}

kt_status level_zero_native_init(void *native, const void *desc, kt_clock_info *clocks)
{
    level_zero_native *n = native;
    const kt_level_zero_import *given = desc;
    kt_status status = level_zero_open(&n->api);
    if (status != KT_OK)
        return status;
    n->base = (level_zero_base){&n->api, given->context, given->device};
    status = describe(n, clocks);
    if (status == KT_OK)
        status = find_tiles(n);
    if (status == KT_OK)
        status = level_zero_cells_init(&n->own, &n->base, false);
    if (status == KT_OK && n->has_kernel_stamps)
        status = level_zero_cells_init(&n->handed, &n->base, true);
    return status;
}

void level_zero_native_fini(void *native)
{
    level_zero_native *n = native;
    level_zero_cells_fini(&n->own);
    level_zero_cells_fini(&n->handed);
}

/* Of a question of API 1.9, which no list answers to an older loader, or to an older driver behind
 * a newer one. */
static kt_status check_answer(const char *call, ze_result_t code)
{
    bool cannot_tell = code == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ||
                       code == ZE_RESULT_ERROR_UNSUPPORTED_VERSION ||
                       code == ZE_RESULT_ERROR_UNINITIALIZED;
    return cannot_tell ? KT_OK : level_zero_check(call, code);
}

kt_status level_zero_check_list(const level_zero_native *n, ze_command_list_handle_t list,
                                bool immediate)
{
    const ze_api *api = &n->api;
    ze_bool_t is_immediate = immediate;
    ze_context_handle_t context = n->base.context;
    ze_device_handle_t device = n->base.device;
    kt_status status = KT_OK;
    if (api->zeCommandListIsImmediate)
        status = check_answer("zeCommandListIsImmediate",
                              ZE_CODE(api, zeCommandListIsImmediate, list, &is_immediate));
    if (status == KT_OK && api->zeCommandListGetContextHandle)
        status = check_answer("zeCommandListGetContextHandle",
                              ZE_CODE(api, zeCommandListGetContextHandle, list, &context));
    if (status == KT_OK && api->zeCommandListGetDeviceHandle)
        status = check_answer("zeCommandListGetDeviceHandle",
                              ZE_CODE(api, zeCommandListGetDeviceHandle, list, &device));
    if (status != KT_OK)
        return status;
    if (!is_immediate != !immediate)
        return kt_fail(KT_INVALID,
                       immediate ? "the list is a regular one, whose commands run later: record "
                                   "in it by a kt_recording"
                                 : "the list is an immediate one, whose commands run as they are "
                                   "appended: start and stop timers in it");
    if (context != n->base.context || device != n->base.device)
        return kt_fail(KT_INVALID, "the list is of another %s than the one imported",
                       context != n->base.context ? "context" : "device");
    return KT_OK;
}

kt_status level_zero_check_global(const level_zero_native *n)
{
    return n->has_global_stamps
               ? KT_OK
               : kt_fail(KT_UNSUPPORTED, "the device writes no global stamps: time "
                                         "kernels by their events");
}

kt_status level_zero_stream_init(void *native, void *stream, bool *in_order)
{
    const level_zero_native *n = native;
    kt_status status = level_zero_check_global(n);
    *in_order = true; /* by barriers */
    return status == KT_OK ? level_zero_check_list(n, stream, true) : status;
}

/* ---- commands ---- */

kt_status level_zero_append_stamp(const level_zero_native *n, ze_command_list_handle_t list,
                                  level_zero_cell *cell, uint32_t which)
{
    kt_status status = ZE_DO(&n->api, zeCommandListAppendWriteGlobalTimestamp, list,
                             &cell->stamps[which], NULL, 0, NULL);
    if (status == KT_OK)
        cell->stamp_count = which + 1;
    return status;
}

kt_status level_zero_append_signal(const level_zero_native *n, ze_command_list_handle_t list,
                                   level_zero_cell *cell)
{
    kt_status status = level_zero_barrier(&n->api, list, cell->event);
    cell->signals = status == KT_OK;
    return status;
}

/* Two zeros are what a driver leaves that writes nothing. */
static kt_stamp stamp_of(uint64_t start_ticks, uint64_t end_ticks, uint32_t clock)
{
    return (kt_stamp){.state = start_ticks || end_ticks ? KT_STAMP_OK : KT_STAMP_ZERO,
                      .clock = clock,
                      .start_ticks = start_ticks,
                      .end_ticks = end_ticks};
}

/*
 * The next run of a recording may write at this very moment: so each stamp is read as a whole, and
 * of a pair of two runs the core sees that one was there before. Tools that look for races are
 * right, and are not asked here.
 */
#if defined(__GNUC__)
__attribute__((no_sanitize("thread")))
#endif
kt_stamp
level_zero_written_stamp(const level_zero_cell *cell)
{
    const volatile uint64_t *stamps = cell->stamps;
    uint64_t start_ticks = stamps[0], end_ticks = stamps[1];
    return stamp_of(start_ticks, end_ticks, LEVEL_ZERO_GLOBAL);
}

kt_stamp level_zero_event_stamp(const level_zero_native *n, const level_zero_cell *cell)
{
    ze_kernel_timestamp_result_t result;
    kt_stamp_state state =
        level_zero_read_event(&n->base, cell->event, n->by_tile, n->kernel_bits, &result);
    if (state != KT_STAMP_OK)
        return (kt_stamp){.state = state, .clock = LEVEL_ZERO_KERNEL};
    return stamp_of(result.global.kernelStart, result.global.kernelEnd, LEVEL_ZERO_KERNEL);
}

kt_status level_zero_ask(const level_zero_native *n, ze_event_handle_t event)
{
    ze_result_t code = ZE_CODE(&n->api, zeEventQueryStatus, event);
    return code == ZE_RESULT_NOT_READY ? KT_NOT_READY
                                       : level_zero_check("zeEventQueryStatus", code);
}

/* ---- marks ---- */

kt_status level_zero_mark_start(void *native, void *stream, void *mark)
{
    level_zero_native *n = native;
    level_zero_mark *m = mark;
    kt_status status = level_zero_cell_take(&n->own, &m->cell);
    if (status == KT_OK)
        status = level_zero_barrier(&n->api, stream, NULL);
    if (status == KT_OK)
        status = level_zero_append_stamp(n, stream, m->cell, 0);
    if (status != KT_OK)
        return status;
    m->in_use = true;
    return level_zero_barrier(&n->api, stream, NULL);
}

kt_status level_zero_mark_stop(void *native, void *stream, void *mark)
{
    const level_zero_native *n = native;
    const level_zero_mark *m = mark;
    kt_status status = level_zero_barrier(&n->api, stream, NULL);
    if (status == KT_OK)
        status = level_zero_append_stamp(n, stream, m->cell, 1);
    return status == KT_OK ? level_zero_append_signal(n, stream, m->cell) : status;
}

kt_status level_zero_check_kernel(const level_zero_native *n)
{
    return n->has_kernel_stamps
               ? KT_OK
               : kt_fail(KT_UNSUPPORTED, "the events of this device have no stamps");
}

kt_status level_zero_mark_hand_out(void *native, void *mark, void **object)
{
    level_zero_native *n = native;
    level_zero_mark *m = mark;
    kt_status status = level_zero_check_kernel(n);
    if (status == KT_OK)
        status = level_zero_cell_take(&n->handed, &m->cell);
    if (status != KT_OK)
        return status;
    m->is_command = m->in_use = true;
    *object = m->cell->event;
    return KT_OK;
}

kt_status level_zero_mark_read(void *native, void *mark, kt_stamp *stamp)
{
    const level_zero_native *n = native;
    level_zero_mark *m = mark;
    kt_status status = level_zero_ask(n, m->cell->event);
    if (status != KT_OK)
        return status;
    *stamp = m->is_command ? level_zero_event_stamp(n, m->cell) : level_zero_written_stamp(m->cell);
    if (stamp->state == KT_STAMP_NOT_READY)
        return KT_NOT_READY;
    m->in_use = false;
    return KT_OK;
}

void level_zero_mark_fini(void *native, void *mark)
{
    level_zero_native *n = native;
    const level_zero_mark *m = mark;
    level_zero_cells *cells = m->is_command ? &n->handed : &n->own;
    if (m->cell && (!m->in_use || level_zero_cell_is_done(cells, m->cell)))
        level_zero_cell_give(cells, m->cell);
}
