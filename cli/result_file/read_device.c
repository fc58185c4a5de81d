/* SPDX-License-Identifier: MIT */
/* read_device.c - reads a result file's devices: description, clocks, timer limits and state. */
#include "cli/result_file/read_parts.h"

#include <math.h>

#define QUEUE_KINDS 4

WORDS_OF(method)
WORDS_OF(clock_source)
WORDS_OF(device_type)
WORDS_OF(memory_kind)
WORDS_OF(reading)

static kt_clock_source read_source(json_reader *r, const char *key)
{
    if (!read_has(r, key) || read_is_null(r, key))
        return KT_SOURCE_NONE;
    return (kt_clock_source)read_word(r, key, READ_ALONE, clock_source_word, KT_SOURCE_REPORTED);
}

/* Reads the clock's calibration, which files of older versions lack. */
static void read_found(json_reader *r, kt_clock_info *clock)
{
    if (read_has(r, "valid_bits_min"))
        clock->valid_bits_min = (uint32_t)read_count_or_null(r, "valid_bits_min", 64);
    if (clock->valid_bits && clock->valid_bits_min)
        read_refuse(r, "\"valid_bits\" and \"valid_bits_min\" are both known");
    clock->drift_ppm = read_has(r, "drift_ppm") ? read_number_or_null(r, "drift_ppm", ANY) : NAN;
    clock->period_source = read_source(r, "period_source");
    clock->relation_source = read_source(r, "relation_source");
}

static void read_clock(json_reader *r, kt_clock_info *clock)
{
    read_chars(r, "name", clock->name, sizeof clock->name);
    clock->method = (kt_method)read_word(r, "method", READ_ALONE, method_word, 0);
    clock->period_ns = read_number_or_null(r, "period_ns", ABOVE_0);
    bool found = read_has(r, "period_uncertainty_ns");
    clock->period_uncertainty_ns =
        found ? read_number(r, "period_uncertainty_ns", READ_ALONE, 0) : NAN;
    clock->frequency_hz = read_number_or_null(r, "frequency_hz", ABOVE_0);
    if (read_has(r, "reported_period_ns"))
        clock->reported_period_ns = (uint32_t)read_whole(r, "reported_period_ns", 1, UINT32_MAX);
    clock->valid_bits = (uint32_t)read_count_or_null(r, "valid_bits", 64);
    clock->pauses = read_has(r, "pauses") && read_bool(r, "pauses");
    read_chars_or_null(r, "domain", clock->domain, sizeof clock->domain);
    clock->uncertainty_ns = read_number_or_null(r, "uncertainty_ns", 0);
    read_found(r, clock);
}

static uint32_t read_memory_kinds(json_reader *r, const char *key)
{
    uint32_t kinds = 0;
    size_t count = read_list(r, key, KT_MEMORY_KIND_COUNT);
    for (size_t i = 0; i < count; i++)
        kinds |= 1u << read_word(r, key, i, memory_kind_word, KT_MEMORY_HEAP);
    return kinds;
}

/* Name of the queue ability with this bit number. */
static const char *queue_kind_word(int bit)
{
    return kt_queue_kind_name((kt_queue_kind)(1 << bit));
}

static void read_queue_group(json_reader *r, kt_queue_group *group)
{
    size_t count = read_list(r, "kinds", QUEUE_KINDS);
    for (size_t i = 0; i < count; i++)
        group->kinds |= 1u << read_word(r, "kinds", i, queue_kind_word, 0);
    group->queue_count = (uint32_t)read_whole(r, "queues", 0, UINT32_MAX);
}

static void read_queue_groups(json_reader *r, kt_device_info *info)
{
    info->queue_group_count = (uint32_t)read_list(r, "queue_groups", KT_QUEUE_GROUPS_MAX);
    for (uint32_t i = 0; i < info->queue_group_count; i++) {
        read_enter(r, "queue_groups", i);
        read_queue_group(r, &info->queue_groups[i]);
        read_leave(r);
    }
}

#define KINDS (KT_MEMORY_KIND_COUNT - KT_MEMORY_HEAP)

/* Name of a copy direction (source and destination memory kind); pairs count in the order of
 * kinds. */
static const char *copy_word(int pair)
{
    static const char *const words[KINDS * KINDS + 1] = {
        "heap-heap",     "heap-host",     "heap-device", "heap-shared", "host-heap",
        "host-host",     "host-device",   "host-shared", "device-heap", "device-host",
        "device-device", "device-shared", "shared-heap", "shared-host", "shared-device",
        "shared-shared", "unknown"};
    return words[pair];
}

static void read_copies(json_reader *r, uint32_t copies[KT_MEMORY_KIND_COUNT])
{
    size_t count = read_list(r, "copies", KINDS * KINDS);
    for (size_t i = 0; i < count; i++) {
        int pair = read_word(r, "copies", i, copy_word, 0);
        copies[KT_MEMORY_HEAP + pair / KINDS] |= 1u << (KT_MEMORY_HEAP + pair % KINDS);
    }
}

/* Early files have none. */
static void read_identity(json_reader *r, kt_device_info *info)
{
    if (read_has(r, "pci_address"))
        read_chars_or_null(r, "pci_address", info->pci_address, sizeof info->pci_address);
    if (read_has(r, "uuid"))
        read_chars_or_null(r, "uuid", info->uuid, sizeof info->uuid);
    if (read_has(r, "serial"))
        read_chars_or_null(r, "serial", info->serial, sizeof info->serial);
}

static void read_info(json_reader *r, kt_device_info *info)
{
    read_chars(r, "id", info->id, sizeof info->id);
    read_chars(r, "backend", info->backend, sizeof info->backend);
    read_chars(r, "name", info->name, sizeof info->name);
    read_chars_or_null(r, "vendor", info->vendor, sizeof info->vendor);
    read_chars(r, "driver", info->driver, sizeof info->driver);
    info->vendor_id = (uint32_t)read_count_or_null(r, "vendor_id", UINT32_MAX);
    read_identity(r, info);
    info->type = (kt_device_type)read_word(r, "type", READ_ALONE, device_type_word, 0);
    info->compute_units = (uint32_t)read_count_or_null(r, "compute_units", UINT32_MAX);
    info->memory_bytes = read_count_or_null(r, "memory_bytes", UINT64_MAX);
    info->max_memory_bytes = read_count_or_null(r, "max_memory_bytes", UINT64_MAX);
    if (read_has(r, "max_argument_bytes"))
        info->max_argument_bytes = read_count_or_null(r, "max_argument_bytes", UINT64_MAX);
    info->max_group_size = (uint32_t)read_count_or_null(r, "max_group_size", UINT32_MAX);
    info->memory_kinds = read_memory_kinds(r, "memory_kinds");
    if (read_has(r, "copies"))
        read_copies(r, info->copies);
    if (read_has(r, "maps"))
        info->maps = read_memory_kinds(r, "maps");
    if (read_has(r, "queue_groups"))
        read_queue_groups(r, info);
    info->clock_count = (uint32_t)read_list(r, "clocks", KT_CLOCKS_MAX);
    for (uint32_t i = 0; i < info->clock_count; i++) {
        read_enter(r, "clocks", i);
        read_clock(r, &info->clocks[i]);
        read_leave(r);
    }
    if (read_has(r, "quirk"))
        read_chars_or_null(r, "quirk", info->quirk, sizeof info->quirk);
}

/* Reads the limits of clocks that do not time all steps, present only if there are any. */
static void read_clock_limits(json_reader *r, kt_timer_limits *limits)
{
    uint32_t count =
        read_has(r, "clock_limits") ? (uint32_t)read_list(r, "clock_limits", KT_CLOCKS_MAX) : 0;
    for (uint32_t i = 0; i < count; i++) {
        kt_clock_limits *of = &limits->clocks[i];
        read_enter(r, "clock_limits", i);
        read_chars(r, "name", of->name, sizeof of->name);
        of->min_span_ns = read_number_or_null(r, "min_span_ns", 0);
        read_chars_or_null(r, "untrusted", of->reason, sizeof of->reason);
        read_leave(r);
    }
}

/* Reads the timer limits. Returns whether they are present: a device that was not measured has null
 * for all of them. */
static bool read_timer_limits(json_reader *r, kt_timer_limits *limits)
{
    limits->resolution_ns = read_number_or_null(r, "resolution_ns", ABOVE_0);
    limits->min_span_ns = read_number_or_null(r, "min_span_ns", 0);
    limits->timestamp_overhead_ns = read_number_or_null(r, "timestamp_overhead_ns", ANY);
    limits->timestamp_overhead_error_ns =
        read_has(r, "timestamp_overhead_error_ns")
            ? read_number(r, "timestamp_overhead_error_ns", READ_ALONE, 0)
            : NAN;
    limits->overhead_ns = NAN;
    limits->trusted = read_text_or_null(r, "untrusted") == NULL;
    read_chars_or_null(r, "untrusted", limits->reason, sizeof limits->reason);
    read_clock_limits(r, limits);
    return !limits->trusted || !isnan(limits->resolution_ns) || !isnan(limits->min_span_ns) ||
           !isnan(limits->timestamp_overhead_ns);
}

/* Reads a value, which files of older versions may lack. */
static double read_value(json_reader *r, kt_state_value value)
{
    const char *key = kt_state_value_name(value);
    if (!read_has(r, key))
        return NAN;
    if (value == KT_STATE_THROTTLE)
        return read_throttle(r, key);
    return read_state_value(r, key, value);
}

/* Reads why values are missing, present only if there is another reason than that no source has
 * them. */
static void read_missing(json_reader *r, kt_device_state *state)
{
    if (!read_has(r, "missing"))
        return;
    read_enter(r, "missing", READ_ALONE);
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        const char *key = kt_state_value_name((kt_state_value)i);
        if (!read_has(r, key))
            continue;
        if (state->reading[i] == KT_READING_OK)
            read_refuse(r, "\"%s\" is not missing", key);
        state->reading[i] =
            (kt_reading)read_word(r, key, READ_ALONE, reading_word, KT_READING_DENIED);
    }
    read_leave(r);
}

/* Reads the state; a device without one keeps an empty source. */
static void read_state(json_reader *r, kt_device_state *state)
{
    if (!read_has(r, "state"))
        return;
    read_enter(r, "state", READ_ALONE);
    read_chars(r, "source", state->source, sizeof state->source);
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        state->value[i] = read_value(r, (kt_state_value)i);
        state->reading[i] = isnan(state->value[i]) ? KT_READING_UNSUPPORTED : KT_READING_OK;
    }
    read_missing(r, state);
    read_leave(r);
}

void read_device(json_reader *r, kt_report *report)
{
    kt_device_info info = {0};
    kt_timer_limits limits = {0};
    kt_device_state state = {0};
    read_info(r, &info);
    bool measured = read_timer_limits(r, &limits);
    read_state(r, &state);
    const char *error = read_has(r, "clock_error") ? read_text_or_null(r, "clock_error") : NULL;
    uint32_t count = kt_report_device_count(report);
    if (r->failed)
        return;
    read_check(r, kt_report_add_device(report, &info, measured ? &limits : NULL));
    if (!r->failed && kt_report_device_count(report) == count)
        read_refuse(r, "\"id\" is that of a device before it");
    if (!r->failed && error)
        read_check(r, kt_report_set_clock_error(report, info.id, error));
    if (!r->failed)
        read_check(r, kt_report_set_device_state(report, info.id, &state));
}
