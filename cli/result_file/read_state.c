/* read_state.c - reads what a device did during a measurement, and the energy of a dispatch. */
#include "cli/result_file/read_parts.h"

#include <math.h>

#define THROTTLE_REASONS 7

/* Name of the reason with this bit number. */
static const char *throttle_word(int bit)
{
    return kt_throttle_name((kt_throttle)(1 << bit));
}

double read_throttle(json_reader *r, const char *key)
{
    uint32_t mask = 0;
    if (read_is_null(r, key))
        return NAN;
    size_t count = read_list(r, key, THROTTLE_REASONS);
    for (size_t i = 0; i < count; i++)
        mask |= 1u << read_word(r, key, i, throttle_word, 0);
    return mask;
}

static uint32_t read_reasons(json_reader *r, const char *key)
{
    double mask = read_throttle(r, key);
    return isnan(mask) ? 0 : (uint32_t)mask;
}

void read_state_summary(json_reader *r, kt_state_summary *state)
{
    if (!read_has(r, "state") || read_is_null(r, "state"))
        return;
    read_enter(r, "state", READ_ALONE);
    state->readings = (uint32_t)read_whole(r, "readings", 1, UINT32_MAX);
    state->core_clock_mhz = read_number_or_null(r, "core_clock_mhz", ABOVE_0);
    state->core_clock_low_mhz = read_number_or_null(r, "core_clock_low_mhz", ABOVE_0);
    state->core_clock_high_mhz = read_number_or_null(r, "core_clock_high_mhz", ABOVE_0);
    state->memory_clock_mhz = read_number_or_null(r, "memory_clock_mhz", ABOVE_0);
    state->temperature_c = read_number_or_null(r, "temperature_c", ANY);
    state->power_w = read_number_or_null(r, "power_w", 0);
    state->throttle = read_reasons(r, "throttle");
    state->left_out = read_reasons(r, "left_out");
    state->kept_throttled = (uint32_t)read_whole(r, "kept_throttled", 0, UINT32_MAX);
    state->read_s = read_number(r, "read_s", READ_ALONE, 0);
    state->waited_s = read_number(r, "waited_s", READ_ALONE, 0);
    read_leave(r);
}

bool read_energy(json_reader *r, kt_energy *energy)
{
    if (!read_has(r, "energy") || read_is_null(r, "energy"))
        return false;
    read_enter(r, "energy", READ_ALONE);
    energy->reason = read_text_or_null(r, "reason");
    energy->dispatch_j = read_number_or_null(r, "dispatch_j", 0);
    energy->ci95_low_j = read_number_or_null(r, "ci95_low_j", ANY);
    energy->ci95_high_j = read_number_or_null(r, "ci95_high_j", 0);
    energy->power_w = read_number_or_null(r, "power_w", 0);
    energy->idle_w = read_number_or_null(r, "idle_w", 0);
    energy->update_ms = read_number_or_null(r, "update_ms", ABOVE_0);
    energy->duration_s = read_number_or_null(r, "duration_s", ABOVE_0);
    energy->dispatches = (uint64_t)read_whole(r, "dispatches", 0, INT64_MAX);
    energy->windows = (uint32_t)read_whole(r, "windows", 0, UINT32_MAX);
    energy->throttle = read_reasons(r, "throttle");
    if ((energy->reason != NULL) != isnan(energy->dispatch_j))
        read_refuse(r, "either \"reason\" or \"dispatch_j\" must be null");
    read_leave(r);
    return true;
}
