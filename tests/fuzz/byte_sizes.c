/* SPDX-License-Identifier: MIT */
/* Lists of sizes in bytes: "8KiB..1GiB,1MB". */
#include "fuzz.h"
#include "lists.h"

static double unit_of(const char *unit)
{
    return fuzz_factor(unit, "B");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    fuzz_list(text, parse_byte_size_list, unit_of);
    free(text);
    return 0;
}
