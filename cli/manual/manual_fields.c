/* SPDX-License-Identifier: MIT */
/* manual_fields.c - the fields of kt_summary as lines of tab-separated columns, of which
 * tests/manual/tables.py makes parts of docs/. */
#include "cli/manual/manual.h"

void manual_fields(FILE *to, const manual *m)
{
    (void)m;
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL; i++)
        fprintf(to, "%s\t%s\t%s\t%s\t%g\t%u\t%s\t%s\t%s\n", field->column, field->group,
                field->part, field->unit, field->least, field->n_min,
                field->warning ? kt_sample_warning_name((kt_sample_warning)field->warning) : "",
                field->since, field->meaning);
}
