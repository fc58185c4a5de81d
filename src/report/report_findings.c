/* report_findings.c - what a report holds of what was found out about devices. */
#include "report/report.h"
#include "support/alloc.h"
#include "support/error.h"

/* One of no device of the report would be shown nowhere. */
static kt_status check_finding(const kt_report *report, const kt_finding *finding)
{
    if (!finding->device || !finding->check || !finding->seen)
        return kt_fail(KT_INVALID, "a text of kt_finding is not set");
    if ((unsigned)finding->severity > KT_SEVERITY_FAULT)
        return kt_fail(KT_INVALID, "there is no severity %d", (int)finding->severity);
    if (kt_report_find_device(report, finding->device) == report->device_count)
        return kt_fail(KT_INVALID, "%s is no device of the report", finding->device);
    if (finding->value_count > 0 && !finding->values)
        return kt_fail(KT_INVALID, "the values of kt_finding are not set");
    for (uint32_t i = 0; i < finding->value_count; i++)
        if (!finding->values[i].name)
            return kt_fail(KT_INVALID, "value %u of kt_finding has no name", i);
    return KT_OK;
}

kt_status kt_report_add_finding(kt_report *report, const kt_finding *finding)
{
    kt_status status = check_finding(report, finding);
    if (status != KT_OK)
        return status;
    kt_finding copy = *finding;
    copy.device = kt_report_keep_text(report, finding->device, &status);
    copy.check = kt_report_keep_text(report, finding->check, &status);
    copy.seen = kt_report_keep_text(report, finding->seen, &status);
    copy.means = kt_report_keep_text(report, finding->means, &status);
    copy.advice = kt_report_keep_text(report, finding->advice, &status);
    kt_finding_value *values =
        kt_report_keep(report, finding->values, copy.value_count * sizeof *values);
    for (uint32_t i = 0; values && i < copy.value_count; i++)
        values[i].name = kt_report_keep_text(report, values[i].name, &status);
    copy.values = values;
    kt_finding *findings =
        kt_grow(report->findings, (size_t)report->finding_count + 1, sizeof *findings);
    if (findings) /* whatever else failed: the old array is gone */
        report->findings = findings;
    if (status != KT_OK || !values || !findings)
        return KT_NO_MEMORY;
    report->findings[report->finding_count++] = copy;
    return KT_OK;
}

uint32_t kt_report_finding_count(const kt_report *report)
{
    return report->finding_count;
}

const kt_finding *kt_report_finding(const kt_report *report, uint32_t index)
{
    return index < report->finding_count ? &report->findings[index] : NULL;
}
