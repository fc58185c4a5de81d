/* SPDX-License-Identifier: MIT */
#include "clock/step.h"

#include "statistics/interval.h"

#include <math.h>
#include <stdbool.h>

#define STEP_MIN         8 /* ticks: shortest step that is searched */
#define DISTANCE_SLACK   1 /* ticks: rounding error of a distance; both timestamps are truncated */
#define DIFFERENCE_SLACK (2 * DISTANCE_SLACK)
#define KEPT_MAX         256
#define PRECISION        0.01
#define STRICT_MIN       32
#define MISFITS_SHARE    32 /* at most one misfit in this many distances */
/* Evidence required: -ln of the probability that distances fit by chance. In effect some 10^7 steps
 * are tried. */
#define DOUBT 40.0
/* Evidence required for a single step that the driver reported. */
#define DOUBT_REPORTED 10.0

/* Range in which the step, in ticks, may still lie. */
typedef struct limits {
    double low, high;
    double doubt; /* -ln of the probability that all tested lengths fit by chance */
} limits;

/* Restricts the step to divisors of `length`; false if no step is left. Ignores a length that may
 * be more than one multiple of the step. */
static bool narrow(limits *step, double length, double slack)
{
    double least = ceil((length - slack) / step->high), most = floor((length + slack) / step->low);
    if (least > most)
        return false;
    if (least < most || least < 1)
        return true;
    double fitting = 2 * slack + least * (step->high - step->low);
    step->doubt += fmax(0, log(step->low / fitting));
    step->low = fmax(step->low, (length - slack) / least);
    step->high = fmin(step->high, (length + slack) / least);
    return step->low <= step->high;
}

/*
 * Short differences determine the step coarsely; longer ones and then the distances refine it.
 * Differences repeat each other, so only distances count as evidence. The first `strict` must fit;
 * each misfit among the others lowers the evidence.
 */
static double fit(const double *sorted, size_t n, size_t strict, double low, double high)
{
    limits step = {.low = low, .high = high};
    bool fits = true;
    for (size_t lag = 1; lag < strict; lag *= 2)
        for (size_t i = lag; i < strict && fits; i++)
            fits = narrow(&step, sorted[i] - sorted[i - lag], DIFFERENCE_SLACK);
    step.doubt = 0;
    size_t misfits = 0;
    for (size_t i = 0; i < n && fits; i++) {
        limits next = step;
        if (narrow(&next, sorted[i], DISTANCE_SLACK))
            step = next;
        else if (i < strict || ++misfits > n / MISFITS_SHARE)
            fits = false;
    }
    step.doubt -= (double)misfits * log((double)n);
    bool surely = fits && step.doubt >= DOUBT && step.high - step.low <= PRECISION * step.low;
    return surely ? step.low + (step.high - step.low) / 2 : NAN;
}

/* The largest step that fits the first `strict` distances. It divides their shortest difference. */
static double find(const double *sorted, size_t n, size_t strict)
{
    double shortest = INFINITY;
    for (size_t i = 1; i < strict; i++)
        shortest = fmin(shortest, sorted[i] - sorted[i - 1]);
    for (double times = 1; shortest / times >= STEP_MIN; times++) {
        double found = fit(sorted, n, strict, fmax(STEP_MIN, (shortest - DIFFERENCE_SLACK) / times),
                           (shortest + DIFFERENCE_SLACK) / times);
        if (!isnan(found))
            return found;
    }
    return NAN;
}

/* Removes repeated distances and keeps the KEPT_MAX shortest. Returns their number. */
static size_t keep_unlike(double *sorted, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < KEPT_MAX; i++)
        if (kept == 0 || sorted[i] - sorted[kept - 1] > DIFFERENCE_SLACK)
            sorted[kept++] = sorted[i];
    return kept;
}

/*
 * An interrupted timestamp may be off the steps, and its distance is long: on a virtual machine
 * with AMD's EPYC 1 of 7,000 distances was half a step off, and none below 10 us. Then all
 * distances fit half the step at best, and all but a few the whole one.
 */
double kt_step_find(double *distances, size_t n)
{
    kt_sort(distances, n);
    n = keep_unlike(distances, n);
    double largest = n < 2 ? NAN : find(distances, n, n);
    for (size_t strict = n / 2; strict >= STRICT_MIN; strict /= 2)
        largest = fmax(largest, find(distances, n, strict)); /* fmax() is NaN only if both are */
    return largest;
}

bool kt_step_fits(double *distances, size_t n, double step, double slack)
{
    /* probability that a random whole distance fits; multiples of the slack fit a little oftener */
    double by_chance = (2 * slack + 1) / step, doubt = 0;
    if (!(by_chance < 1))
        return false;
    for (size_t i = 0; i < n; i++)
        if (fabs(remainder(distances[i], step)) > slack)
            return false;
    kt_sort(distances, n);
    double latest = 0; /* latest distance that counted as evidence */
    for (size_t i = 0; i < n; i++)
        if (distances[i] - latest > slack) {
            latest = distances[i];
            doubt -= log(by_chance);
        }
    return doubt >= DOUBT_REPORTED;
}
