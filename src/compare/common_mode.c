/* SPDX-License-Identifier: MIT */
#include "compare/common_mode.h"

#include "statistics/interval.h"

#include <kerntime/compare.h>
#include <math.h>

#define BIWEIGHT 3 /* cut-off in standard errors; the usual 4.685 lets changed rows pull more */
/* Rows agree if half of them lie within this multiple of what their errors explain. */
#define AGREE_MAX 1.5
#define ROUNDS    60

typedef struct located {
    const double *shifts, *errors;
    size_t n;
} located;

typedef struct estimate {
    double at, error;
    size_t inside; /* rows with a weight above 0 */
} estimate;

/* One step of Tukey's biweight (Beaton and Tukey, Technometrics 16 (1974)). Rows beyond BIWEIGHT
 * times `scale` of their own standard errors have no weight. The standard error is Huber's for an
 * M-estimate. */
static estimate move(const located *rows, estimate from, double scale)
{
    double weights = 0, sum = 0, slopes = 0, squares = 0;
    estimate to = {from.at, from.error, 0};
    for (size_t i = 0; i < rows->n; i++) {
        double distance = rows->shifts[i] - from.at, error = rows->errors[i];
        double u = distance / (BIWEIGHT * scale * error);
        if (!(fabs(u) < 1))
            continue;
        double inside = 1 - u * u, precision = 1 / (error * error);
        double pull = inside * inside * precision;
        weights += pull;
        sum += pull * distance;
        squares += pull * distance * pull * distance;
        slopes += inside * (1 - 5 * u * u) * precision;
        to.inside++;
    }
    if (weights > 0 && slopes > 0) {
        to.at += sum / weights;
        to.error = sqrt(squares) / slopes;
    }
    return to;
}

static double median_of(double *values, size_t n)
{
    kt_sort(values, n);
    return kt_median(values, n);
}

/* The scale starts wide enough for most rows, because changed rows widen it, and shrinks while half
 * of the rows stay inside. */
kt_common_mode kt_find_common_mode(const double *shifts, const double *errors, size_t n,
                                   double *scratch)
{
    const located rows = {shifts, errors, n};
    if (n < KT_GROUPS_MIN)
        return (kt_common_mode){0};
    for (size_t i = 0; i < n; i++)
        scratch[i] = shifts[i];
    estimate found = {median_of(scratch, n), 0, 0};
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(shifts[i] - found.at) / errors[i];
    double scale = fmax(1, median_of(scratch, n) * KT_MAD_SCALE);
    for (int i = 0; i < ROUNDS; i++) {
        double narrower = fmax(1, scale * 0.8);
        estimate next = move(&rows, found, narrower);
        if (2 * next.inside >= n)
            scale = narrower;
        else
            next = move(&rows, found, scale);
        found = next;
    }
    bool known = scale <= AGREE_MAX && isfinite(found.at) && isfinite(found.error);
    return (kt_common_mode){known, found.at, found.error};
}

/* Sum of squared distances of the centers from their mean. */
static double squares_of(const double *centers, size_t most, size_t *runs)
{
    double sum = 0, squares = 0;
    *runs = 0;
    for (size_t i = 0; i < most; i++)
        if (centers[2 * i + 1] > 0) {
            sum += centers[2 * i] / centers[2 * i + 1];
            ++*runs;
        }
    for (size_t i = 0; i < most; i++)
        if (centers[2 * i + 1] > 0) {
            double distance = centers[2 * i] / centers[2 * i + 1] - sum / (double)*runs;
            squares += distance * distance;
        }
    return squares;
}

kt_doubt kt_doubt_of_runs(double *const centers[2], const size_t most[2], double assumed,
                          double degrees)
{
    size_t runs[2];
    double squares = squares_of(centers[0], most[0], &runs[0]);
    squares += squares_of(centers[1], most[1], &runs[1]);
    double seen = 0, total = 0;
    for (int i = 0; i < 2; i++)
        seen += runs[i] < 2 ? 0 : (double)runs[i] - 1;
    double variance = seen > 0 ? squares / seen : 0;
    for (int i = 0; i < 2; i++)
        total += runs[i] < 2 ? fmax(variance, assumed * assumed) : variance / (double)runs[i];
    bool alone = runs[0] < 2 || runs[1] < 2;
    return (kt_doubt){sqrt(total), alone ? degrees : seen};
}
