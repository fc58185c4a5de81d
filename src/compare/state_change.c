/* SPDX-License-Identifier: MIT */
#include "compare/state_change.h"

#include "compare/missing_rows.h"

#include <kerntime/state.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Least relative differences that count. A clock wanders by some steps of 15 MHz. */
#define CLOCK_SHARE 0.02
#define LIMIT_SHARE 0.01

/* A value over the runs of a side. */
typedef struct range {
    uint32_t runs; /* that know it; 0: no other member is valid */
    double mean, low, high;
} range;

typedef struct side_state {
    range core_clock, memory_clock, power_limit;
    bool known, throttled;
    uint32_t reasons; /* kt_throttle while samples were kept */
} side_state;

static void add_value(range *to, double mean, double low, double high)
{
    if (!(mean > 0))
        return;
    to->runs++;
    to->mean = to->runs == 1 ? mean : to->mean + (mean - to->mean) / to->runs;
    /* fmin() and fmax() ignore an unknown end. */
    to->low = fmin(to->runs == 1 ? mean : to->low, fmin(mean, low));
    to->high = fmax(to->runs == 1 ? mean : to->high, fmax(mean, high));
}

static void add_run(side_state *to, const kt_taken *taken)
{
    const kt_state_summary *state = &taken->series->state;
    if (taken->device && taken->device->has_state) {
        double limit_w = taken->device->state.value[KT_STATE_POWER_LIMIT];
        add_value(&to->power_limit, limit_w, limit_w, limit_w);
    }
    if (!state->readings)
        return;
    to->known = true;
    to->reasons |= state->throttle & KT_THROTTLE_MASK;
    to->throttled |= (state->throttle & KT_THROTTLE_MASK) || state->kept_throttled;
    add_value(&to->core_clock, state->core_clock_mhz, state->core_clock_low_mhz,
              state->core_clock_high_mhz);
    add_value(&to->memory_clock, state->memory_clock_mhz, NAN, NAN);
}

static side_state summarize(const kt_matched_row *row, unsigned side)
{
    side_state state = {0};
    for (uint32_t i = 0; i < row->count[side]; i++)
        if (kt_has_time(&row->of[side][i]))
            add_run(&state, &row->of[side][i].taken);
    return state;
}

static void put(char *text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, KT_STATE_CHANGE_BYTES - used, "%s%s", used ? "; " : "", more);
}

static void put_difference(char *text, const char *what, const char *unit, double share,
                           const range *one, const range *other)
{
    char line[128];
    if (!one->runs || !other->runs || fabs(other->mean - one->mean) <= share * one->mean ||
        (other->low <= one->high && one->low <= other->high))
        return;
    snprintf(line, sizeof line, "%s %.0f -> %.0f %s (%+.*f %%)", what, one->mean, other->mean, unit,
             fabs(other->mean - one->mean) < 0.1 * one->mean ? 1 : 0,
             100 * (other->mean / one->mean - 1));
    put(text, line);
}

static void put_throttling(char *text, const side_state *one, const side_state *other)
{
    char line[KT_THROTTLE_NAMES_BYTES + 64], names[KT_THROTTLE_NAMES_BYTES];
    const side_state *slow = one->throttled ? one : other;
    if (!one->known || !other->known || one->throttled == other->throttled)
        return;
    kt_throttle_names(slow->reasons, names, sizeof names);
    snprintf(line, sizeof line, "throttled in the %s%s%s%s", slow == one ? "baseline" : "contender",
             *names ? " (" : "", names, *names ? ")" : "");
    put(text, line);
}

bool kt_find_state_change(const kt_matched_row *row, char text[KT_STATE_CHANGE_BYTES])
{
    side_state one = summarize(row, KT_SIDE_BASELINE), other = summarize(row, KT_SIDE_CONTENDER);
    text[0] = '\0';
    put_difference(text, "core clock", "MHz", CLOCK_SHARE, &one.core_clock, &other.core_clock);
    put_difference(text, "memory clock", "MHz", CLOCK_SHARE, &one.memory_clock,
                   &other.memory_clock);
    put_difference(text, "power limit", "W", LIMIT_SHARE, &one.power_limit, &other.power_limit);
    put_throttling(text, &one, &other);
    return text[0] != '\0';
}
