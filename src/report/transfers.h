/* SPDX-License-Identifier: MIT */
/*
 * transfers.h - gathers copies between memories by device, direction and size, and models their
 * times. Computed from the series each time a document is written.
 */
#ifndef KT_REPORT_TRANSFERS_H
#define KT_REPORT_TRANSFERS_H

#include "report/document.h"

#include <kerntime/transfer.h>

/* Clock of a copy's time: the device's timestamps, or the host's clock around the call. */
enum { KT_TRANSFER_DEVICE, KT_TRANSFER_WALL, KT_TRANSFER_TIMES };

typedef struct kt_transfer_size {
    double bytes;
    const kt_series *times[KT_TRANSFER_TIMES]; /* series by clock; NULL: not measured */
} kt_transfer_size;

/* One direction on one device. */
typedef struct kt_transfer {
    const kt_series *first; /* any series of it; has the device and, as variant, the direction */
    const char *src, *dst;  /* memory kinds of source and destination */
    bool cached; /* passes the host's caches: host memory at one end, or the host does the copy */
    bool by_cpu; /* the host does the copy: its cores bound the rate, unless caches serve it */
    bool simulated;
    bool zero_copy; /* copies nothing: no time may be shown as a rate */
    bool map;       /* maps memory instead of copying, which may copy or not */
    /* Whether these times may be shown as rates; see kt_series.zero_copy. */
    bool rates[KT_TRANSFER_TIMES];
    kt_transfer_size *sizes; /* measured sizes, ascending */
    uint32_t size_count;
    /* For a zero copy, the latency is its time for every size. Else one or more lines, by ascending
     * size. */
    kt_transfer_model models[KT_TRANSFER_TIMES][KT_TRANSFER_LINES_MAX];
    size_t model_count[KT_TRANSFER_TIMES]; /* number of models, at least 1 */
} kt_transfer;

typedef struct kt_transfers {
    /* by device as in the document, cpu:0 last; directions in order of appearance */
    kt_transfer *list;
    uint32_t count;
    kt_transfer_size *sizes; /* sizes of all transfers, in one array */
    /* Rate of memcpy by this machine's cores at its largest size, unless caches could hold it; NaN:
     * not measured. */
    double memory_gb_per_s, memory_bytes;
    const kt_transfer *memory; /* the memcpy that gave the rate of the memory */
} kt_transfers;

/* Gathers from a document made by kt_gather_runs(), which must outlive the result. False: out of
 * memory; nothing to free. */
bool kt_gather_transfers(kt_transfers *out, const kt_document *over);
void kt_free_transfers(kt_transfers *transfers);

/* Rate of the transfer in GB/s at that size; NaN: unknown, or a zero copy. */
double kt_transfer_rate(const kt_transfer *transfer, const kt_transfer_size *size, int time);
/* Whether this is a mapping with no size-dependent time: neither copied nor known to be a zero
 * copy. */
bool kt_is_only_mapped(const kt_transfer *transfer);
/* The device time of the largest size, if all sizes are below the shortest measurable span; else
 * NULL. */
const kt_series *kt_below_min_span(const kt_transfer *transfer);
/* Whether the copy is faster than the memory, so that a cache must have served it. */
bool kt_is_from_cache(const kt_transfers *all, const kt_transfer *transfer,
                      const kt_transfer_size *size, int time);
/* Whether the transfer is memcpy by this machine's cores, the reference for all others. */
bool kt_is_memcpy(const kt_transfer *transfer);
bool kt_same_direction(const kt_series *a, const kt_series *b);
/* GB/s of the fastest memcpy by this machine's cores at that size; NaN: not measured. */
double kt_memcpy_rate(const kt_transfers *all, double bytes);

/* ---- zero copies, judged by all sizes of a direction as series are added to a report ---- */

typedef struct kt_zero_copies {
    bool *reported;            /* one per series: added as a zero copy, so not judged */
    kt_transfer_point *points; /* scratch for the judgement */
    double fastest_gb_per_s;   /* highest memory rate of this machine so far; NaN at first */
} kt_zero_copies;

/* Makes room for `series` series in total. */
bool kt_grow_zero_copies(kt_zero_copies *zero_copies, size_t series);
void kt_free_zero_copies(kt_zero_copies *zero_copies);
/* Judges the direction of an added series, and all others if the series shows a faster memory. */
void kt_judge_zero_copies(kt_zero_copies *zero_copies, const kt_document *document,
                          const kt_series *added);

#endif
