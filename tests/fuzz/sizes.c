/* Lists of sizes: "32..2048,96". */
#include "fuzz.h"
#include "lists.h"

static double one(const char *unit)
{
    CHECK(!*unit);
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    fuzz_list(text, parse_size_list, one);
    free(text);
    return 0;
}
