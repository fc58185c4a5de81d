/* SPDX-License-Identifier: MIT */
#include "lists.h"

#include "fuzz.h"

#include <inttypes.h>
#include <math.h>

static void check_values(const parse_sizes *sizes)
{
    CHECK(sizes->count >= 1 && sizes->count <= PARSE_SIZES_MAX);
    for (size_t i = 0; i < sizes->count; i++) {
        CHECK(sizes->values[i] != 0);
        for (size_t k = 0; k < i; k++)
            CHECK(sizes->values[i] != sizes->values[k]);
    }
}

/* The same list once more, from its values alone. */
static void check_written_out(const parse_sizes *sizes, list_parser *parse)
{
    static char text[PARSE_SIZES_MAX * 21 + 1];
    size_t used = 0;
    for (size_t i = 0; i < sizes->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64, i ? "," : "",
                                 sizes->values[i]);
    char reason[PARSE_WHY_BYTES];
    parse_sizes again;
    CHECK(parse(text, &again, reason) == 0);
    CHECK(again.count == sizes->count);
    CHECK(memcmp(again.values, sizes->values, again.count * sizeof *again.values) == 0);
}

double fuzz_factor(const char *unit, const char *ending)
{
    static const char prefixes[] = "kMGT";
    if (!*unit || strcmp(unit, ending) == 0)
        return 1;
    int binary = unit[1] == 'i';
    const char *prefix = strchr(prefixes, binary && *unit == 'K' ? 'k' : *unit);
    CHECK(prefix && strcmp(unit + 1 + binary, ending) == 0 && !(binary && *unit == 'k'));
    return pow(binary ? 1024 : 1000, (double)(prefix - prefixes + 1));
}

/* "8KiB" in floating point, which does not overflow. */
static double value_of(const char *text, const char **end, double (*unit_of)(const char *unit))
{
    size_t digits = strspn(text, "0123456789");
    char unit[8] = "";
    size_t length = strcspn(text + digits, ".,");
    CHECK(digits && length < sizeof unit);
    memcpy(unit, text + digits, length);
    *end = text + digits + length;
    return strtod(text, NULL) * unit_of(unit);
}

static int is_among(double value, const parse_sizes *sizes)
{
    size_t i = 0;
    while (i < sizes->count && fabs((double)sizes->values[i] - value) > 1e-9 * value)
        i++;
    return i < sizes->count;
}

/* Each item's values are there, from its first on, and nothing else is. */
static void check_items(const char *text, const parse_sizes *sizes,
                        double (*unit_of)(const char *unit))
{
    size_t most = 0;
    for (const char *at = text; *at; at += *at == ',') {
        double first = value_of(at, &at, unit_of), last = first;
        if (strncmp(at, "..", 2) == 0)
            last = value_of(at + 2, &at, unit_of);
        CHECK(first <= last && last < 0x1p64 * (1 + 1e-9));
        CHECK(*at == ',' || !*at);
        /* What is so close to the end that doubles cannot tell may be there or not. */
        CHECK(is_among(first, sizes));
        double value = first;
        while (value <= last * (1 + 1e-9)) {
            CHECK(value > last * (1 - 1e-9) || is_among(value, sizes));
            value *= 2;
            most++;
        }
    }
    CHECK(sizes->count <= most);
}

void fuzz_list(const char *text, list_parser *parse, double (*unit_of)(const char *unit))
{
    parse_sizes sizes;
    char reason[PARSE_WHY_BYTES];
    fuzz_fill(&sizes, sizeof sizes);
    fuzz_fill(reason, sizeof reason);
    if (parse(text, &sizes, reason) != 0) {
        fuzz_check_untouched(&sizes, sizeof sizes);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    check_values(&sizes);
    check_items(text, &sizes, unit_of);
    check_written_out(&sizes, parse);
}
