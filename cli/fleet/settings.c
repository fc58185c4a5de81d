/* SPDX-License-Identifier: MIT */
/*
 * settings.c - power limit and clock settings, by which groups are parted: a device with a lower
 * limit is slower, and not broken.
 */
#include "cli/fleet/fleet.h"

#include <inttypes.h>
#include <stdlib.h>

static int64_t whole(const kt_device_state *state, kt_state_value value)
{
    bool known = state && state->reading[value] == KT_READING_OK && state->value[value] >= 0 &&
                 state->value[value] < 1e9;
    return known ? (int64_t)(state->value[value] + 0.5) : FLEET_UNKNOWN;
}

fleet_settings fleet_settings_of(const kt_device_state *state)
{
    return (fleet_settings){.power_limit_w = whole(state, KT_STATE_POWER_LIMIT),
                            .clocks_locked = whole(state, KT_STATE_CLOCKS_LOCKED),
                            .core_clock_max_mhz = whole(state, KT_STATE_CORE_CLOCK_MAX)};
}

static const char *say(fleet *of, const char *before, const char *what, int64_t value,
                       const char *unit)
{
    const char *separator = *before ? ", " : "";
    if (value == FLEET_UNKNOWN)
        return fleet_keepf(of, "%s%s%s unknown", before, separator, what);
    return fleet_keepf(of, "%s%s%s %" PRId64 " %s", before, separator, what, value, unit);
}

static const char *say_locked(fleet *of, const char *before, int64_t locked)
{
    const char *separator = *before ? ", " : "";
    return fleet_keepf(of, "%s%sclocks %s", before, separator,
                       locked == FLEET_UNKNOWN ? "perhaps locked"
                       : locked                ? "locked"
                                               : "not locked");
}

/* Settings that differ among the groups of a model and driver. */
typedef struct model {
    size_t first; /* group */
    bool limits, locks, clocks;
} model;

static void see_difference(model *m, const fleet_settings *one, const fleet_settings *other)
{
    m->limits |= one->power_limit_w != other->power_limit_w;
    m->locks |= one->clocks_locked != other->clocks_locked;
    m->clocks |= one->core_clock_max_mhz != other->core_clock_max_mhz;
}

static const char *label_of(fleet *of, const fleet_group *group, const model *m)
{
    const fleet_settings *s = &group->settings;
    const char *label = group->driver;
    if (label && m->limits)
        label = say(of, label, "power limit", s->power_limit_w, "W");
    if (label && m->locks)
        label = say_locked(of, label, s->clocks_locked);
    if (label && m->clocks)
        label = say(of, label, "largest core clock", s->core_clock_max_mhz, "MHz");
    return label;
}

void fleet_name_groups(fleet *of)
{
    model *models = fleet_alloc(of, of->group_count, sizeof *models);
    size_t *model_of = fleet_alloc(of, of->group_count, sizeof *model_of), count = 0;
    for (size_t i = 0; models && model_of && i < of->group_count && !of->out_of_memory; i++) {
        const fleet_group *group = &of->groups[i];
        const char *key = fleet_keepf(of, "%s\n%s", group->name, group->driver);
        model_of[i] = fleet_find(of, &of->by_model, key, count);
        if (model_of[i] == count)
            models[count++].first = i;
        else if (model_of[i] != FLEET_NONE)
            see_difference(&models[model_of[i]], &of->groups[models[model_of[i]].first].settings,
                           &group->settings);
    }
    for (size_t i = 0; models && model_of && i < of->group_count && !of->out_of_memory; i++) {
        const model *m = &models[model_of[i]];
        of->groups[i].is_split = m->limits || m->locks || m->clocks;
        of->groups[i].label = label_of(of, &of->groups[i], m);
    }
    free(models);
    free(model_of);
}
