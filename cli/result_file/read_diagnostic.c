/* read_diagnostic.c - reads the diagnostics of a document "doctor". */
#include "cli/result_file/read_parts.h"

#include <stdlib.h>

WORDS_OF(severity)

static kt_diagnostic_value *read_values(json_reader *r, uint32_t *count)
{
    read_enter(r, "values", READ_ALONE);
    *count = (uint32_t)read_count(r);
    kt_diagnostic_value *values = read_alloc(r, *count, sizeof *values);
    void *member = NULL;
    for (kt_diagnostic_value *value = values;
         values && (member = read_next_number(r, member, &value->name, &value->value)) != NULL;
         value++)
        ;
    read_leave(r);
    return values;
}

void read_diagnostic(json_reader *r, kt_report *report)
{
    kt_diagnostic diagnostic = {
        .device = read_text(r, "device", READ_ALONE),
        .check = read_text(r, "check", READ_ALONE),
        .severity = (kt_severity)read_word(r, "severity", READ_ALONE, severity_word, 0),
        .seen = read_text(r, "seen", READ_ALONE),
        .means = read_text_or_null(r, "means"),
        .advice = read_text_or_null(r, "advice"),
    };
    kt_diagnostic_value *values = read_values(r, &diagnostic.value_count);
    diagnostic.values = values;
    if (!r->failed)
        read_check(r, kt_report_add_diagnostic(report, &diagnostic));
    free(values);
}
