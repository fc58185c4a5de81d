/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "support/random.h"

#include <stdio.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

bool kt_random_id(char text[KT_RANDOM_ID_BYTES])
{
    unsigned char bytes[(KT_RANDOM_ID_BYTES - 1) / 2];
    if (getentropy(bytes, sizeof bytes) != 0)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(&text[2 * i], 3, "%02x", bytes[i]);
    return true;
}
