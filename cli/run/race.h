/* SPDX-License-Identifier: MIT */
/*
 * race.h - which of many configurations are the fastest, from samples that come in rounds: pure
 * arithmetic, without devices.
 *
 * In a round, each candidate that is left takes one sample, so that drift is common to all. A race
 * drops a candidate once it is surely slower than the leader, at a level that is corrected for the
 * number of looks and candidates. The final set, of fresh samples, holds all that cannot be told
 * apart from the one with the smallest median. bench/accuracy/tuning.c shows how often both hold
 * the truly fastest one.
 */
#ifndef CLI_RUN_RACE_H
#define CLI_RUN_RACE_H

#include <kerntime/stats.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RACE_ALL       8  /* up to so many candidates are all kept: there is no race */
#define RACE_FEW       2  /* a race ends with so few */
#define RACE_LOOK      5  /* fewest samples of each candidate between two looks */
#define RACE_LOOKS_MAX 12 /* a race ends after so many looks, ... */
#define RACE_STALLS    4  /* ... or after so many in turn without a drop */
#define RACE_FRESH     30 /* fewest fresh samples of those that are left, for the final set */

typedef struct race race;

/* Returns NULL if memory runs out. */
race *race_create(size_t candidates);
void race_destroy(race **r);
/* Samples that each candidate that is left should take before the next look: 5 at first, then half
 * as many as it has. */
size_t race_next(const race *r);
/* Adds samples of a candidate, in ns, in the order of rounds. Returns false if memory runs out. */
bool race_add(race *r, size_t candidate, const double *samples_ns, size_t count);
/* After samples of all that are left: drops what is surely slower. Returns how many are left. */
size_t race_look(race *r);
/* Whether another look is worth it. */
bool race_goes_on(const race *r);
/* Fresh samples that those that are left should take for the final set: as many as in the race. */
size_t race_fresh(const race *r);
bool race_has(const race *r, size_t candidate);
/* All samples of a candidate so far, in their order. */
const double *race_samples(const race *r, size_t candidate, size_t *count);

/* Sets `in_set` for candidates that cannot be told apart from the one with the smallest median, at
 * 95 % for all together (multiple comparisons with the best), or whose interval overlaps with its.
 * Samples are in the order of rounds, and `summaries` are theirs; n 0: there are none.
 * Returns the index of the smallest median; SIZE_MAX: there is no sample, or memory runs out. */
size_t race_fastest(const double *const *samples_ns, const kt_summary *const *summaries,
                    size_t count, bool *in_set);
/* Likewise of several runs, processes of their own: by the medians of `runs` runs of each
 * candidate, since a configuration may keep to another time for as long as its process runs. The
 * noise is estimated from all candidates together. */
size_t race_fastest_of_runs(const double *const *medians_ns, size_t runs, size_t count,
                            bool *in_set);

#endif
