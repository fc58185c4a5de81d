/* throughput.h - the panels of copies in a figure: one per device, in columns if there are many,
 * all with the same axes. */
#ifndef KT_OUTPUT_FIGURE_THROUGHPUT_H
#define KT_OUTPUT_FIGURE_THROUGHPUT_H

#include "output/axis.h"
#include "report/transfers.h"

typedef struct kt_throughput {
    const kt_document *document; /* made by kt_gather_runs() */
    kt_transfers transfers;
    unsigned panels, columns; /* number of panels, 0 if nothing was copied; number of columns */
    bool yardstick;           /* the panels show memcpy of the host behind copies of devices */
    kt_axis x, y;
    double lines; /* height of all rows of panels, in lines of text */
} kt_throughput;

/* Lays out the panels of copies. Returns false, with nothing to free, if out of memory. The
 * document must outlive the result. */
bool kt_lay_out_throughput(kt_throughput *out, const kt_document *document);
void kt_free_throughput(kt_throughput *t);
/* Writes the panels below line `top` of a figure of `lines` lines. */
void kt_put_throughput(const kt_throughput *t, double top, double lines, kt_writer *writer);

#endif
