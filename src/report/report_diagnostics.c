/* report_diagnostics.c - keeps a report's diagnostics about devices. */
#include "report/report.h"
#include "support/alloc.h"
#include "support/error.h"

/* A diagnostic of an unlisted device would never be shown. */
static kt_status check_diagnostic(const kt_report *report, const kt_diagnostic *diagnostic)
{
    if (!diagnostic->device || !diagnostic->check || !diagnostic->seen)
        return kt_fail(KT_INVALID, "a text of kt_diagnostic is not set");
    if ((unsigned)diagnostic->severity > KT_SEVERITY_FAULT)
        return kt_fail(KT_INVALID, "there is no severity %d", (int)diagnostic->severity);
    if (kt_report_find_device(report, diagnostic->device) == report->device_count)
        return kt_fail(KT_INVALID, "%s is no device of the report", diagnostic->device);
    if (diagnostic->value_count > 0 && !diagnostic->values)
        return kt_fail(KT_INVALID, "the values of kt_diagnostic are not set");
    for (uint32_t i = 0; i < diagnostic->value_count; i++)
        if (!diagnostic->values[i].name)
            return kt_fail(KT_INVALID, "value %u of kt_diagnostic has no name", i);
    return KT_OK;
}

kt_status kt_report_add_diagnostic(kt_report *report, const kt_diagnostic *diagnostic)
{
    kt_status status = check_diagnostic(report, diagnostic);
    if (status != KT_OK)
        return status;
    kt_diagnostic copy = *diagnostic;
    copy.device = kt_report_keep_text(report, diagnostic->device, &status);
    copy.check = kt_report_keep_text(report, diagnostic->check, &status);
    copy.seen = kt_report_keep_text(report, diagnostic->seen, &status);
    copy.means = kt_report_keep_text(report, diagnostic->means, &status);
    copy.advice = kt_report_keep_text(report, diagnostic->advice, &status);
    kt_diagnostic_value *values =
        kt_report_keep(report, diagnostic->values, copy.value_count * sizeof *values);
    for (uint32_t i = 0; values && i < copy.value_count; i++)
        values[i].name = kt_report_keep_text(report, values[i].name, &status);
    copy.values = values;
    kt_diagnostic *diagnostics =
        kt_grow(report->diagnostics, (size_t)report->diagnostic_count + 1, sizeof *diagnostics);
    if (diagnostics) /* even after a failure: the old array is gone */
        report->diagnostics = diagnostics;
    if (status != KT_OK || !values || !diagnostics)
        return KT_NO_MEMORY;
    report->diagnostics[report->diagnostic_count++] = copy;
    return KT_OK;
}

uint32_t kt_report_diagnostic_count(const kt_report *report)
{
    return report->diagnostic_count;
}

const kt_diagnostic *kt_report_diagnostic(const kt_report *report, uint32_t index)
{
    return index < report->diagnostic_count ? &report->diagnostics[index] : NULL;
}
