/* collect.h - a sink's function that keeps what is written, as a text. */
#ifndef TESTS_UNIT_COLLECT_H
#define TESTS_UNIT_COLLECT_H

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

#endif
