/* SPDX-License-Identifier: MIT */
/* duplicate_runs.h - detects duplicate runs, which add no information. */
#ifndef KT_COMPARE_DUPLICATE_RUNS_H
#define KT_COMPARE_DUPLICATE_RUNS_H

#include "compare/matching.h"

/*
 * Fails with KT_INVALID and names the reports if two of one side are one result: their runs would
 * look like runs without variance. Two reports are one result if they are one report, or have the
 * same id. Reports without an id, of simulated devices or older versions, are duplicates of none.
 *
 * *identical: each report of a side is a report of the other, in any order. KT_INVALID also if both
 * sides share only some reports.
 */
kt_status kt_find_duplicate_runs(const kt_compare_side sides[KT_SIDE_COUNT], bool *identical);

#endif
