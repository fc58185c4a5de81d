/* SPDX-License-Identifier: MIT */
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

double read_state_value(json_reader *r, const char *key, kt_state_value value)
{
    static const struct {
        double least, most;
    } ranges[] = {
#define RANGE(ID, key, label, least, most) {least, most},
        KT_STATE_VALUES_(RANGE)
#undef RANGE
    };
    double number = read_number_or_null(r, key, ranges[value].least);
    if (number > ranges[value].most)
        read_refuse(r, "\"%s\" is %.17g, which is too high", key, number);
    return number;
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
    state->core_clock_mhz = read_state_value(r, "core_clock_mhz", KT_STATE_CORE_CLOCK);
    state->core_clock_low_mhz = read_state_value(r, "core_clock_low_mhz", KT_STATE_CORE_CLOCK);
    state->core_clock_high_mhz = read_state_value(r, "core_clock_high_mhz", KT_STATE_CORE_CLOCK);
    state->memory_clock_mhz = read_state_value(r, "memory_clock_mhz", KT_STATE_MEMORY_CLOCK);
    state->temperature_c = read_state_value(r, "temperature_c", KT_STATE_TEMPERATURE);
    state->power_w = read_state_value(r, "power_w", KT_STATE_POWER);
    state->throttle = read_reasons(r, "throttle");
    state->left_out = read_reasons(r, "left_out");
    state->kept_throttled = (uint32_t)read_whole(r, "kept_throttled", 0, UINT32_MAX);
    state->read_s = read_number(r, "read_s", READ_ALONE, 0);
    state->waited_s = read_number(r, "waited_s", READ_ALONE, 0);
    if (state->core_clock_low_mhz > state->core_clock_mhz ||
        state->core_clock_high_mhz < state->core_clock_mhz)
        read_refuse(r, "\"core_clock_mhz\" is not between \"core_clock_low_mhz\" and "
                       "\"core_clock_high_mhz\"");
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
    else if (energy->ci95_low_j > energy->dispatch_j || energy->ci95_high_j < energy->dispatch_j)
        read_refuse(r, "\"dispatch_j\" is not between \"ci95_low_j\" and \"ci95_high_j\"");
    read_leave(r);
    return true;
}
