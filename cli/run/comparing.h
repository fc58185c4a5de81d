/* SPDX-License-Identifier: MIT */
/* comparing.h - is an output what is expected? Pure arithmetic on two arrays. */
#ifndef CLI_RUN_COMPARING_H
#define CLI_RUN_COMPARING_H

#include "cli/run/launch.h"

/*
 * Two numbers agree if |a - b| <= absolute + relative * max(|a|, |b|). By default whole numbers
 * agree if they are equal, and the limits of others depend on their size. Absolute limits are shares
 * of the median of what is expected, of absolute values that are not 0, up to the next power of two:
 *
 *   half    relative 2e-2,  absolute 2e-2  of it
 *   float   relative 1e-4,  absolute 1e-5  of it
 *   double  relative 1e-10, absolute 1e-11 of it
 */
typedef struct number_tolerance {
    double absolute, relative; /* NaN: not given */
} number_tolerance;

/* An output, and what it should be; all of `bytes` bytes. */
typedef struct comparison {
    const char *name; /* for messages: "y" */
    element_type element;
    const void *actual, *expected;
    size_t bytes;
    number_tolerance tolerance;
    size_t in_front; /* bytes in front of the elements */
} comparison;

/* Compares them. Returns OUTCOME_OK, or OUTCOME_NAN or OUTCOME_WRONG with a sentence. Elements of
 * unknown type, and what is in front of and behind whole elements, are compared byte by byte. */
launch_outcome comparison_make(const comparison *c, char reason[LAUNCH_REASON_BYTES]);
/* Whether numbers are compared, not bytes. */
bool comparison_has_numbers(const element_type *element);
/* Number of NaN among elements; 0 if they are no floats. */
uint64_t comparison_count_nan(const element_type *element, const void *data, size_t bytes);

/* Bytes of a zone that changed, rounded up to whole elements of `stride` bytes; 0: none did. */
size_t zone_changed_bytes(const uint8_t *zone, size_t bytes, uint32_t stride);
void zone_fill(uint8_t *zone, size_t bytes);

/* "16,777,216". */
const char *count_text(uint64_t count, char text[32]);

#endif
