/* ranks.h - whether one list of numbers tends to be above another. Pure. */
#ifndef KT_STATISTICS_RANKS_H
#define KT_STATISTICS_RANKS_H

#include <stddef.h>

#define KT_RANK_EXACT 20 /* numbers of both lists together */
/* Doubles of scratch that kt_rank_p() needs: a rank each, and the ways to reach each sum of half of
 * them. */
#define KT_RANK_SCRATCH \
    (KT_RANK_EXACT + (KT_RANK_EXACT / 2 + 1) * (KT_RANK_EXACT * (KT_RANK_EXACT + 1) + 1))

/*
 * Two-sided p of the rank test (Mann and Whitney, Annals of Mathematical Statistics 18 (1947)) of
 * two sorted lists, n, m >= 1; ties have their mean rank. Up to KT_RANK_EXACT numbers it is exact:
 * the share of all ways to deal them out that are as extreme. Else by the normal law, with a
 * correction for ties and for continuity, its variance multiplied by `inflation`.
 */
double kt_rank_p(const double *a, size_t n, const double *b, size_t m, double inflation,
                 double *scratch);

/* The smallest p that so many numbers can have. */
double kt_rank_p_least(size_t n, size_t m);

#endif
