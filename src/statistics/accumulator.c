/* SPDX-License-Identifier: MIT */
#include "statistics/accumulator.h"

#include <math.h>

/* Adds a histogram whose unit is `factor` units of the other one. */
static void add_histogram(kt_histogram *all, const kt_histogram *part, double factor)
{
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++) {
        uint32_t to = factor == 1 ? i : kt_histogram_bucket(kt_histogram_value(i) * factor);
        all->counts[to] += part->counts[i];
    }
}

void kt_accumulator_add(kt_accumulator *all, const kt_accumulator *part)
{
    if (part->count == 0)
        return;
    if (all->count == 0) {
        *all = *part;
        return;
    }
    /* Chan, Golub and LeVeque (1979): Updating formulae and a pairwise algorithm for computing
     * sample variances. */
    double count = (double)all->count, part_count = (double)part->count;
    double share = part_count / (count + part_count);
    double distance = part->mean - all->mean;
    all->squares += part->squares + distance * distance * count * share;
    all->mean += distance * share;
    all->total += part->total;
    all->count += part->count;
    all->min = fmin(all->min, part->min);
    all->max = fmax(all->max, part->max);
    all->last = part->last;
    add_histogram(&all->histogram, &part->histogram,
                  part->unit == all->unit ? 1 : part->unit / all->unit);
}

void kt_accumulator_scale(kt_accumulator *accumulator, double factor)
{
    accumulator->total *= factor;
    accumulator->mean *= factor;
    accumulator->squares *= factor * factor;
    accumulator->min *= factor;
    accumulator->max *= factor;
    accumulator->last *= factor;
    accumulator->unit *= factor;
}

double kt_accumulator_at_rank(const kt_accumulator *accumulator, uint64_t rank)
{
    return kt_histogram_at_rank(&accumulator->histogram, rank) * accumulator->unit;
}

double kt_accumulator_stddev(const kt_accumulator *accumulator)
{
    if (accumulator->count < 2)
        return NAN;
    return sqrt(accumulator->squares / (double)(accumulator->count - 1));
}
