/* SPDX-License-Identifier: MIT */
/* Lists of sizes: "32..2048,96,1Mi". */
#include "fuzz.h"
#include "lists.h"

static double unit_of(const char *unit)
{
    return fuzz_factor(unit, "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    fuzz_list(text, parse_size_list, unit_of);
    free(text);
    return 0;
}
