/* gnuplot.h - writes the figure of a report as a gnuplot script. */
#ifndef KT_OUTPUT_FIGURE_GNUPLOT_H
#define KT_OUTPUT_FIGURE_GNUPLOT_H

#include "output/writer.h"
#include "report/document.h"

void kt_print_gnuplot(const kt_document *document, kt_writer *writer);

#endif
