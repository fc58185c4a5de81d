/*
 * race.h - which of many configurations are the fastest, from samples that come in rounds: pure
 * arithmetic, without devices.
 *
 * A race drops a candidate once it is surely slower than another, at a level that is corrected for
 * the number of looks and candidates. The final set holds all that cannot be told apart from the
 * one with the smallest median.
 */
#ifndef CLI_RUN_RACE_H
#define CLI_RUN_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RACE_ALL       8  /* up to so many candidates are all kept */
#define RACE_LOOK      5  /* samples of each candidate between two looks */
#define RACE_LOOKS_MAX 12 /* the race then ends with all that are left */

typedef struct race race;

/* Returns NULL if memory runs out. */
race *race_create(size_t candidates);
void race_destroy(race **race);
/* Adds samples of a candidate, in ns. Returns false if memory runs out. */
bool race_add(race *race, size_t candidate, const double *samples_ns, size_t count);
/* After samples of all that are left: drops what is surely slower. Returns how many are left. */
size_t race_look(race *race);
/* Whether another look is worth it: more than RACE_ALL are left, looks are left, and the last ones
 * still dropped something. */
bool race_goes_on(const race *race);
bool race_has(const race *race, size_t candidate);
/* All samples of a candidate so far, in their order. */
const double *race_samples(const race *race, size_t candidate, size_t *count);

/* Of `count` candidates with fresh samples: sets `in_set` for those that cannot be told apart from
 * the fastest, at 95 % for all together (multiple comparisons with the best). Returns the index of
 * the smallest median, or SIZE_MAX if no candidate has a sample. Candidates without samples are not
 * in the set. */
size_t race_fastest(const double *const *samples_ns, const size_t *sample_counts, size_t count,
                    bool *in_set);

#endif
