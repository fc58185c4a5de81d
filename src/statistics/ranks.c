/* SPDX-License-Identifier: MIT */
#include "statistics/ranks.h"

#include <math.h>
#include <string.h>

static size_t smaller(size_t n, size_t m)
{
    return n < m ? n : m;
}

/* Twice the sum of the ranks of all N numbers: N (N + 1). */
static size_t largest_sum(size_t all)
{
    return all * (all + 1);
}

/* Rank sum of one list among the numbers of both lists. */
typedef struct rank_sum {
    double twice; /* twice the sum of the first list's ranks, which count from 1 */
    double ties;  /* sum of t^3 - t over groups of t equal numbers */
} rank_sum;

/* Stores twice the ranks of all numbers, in ascending order, in `twice_ranks` unless NULL. */
static rank_sum sum_ranks(const double *a, size_t n, const double *b, size_t m, double *twice_ranks)
{
    rank_sum sum = {0, 0};
    for (size_t i = 0, j = 0; i < n || j < m;) {
        double value = j == m || (i < n && a[i] < b[j]) ? a[i] : b[j];
        size_t first = i + j, of_a = i;
        while (i < n && a[i] <= value)
            i++;
        while (j < m && b[j] <= value)
            j++;
        if (i + j == first) { /* value is NaN: every comparison is false */
            i += i < n;
            j += i + j == first;
        }
        double group = (double)(i + j - first);
        double twice_rank = 2 * (double)first + group + 1;
        sum.twice += twice_rank * (double)(i - of_a);
        sum.ties += group * group * group - group;
        for (size_t k = first; twice_ranks && k < i + j; k++)
            twice_ranks[k] = twice_rank;
    }
    return sum;
}

/* Exact p: share of all choices of `few` ranks whose sum is at least `distance` from the middle. */
static double exact(const double *twice_ranks, size_t all, size_t few, double distance,
                    double *ways)
{
    size_t sums = largest_sum(all) + 1;
    memset(ways, 0, (few + 1) * sums * sizeof *ways);
    ways[0] = 1;
    size_t reached = 0;
    for (size_t i = 0; i < all; i++) {
        size_t rank = (size_t)twice_ranks[i];
        reached += rank;
        for (size_t k = smaller(few, i + 1); k >= 1; k--)
            for (size_t s = reached; s >= rank; s--)
                ways[k * sums + s] += ways[(k - 1) * sums + s - rank];
    }
    double middle = (double)few * (double)(all + 1), extreme = 0, total = 0;
    for (size_t s = 0; s < sums; s++) {
        total += ways[few * sums + s];
        if (fabs((double)s - middle) >= distance)
            extreme += ways[few * sums + s];
    }
    return extreme / total;
}

double kt_rank_p(const double *a, size_t n, const double *b, size_t m, double inflation,
                 double *scratch)
{
    size_t all = n + m;
    double *ranks = all > KT_RANK_EXACT ? NULL : scratch;
    rank_sum sum = sum_ranks(a, n, b, m, ranks);
    double count = (double)all;
    double distance = fabs(sum.twice - (double)n * (count + 1));
    /* Both lists' rank sums are equally far from their middles, so the smaller list suffices. */
    if (ranks)
        return exact(ranks, all, smaller(n, m), distance, scratch + all);
    double variance =
        (double)n * (double)m / 12 * (count + 1 - sum.ties / (count * (count - 1))) * inflation;
    if (!(variance > 0))
        return 1;
    double z = fmax(0, distance / 2 - 0.5) / sqrt(variance);
    return erfc(z / sqrt(2));
}

double kt_rank_larger(const double *a, size_t n, const double *b, size_t m)
{
    double of_a = (double)n, of_b = (double)m;
    return 1 - (sum_ranks(a, n, b, m, NULL).twice / of_a - (of_a + 1)) / 2 / of_b;
}

double kt_rank_p_least(size_t n, size_t m)
{
    double ways = 1;
    for (size_t i = 1; i <= smaller(n, m); i++)
        ways *= (double)(n + m + 1 - i) / (double)i;
    return fmin(1, 2 / ways);
}
