/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - bytes that depend on where they lie and on the number of the submission that is to
 * copy them, so that what a copy left as it was, or put elsewhere, is found; and what is wrong with
 * bytes that differ.
 */
#ifndef WORKLOAD_COPY_PATTERN_H
#define WORKLOAD_COPY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of submissions: COPY_NUMBER_NONE stands for none, what is there before the first; then
 * come COPY_NUMBER_FIRST to COPY_NUMBER_MAX. */
#define COPY_NUMBER_NONE  1
#define COPY_NUMBER_FIRST 2
#define COPY_NUMBER_MAX   ((UINT64_C(1) << 23) - 1)
/* All bytes that patterns are told apart in. */
#define COPY_BYTES_MAX (UINT64_C(1) << 40)

/* Fills `bytes` with those of a submission that lie from `offset` on, which is a multiple of 8. */
void copy_pattern_make(uint64_t number, uint64_t offset, void *bytes, size_t count);
/* Whether they are these. */
bool copy_pattern_is(uint64_t number, uint64_t offset, const void *bytes, size_t count);
/* The byte at a place. */
unsigned char copy_pattern_byte(uint64_t number, uint64_t at);

/* What bytes that are not the right ones turned out to be. */
typedef enum copy_wrong {
    COPY_RIGHT = 0,  /* there are none */
    COPY_STALE,      /* those of a submission before */
    COPY_UNWRITTEN,  /* what was there before the first submission */
    COPY_ELSEWHERE,  /* those of another place, perhaps of a submission before */
    COPY_UNEXPLAINED /* nothing that was ever written */
} copy_wrong;

/* Of the first wrong bytes that belong together, and how many more there are. Zeroed to begin with,
 * but for `number` and `bytes`. */
typedef struct copy_diagnostic {
    uint64_t number; /* of the submission */
    uint64_t bytes;  /* that were to be copied */

    copy_wrong wrong;
    uint64_t begin, end;        /* from the first to behind the last of them */
    uint64_t from_number, from; /* whose bytes these are, and where the first belongs */
    unsigned char is, should;   /* the first */
    bool ended;                 /* a byte behind them was none of them */
    uint64_t more;              /* wrong bytes behind `end` */
} copy_diagnostic;

/* Looks at a piece; pieces come in the order in which they lie. */
void copy_diagnostic_add(copy_diagnostic *diagnostic, uint64_t offset, const unsigned char *bytes,
                         size_t count);
/* One sentence: "4,096 bytes from byte 65,536 on are those of the submission before". */
void copy_diagnostic_say(const copy_diagnostic *diagnostic, char *reason, size_t reason_bytes);

#endif
