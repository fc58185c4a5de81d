/* Lists of sizes in bytes: "8KiB..1GiB,1MB". */
#include "fuzz.h"
#include "lists.h"

#include <math.h>

/* [number of the prefix][i]B: the i makes it 1024, or there are only bytes. */
static double unit_of(const char *unit)
{
    static const char prefixes[] = "kMGT";
    if (!*unit || strcmp(unit, "B") == 0)
        return 1;
    int binary = unit[1] == 'i';
    const char *prefix = strchr(prefixes, binary && *unit == 'K' ? 'k' : *unit);
    CHECK(prefix && strcmp(unit + 1 + binary, "B") == 0 && !(binary && *unit == 'k'));
    return pow(binary ? 1024 : 1000, (double)(prefix - prefixes + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    fuzz_list(text, parse_byte_size_list, unit_of);
    free(text);
    return 0;
}
