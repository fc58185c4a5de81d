/*
 * transfers.h - copies between memories, by device, direction and size, and what their times say.
 * They are gathered from the series whenever a document is written.
 */
#ifndef KT_REPORT_TRANSFERS_H
#define KT_REPORT_TRANSFERS_H

#include "report/document.h"

#include <kerntime/transfer.h>

/* By the stamps of the device, and by the host's clock around it. */
enum { KT_TRANSFER_DEVICE, KT_TRANSFER_WALL, KT_TRANSFER_TIMES };

typedef struct kt_transfer_size {
    double bytes;
    const kt_series *times[KT_TRANSFER_TIMES]; /* NULL: not measured */
} kt_transfer_size;

/* One direction on one device. */
typedef struct kt_transfer {
    const kt_series *first; /* any of it: its device and its variant, which is the direction */
    const char *src, *dst;  /* kinds of memory */
    bool cached; /* the host's caches are on its way: its memory at one end, or the host itself */
    bool simulated;
    bool zero_copy; /* nothing is copied: no time of it may be shown as a rate */
    bool map;       /* memory is shown in place of being copied, which may copy or not */
    /* whether these times may be shown as rates; see kt_series.zero_copy */
    bool rates[KT_TRANSFER_TIMES];
    kt_transfer_size *sizes; /* in ascending order */
    uint32_t size_count;
    /* Of a zero copy the latency is the time that it takes, whatever the size. Several: lines, by
     * ascending size. */
    kt_transfer_model models[KT_TRANSFER_TIMES][KT_TRANSFER_LINES_MAX];
    size_t model_count[KT_TRANSFER_TIMES]; /* 1 at least */
} kt_transfer;

typedef struct kt_transfers {
    kt_transfer *list; /* by device as in the document, cpu:0 last; its directions as they appear */
    uint32_t count;
    kt_transfer_size *sizes; /* of all */
    /* What memcpy by the cores of this machine makes of its memory, at the largest size of that,
     * unless caches could hold it; NaN: not measured. */
    double memory_gb_per_s, memory_bytes;
    const kt_transfer *memory; /* by that means */
} kt_transfers;

/* Of a document made by kt_gather_runs(), which must live as long. False: out of memory, and
 * nothing is to be freed. */
bool kt_gather_transfers(kt_transfers *out, const kt_document *over);
void kt_free_transfers(kt_transfers *transfers);

/* GB/s at that size; NaN: not known, or nothing is copied. */
double kt_transfer_rate(const kt_transfer *transfer, const kt_transfer_size *size, int time);
/* No size of that mapping surely takes longer for its bytes: neither copied nor known to be a zero
 * copy. */
bool kt_is_only_mapped(const kt_transfer *transfer);
/* The device time of the largest size, if those of all are below the ruler's floor; else NULL. */
const kt_series *kt_below_floor(const kt_transfer *transfer);
/* Whether that is faster than the memory, which it should have gone through. */
bool kt_is_from_cache(const kt_transfers *all, const kt_transfer *transfer,
                      const kt_transfer_size *size, int time);
/* Whether it is memcpy by the cores of this machine, the yardstick of all others. */
bool kt_is_memcpy(const kt_transfer *transfer);
/* GB/s of memcpy by the cores of this machine at that size, by the best means; NaN: not
 * measured. */
double kt_memcpy_rate(const kt_transfers *all, double bytes);

/* ---- while a document grows ---- */

/* GB/s that memory of this machine is seen to make, be it that of caches; NaN: the series tells
 * nothing of it. */
double kt_memory_rate(const kt_series *series);
bool kt_same_direction(const kt_series *a, const kt_series *b);
/* Whether nothing is copied in that direction, in whatever run. `fastest_gb_per_s`: the most that
 * kt_memory_rate() has told of any series. `scratch` has room for KT_TRANSFER_TIMES points of each
 * series. */
bool kt_is_zero_copy(const kt_document *document, const kt_series *direction,
                     double fastest_gb_per_s, kt_transfer_point *scratch);

#endif
