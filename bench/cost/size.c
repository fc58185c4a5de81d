/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdio.h>

int bench_size(void)
{
    FILE *library = fopen(STRIPPED_LIBRARY, "rb");
    if (!library || fseek(library, 0, SEEK_END) != 0) {
        perror(STRIPPED_LIBRARY);
        if (library)
            fclose(library);
        return 1;
    }
    bench_report("size/library", (double)ftell(library), "bytes");
    fclose(library);
    return 0;
}
