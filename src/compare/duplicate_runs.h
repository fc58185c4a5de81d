/* duplicate_runs.h - detects duplicate runs, which add no information. */
#ifndef KT_COMPARE_DUPLICATE_RUNS_H
#define KT_COMPARE_DUPLICATE_RUNS_H

#include "compare/matching.h"

/*
 * Fails with KT_INVALID and names them if two runs of one side have the same samples: they would
 * look like runs without variance. Simulated devices are exempt, since they repeat exactly, and so
 * are nearly constant samples, which a coarse clock may return twice.
 *
 * *identical: both sides are one measurement read twice: each run of a side equals a run of the
 * other, in any order. Two runs are equal if all times on both sides have the same samples. If
 * those are nearly constant, their reports must also have the same time and command. Runs without
 * samples do not count. KT_INVALID also if both sides share only some runs of real devices.
 * KT_NO_MEMORY.
 */
kt_status kt_find_duplicate_runs(const kt_matching *matching,
                                 const kt_compare_side sides[KT_SIDE_COUNT], bool *identical);

#endif
