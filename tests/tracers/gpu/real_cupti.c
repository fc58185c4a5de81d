/* SPDX-License-Identifier: MIT */
/* Looks for the vendor's CUPTI as the tracer does: it is found, known, and has all functions. Without
 * one the test is skipped. It needs no driver. */
#include "tracers/cuda/cupti.h"

#include <stdio.h>

enum { SKIPPED = 77, NEWEST_DRIVER = 13000 };

int main(void)
{
    cupti_functions cupti;
    char reason[256] = "";
    uint32_t version = 0;
    if (!cupti_open(NEWEST_DRIVER, &cupti, reason, sizeof reason)) {
        printf("%s\n", reason);
        return SKIPPED;
    }
    if (cupti.get_version(&version) != CUPTI_OK || version < CUPTI_FIRST)
        return 1;
    printf("version %u, %s\n", version, cupti.register_clock ? "with a clock" : "without a clock");
    return version >= CUPTI_FIRST_OF_13 && !cupti.register_clock;
}
