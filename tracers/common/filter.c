/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strnlen */
#include "tracers/common/filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* `globs` end at the first empty one. */
static bool any_fits(const char globs[TRACE_GLOBS_BYTES], const char *name)
{
    size_t at = 0;
    while (at < TRACE_GLOBS_BYTES && globs[at]) {
        size_t length = strnlen(globs + at, TRACE_GLOBS_BYTES - at);
        if (at + length == TRACE_GLOBS_BYTES)
            return false; /* without an end */
        if (fnmatch(globs + at, name, 0) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

bool trace_wants_name(const trace_settings *settings, const char *name)
{
    if (settings->wanted[0] && !any_fits(settings->wanted, name))
        return false;
    return !any_fits(settings->unwanted, name);
}

bool trace_list_holds(const char *list, const char *rank)
{
    if (!list[0])
        return true;
    char *end;
    long number = strtol(rank, &end, 10);
    if (end == rank || *end)
        return false;
    for (const char *at = list; *at;) {
        long low = strtol(at, &end, 10), high = low;
        if (end == at)
            return false;
        if (*end == '-')
            high = strtol(end + 1, &end, 10);
        if (number >= low && number <= high)
            return true;
        at = *end == ',' ? end + 1 : end + strlen(end);
    }
    return false;
}
