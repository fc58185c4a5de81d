/* SPDX-License-Identifier: MIT */
/*
 * geometry.c - work-items and groups of a configuration.
 *
 * Group size: as given, else what the kernel requires, else its own default, else a multiple of
 * what the driver prefers, at most 256 work-items. Many kernels do not check whether a work-item
 * lies behind the last element. So a guessed group size divides the work if possible, and the work
 * is rounded up only for kernels that know n.
 *
 * Work: as given, else n work-items, or n x n where groups are planes or the kernel asks for the
 * second dimension, and n x n x n where it asks for the third.
 */
#include "cli/run/geometry.h"

#include <stdio.h>

void geometry_text(const int64_t counts[3], char *text, size_t bytes)
{
    int last = counts[2] > 1 ? 2 : counts[1] > 1 ? 1 : 0;
    size_t length = 0;
    for (int d = 0; d <= last && length < bytes; d++)
        length += (size_t)snprintf(text + length, bytes - length, "%s%lld", d ? " x " : "",
                                   (long long)counts[d]);
}

/* ---- group size ---- */

static int64_t round_up(int64_t value, int64_t step)
{
    return (value / step + (value % step != 0)) * step;
}

/* The largest multiple of `step`, at most `most`, that divides `whole`; 0: there is none. */
static int64_t largest_divisor(int64_t whole, int64_t most, int64_t step)
{
    for (int64_t size = most / step * step; size >= step; size -= step)
        if (whole % size == 0)
            return size;
    return 0;
}

/* Most work-items in the dimensions that are free. */
static int64_t most_items(const geometry_request *r)
{
    int64_t most = GEOMETRY_GROUP_ITEMS;
    if (r->device_max && r->device_max < most)
        most = r->device_max;
    if (r->kernel_max && r->kernel_max < most)
        most = r->kernel_max;
    for (int d = 0; d < 3; d++)
        most /= r->fixed[d] ? r->fixed[d] : 1;
    return most > 1 ? most : 1;
}

static int64_t guess_line(const geometry_request *r)
{
    int64_t most = most_items(r);
    int64_t step = r->multiple && r->multiple <= most ? r->multiple : 1;
    if (r->groups[0])
        return most / step * step;
    int64_t whole = r->global[0] ? r->global[0] : (int64_t)r->n;
    int64_t size = largest_divisor(whole, most, step);
    if (size == 0 && r->knows_n && !r->global[0])
        size = whole < most ? round_up(whole, step) : most / step * step;
    if (size > most)
        size = most;
    return size ? size : largest_divisor(whole, most, 1);
}

/* 16 x 16 or 8 x 8 x 4, or smaller if that is too large or does not divide. */
static void guess_sides(const geometry_request *r, int dimensions, int64_t local[3])
{
    int64_t sides[3] = {16, 16, 1};
    if (dimensions == 3)
        sides[0] = sides[1] = 8, sides[2] = 4;
    for (int d = 0; sides[0] * sides[1] * sides[2] > most_items(r); d = (d + 1) % 3)
        if (sides[d] > 1)
            sides[d] /= 2;
    for (int d = 0; d < 3; d++) {
        int64_t whole = r->global[0] ? r->global[d] : d < dimensions ? (int64_t)r->n : 1;
        bool may_exceed = r->knows_n && !r->global[0] && whole >= sides[d];
        local[d] = sides[d];
        if (!r->groups[0] && !may_exceed)
            local[d] = largest_divisor(whole ? whole : 1, sides[d], 1);
    }
}

static void guess_local(const geometry_request *r, int64_t local[3])
{
    const int64_t *given = r->groups[0] ? r->groups : r->global;
    int dimensions = given[2] > 1 ? 3 : given[1] > 1 ? 2 : 1;
    if (!given[0] && r->dimensions > 1)
        dimensions = (int)r->dimensions;
    if (r->suggested[0] > 1 || r->suggested[1] > 1 || r->suggested[2] > 1) {
        for (int d = 0; d < 3; d++)
            local[d] = r->suggested[d] ? r->suggested[d] : 1;
    } else if (dimensions > 1) {
        guess_sides(r, dimensions, local);
    } else {
        local[0] = guess_line(r);
        local[1] = local[2] = 1;
    }
}

static launch_outcome decide_local(const geometry_request *r, int64_t local[3], geometry *out,
                                   char *reason)
{
    char required[80], asked[80];
    bool differs = false;
    int64_t fixed[3];
    if (r->local[0]) {
        for (int d = 0; d < 3; d++)
            local[d] = r->local[d] ? r->local[d] : r->fixed[d] ? r->fixed[d] : 1;
    } else {
        out->is_local_guessed = !(r->fixed[0] && r->fixed[1] && r->fixed[2]);
        guess_local(r, local);
    }
    for (int d = 0; d < 3; d++) {
        fixed[d] = r->fixed[d] ? r->fixed[d] : local[d];
        differs |= r->local[0] && fixed[d] != local[d];
    }
    geometry_text(fixed, required, sizeof required);
    geometry_text(local, asked, sizeof asked);
    for (int d = 0; d < 3; d++)
        local[d] = fixed[d];
    if (!differs)
        return OUTCOME_OK;
    snprintf(reason, LAUNCH_REASON_BYTES, "its group size is fixed at %s: leave out --local %s",
             required, asked);
    return OUTCOME_ARGUMENTS;
}

static launch_outcome check_local(const geometry_request *r, const int64_t local[3], char *reason)
{
    int64_t items = 1;
    char text[80];
    for (int d = 0; d < 3; d++)
        items =
            local[d] > INT32_MAX || items > INT32_MAX ? INT64_MAX / INT32_MAX : items * local[d];
    geometry_text(local, text, sizeof text);
    if (r->device_max && items > r->device_max) {
        snprintf(reason, LAUNCH_REASON_BYTES,
                 "a group of %s has %lld work-items, and %s takes at most %u", text,
                 (long long)items, r->device, r->device_max);
        return OUTCOME_LIMIT;
    }
    if (r->kernel_max && items > r->kernel_max) {
        snprintf(reason, LAUNCH_REASON_BYTES,
                 "a group of %s has %lld work-items, and this kernel runs with at most %u on %s",
                 text, (long long)items, r->kernel_max, r->device);
        return OUTCOME_LIMIT;
    }
    return OUTCOME_OK;
}

/* ---- work-items ---- */

static bool is_product(int64_t a, int64_t b)
{
    return a <= INT64_MAX / b;
}

static launch_outcome decide_global(const geometry_request *r, const int64_t local[3],
                                    geometry *out, char *reason)
{
    out->is_global_guessed = !r->groups[0] && !r->global[0];
    for (int d = 0; d < 3; d++) {
        int64_t groups = r->groups[d] ? r->groups[d] : 1;
        if (r->groups[0] && !is_product(groups, local[d])) {
            snprintf(reason, LAUNCH_REASON_BYTES, "--groups %lld are too many to be counted",
                     (long long)groups);
            return OUTCOME_LIMIT;
        }
        bool has_n = d == 0 || (d == 1 && local[1] > 1) || d < (int)r->dimensions;
        int64_t global = r->groups[0]   ? groups * local[d]
                         : r->global[0] ? (r->global[d] ? r->global[d] : 1)
                         : has_n        ? (int64_t)r->n
                                        : 1;
        out->global[d] = out->is_global_guessed ? round_up(global, local[d]) : global;
    }
    for (int d = 0; d < 3; d++)
        if (out->global[d] % local[d] != 0) {
            char global_text[80], local_text[80];
            geometry_text(out->global, global_text, sizeof global_text);
            geometry_text(local, local_text, sizeof local_text);
            snprintf(reason, LAUNCH_REASON_BYTES, "--global %s is no multiple of the group size %s",
                     global_text, local_text);
            return OUTCOME_ARGUMENTS;
        }
    return OUTCOME_OK;
}

launch_outcome geometry_decide(const geometry_request *r, geometry *out,
                               char reason[LAUNCH_REASON_BYTES])
{
    int64_t local[3] = {1, 1, 1};
    *out = (geometry){.is_local_guessed = false};
    for (int d = 0; d < 3; d++)
        if (r->global[d] < 0 || r->groups[d] < 0 || r->local[d] < 0 || r->n > INT64_MAX / 2) {
            snprintf(reason, LAUNCH_REASON_BYTES, "a number of work-items or groups is below 1");
            return OUTCOME_ARGUMENTS;
        }
    launch_outcome outcome = decide_local(r, local, out, reason);
    if (outcome == OUTCOME_OK)
        outcome = check_local(r, local, reason);
    if (outcome == OUTCOME_OK)
        outcome = decide_global(r, local, out, reason);
    for (int d = 0; outcome == OUTCOME_OK && d < 3; d++) {
        int64_t groups = out->global[d] / local[d];
        if (groups > UINT32_MAX || local[d] > UINT32_MAX) {
            snprintf(reason, LAUNCH_REASON_BYTES,
                     "%lld groups are more than the 4,294,967,295 of a dispatch",
                     (long long)groups);
            return OUTCOME_LIMIT;
        }
        out->local[d] = (uint32_t)local[d];
        out->groups[d] = (uint32_t)groups;
    }
    return outcome;
}
