/* SPDX-License-Identifier: MIT */
/* diagnostic.c - builds the diagnostics of the doctor. */
#include "cli/doctor/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

doctor_diagnostic doctor_begin(const char *check, kt_severity severity)
{
    return (doctor_diagnostic){.check = check, .severity = severity};
}

static void write(char *text, const char *format, va_list arguments)
{
    vsnprintf(text, DOCTOR_TEXT_BYTES, format, arguments);
}

void doctor_seen(doctor_diagnostic *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->seen, format, arguments);
    va_end(arguments);
}

void doctor_means(doctor_diagnostic *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->means, format, arguments);
    va_end(arguments);
}

void doctor_advise(doctor_diagnostic *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write(f->advice, format, arguments);
    va_end(arguments);
}

void doctor_value(doctor_diagnostic *f, const char *name, double value)
{
    if (f->value_count < DOCTOR_VALUES_MAX)
        f->values[f->value_count++] = (kt_diagnostic_value){.name = name, .value = value};
}

/* Whether a FAULT of this check means that existing device times are wrong. `steps` does not: it
 * concerns several steps of one submission. */
static bool is_about_times(const char *check)
{
    static const char *const checks[] = {"states",    "order", "width", "reset",
                                         "placement", "drift", "rate",  "agreement"};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(checks[i], check) == 0)
            return true;
    return false;
}

static void keep_fault(doctor *d, const char *check)
{
    const char **fault = is_about_times(check) ? &d->timestamp_fault : &d->other_fault;
    if (!*fault && strcmp(check, "untrusted") != 0) /* the timer limits report that themselves */
        *fault = check;
}

kt_status doctor_add(doctor *d, const doctor_diagnostic *f)
{
    if (f->severity == KT_SEVERITY_FAULT)
        keep_fault(d, f->check);
    const kt_diagnostic diagnostic = {.device = d->info->id,
                                      .check = f->check,
                                      .severity = f->severity,
                                      .seen = f->seen,
                                      .means = f->means[0] ? f->means : NULL,
                                      .advice = f->advice[0] ? f->advice : NULL,
                                      .values = f->values,
                                      .value_count = f->value_count};
    d->found++;
    return kt_report_add_diagnostic(d->report, &diagnostic);
}

doctor_diagnostic *doctor_next(doctor_diagnostics *list, const char *check, kt_severity severity)
{
    if (list->count < DOCTOR_DIAGNOSTICS_MAX)
        list->count++;
    list->items[list->count - 1] = doctor_begin(check, severity);
    return &list->items[list->count - 1];
}

kt_status doctor_add_all(doctor *d, const doctor_diagnostics *list)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < list->count && status == KT_OK; i++)
        status = doctor_add(d, &list->items[i]);
    return status;
}
