/* SPDX-License-Identifier: MIT */
#include "tracers/common/batches.h"

#include "statistics/interval.h"
#include "statistics/sample_warnings.h"

#include <math.h>
#include <string.h>

#define HUBER     1.5 /* of the distance's clipping, as in statistics/sample_warnings.c */
#define COUNT_MIN 20  /* fewest batches for an estimate */

static double rank_of(const kt_histogram *histogram, uint64_t count, double p)
{
    return kt_histogram_at_rank(histogram, 1 + (uint64_t)(p * (double)(count - 1)));
}

/* The series is full: begins the next one, around the median of all times up to now. */
static void begin_series(trace_statistics *s)
{
    s->last = s->batches;
    double low = rank_of(&s->histogram, s->count, 0.25);
    double high = rank_of(&s->histogram, s->count, 0.75);
    double limit = HUBER * KT_MAD_SCALE * (high - low) / 2;
    trace_batches *next = &s->batches;
    memset(next, 0, sizeof *next);
    next->length = 2 * s->last.length;
    next->pivot_ns = rank_of(&s->histogram, s->count, 0.5);
    next->limit_ns = limit > 0 && isfinite(limit) ? limit : INFINITY;
}

static void add_to_batches(trace_statistics *s, double duration_ns)
{
    trace_batches *b = &s->batches;
    if (b->length == 0) {
        b->length = 1;
        b->limit_ns = INFINITY;
    }
    double distance = duration_ns - b->pivot_ns;
    double side = (double)((distance > 0) - (distance < 0));
    distance = distance > b->limit_ns    ? b->limit_ns
               : distance < -b->limit_ns ? -b->limit_ns
                                         : distance;
    b->distance_sum += distance;
    b->side_sum += side;
    b->squares += distance * distance;
    b->sided += side * side;
    if (++b->filled < b->length)
        return;
    b->distances[b->count] = b->distance_sum / (double)b->length;
    b->sides[b->count] = b->side_sum / (double)b->length;
    b->distance_sum = b->side_sum = 0;
    b->filled = 0;
    if (++b->count == TRACE_BATCHES)
        begin_series(s);
}

void trace_statistics_add(trace_statistics *s, double duration_ns)
{
    s->histogram.counts[kt_histogram_bucket(duration_ns)]++;
    if (s->count++ == 0)
        s->min_ns = s->max_ns = duration_ns;
    s->total_ns += duration_ns;
    s->min_ns = duration_ns < s->min_ns ? duration_ns : s->min_ns;
    s->max_ns = duration_ns > s->max_ns ? duration_ns : s->max_ns;
    add_to_batches(s, duration_ns);
}

/* `squares`: sum of squares of all times, which are those of the batches and `rest_sum` of `rest`
 * times. */
static double inflation_of(const double *means, const trace_batches *b, double rest_sum,
                           double squares)
{
    double values[TRACE_BATCHES], sum = 0, between = 0, n = b->count, length = (double)b->length;
    for (uint32_t i = 0; i < b->count; i++)
        sum += values[i] = means[i];
    double mean = sum / n;
    for (uint32_t i = 0; i < b->count; i++)
        between += (means[i] - mean) * (means[i] - mean);
    double times = n * length + (double)b->filled;
    double all_mean = (sum * length + rest_sum) / times;
    double variance = squares / times - all_mean * all_mean;
    if (!(variance > 0))
        return 1;
    double inflation = between / (n - 1) * length / variance * kt_inflation(values, b->count);
    return inflation > 1 ? inflation : 1; /* NaN becomes 1 */
}

static double of_single_times(const trace_batches *b)
{
    double sorted[TRACE_BATCHES], scratch[TRACE_BATCHES];
    memcpy(sorted, b->distances, sizeof sorted);
    kt_sort(sorted, b->count);
    double median = kt_median(sorted, b->count);
    double mad = kt_median_distance(sorted, b->count, median);
    return kt_sample_inflation(b->distances, b->count, median, mad, scratch);
}

double trace_inflation(const trace_statistics *s)
{
    /* The new series follows the old one once it has half of its batches. */
    const trace_batches *b = s->batches.count >= TRACE_BATCHES / 2 ? &s->batches : &s->last;
    if (b->count == 0)
        b = &s->batches;
    if (b->count < COUNT_MIN || b->count > TRACE_BATCHES || b->length == 0)
        return NAN;
    if (b->length == 1)
        return of_single_times(b);
    return fmax(inflation_of(b->distances, b, b->distance_sum, b->squares),
                inflation_of(b->sides, b, b->side_sum, b->sided));
}
