#include <kerntime/stats.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Order statistic at a fractional rank from 0, linear between its neighbours. */
static double at_rank(const double *sorted, size_t n, double rank)
{
    size_t below = (size_t)rank;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double median_of(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

/*
 * Median of the distances from `center`. In sorted samples the distances grow to both sides of the
 * center, so merging the two sides from the inside out visits them in order, without a second sort.
 */
static double median_distance(const double *sorted, size_t n, double center)
{
    size_t right = 0;
    while (right < n && sorted[right] < center)
        right++;
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

/*
 * Two passes, and sums of distances from the median: large times with a small spread would lose
 * their last digits in the textbook formulas, and equal samples would get a mean beside them.
 */
static void moments(const double *samples, size_t n, kt_summary *out)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i] - out->median;
    out->mean = out->median + sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - out->mean) * (samples[i] - out->mean);
    out->stddev = n >= 2 ? sqrt(squares / (double)(n - 1)) : NAN;
}

/* Of a tail: all that lies beyond such a weight adds less than a double can hold. */
#define NEGLIGIBLE 1e-30

int kt_median_interval(size_t n, double confidence, size_t *low, size_t *high)
{
    /* Probabilities of the binomial (n, 1/2), relative to the middle one so that none of those that
     * matter underflows for any n. */
    double total = 0, weight = 1;
    size_t middle = n / 2;
    for (size_t k = middle; k <= n; k++) {
        total += weight;
        weight *= (double)(n - k) / (double)(k + 1);
    }
    weight = 1;
    for (size_t k = middle; k > 0; k--) {
        weight *= (double)k / (double)(n - k + 1);
        total += weight;
    }
    /* From the middle outwards until the ranks between hold enough; rank pairs (j, n - 1 - j) miss
     * the median when at most j samples fall on one side of it. */
    double tails = (1 - confidence) / 2 * total, below = 0;
    weight = 1;
    size_t rank =
        middle; /* the lowest whose weight counts; from some thousand samples on 0 underflows */
    for (; rank > 0 && weight > NEGLIGIBLE * tails; rank--)
        weight *= (double)rank / (double)(n - rank + 1);
    for (; rank < middle && below + weight <= tails; rank++) {
        below += weight;
        weight *= (double)(n - rank) / (double)(rank + 1);
    }
    if (rank == 0)
        return 0;
    *low = rank - 1;
    *high = n - rank;
    return 1;
}

const char *kt_pattern_name(kt_pattern pattern)
{
    switch (pattern) {
    case KT_PATTERN_AUTOCORRELATED: return "autocorrelated";
    case KT_PATTERN_DRIFT: return "drift";
    case KT_PATTERN_LEVELS: return "levels";
    case KT_PATTERN_COARSE_GRID: return "coarse_grid";
    }
    return "unknown";
}

void kt_summarize(const double *samples, size_t n, double grid, double *scratch, kt_summary *out)
{
    *out = (kt_summary){.n = n,
                        .min = NAN,
                        .max = NAN,
                        .mean = NAN,
                        .median = NAN,
                        .stddev = NAN,
                        .mad = NAN,
                        .robust_stddev = NAN,
                        .p95 = NAN,
                        .ci95_low = NAN,
                        .ci95_high = NAN,
                        .p95_ci95_low = NAN,
                        .p95_ci95_high = NAN,
                        .grid = NAN,
                        .inflation = NAN,
                        .drift = NAN,
                        .level_low = NAN,
                        .level_high = NAN,
                        .level_high_share = NAN};
    (void)grid;
    if (n == 0)
        return;
    memcpy(scratch, samples, n * sizeof *scratch);
    qsort(scratch, n, sizeof *scratch, compare_doubles);
    out->min = scratch[0];
    out->max = scratch[n - 1];
    out->median = median_of(scratch, n);
    out->mad = median_distance(scratch, n, out->median);
    out->p95 = at_rank(scratch, n, 0.95 * (double)(n - 1));
    moments(samples, n, out);
    size_t low, high;
    if (kt_median_interval(n, 0.95, &low, &high)) {
        out->ci95_low = scratch[low];
        out->ci95_high = scratch[high];
    }
}
