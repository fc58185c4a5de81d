/* SPDX-License-Identifier: MIT */
/* dl_table.c - fills tables of driver functions by their names. */
#include "support/dl.h"

#include <string.h>

static const char *next_name(const char *name)
{
    return name + strlen(name) + 1;
}

const char *kt_dl_nth(const char *names, size_t index)
{
    while (index-- > 0)
        names = next_name(names);
    return names + (*names == '?');
}

const char *kt_dl_fill(kt_dl_find find, const void *user, const char *names, void *table)
{
    const char *missing = NULL;
    for (char *to = table; *names; names = next_name(names), to += sizeof(kt_dl_function)) {
        bool optional = *names == '?';
        kt_dl_function function = find(user, names + optional);
        if (!function && !optional && !missing)
            missing = names;
        memcpy(to, &function, sizeof function);
    }
    return missing;
}
