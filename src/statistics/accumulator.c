#include "statistics/accumulator.h"

#include <math.h>

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
    for (uint32_t i = 0; i < KT_HISTOGRAM_BUCKETS; i++)
        all->histogram.counts[i] += part->histogram.counts[i];
}

double kt_accumulator_stddev(const kt_accumulator *accumulator)
{
    if (accumulator->count < 2)
        return NAN;
    return sqrt(accumulator->squares / (double)(accumulator->count - 1));
}
