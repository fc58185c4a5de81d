/* SPDX-License-Identifier: MIT */
/* Durations, counts, ranges of counts, percentages and shares: one text for all of them. */
#include "cli/options/parse.h"
#include "fuzz.h"

#include <inttypes.h>
#include <math.h>

static void check_duration(const char *text)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}, {"h", 3.6e12}};
    char reason[PARSE_WHY_BYTES], written[32];
    int64_t ns, again;
    fuzz_fill(&ns, sizeof ns);
    fuzz_fill(reason, sizeof reason);
    if (parse_duration(text, &ns, reason) != 0) {
        fuzz_check_untouched(&ns, sizeof ns);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    CHECK(ns >= 1 && ns <= INT64_C(9000000000000000000));
    size_t length = strspn(text, "0123456789.");
    size_t unit = 0;
    while (strcmp(units[unit].name, text + length) != 0)
        CHECK(++unit < sizeof units / sizeof units[0]);
    CHECK(fabs(strtod(text, NULL) * units[unit].ns - (double)ns) <= 1 + 1e-9 * (double)ns);
    snprintf(written, sizeof written, "%" PRId64 "ns", ns);
    CHECK(parse_duration(written, &again, reason) == 0 && again == ns);
}

static void check_count(const char *text, uint32_t least, uint32_t most)
{
    char reason[PARSE_WHY_BYTES];
    uint32_t count;
    fuzz_fill(&count, sizeof count);
    fuzz_fill(reason, sizeof reason);
    if (parse_count(text, least, most, &count, reason) != 0) {
        fuzz_check_untouched(&count, sizeof count);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    CHECK(count >= least && count <= most);
    CHECK(strtod(text, NULL) == count && !text[strspn(text, "0123456789")]);
}

static void check_count_range(const char *text)
{
    char reason[PARSE_WHY_BYTES], written[32];
    uint32_t range[2], again[2];
    fuzz_fill(range, sizeof range);
    fuzz_fill(reason, sizeof reason);
    if (parse_count_range(text, &range[0], &range[1], reason) != 0) {
        fuzz_check_untouched(range, sizeof range);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    /* An end that is left open is 0. */
    const char *dots = strstr(text, "..");
    const char *last = dots ? dots + 2 : text;
    CHECK(range[0] == (dots == text ? 0 : strtoull(text, NULL, 10)));
    CHECK(range[1] == (*last ? strtoull(last, NULL, 10) : 0));
    CHECK(range[0] >= 1 || dots == text);
    CHECK(range[1] >= 1 || (dots && !*last));
    CHECK(range[0] <= 1000000 && range[1] <= 1000000);
    CHECK(range[1] == 0 || range[0] <= range[1]);
    CHECK(range[0] || range[1]);
    snprintf(written, sizeof written, "%.0" PRIu32 "..%.0" PRIu32, range[0], range[1]);
    CHECK(parse_count_range(written, &again[0], &again[1], reason) == 0);
    CHECK(memcmp(range, again, sizeof range) == 0);
}

static void check_percent(const char *text)
{
    char reason[PARSE_WHY_BYTES];
    double share;
    fuzz_fill(&share, sizeof share);
    fuzz_fill(reason, sizeof reason);
    if (parse_percent(text, &share, reason) != 0) {
        fuzz_check_untouched(&share, sizeof share);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    CHECK(share > 0 && share <= 1);
    CHECK(share == strtod(text, NULL) / 100);
}

static void check_share(const char *text)
{
    char reason[PARSE_WHY_BYTES];
    double share;
    fuzz_fill(&share, sizeof share);
    fuzz_fill(reason, sizeof reason);
    if (parse_share(text, &share, reason) != 0) {
        fuzz_check_untouched(&share, sizeof share);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    CHECK(share > 0 && share <= 1);
    CHECK(share == (strchr(text, '%') ? strtod(text, NULL) / 100 : strtod(text, NULL)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    check_duration(text);
    check_count(text, 1, 1000000);
    check_count(text, 0, UINT32_MAX);
    check_count_range(text);
    check_percent(text);
    check_share(text);
    free(text);
    return 0;
}
