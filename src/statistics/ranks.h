/* SPDX-License-Identifier: MIT */
/* ranks.h - rank test of two lists of numbers. Pure functions. */
#ifndef KT_STATISTICS_RANKS_H
#define KT_STATISTICS_RANKS_H

#include <stddef.h>

#define KT_RANK_EXACT 20 /* largest total of numbers for the exact test */
/* Doubles of scratch for kt_rank_p(): all ranks, and the number of ways to reach each rank sum with
 * up to half of the ranks. */
#define KT_RANK_SCRATCH \
    (KT_RANK_EXACT + (KT_RANK_EXACT / 2 + 1) * (KT_RANK_EXACT * (KT_RANK_EXACT + 1) + 1))

/*
 * Two-sided p of the rank test (Mann and Whitney, Annals of Mathematical Statistics 18 (1947)) of
 * two sorted lists, n, m >= 1. Ties get their mean rank. Exact up to KT_RANK_EXACT numbers; else a
 * normal approximation with tie and continuity correction, its variance times `inflation`.
 */
double kt_rank_p(const double *a, size_t n, const double *b, size_t m, double inflation,
                 double *scratch);

/* Probability that a number of sorted `b` is larger than one of sorted `a`, n, m >= 1; equal numbers
 * count half (Mann and Whitney 1947: U / (n m)). */
double kt_rank_larger(const double *a, size_t n, const double *b, size_t m);

/* Smallest possible p of an exact rank test of lists of n and m numbers. */
double kt_rank_p_least(size_t n, size_t m);

#endif
