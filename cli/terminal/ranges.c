/* SPDX-License-Identifier: MIT */
#include "cli/terminal/ranges.h"

#include <inttypes.h>

void ranges_put(FILE *file, uint32_t first, uint32_t next)
{
    if (first >= next)
        return;
    fprintf(file, "%s%" PRIu32, ftell(file) > 0 ? "," : "", first);
    if (next - first > 1)
        fprintf(file, "-%" PRIu32, next - 1);
}
