#include "clock/step.h"

#include "statistics/interval.h"

#include <math.h>
#include <stdbool.h>

#define STEP_MIN         8 /* ticks; the slack of a difference would be half of a shorter one */
#define DISTANCE_SLACK   1 /* ticks: both stamps are cut to whole ones */
#define DIFFERENCE_SLACK (2 * DISTANCE_SLACK)
#define KEPT_MAX         256
#define PRECISION        0.01
#define STRICT_MIN       32
#define MISFITS_SHARE    32 /* one of so many, at most */
/* How unlikely it has to be that distances fit by chance: some 10^7 steps are tried, in effect. */
#define DOUBT 40.0 /* -ln */
/* The same of one step alone, that somebody told. */
#define DOUBT_TOLD 10.0

/* What is left for the step. */
typedef struct limits {
    double low, high;
    double doubt; /* -ln of the chance that all fit that were asked */
} limits;

/* A length that has to be a multiple of the step. False: it is of none that is left. If it may be
 * several, it tells nothing. */
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

/* Differences are shorter than what they are of, those of neighbours most of all: they tell the
 * step coarsely, longer ones more finely, and the distances to the end. Of differences many say the
 * same, so only the distances convince. The first `strict` have to fit; of the others some need
 * not, but which ones those are is a choice that convinces less. */
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

/* The largest step that the first `strict` show, in whose shortest difference it is contained. */
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

/* What takes the same time again and again says something once. The shortest ones are enough.
 * Returns how many are left. */
static size_t keep_unlike(double *sorted, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < KEPT_MAX; i++)
        if (kept == 0 || sorted[i] - sorted[kept - 1] > DIFFERENCE_SLACK)
            sorted[kept++] = sorted[i];
    return kept;
}

/* What interrupts a stamp may move it off the grid, and what is interrupted is long: on a virtual
 * machine with AMD's EPYC 1 of 7,000 distances was half a step off, and none below 10 us. Then all
 * of them fit half the step at best, and all but a few the whole. */
double kt_step_find(double *distances, size_t n)
{
    kt_sort(distances, n);
    n = keep_unlike(distances, n);
    double largest = n < 2 ? NAN : find(distances, n, n);
    for (size_t strict = n / 2; strict >= STRICT_MIN; strict /= 2)
        largest = fmax(largest, find(distances, n, strict)); /* NaN only if both are */
    return largest;
}

bool kt_step_fits(double *distances, size_t n, double step, double slack)
{
    /* as if distances were any whole numbers: of multiples of the slack a little more fit */
    double by_chance = (2 * slack + 1) / step, doubt = 0;
    if (!(by_chance < 1))
        return false;
    for (size_t i = 0; i < n; i++)
        if (fabs(remainder(distances[i], step)) > slack)
            return false;
    kt_sort(distances, n);
    double latest = 0; /* that tells something */
    for (size_t i = 0; i < n; i++)
        if (distances[i] - latest > slack) {
            latest = distances[i];
            doubt -= log(by_chance);
        }
    return doubt >= DOUBT_TOLD;
}
