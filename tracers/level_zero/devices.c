/* SPDX-License-Identifier: MIT */
/* Devices, and conversion of their ticks. */
#include "tracers/level_zero/layer.h"

#include "backends/level_zero/timestamps.h"
#include "support/alloc.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { DRIVERS_MAX = 16, DEVICES_MAX = 64, GROUPS_MAX = 32 };

/* Larger differences of the device's clock and the host's mean that the timestamps are of another
 * counter. */
#define CLOCKS_APART_NS 1e6
/* A longer span on a counter that never wraps went backwards. */
#define SPAN_MAX_NS 1e14

static layer_device *devices;

/* ---- names ---- */

static bool ask_properties(ze_device_handle_t device, ze_device_properties_t *out)
{
    /* Of API 1.2: the timer's frequency in Hz. Older drivers know whole ns alone. */
    *out = (ze_device_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    if (layer_next.DeviceGetProperties(device, out) == ZE_RESULT_SUCCESS)
        return true;
    *out = (ze_device_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    return layer_next.DeviceGetProperties(device, out) == ZE_RESULT_SUCCESS;
}

/* Whether the command counts the device: it can compute. */
static bool is_counted(ze_device_handle_t device)
{
    ze_command_queue_group_properties_t groups[GROUPS_MAX];
    ze_device_properties_t properties;
    uint32_t count = 0;
    if (!ask_properties(device, &properties) || properties.type == ZE_DEVICE_TYPE_VPU ||
        layer_next.DeviceGetCommandQueueGroupProperties(device, &count, NULL) != ZE_RESULT_SUCCESS)
        return false;
    count = count < GROUPS_MAX ? count : GROUPS_MAX;
    for (uint32_t i = 0; i < count; i++)
        groups[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    if (count > 0 && layer_next.DeviceGetCommandQueueGroupProperties(device, &count, groups) !=
                         ZE_RESULT_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE)
            return true;
    return false;
}

static bool has_part(ze_device_handle_t device, ze_device_handle_t part, uint32_t *parts)
{
    ze_device_handle_t found[DEVICES_MAX];
    *parts = 0;
    if (layer_next.DeviceGetSubDevices(device, parts, NULL) != ZE_RESULT_SUCCESS)
        *parts = 0;
    *parts = *parts < DEVICES_MAX ? *parts : DEVICES_MAX;
    if (*parts == 0 || layer_next.DeviceGetSubDevices(device, parts, found) != ZE_RESULT_SUCCESS)
        return false;
    for (uint32_t i = 0; i < *parts; i++)
        if (found[i] == part)
            return true;
    return false;
}

/* Number of the device as the command counts it; a part has its device's. -1: unknown. */
static int number_of(ze_device_handle_t wanted)
{
    ze_driver_handle_t drivers[DRIVERS_MAX];
    uint32_t driver_count = 0, parts = 0;
    int number = 0;
    if (layer_next.DriverGet(&driver_count, NULL) != ZE_RESULT_SUCCESS)
        return -1;
    driver_count = driver_count < DRIVERS_MAX ? driver_count : DRIVERS_MAX;
    if (driver_count && layer_next.DriverGet(&driver_count, drivers) != ZE_RESULT_SUCCESS)
        return -1;
    for (uint32_t i = 0; i < driver_count; i++) {
        ze_device_handle_t found[DEVICES_MAX];
        uint32_t count = 0;
        if (layer_next.DeviceGet(drivers[i], &count, NULL) != ZE_RESULT_SUCCESS)
            continue;
        count = count < DEVICES_MAX ? count : DEVICES_MAX;
        if (count && layer_next.DeviceGet(drivers[i], &count, found) != ZE_RESULT_SUCCESS)
            continue;
        for (uint32_t k = 0; k < count; k++) {
            if (found[k] == wanted || has_part(found[k], wanted, &parts))
                return number;
            number += is_counted(found[k]);
        }
    }
    return -1;
}

/* ---- the clock ---- */

/* Estimates the present reading of the device's clock from the host's clock. */
static void relate_to_host(layer_device *device, const ze_device_properties_t *properties)
{
    uint64_t host = 0, ticks = 0;
    if (!layer_next.DeviceGetGlobalTimestamps ||
        properties->timestampValidBits < properties->kernelTimestampValidBits)
        return;
    int64_t before_ns = tracer_now_ns();
    if (layer_next.DeviceGetGlobalTimestamps(device->handle, &host, &ticks) != ZE_RESULT_SUCCESS)
        return;
    int64_t after_ns = tracer_now_ns();
    device->moment_ticks = ticks & kt_ticks_mask(device->clock.valid_bits);
    device->moment_host_ns = before_ns + (after_ns - before_ns) / 2;
    device->offset_ns = (double)device->moment_host_ns;
    device->uncertainty_ns = (double)(after_ns - before_ns) / 2 + device->clock.period_ns;
    device->has_moment = device->has_offset = true;
}

layer_device *layer_device_of(ze_device_handle_t handle)
{
    for (layer_device *at = devices; at; at = at->next)
        if (at->handle == handle)
            return at;
    ze_device_properties_t properties;
    layer_device *added = kt_alloc(1, sizeof *added);
    if (!added || !ask_properties(handle, &properties)) {
        kt_free(added);
        return NULL;
    }
    added->handle = handle;
    added->clock = kt_level_zero_clock(&properties, LEVEL_ZERO_KERNEL);
    if (isnan(added->clock.period_ns) && added->clock.reported_period_ns)
        added->clock.period_ns = added->clock.reported_period_ns;
    if (added->clock.valid_bits == 0) /* wraps cannot be told */
        added->clock.period_ns = NAN;
    (void)has_part(handle, NULL, &added->tiles);
    added->wrap_ns = kt_ticks_wrap_ns(&added->clock);
    char id[24] = "level_zero", name[TRACE_NAME_BYTES];
    int number = number_of(handle);
    if (number >= 0)
        snprintf(id, sizeof id, "level_zero:%d", number);
    bool is_part = properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    snprintf(name, sizeof name, is_part ? "%.100s (tile %u)" : "%.100s", properties.name,
             (unsigned)properties.subdeviceId);
    added->device = tracer_add_device(id, name, added->clock.period_ns);
    if (!isnan(added->clock.period_ns))
        relate_to_host(added, &properties);
    if (added->has_offset)
        tracer_set_offset(added->device, added->offset_ns, added->uncertainty_ns);
    added->next = devices;
    devices = added;
    return added;
}

/* ns from one reading to a later one that is less than a wrap apart. */
static double ns_between(const kt_clock_info *clock, uint64_t from, uint64_t to)
{
    double ns = 0;
    (void)kt_ticks_span(clock, from, to, 0, fmin(kt_ticks_wrap_ns(clock), DBL_MAX), &ns);
    return ns;
}

/* Time of a reading on the device's clock: the shorter way from the known moment, and as many wraps
 * as the host's clock has seen. */
static double place(const layer_device *device, uint64_t ticks, int64_t now_ns)
{
    const kt_clock_info *clock = &device->clock;
    uint64_t from = device->moment_ticks;
    bool is_later = kt_ticks_delta(from, ticks, clock->valid_bits) <=
                    kt_ticks_delta(ticks, from, clock->valid_bits);
    double ns = is_later ? ns_between(clock, from, ticks) : -ns_between(clock, ticks, from);
    double unseen_ns = (double)(now_ns - device->moment_host_ns) - ns;
    if (unseen_ns > device->wrap_ns / 2)
        ns += round(unseen_ns / device->wrap_ns) * device->wrap_ns;
    return device->moment_ns + ns;
}

/* Kernel timestamps may be of another counter than global ones. */
static void check_offset(layer_device *device, double begin_ns, double end_ns, int64_t since_ns,
                         int64_t now_ns)
{
    device->is_checked = true;
    if (!device->has_offset)
        return;
    double slack_ns = CLOCKS_APART_NS + device->uncertainty_ns;
    if (begin_ns + device->offset_ns < (double)since_ns - slack_ns ||
        end_ns + device->offset_ns > (double)now_ns + slack_ns)
        tracer_set_offset(device->device, 0, NAN);
}

bool layer_span(layer_device *device, const ze_kernel_timestamp_result_t *result, int64_t since_ns,
                int64_t now_ns, trace_span *out)
{
    uint64_t mask = kt_ticks_mask(device->clock.valid_bits);
    uint64_t begin = result->global.kernelStart & mask, end = result->global.kernelEnd & mask;
    /* Only a wrap has to be recognised: the clocks may go at different speeds. */
    double duration_ns = NAN, most_ns = kt_span_most_ns((double)(now_ns - since_ns), 0);
    most_ns = fmax(most_ns, isinf(device->wrap_ns) ? SPAN_MAX_NS : device->wrap_ns / 2);
    if (kt_ticks_span(&device->clock, begin, end, 0, most_ns, &duration_ns) != KT_TIMESTAMP_OK)
        return false;
    if (!device->has_moment) {
        device->has_moment = true;
        device->moment_ticks = begin;
        device->moment_host_ns = now_ns;
    }
    double begin_ns = place(device, begin, now_ns);
    if (!device->is_checked)
        check_offset(device, begin_ns, begin_ns + duration_ns, since_ns, now_ns);
    out->begin_ns = llround(begin_ns);
    out->end_ns = out->begin_ns + llround(duration_ns);
    device->moment_ns = begin_ns;
    device->moment_ticks = begin;
    device->moment_host_ns = now_ns;
    return true;
}
