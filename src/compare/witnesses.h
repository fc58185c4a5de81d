/* witnesses.h - rows that vary together tell one thing, not many: they are one witness. Pure. */
#ifndef KT_COMPARE_WITNESSES_H
#define KT_COMPARE_WITNESSES_H

#include <kerntime/compare.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kt_witness_row {
    size_t row;
    uint32_t group; /* 0: a witness by itself */
} kt_witness_row;

typedef struct kt_witnesses {
    const kt_witness_row *rows; /* those of a witness one after another */
    size_t count;               /* of rows */
} kt_witnesses;

/* `room`: for as many as there are rows. */
kt_witnesses kt_find_witnesses(const kt_compare_row *rows, size_t count, kt_witness_row *room);

/* Of what each row says (NaN: nothing) one number for each witness any of whose rows says
 * something: the quantile, 0.5 the median, 1 the largest. `out` has room for all rows. Returns how
 * many there are; the same rows make the same order. */
size_t kt_ask_witnesses(const kt_witnesses *of, const double *said, double quantile, double *out);

/* Of each row that says something its share in its witness: all of a witness together have 1. The
 * others get 0. */
void kt_share_witnesses(const kt_witnesses *of, const double *said, double *shares);

#endif
