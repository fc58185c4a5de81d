/* copied.h - runs that were given twice: copies of a run say nothing of the next one. */
#ifndef KT_COMPARE_COPIED_H
#define KT_COMPARE_COPIED_H

#include "compare/matching.h"

/*
 * KT_INVALID, and a sentence that names them, if two runs of one side hold the same samples: they
 * would look like runs that do not differ. Simulated devices repeat themselves rightly, and do not
 * count; neither do samples that hardly change, which a coarse clock may show twice.
 *
 * *identical: whether the sides are one measurement, read twice: each run of a side is one of the
 * other, in any order. Two runs are one if all times that both sides have hold the same samples.
 * Where these hardly change, their reports have to be of the same moment and command too. Runs
 * without a sample tell nothing. KT_INVALID as well if some runs of a real device are on both
 * sides, and others are not. KT_NO_MEMORY.
 */
kt_status kt_find_copies(const kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT],
                         bool *identical);

#endif
