/* throughput.h - the panels of copies in a figure: one for each device, side by side if they are
 * many, all with the same axes. */
#ifndef KT_OUTPUT_FIGURE_THROUGHPUT_H
#define KT_OUTPUT_FIGURE_THROUGHPUT_H

#include "output/axis.h"
#include "report/transfers.h"

typedef struct kt_throughput {
    const kt_document *document; /* made by kt_gather_runs() */
    kt_transfers transfers;
    unsigned panels, columns; /* of them; 0: there are none */
    bool yardstick;           /* the host's own copies stand behind those of devices */
    kt_axis x, y;
    double lines; /* of text, which all rows of panels are high */
} kt_throughput;

/* False: out of memory, and nothing is to be freed. The document must live as long. */
bool kt_lay_out_throughput(kt_throughput *out, const kt_document *document);
void kt_free_throughput(kt_throughput *t);
/* The panels, below the line `top` of a figure of `lines` lines. */
void kt_put_throughput(const kt_throughput *t, double top, double lines, kt_writer *writer);

#endif
