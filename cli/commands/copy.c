/* SPDX-License-Identifier: MIT */
/*
 * copy.c - the command `copy`: measures the copy directions of each device, and memcpy of this
 * machine. Copies on cpu:0 are measured in any case as reference for the devices. They alone never
 * make a run succeed.
 */
#include "cli/commands/commands.h"
#include "cli/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Default sizes for simulated devices alone. Their time is simulated, but kerntime really writes,
 * copies and compares each byte, in 20 directions. */
#define SIZES_SIMULATED "8KiB..2MiB"
/* Default --max-time per copy: low, since a sweep of many directions and sizes should end within
 * minutes. */
#define MAX_TIME_DEFAULT_NS INT64_C(500000000)

static void add_item(const copy_direction *direction, plan_scope scope, const parse_sizes *sizes,
                     cli_plan *out)
{
    plan_item *item = &out->items[out->count++];
    *item = (plan_item){.workload = &workload_copy,
                        .sizes = *sizes,
                        .is_copy = true,
                        .direction = *direction,
                        .scope = scope};
    item->variant = copy_direction_name(direction, item->direction_name);
}

static bool is_of_kinds(const copy_direction *direction, uint32_t kinds)
{
    return !kinds || (kinds & (1u << direction->src | 1u << direction->dst));
}

static bool is_named(const cli_options *options, const copy_direction *direction)
{
    for (size_t i = 0; i < options->direction_count; i++)
        if (direction_same(&options->directions[i], direction))
            return true;
    return false;
}

/* The devices that a direction is wanted on; PLAN_YARDSTICK: on none that the user has chosen. */
static plan_scope scope_of(const cli_options *options, const copy_direction *direction)
{
    if (options->direction_count)
        return is_named(options, direction) ? PLAN_NAMED : PLAN_YARDSTICK;
    return is_of_kinds(direction, options->kinds) ? PLAN_OFFERING : PLAN_YARDSTICK;
}

static bool any_offers(const cli_selection *selected, const copy_direction *direction)
{
    for (size_t i = 0; i < selected->count; i++)
        if (!selected->devices[i].added && direction_offered(&selected->devices[i].info, direction))
            return true;
    return false;
}

static bool has_yardstick(const cli_selection *selected)
{
    for (size_t i = 0; i < selected->count; i++)
        if (selected->devices[i].yardstick)
            return true;
    return false;
}

/* Refuses the requested directions with a message that lists the available ones. */
static int refuse_directions(const cli_selection *selected, const char *option, const char *what)
{
    char text[512];
    fprintf(stderr, "kerntime copy: --%s: none of the devices copies %s;", option, what);
    for (size_t i = 0, count = 0; i < selected->count; i++)
        if (!selected->devices[i].added)
            fprintf(stderr, "%s %.80s has %s", count++ ? ";" : "", selected->devices[i].info.id,
                    directions_text_of(text, sizeof text, &selected->devices[i].info));
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

/* Whether the user named a memcpy direction and a reference device is present, even if not
 * named. */
static bool is_asked_of_yardstick(const cli_options *options, const cli_selection *selected,
                                  const copy_direction *direction)
{
    return has_yardstick(selected) && direction_is_memcpy(direction) &&
           is_named(options, direction);
}

/* Says which devices have none of the named directions, and so no row. */
static void say_without(const cli_options *options, const cli_selection *selected)
{
    char text[512];
    for (size_t i = 0; i < selected->count; i++) {
        const selected_device *device = &selected->devices[i];
        bool any = device->added || device->yardstick;
        for (size_t k = 0; k < options->direction_count; k++)
            any |= direction_offered(&device->info, &options->directions[k]);
        if (!any)
            fprintf(stderr, "kerntime copy: %s has none of these directions, but %s\n",
                    device->info.id, directions_text_of(text, sizeof text, &device->info));
    }
}

static int check_named(const cli_options *options, const cli_selection *selected)
{
    char name[COPY_NAME_BYTES];
    for (size_t i = 0; i < options->direction_count; i++)
        if (!any_offers(selected, &options->directions[i]) &&
            !is_asked_of_yardstick(options, selected, &options->directions[i]))
            return refuse_directions(selected, "direction",
                                     copy_direction_name(&options->directions[i], name));
    if (options->direction_count && !options->quiet)
        say_without(options, selected);
    return EXIT_DONE;
}

/* Whether a device can copy this size in a requested direction. If not, `reason` says why for its
 * last such direction; without one, `reason` stays unchanged. */
static bool can_copy(const cli_options *options, const kt_device_info *info, uint64_t size,
                     char reason[256])
{
    copy_direction offered[COPY_DIRECTIONS_MAX];
    size_t count = copy_directions_of(info, offered);
    for (size_t i = 0; i < count; i++) {
        const plan_item item = {
            .workload = &workload_copy, .is_copy = true, .direction = offered[i]};
        if (scope_of(options, &offered[i]) != PLAN_YARDSTICK &&
            !plan_impossible(&item, size, info, reason, 256))
            return true;
    }
    return false;
}

/* The largest size that a device other than the reference can copy; 0: none. */
static uint64_t largest_beside(const cli_options *options, const cli_selection *selected,
                               const parse_sizes *sizes)
{
    char reason[256];
    uint64_t largest = 0;
    for (size_t i = 0; i < sizes->count; i++)
        for (size_t d = 0; d < selected->count; d++)
            if (sizes->values[i] > largest && !selected->devices[d].yardstick &&
                can_copy(options, &selected->devices[d].info, sizes->values[i], reason))
                largest = sizes->values[i];
    return largest;
}

/* Whether a device is measured only as reference for others. */
static bool is_beside(const cli_options *options, const selected_device *device)
{
    bool asked = false;
    for (size_t i = 0; i < options->direction_count; i++)
        asked |= direction_is_memcpy(&options->directions[i]);
    return device->added && !asked;
}

/* Refuses sizes that no device can copy: such a plan would measure nothing. */
static int check_sizes(const cli_options *options, const cli_selection *selected,
                       const parse_sizes *sizes)
{
    char reason[256], size[32];
    uint64_t least = sizes->values[0];
    for (size_t i = 0; i < sizes->count; i++) {
        least = sizes->values[i] < least ? sizes->values[i] : least;
        for (size_t d = 0; d < selected->count; d++)
            if (can_copy(options, &selected->devices[d].info, sizes->values[i], reason) &&
                !is_beside(options, &selected->devices[d]))
                return EXIT_DONE;
    }
    for (size_t d = 0; d < selected->count; d++) {
        reason[0] = '\0';
        can_copy(options, &selected->devices[d].info, least, reason);
        if (reason[0] && !is_beside(options, &selected->devices[d]))
            fprintf(stderr, "kerntime copy: --size: a copy of %s on %s %s\n",
                    plan_format_bytes(size, least), selected->devices[d].info.id, reason);
    }
    return EXIT_USAGE;
}

/* Adds the requested directions that some device offers, and those of the reference device. */
static int add_directions(const cli_options *options, const cli_selection *selected,
                          const parse_sizes *sizes, cli_plan *out)
{
    copy_direction all[COPY_DIRECTIONS_MAX];
    size_t count = directions_all(all), wanted = 0;
    bool yardstick = has_yardstick(selected);
    uint64_t largest = largest_beside(options, selected, sizes);
    for (size_t i = 0; i < count; i++) {
        plan_scope scope = scope_of(options, &all[i]);
        bool asked = is_asked_of_yardstick(options, selected, &all[i]);
        bool offered = scope != PLAN_YARDSTICK && any_offers(selected, &all[i]);
        wanted += offered || asked;
        if (!offered && !asked && !(yardstick && direction_is_memcpy(&all[i])))
            continue;
        if (!offered) /* no device chosen by the user offers the direction */
            scope = asked ? PLAN_OFFERING : PLAN_YARDSTICK;
        add_item(&all[i], scope, sizes, out);
        out->items[out->count - 1].beside_max = largest;
        out->items[out->count - 1].asked_of_yardstick = asked;
    }
    if (wanted)
        return check_sizes(options, selected, sizes);
    if (options->kinds)
        return refuse_directions(selected, "kind", "from or to such memory");
    fprintf(stderr, "kerntime copy: none of the devices copies anything\n");
    return EXIT_USAGE;
}

static bool any_real(const cli_selection *selected)
{
    for (size_t i = 0; i < selected->count; i++)
        if (selected->devices[i].info.type != KT_DEVICE_SIMULATED)
            return true;
    return false;
}

static int choose_sizes(const cli_options *options, const cli_selection *selected,
                        parse_sizes *sizes)
{
    char reason[PARSE_WHY_BYTES];
    const char *usual = any_real(selected) ? workload_copy.sizes : SIZES_SIMULATED;
    *sizes = options->sizes;
    if (sizes->count == 0 && parse_byte_size_list(usual, sizes, reason) != 0) {
        fprintf(stderr, "kerntime copy: %s\n", reason);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->values[i] > workload_copy.size_max) {
            char most[32], size[32];
            fprintf(stderr, "kerntime copy: --size: %s is too much; a copy is of %s at most\n",
                    plan_format_bytes(size, sizes->values[i]),
                    plan_format_bytes(most, workload_copy.size_max));
            return EXIT_USAGE;
        }
    return EXIT_DONE;
}

static int check_words(const cli_options *options)
{
    int code = options_refuse_operands(
        options, "what is copied is said with --size, --kind and --direction");
    if (code != EXIT_DONE || !options->kinds || !options->direction_count)
        return code;
    fprintf(stderr, "kerntime copy: --kind and --direction: one of them says which copies\n");
    return EXIT_USAGE;
}

static int make_plan(const cli_options *options, cli_selection *selected, cli_plan *out)
{
    parse_sizes sizes;
    int code = check_words(options);
    if (code == EXIT_DONE)
        code = choose_sizes(options, selected, &sizes);
    if (code != EXIT_DONE || selected->count == 0)
        return code;
    code = selection_add_yardstick(selected);
    if (code == EXIT_DONE)
        code = check_named(options, selected);
    return code == EXIT_DONE ? add_directions(options, selected, &sizes, out) : code;
}

int cmd_copy(const cli_options *options)
{
    cli_options completed = *options;
    if (!completed.measure.max_time_ns)
        completed.measure.max_time_ns = MAX_TIME_DEFAULT_NS;
    return session_run(&completed, make_plan);
}
