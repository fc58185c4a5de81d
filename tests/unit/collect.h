/* SPDX-License-Identifier: MIT */
/* collect.h - a sink's function that keeps what is written, as a text, and what is looked for in
 * it. */
#ifndef TESTS_UNIT_COLLECT_H
#define TESTS_UNIT_COLLECT_H

#include "tests/unit/testing.h"

#include <stddef.h>
#include <string.h>

static char output[1 << 18];
static size_t output_bytes;

static inline int collect(void *user, const char *data, size_t bytes)
{
    (void)user;
    if (output_bytes + bytes >= sizeof output)
        return -1;
    memcpy(output + output_bytes, data, bytes);
    output_bytes += bytes;
    output[output_bytes] = '\0';
    return 0;
}

static inline void expect_not_in_output(const char *part)
{
    if (strstr(output, part))
        fail_msg("\"%s\" is in \"%s\"", part, output);
}

static inline unsigned count_in_output(const char *part)
{
    unsigned found = 0;
    for (const char *at = output; (at = strstr(at, part)) != NULL; at++)
        found++;
    return found;
}

#endif
