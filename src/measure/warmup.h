/*
 * warmup.h - when a job's times have become steady. Pure.
 *
 * Caches fill, clocks rise and drivers learn for as long as they like, so the times themselves tell
 * when that is over. Rounds, one submission of each kind that is measured (their walls differ,
 * which is no trend), are summed in blocks of equally many; when all blocks are full, neighbours
 * are merged, so that memory stays the same however long it takes. Thirds of the blocks are
 * compared. The newest third is steady if it is neither faster nor slower than the third before it:
 * the rank sum test of Mann and Whitney (Annals of Mathematical Statistics 18, 1947) finds no
 * difference at 10 %, or their medians are closer than what was asked for needs. Then the last two
 * thirds of all show no trend, and what shrinks goes on shrinking. Ranks of blocks, because one
 * round that was interrupted may not look like a trend.
 *
 * Error rates, by counting all arrangements: what is steady already is prolonged in 11.4, 9.5, 9.3
 * % of looks at 12, 15, 18 blocks, each time by a third at most: cheap. What rises or falls by less
 * than the noise of a block from third to third is missed, and so is a jump that comes later.
 */
#ifndef KT_MEASURE_WARMUP_H
#define KT_MEASURE_WARMUP_H

#include <kerntime/result.h>
#include <stdint.h>

#define KT_WARMUP_BLOCKS 18 /* looked at are 12, 15 and 18, which merged are 9 */

typedef struct kt_warmup {
    double rel_err; /* of the median, that the measurement is to reach */
    int64_t time_min_ns, time_max_ns;
    /* The rule's own; they start at 0. */
    double block_ns[KT_WARMUP_BLOCKS]; /* the first block_count are full */
    uint32_t block_count;
    uint32_t in_block; /* rounds in the block that is being filled */
    uint32_t merges;   /* a block holds 2 to the power of this rounds */
    uint32_t rounds;
} kt_warmup;

/* Bounds that go with a measurement of at most max_time_ns. */
kt_warmup kt_warmup_rule(double rel_err, int64_t max_time_ns);

/*
 * Adds a round: the wall time of its submissions, and the time since warm-up began, with all that
 * belongs to it. KT_WARMUP_NONE: another round, please. One that would probably end behind
 * time_max_ns is never asked for, so a job of seconds gets one.
 */
kt_warmup_end kt_warmup_add(kt_warmup *rule, double round_ns, int64_t elapsed_ns);

#endif
