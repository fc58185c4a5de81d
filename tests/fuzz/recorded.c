/* SPDX-License-Identifier: MIT */
/* Registries and traces of programs, and documents of `kerntime trace`: what is taken can be compared with itself and written. */
#include "cli/result_file/read_result.h"
#include "fuzz.h"

#include <math.h>

static int look(void *user, const char *data, size_t bytes)
{
    (void)user;
    return memchr(data, '\0', bytes) != NULL;
}

/* No row of a file differs from itself, and is only the same where a name of the file says so. */
static void check_changes(const kt_report_comparison *comparison)
{
    for (uint32_t i = 0; i < kt_report_comparison_count(comparison); i++) {
        const kt_series_change *row = kt_report_comparison_row(comparison, i);
        kt_verdict verdict = row->change.verdict;
        CHECK(verdict == KT_VERDICT_NONE ||
              verdict == (row->change.identical ? KT_VERDICT_SAME : KT_VERDICT_INCONCLUSIVE));
        CHECK(verdict == KT_VERDICT_NONE || row->change.baseline_ns > 0);
    }
}

static void check_report(kt_report *report)
{
    const kt_report *const reports[] = {report};
    const kt_compare_side side = {.reports = reports, .count = 1};
    const kt_sink sink = {.write = look};
    kt_report_comparison *comparison = NULL;
    for (uint32_t i = 0; i < kt_report_series_count(report); i++)
        for (size_t k = 0; k < kt_report_series(report, i)->summary.n; k++)
            CHECK(kt_report_series(report, i)->samples_ns[k] >= 0);
    /* The same times twice, as two reports: one report would be identical on both sides. */
    CHECK(kt_report_compare(&side, &side, NULL, NULL, &comparison) == KT_OK);
    CHECK(kt_report_comparison_write(comparison, KT_FORMAT_TABLE, &sink) == KT_OK);
    CHECK(kt_report_comparison_write(comparison, KT_FORMAT_MARKDOWN, &sink) == KT_OK);
    CHECK(kt_report_comparison_write(comparison, KT_FORMAT_JSON, &sink) == KT_OK);
    kt_report_comparison_destroy(&comparison);
}

static void check_two(const char *text, size_t bytes, kt_report *report, read_kind kind)
{
    char reason[READ_REASON_BYTES];
    kt_report *again = NULL;
    read_kind kind_again;
    CHECK(read_times_text(text, bytes, &kind_again, &again, reason) == READ_DONE);
    CHECK(kind_again == kind);
    const kt_report *const one[] = {report}, *const other[] = {again};
    const kt_compare_side base = {.reports = one, .count = 1}, new = {.reports = other, .count = 1};
    kt_report_comparison *comparison = NULL;
    CHECK(kt_report_compare(&base, &new, NULL, NULL, &comparison) == KT_OK);
    check_changes(comparison);
    kt_report_comparison_destroy(&comparison);
    kt_report_destroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    kt_report *report;
    read_kind kind;
    char reason[READ_REASON_BYTES];
    fuzz_fill(&report, sizeof report);
    fuzz_fill(&kind, sizeof kind);
    fuzz_fill(reason, sizeof reason);
    char *text = malloc(bytes ? bytes : 1); /* a copy: no zero at the end */
    CHECK(text);
    if (bytes)
        memcpy(text, data, bytes);
    if (read_times_text(text, bytes, &kind, &report, reason) == READ_DONE) {
        if (kind != READ_RESULT) { /* fuzz_result has those */
            check_report(report);
            check_two(text, bytes, report, kind);
        }
        kt_report_destroy(&report);
    } else {
        fuzz_check_untouched(&report, sizeof report);
        fuzz_check_untouched(&kind, sizeof kind);
        fuzz_check_sentence(reason, sizeof reason);
    }
    free(text);
    return 0;
}
