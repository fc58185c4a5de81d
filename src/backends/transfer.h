/* SPDX-License-Identifier: MIT */
/*
 * transfer.h - transfers between a memory of a device and the host, for APIs that copy them in
 * pieces, or in whole words only. All pieces share one time limit.
 */
#ifndef KT_BACKENDS_TRANSFER_H
#define KT_BACKENDS_TRANSFER_H

#include "backend.h"

#define KT_TRANSFER_WORD_MAX 8

typedef struct kt_transfer {
    size_t piece_bytes; /* largest piece; a multiple of word_bytes */
    size_t word_bytes; /* offsets and sizes of pieces are multiples; at most KT_TRANSFER_WORD_MAX */
    /* Reads a piece of the backend's memory into `out`, or writes it from `in`; the other one is
     * NULL. Returns when done, or KT_TIMEOUT after timeout_ns. */
    kt_status (*copy)(const void *memory, size_t offset, char *out, const char *in, size_t bytes,
                      int64_t timeout_ns);
} kt_transfer;

/* Reads any bytes of `memory` into `out`, or writes them from `in`; the other one is NULL. Keeps
 * the other bytes of partly written words. KT_TIMEOUT after timeout_ns. */
kt_status kt_transfer_run(const kt_transfer *transfer, const void *memory, size_t offset, char *out,
                          const char *in, size_t bytes, int64_t timeout_ns);

/* A time limit that several waits share. */
typedef struct kt_deadline {
    int64_t begin_ns, timeout_ns;
} kt_deadline;

kt_deadline kt_deadline_begin(int64_t timeout_ns);
/* The rest of the time limit, never below 0. */
int64_t kt_deadline_left_ns(const kt_deadline *deadline);

#endif
