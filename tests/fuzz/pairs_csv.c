/* SPDX-License-Identifier: MIT */
/* Pairs, timestamps and truths of kerntime-calibrate: one text for all of them. */
#include "bench/calibrate/pairs_csv.h"

#include "fuzz.h"

#include <inttypes.h>
#include <math.h>

/* Lines with something on them that is no comment, counted in another way. */
static size_t count_lines(const char *text)
{
    size_t lines = 0;
    bool fresh = true;
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    for (; *text; text++) {
        if (*text == '\n')
            fresh = true;
        else if (fresh && !strchr(" \t\r", *text)) {
            fresh = false;
            lines += *text != '#';
        }
    }
    return lines;
}

static void check_host(int64_t host_ns)
{
    CHECK(host_ns >= -PAIRS_CSV_HOST_MAX && host_ns <= PAIRS_CSV_HOST_MAX);
}

static void check_row(const pairs_csv_row *row)
{
    check_host(row->pair.host_before_ns);
    check_host(row->pair.host_after_ns);
    check_host(row->asked_ns);
    check_host(row->host_ns);
    CHECK(row->pair.host_before_ns <= row->pair.host_after_ns);
    CHECK(fabs(row->fraction_ns) <= 1 && (row->host_ns <= 0 || row->fraction_ns >= 0));
}

/* Whole numbers, in another order than is usual, read again. */
static void check_again(pairs_csv_kind kind, const pairs_csv_row *row)
{
    static const char *const names[] = {"host_after_ns,host_before_ns,x,ticks", "asked_ns,ticks",
                                        "host_ns"};
    char text[200];
    int n = snprintf(text, sizeof text, "%s\r\n", names[kind]);
    size_t used = (size_t)n;
    if (kind == PAIRS_CSV_PAIRS)
        snprintf(text + used, sizeof text - used, "%" PRId64 " ,%" PRId64 ",?, %" PRIu64,
                 row->pair.host_after_ns, row->pair.host_before_ns, row->pair.ticks);
    else if (kind == PAIRS_CSV_QUERIES)
        snprintf(text + used, sizeof text - used, "%" PRId64 ",%" PRIu64, row->asked_ns,
                 row->pair.ticks);
    else
        snprintf(text + used, sizeof text - used, "%" PRId64, row->host_ns);
    pairs_csv csv = pairs_csv_begin(kind, text);
    pairs_csv_row again;
    CHECK(pairs_csv_next(&csv, &again) == 1 && csv.line == 2);
    CHECK(again.pair.host_before_ns == row->pair.host_before_ns);
    CHECK(again.pair.ticks == row->pair.ticks);
    CHECK(again.pair.host_after_ns == row->pair.host_after_ns);
    CHECK(again.asked_ns == row->asked_ns && again.host_ns == row->host_ns);
    CHECK(pairs_csv_next(&csv, &again) == 0);
}

static void check_kind(pairs_csv_kind kind, const char *text)
{
    pairs_csv csv = pairs_csv_begin(kind, text);
    fuzz_fill(csv.reason, sizeof csv.reason);
    pairs_csv_row row;
    size_t rows = 0, line = 0;
    int state;
    while ((state = pairs_csv_next(&csv, &row)) > 0) {
        CHECK(csv.line > line);
        line = csv.line;
        rows++;
        check_row(&row);
        check_again(kind, &row);
    }
    if (state < 0) {
        fuzz_check_sentence(csv.reason, sizeof csv.reason);
        CHECK(csv.line > line);
        return;
    }
    size_t lines = count_lines(text);
    CHECK(rows == lines || rows + 1 == lines);
    CHECK(csv.bits <= 64);
    CHECK(isnan(csv.period_ns) || (csv.period_ns >= 1e-6 && csv.period_ns <= 1e12));
    CHECK(kind == PAIRS_CSV_PAIRS || (csv.bits == 0 && isnan(csv.period_ns)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    check_kind(PAIRS_CSV_PAIRS, text);
    check_kind(PAIRS_CSV_QUERIES, text);
    check_kind(PAIRS_CSV_TRUTH, text);
    free(text);
    return 0;
}
