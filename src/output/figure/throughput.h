/* SPDX-License-Identifier: MIT */
/* throughput.h - the panels of copies in a figure: one per device, all with the same axes. */
#ifndef KT_OUTPUT_FIGURE_THROUGHPUT_H
#define KT_OUTPUT_FIGURE_THROUGHPUT_H

#include "output/axis.h"
#include "output/figure/draw.h"
#include "output/figure/layout.h"
#include "report/transfers.h"

typedef struct kt_throughput {
    const kt_document *document; /* made by kt_gather_runs() */
    kt_transfers transfers;
    unsigned panels;  /* number of panels; 0: nothing was copied */
    kt_legend legend; /* the highest numbers of all panels */
    kt_cut cut;       /* of all bars */
    bool yardstick;   /* the panels show memcpy of the host behind copies of devices */
    kt_axis x, y;
} kt_throughput;

/* Returns false, with nothing to free, if out of memory. The document must outlive the result. */
bool kt_gather_throughput(kt_throughput *out, const kt_document *document);
void kt_free_throughput(kt_throughput *t);
/* Writes one plot a panel. */
void kt_put_throughput(const kt_throughput *t, const kt_layout *layout, kt_writer *writer);

#endif
