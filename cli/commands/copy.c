/*
 * The command `copy`: the directions of each device, beside this machine's memory. Copies on cpu:0
 * are measured whatever was asked for, to compare devices with, and never make a run a success.
 */
#include "cli/commands/commands.h"
#include "cli/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of simulated devices alone: their time is not ours, but each byte is written, copied and compared
 * by us, in 20 directions. */
#define SIZES_SIMULATED "8KiB..2MiB"
/* of so many copies and sizes, that a sweep is over in minutes */
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

/* On which devices a direction is wanted; PLAN_YARDSTICK: on none that the user has chosen. */
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

/* What there would be in place of what was asked for. */
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

/* By name, of the one that stands beside every other device, whether or not the user has named that
 * as well. */
static bool is_asked_of_yardstick(const cli_options *options, const cli_selection *selected,
                                  const copy_direction *direction)
{
    return has_yardstick(selected) && direction_is_memcpy(direction) &&
           is_named(options, direction);
}

static int check_named(const cli_options *options, const cli_selection *selected)
{
    char name[COPY_NAME_BYTES];
    for (size_t i = 0; i < options->direction_count; i++)
        if (!any_offers(selected, &options->directions[i]) &&
            !is_asked_of_yardstick(options, selected, &options->directions[i]))
            return refuse_directions(selected, "direction",
                                     copy_direction_name(&options->directions[i], name));
    return EXIT_DONE;
}

/* Whether a device can do a size in some direction that is wanted of it. If not, `why` says why
 * not, of the last one that it offers; it stays as it is where it offers none. */
static bool can_copy(const cli_options *options, const kt_device_info *info, uint64_t size,
                     char why[256])
{
    copy_direction offered[COPY_DIRECTIONS_MAX];
    size_t count = copy_directions_of(info, offered);
    for (size_t i = 0; i < count; i++) {
        const plan_item item = {
            .workload = &workload_copy, .is_copy = true, .direction = offered[i]};
        if (scope_of(options, &offered[i]) != PLAN_YARDSTICK &&
            !plan_impossible(&item, size, info, why, 256))
            return true;
    }
    return false;
}

/* The largest size that some device can do which is held against the yardstick; 0: none of them can
 * do any. */
static uint64_t largest_beside(const cli_options *options, const cli_selection *selected,
                               const parse_sizes *sizes)
{
    char why[256];
    uint64_t largest = 0;
    for (size_t i = 0; i < sizes->count; i++)
        for (size_t d = 0; d < selected->count; d++)
            if (sizes->values[i] > largest && !selected->devices[d].yardstick &&
                can_copy(options, &selected->devices[d].info, sizes->values[i], why))
                largest = sizes->values[i];
    return largest;
}

/* Measured for the sake of others alone. */
static bool is_beside(const cli_options *options, const selected_device *device)
{
    bool asked = false;
    for (size_t i = 0; i < options->direction_count; i++)
        asked |= direction_is_memcpy(&options->directions[i]);
    return device->added && !asked;
}

/* A plan of nothing but rows that say why not is a wrong question. */
static int check_sizes(const cli_options *options, const cli_selection *selected,
                       const parse_sizes *sizes)
{
    char why[256], size[32];
    uint64_t least = sizes->values[0];
    for (size_t i = 0; i < sizes->count; i++) {
        least = sizes->values[i] < least ? sizes->values[i] : least;
        for (size_t d = 0; d < selected->count; d++)
            if (can_copy(options, &selected->devices[d].info, sizes->values[i], why) &&
                !is_beside(options, &selected->devices[d]))
                return EXIT_DONE;
    }
    for (size_t d = 0; d < selected->count; d++) {
        why[0] = '\0';
        can_copy(options, &selected->devices[d].info, least, why);
        if (why[0] && !is_beside(options, &selected->devices[d]))
            fprintf(stderr, "kerntime copy: --size: a copy of %s on %s %s\n",
                    plan_format_bytes(size, least), selected->devices[d].info.id, why);
    }
    return EXIT_USAGE;
}

/* Those that are wanted and that some device has, or that is the yardstick's. */
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
        if (!offered) /* the named ones were not asked for it */
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
    char why[PARSE_WHY_BYTES];
    const char *usual = any_real(selected) ? workload_copy.sizes : SIZES_SIMULATED;
    *sizes = options->sizes;
    if (sizes->count == 0 && parse_byte_size_list(usual, sizes, why) != 0) {
        fprintf(stderr, "kerntime copy: %s\n", why);
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
    if (options->operand_count) {
        fprintf(stderr,
                "kerntime copy: \"%s\" is too much; what is copied is said with --size, --kind and "
                "--direction\n",
                options->operands[0]);
        return EXIT_USAGE;
    }
    if (options->kinds && options->direction_count) {
        fprintf(stderr, "kerntime copy: --kind and --direction: one of them says which copies\n");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int make_plan(kt_context *context, const cli_options *options, cli_selection *selected,
                     cli_plan *out)
{
    parse_sizes sizes;
    int code = check_words(options);
    if (code == EXIT_DONE)
        code = choose_sizes(options, selected, &sizes);
    if (code != EXIT_DONE || selected->count == 0)
        return code;
    code = selection_add_yardstick(context, selected);
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
