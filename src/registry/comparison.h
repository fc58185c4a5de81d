/* SPDX-License-Identifier: MIT */
/* comparison.h - comparison of two snapshots. */
#ifndef KT_REGISTRY_COMPARISON_H
#define KT_REGISTRY_COMPARISON_H

#include <kerntime/snapshot.h>

struct kt_comparison {
    kt_row_change *changes;
    uint32_t count;
    const kt_snapshot *before, *after;
};

#endif
