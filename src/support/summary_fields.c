/* SPDX-License-Identifier: MIT */
/* summary_fields.c - the table of the fields of kt_summary. */
#include <kerntime/stats.h>

#include <float.h>
#include <math.h>

#define SUFFIX_NS    "_ns"
#define SUFFIX_COUNT ""
#define SUFFIX_RATIO ""
#define SUFFIX_SHARE ""

#define UNIT_NS    "ns"
#define UNIT_COUNT "count"
#define UNIT_RATIO "ratio"
#define UNIT_SHARE "share"

#define FIELD(member, unit, least, group, part, n_min, warning, since, meaning)                    \
    {#member SUFFIX_##unit,       group, part, UNIT_##unit, least, n_min, warning, since, meaning, \
     offsetof(kt_summary, member)},

static const kt_summary_field fields[] = {KT_SUMMARY_FIELDS_(FIELD)};

const kt_summary_field *kt_summary_get_field(size_t index)
{
    return index < sizeof fields / sizeof fields[0] ? &fields[index] : NULL;
}

double kt_summary_get(const kt_summary *summary, const kt_summary_field *field)
{
    if (!summary || !field)
        return NAN;
    double value = *(const double *)(const void *)((const char *)summary + field->offset);
    return value == 0 && field->least > 0 ? NAN : value;
}
