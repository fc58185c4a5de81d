/* copied.h - runs that were given twice: copies of a run say nothing of the next one. */
#ifndef KT_COPIED_H
#define KT_COPIED_H

#include "matching.h"

/*
 * KT_INVALID, and a sentence that names them, if two runs of one side hold the same samples: they would look like runs that do not differ.
 * Simulated devices repeat themselves rightly, and do not count; neither do samples that hardly change, which a coarse clock may show twice.
 * KT_NO_MEMORY.
 */
kt_status kt_refuse_copies(const kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT]);

#endif
