/* SPDX-License-Identifier: MIT */
/* The records of CUPTI are told by when their kernels began, in whatever order its buffers come.
 * usage: cupti_order LIBRARY */
#include "bench/hw/cupti.h"

#include <stdio.h>

/* As cupti_backwards.c has them: the kernel that began as number i ran for i + 1 ns. */
enum { RECORDS = 600 };

int main(int argc, char **argv)
{
    uint64_t count = 0;
    if (argc != 2 || !cupti_open(argv[1]) || !cupti_begin("spin") || !cupti_end(&count)) {
        printf("wrong: %s\n", cupti_reason());
        return 1;
    }
    int failed = count != RECORDS;
    for (unsigned back = 0; back < CUPTI_KEPT; back++) {
        double ns = cupti_back_ns(back);
        if (ns != RECORDS - (double)back && !failed++)
            printf("wrong: %u back there is %g ns\n", back, ns);
    }
    return failed > 0;
}
