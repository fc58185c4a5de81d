/* SPDX-License-Identifier: MIT */
#include "statistics/interval.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void kt_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
}

size_t kt_count_below(const double *sorted, size_t n, double x)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double kt_at_rank(const double *sorted, size_t n, double rank)
{
    size_t below = (size_t)rank;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

double kt_quantile(const double *sorted, size_t n, double p)
{
    return kt_at_rank(sorted, n, p * (double)(n - 1));
}

double kt_median(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/* In sorted values, distances grow on both sides of the center. Merging both sides outwards visits
 * the distances in order without a second sort. */
double kt_median_distance(const double *sorted, size_t n, double center)
{
    size_t right = kt_count_below(sorted, n, center);
    size_t left = right;
    double previous = 0, current = 0;
    for (size_t rank = 0; rank <= n / 2; rank++) {
        previous = current;
        bool take_left =
            left > 0 && (right >= n || center - sorted[left - 1] < sorted[right] - center);
        current = take_left ? center - sorted[--left] : sorted[right++] - center;
    }
    return n % 2 ? current : previous + (current - previous) / 2;
}

/* Relative weight below which the rest of a binomial tail cannot change a double. */
#define NEGLIGIBLE 1e-30

/*
 * Finds the fractional rank that is above quantile p with probability `tail`; false if there is
 * none. Rank r is above if at most r of n samples are below the quantile, a binomial (n, p) count.
 * Weights are relative to the likeliest count, so that no relevant one underflows.
 */
static bool lower_rank(size_t n, double p, double tail, double *rank)
{
    double odds = p / (1 - p), total = 0, weight = 1;
    size_t mode = (size_t)(p * (double)(n + 1));
    if (mode > n)
        mode = n;
    for (size_t k = mode; k < n && weight > NEGLIGIBLE; k++) {
        weight *= (double)(n - k) / (double)(k + 1) * odds;
        total += weight;
    }
    weight = 1;
    size_t first = mode;
    for (; first > 0 && weight > NEGLIGIBLE; first--) {
        total += weight;
        weight *= (double)first / (double)(n - first + 1) / odds;
    }
    total += weight;
    /* Sums weights upwards from the lowest relevant count, as long as the sum is within
     * `wanted`. */
    double wanted = tail * total, below = weight, next = weight;
    if (below > wanted)
        return false;
    size_t r = first; /* largest rank with P(at most r samples below) <= tail */
    for (; r < mode; r++) {
        next *= (double)(n - r) / (double)(r + 1) * odds;
        if (below + next > wanted)
            break;
        below += next;
    }
    /* r + 1 samples lie at or below rank r. */
    double share = (double)(r + 1) * (1 - p) / ((double)(n - r - 1) * p);
    double missing = wanted - below;
    *rank = (double)r + missing / (missing + share * (next - missing));
    return true;
}

bool kt_interval_ranks(size_t n, double p, double inflation, double *low, double *high)
{
    double from_below, from_above;
    if (!lower_rank(n, 1 - p, 0.025, &from_above) || !lower_rank(n, p, 0.025, &from_below))
        return false;
    double last = (double)(n - 1), own = p * last, stretch = sqrt(inflation);
    double lowest = own - (own - from_below) * stretch;
    double highest = own + (last - from_above - own) * stretch;
    if (!(lowest >= 0 && highest <= last))
        return false;
    *low = lowest;
    *high = highest;
    return true;
}
