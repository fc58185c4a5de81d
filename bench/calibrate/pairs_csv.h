/* SPDX-License-Identifier: MIT */
/*
 * pairs_csv.h - reads pairs of a device's clock and the host's, timestamps to place, and where they
 * truly lie, row by row out of a text:
 *
 *     # period_ns=41.667 bits=36
 *     host_before_ns,ticks,host_after_ns
 *     1000000,731,1002150
 *
 * Columns are known by their names, in any order; others are passed over. Without a line of names,
 * or with none of these among as many names as are wanted, they are those below in their order.
 * Whole numbers, but host_ns of a truth may have decimals. Blank lines, lines that begin with #,
 * blanks around commas and CR LF are allowed.
 */
#ifndef BENCH_PAIRS_CSV_H
#define BENCH_PAIRS_CSV_H

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pairs_csv_kind {
    PAIRS_CSV_PAIRS,   /* host_before_ns, ticks, host_after_ns */
    PAIRS_CSV_QUERIES, /* ticks and, if wanted, asked_ns */
    PAIRS_CSV_TRUTH    /* host_ns */
} pairs_csv_kind;

#define PAIRS_CSV_COLUMNS_MAX 32
#define PAIRS_CSV_WHY_BYTES   160
/* and least -that: any two can be added */
#define PAIRS_CSV_HOST_MAX INT64_C(4000000000000000000)

typedef struct pairs_csv {
    pairs_csv_kind kind;
    const char *at, *end; /* of what is left */
    size_t line;          /* of the newest row, or where it is wrong; the first is 1 */
    bool begun;           /* the columns are known */
    bool has_asked;
    size_t columns;
    uint8_t meaning[PAIRS_CSV_COLUMNS_MAX];
    double period_ns; /* as a comment of the pairs says it; NaN: none does */
    uint32_t bits;    /* the same; 0: none does */
    char reason[PAIRS_CSV_WHY_BYTES];
} pairs_csv;

/* A row; of each kind of text its own. */
typedef struct pairs_csv_row {
    kt_clock_pair pair; /* of queries the ticks alone */
    int64_t asked_ns;
    int64_t host_ns;
    double fraction_ns; /* to be added to host_ns */
} pairs_csv_row;

/* The text must stay. */
pairs_csv pairs_csv_begin(pairs_csv_kind kind, const char *text);

/* 1: a row. 0: there are no more. -1: it is wrong, `line` and `why` say where and what. */
int pairs_csv_next(pairs_csv *csv, pairs_csv_row *row);

/* As of `bits=` and `period_ns=`; false: it is none, and nothing is written. */
bool pairs_csv_bits(const char *text, uint32_t *bits);      /* 1..64 */
bool pairs_csv_period(const char *text, double *period_ns); /* 1e-6..1e12 */

#endif
