/* SPDX-License-Identifier: MIT */
/*
 * timer_context.c - times spans in Level Zero command lists of the program. Only import may wait.
 *
 * zeCommandListAppendWriteGlobalTimestamp writes ticks to host-visible memory. Only barriers order
 * the commands of a list, so each timestamp stands between two of them. The barrier behind the
 * second timestamp signals an event with host scope: a host that sees the event signalled sees both
 * timestamps.
 *
 * A period that the driver reports in whole ns is too coarse: 83 ns for 83.333 ns is 0.4 % off.
 * Import then measures the period by two readings of zeDeviceGetGlobalTimestamps, each the
 * narrowest of a few, until half the sum of both widths is at most 10 ppm of their distance. That
 * takes 50 ms to 1 s. If it fails, import is refused.
 *
 * Only a device's driver says whether its events have a result for each tile, so import searches
 * for the driver that lists the device.
 */
#include "backends/level_zero/timer_context.h"

#include "support/host_clock.h"

#include <kerntime/timer/level_zero.h>
#include <math.h>

#define DRIVERS_MAX 16
#define DEVICES_MAX 64
/* Constants for measuring the period of a tick. */
#define READINGS         8
#define STEP_NS          INT64_C(50000000)
#define MEASURING_MAX_NS 1e9
#define PERIOD_UNSURE    1e-5 /* largest relative uncertainty of the measured period */

/* ---- devices ---- */

static double width_ns(const kt_clock_pair *pair)
{
    return (double)(pair->host_after_ns - pair->host_before_ns);
}

/* Returns the narrowest of READINGS readings of the device's timer. The first reading of a thread
 * takes longest and is discarded. */
static kt_status read_narrow(const level_zero_timer_context *n, kt_clock_pair *out)
{
    kt_clock_pair pair;
    kt_status status = kt_level_zero_read_global(&n->api, n->base.device, &kt_system_clock, &pair);
    for (int i = 0; i < READINGS && status == KT_OK; i++) {
        status = kt_level_zero_read_global(&n->api, n->base.device, &kt_system_clock, &pair);
        if (i == 0 || width_ns(&pair) < width_ns(out))
            *out = pair;
    }
    return status;
}

/* Reads the timer twice, so far apart that the readings' widths stay within PERIOD_UNSURE. */
static kt_status read_apart(const level_zero_timer_context *n, kt_clock_pair *before,
                            kt_clock_pair *after)
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

/* Measures the period of a tick by the host's clock, if the driver reports it in whole ns or not at
 * all. A value in whole ns is right to 1 ns: another result means another clock. */
static kt_status measure_period(const level_zero_timer_context *n, uint32_t reported_ns,
                                uint32_t bits, double *period_ns)
{
    kt_clock_pair before, after;
    const char *reason = "the driver tells its timer in whole ns only";
    if (reported_ns == 0)
        reason = "the driver does not tell how long a tick of its timer is";
    if (read_apart(n, &before, &after) != KT_OK)
        return kt_fail(KT_UNSUPPORTED, "%s, and it cannot be measured: %s", reason,
                       kt_error_text());
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    uint64_t ticks = (after.ticks - before.ticks) & mask;
    double elapsed_ns = (double)(after.host_before_ns - before.host_before_ns) / 2 +
                        (double)(after.host_after_ns - before.host_after_ns) / 2;
    *period_ns = elapsed_ns / (double)ticks;
    if (ticks == 0 || (reported_ns && fabs(*period_ns - reported_ns) > 1))
        return kt_fail(KT_UNSUPPORTED,
                       "untrusted timer: within %g ms it advanced by %llu ticks of "
                       "%u ns",
                       elapsed_ns * 1e-6, (unsigned long long)ticks, reported_ns);
    return KT_OK;
}

/* Lists the devices of `driver`, or the tiles of the device `whole` if that is not NULL. */
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

/* Sets *found if the wanted device, or tile, belongs to this driver. */
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

/* Finds the driver that lists a device; handles do not name it. *out stays NULL if none does, and
 * only then a failure counts. */
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

/* Queries whether events have a result for each tile. If not, an event covers one tile or all. */
static kt_status find_tiles(level_zero_timer_context *n)
{
    ze_driver_handle_t driver = NULL;
    uint32_t tiles = 1;
    kt_status status = find_driver(&n->api, n->base.device, &driver);
    if (status == KT_OK && driver)
        status = kt_level_zero_find_tiles(&n->api, driver, n->base.device, &tiles, &n->by_tile);
    return status;
}

/* Describes the clocks that the device has. */
static kt_status describe(level_zero_timer_context *n, kt_clock_info *clocks)
{
    ze_device_properties_t properties;
    kt_status status = kt_level_zero_properties(&n->api, n->base.device, &properties);
    if (status != KT_OK)
        return status;
    kt_clock_info kernel = kt_level_zero_clock(&properties, LEVEL_ZERO_KERNEL);
    kt_clock_info global = kt_level_zero_clock(&properties, LEVEL_ZERO_GLOBAL);
    n->has_kernel_timestamps = kernel.valid_bits != 0;
    n->has_global_timestamps = global.valid_bits != 0;
    n->kernel_bits = kernel.valid_bits;
    if (!n->has_kernel_timestamps && !n->has_global_timestamps)
        return kt_fail(KT_UNSUPPORTED, "%s gives no timestamps", properties.name);
    kernel.period_source = global.period_source = KT_SOURCE_REPORTED;
    if (isnan(kernel.period_ns)) {
        status = measure_period(n, kernel.reported_period_ns,
                                n->has_global_timestamps ? global.valid_bits : kernel.valid_bits,
                                &kernel.period_ns);
        kernel.period_source = global.period_source = KT_SOURCE_CALIBRATED_TIMESTAMPS;
        global.period_ns = kernel.period_ns;
    }
    if (status == KT_OK && n->has_kernel_timestamps)
        clocks[LEVEL_ZERO_KERNEL] = kernel;
    if (status == KT_OK && n->has_global_timestamps)
        clocks[LEVEL_ZERO_GLOBAL] = global;
    return status;
}

kt_status kt_level_zero_timer_context_init(void *timer_context, const void *desc,
                                           kt_clock_info *clocks)
{
    level_zero_timer_context *n = timer_context;
    const kt_level_zero_import *given = desc;
    kt_status status = kt_level_zero_open(&n->api);
    if (status != KT_OK)
        return status;
    n->base = (level_zero_base){&n->api, given->context, given->device};
    status = describe(n, clocks);
    if (status == KT_OK)
        status = find_tiles(n);
    if (status == KT_OK)
        status = kt_level_zero_cells_init(&n->own, &n->base, false);
    if (status == KT_OK && n->has_kernel_timestamps)
        status = kt_level_zero_cells_init(&n->handed, &n->base, true);
    return status;
}

void kt_level_zero_timer_context_fini(void *timer_context)
{
    level_zero_timer_context *n = timer_context;
    kt_level_zero_cells_fini(&n->own);
    kt_level_zero_cells_fini(&n->handed);
}

/* Checks the code of a call of API 1.9. An older loader, or an older driver behind a newer loader,
 * cannot answer it, so nothing is checked then. */
static kt_status check_answer(const char *call, ze_result_t code)
{
    bool cannot_tell = code == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ||
                       code == ZE_RESULT_ERROR_UNSUPPORTED_VERSION ||
                       code == ZE_RESULT_ERROR_UNINITIALIZED;
    return cannot_tell ? KT_OK : level_zero_check(call, code);
}

kt_status kt_level_zero_check_list(const level_zero_timer_context *n, ze_command_list_handle_t list,
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

kt_status kt_level_zero_check_global(const level_zero_timer_context *n)
{
    return n->has_global_timestamps
               ? KT_OK
               : kt_fail(KT_UNSUPPORTED, "the device writes no global timestamps: time "
                                         "kernels by their events");
}

kt_status kt_level_zero_stream_init(void *timer_context, void *stream, bool *in_order)
{
    const level_zero_timer_context *n = timer_context;
    kt_status status = kt_level_zero_check_global(n);
    *in_order = true; /* kerntime's barriers order the commands of a list */
    return status == KT_OK ? kt_level_zero_check_list(n, stream, true) : status;
}

/* ---- commands ---- */

kt_status kt_level_zero_append_timestamp(const level_zero_timer_context *n,
                                         ze_command_list_handle_t list, level_zero_cell *cell,
                                         uint32_t which)
{
    kt_status status = ZE_DO(&n->api, zeCommandListAppendWriteGlobalTimestamp, list,
                             &cell->timestamps[which], NULL, 0, NULL);
    if (status == KT_OK)
        cell->timestamp_count = which + 1;
    return status;
}

kt_status kt_level_zero_append_signal(const level_zero_timer_context *n,
                                      ze_command_list_handle_t list, level_zero_cell *cell)
{
    kt_status status = kt_level_zero_barrier(&n->api, list, cell->event);
    cell->signals = status == KT_OK;
    return status;
}

/* A start and an end of 0 ticks mean that the driver wrote nothing. */
static kt_timestamp timestamp_of(uint64_t start_ticks, uint64_t end_ticks, uint32_t clock)
{
    return (kt_timestamp){.state = start_ticks || end_ticks ? KT_TIMESTAMP_OK : KT_TIMESTAMP_ZERO,
                          .clock = clock,
                          .start_ticks = start_ticks,
                          .end_ticks = end_ticks};
}

/* The next run of a recording may write at this moment. Each timestamp is read as a whole, and the
 * core discards a pair of two runs, because it has seen one of the two before. The data race is
 * intended, hence no_sanitize. */
#if defined(__GNUC__)
__attribute__((no_sanitize("thread")))
#endif
kt_timestamp
kt_level_zero_written_timestamp(const level_zero_cell *cell)
{
    const volatile uint64_t *timestamps = cell->timestamps;
    uint64_t start_ticks = timestamps[0], end_ticks = timestamps[1];
    return timestamp_of(start_ticks, end_ticks, LEVEL_ZERO_GLOBAL);
}

kt_timestamp kt_level_zero_event_timestamp(const level_zero_timer_context *n,
                                           const level_zero_cell *cell)
{
    ze_kernel_timestamp_result_t result;
    kt_timestamp_state state =
        kt_level_zero_read_event(&n->base, cell->event, n->by_tile, n->kernel_bits, &result);
    if (state != KT_TIMESTAMP_OK)
        return (kt_timestamp){.state = state, .clock = LEVEL_ZERO_KERNEL};
    return timestamp_of(result.global.kernelStart, result.global.kernelEnd, LEVEL_ZERO_KERNEL);
}

kt_status kt_level_zero_ask(const level_zero_timer_context *n, ze_event_handle_t event)
{
    ze_result_t code = ZE_CODE(&n->api, zeEventQueryStatus, event);
    return code == ZE_RESULT_NOT_READY ? KT_NOT_READY
                                       : level_zero_check("zeEventQueryStatus", code);
}

/* ---- marks ---- */

kt_status kt_level_zero_mark_start(void *timer_context, void *stream, void *mark)
{
    level_zero_timer_context *n = timer_context;
    level_zero_mark *m = mark;
    kt_status status = kt_level_zero_cell_take(&n->own, &m->cell);
    if (status == KT_OK)
        status = kt_level_zero_barrier(&n->api, stream, NULL);
    if (status == KT_OK)
        status = kt_level_zero_append_timestamp(n, stream, m->cell, 0);
    if (status != KT_OK)
        return status;
    m->in_use = true;
    return kt_level_zero_barrier(&n->api, stream, NULL);
}

kt_status kt_level_zero_mark_stop(void *timer_context, void *stream, void *mark)
{
    const level_zero_timer_context *n = timer_context;
    const level_zero_mark *m = mark;
    kt_status status = kt_level_zero_barrier(&n->api, stream, NULL);
    if (status == KT_OK)
        status = kt_level_zero_append_timestamp(n, stream, m->cell, 1);
    return status == KT_OK ? kt_level_zero_append_signal(n, stream, m->cell) : status;
}

kt_status kt_level_zero_check_kernel(const level_zero_timer_context *n)
{
    return n->has_kernel_timestamps
               ? KT_OK
               : kt_fail(KT_UNSUPPORTED, "the events of this device have no timestamps");
}

kt_status kt_level_zero_mark_hand_out(void *timer_context, void *mark, void **object)
{
    level_zero_timer_context *n = timer_context;
    level_zero_mark *m = mark;
    kt_status status = kt_level_zero_check_kernel(n);
    if (status == KT_OK)
        status = kt_level_zero_cell_take(&n->handed, &m->cell);
    if (status != KT_OK)
        return status;
    m->is_command = m->in_use = true;
    *object = m->cell->event;
    return KT_OK;
}

kt_status kt_level_zero_mark_read(void *timer_context, void *mark, kt_timestamp *timestamp)
{
    const level_zero_timer_context *n = timer_context;
    level_zero_mark *m = mark;
    kt_status status = kt_level_zero_ask(n, m->cell->event);
    if (status != KT_OK)
        return status;
    *timestamp = m->is_command ? kt_level_zero_event_timestamp(n, m->cell)
                               : kt_level_zero_written_timestamp(m->cell);
    if (timestamp->state == KT_TIMESTAMP_NOT_READY)
        return KT_NOT_READY;
    m->in_use = false;
    return KT_OK;
}

void kt_level_zero_mark_fini(void *timer_context, void *mark)
{
    level_zero_timer_context *n = timer_context;
    const level_zero_mark *m = mark;
    level_zero_cells *cells = m->is_command ? &n->handed : &n->own;
    if (m->cell && (!m->in_use || kt_level_zero_cell_is_done(cells, m->cell)))
        kt_level_zero_cell_give(cells, m->cell);
}
