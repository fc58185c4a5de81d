/* A finding in the making. */
#include "cli/doctor/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

doctor_finding doctor_begin(const char *check, kt_severity severity)
{
    return (doctor_finding){.check = check, .severity = severity};
}

static void write(char *text, const char *format, va_list arguments)
{
    vsnprintf(text, DOCTOR_TEXT_BYTES, format, arguments);
}

void doctor_seen(doctor_finding *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->seen, format, arguments);
    va_end(arguments);
}

void doctor_means(doctor_finding *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->means, format, arguments);
    va_end(arguments);
}

void doctor_advise(doctor_finding *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->advice, format, arguments);
    va_end(arguments);
}

void doctor_value(doctor_finding *f, const char *name, double value)
{
    if (f->value_count < DOCTOR_VALUES_MAX)
        f->values[f->value_count++] = (kt_finding_value){.name = name, .value = value};
}

/* What a FAULT of these says is that device times are wrong, though there are some. Not that of
 * `steps`: it is about several in one submission. */
static bool is_about_times(const char *check)
{
    static const char *const checks[] = {"states", "order", "width", "reset",
                                         "place",  "drift", "rate",  "agreement"};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(checks[i], check) == 0)
            return true;
    return false;
}

static void keep_fault(doctor *d, const char *check)
{
    const char **fault = is_about_times(check) ? &d->stamp_fault : &d->other_fault;
    if (!*fault && strcmp(check, "believed") != 0) /* of which the ruler itself tells */
        *fault = check;
}

kt_status doctor_add(doctor *d, const doctor_finding *f)
{
    if (f->severity == KT_SEVERITY_FAULT)
        keep_fault(d, f->check);
    const kt_finding finding = {.device = d->info->id,
                                .check = f->check,
                                .severity = f->severity,
                                .seen = f->seen,
                                .means = f->means[0] ? f->means : NULL,
                                .advice = f->advice[0] ? f->advice : NULL,
                                .values = f->values,
                                .value_count = f->value_count};
    d->found++;
    return kt_report_add_finding(d->report, &finding);
}

doctor_finding *doctor_next(doctor_findings *list, const char *check, kt_severity severity)
{
    if (list->count < DOCTOR_FINDINGS_MAX)
        list->count++;
    list->items[list->count - 1] = doctor_begin(check, severity);
    return &list->items[list->count - 1];
}

kt_status doctor_add_all(doctor *d, const doctor_findings *list)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < list->count && status == KT_OK; i++)
        status = doctor_add(d, &list->items[i]);
    return status;
}
