/*
 * warmup.h - decides when a job's times have become steady. Pure functions.
 *
 * Caches, clock rates and drivers settle after unknown times, so the job's own times decide. A
 * round is one submission of each kind that is measured; the kinds differ in wall time, which is no
 * trend. Rounds are summed in blocks of equally many. When all blocks are full, adjacent blocks are
 * merged, so that memory stays the same. Thirds of the blocks are compared. The newest third is
 * steady if it is neither faster nor slower than the third before it: the rank sum test of Mann and
 * Whitney (Annals of Mathematical Statistics 18, 1947) finds no difference at 10 %, or their
 * medians are closer than the wanted error needs. The last two thirds of all then show no trend,
 * and a change that shrinks will go on shrinking. Ranks of blocks are used, because one interrupted
 * round must not look like a trend.
 *
 * Error rates, by counting all arrangements: steady times are prolonged in 11.4, 9.5, 9.3 % of
 * looks at 12, 15, 18 blocks, each time by a third at most. A change from third to third below the
 * noise of a block is missed, and so is a later jump.
 */
#ifndef KT_MEASURE_WARMUP_H
#define KT_MEASURE_WARMUP_H

#include <kerntime/result.h>
#include <stdint.h>

#define KT_WARMUP_BLOCKS 18 /* most blocks; looks are at 12, 15 and 18 blocks, merging leaves 9 */

typedef struct kt_warmup {
    double rel_err; /* wanted relative error of the median */
    int64_t time_min_ns, time_max_ns;
    /* State of the warm-up rule; the members below start at 0. */
    /* time of each block; the first block_count blocks are full */
    double block_ns[KT_WARMUP_BLOCKS];
    uint32_t block_count;
    uint32_t in_block; /* rounds in the block that is not full */
    uint32_t merges;   /* a block holds 2^merges rounds */
    uint32_t rounds;
} kt_warmup;

/* Warm-up rule for a measurement of at most max_time_ns. */
kt_warmup kt_warmup_rule(double rel_err, int64_t max_time_ns);

/*
 * Adds a round: the wall time of its submissions, and the whole time since warm-up began.
 * KT_WARMUP_NONE: another round is needed. Never asks for a round that would probably end after
 * time_max_ns, so a job of seconds gets one round.
 */
kt_warmup_end kt_warmup_add(kt_warmup *rule, double round_ns, int64_t elapsed_ns);

#endif
