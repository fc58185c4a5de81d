/*
 * csv.h - a document as CSV: one line per series of samples.
 *
 * Room output/csv. May know: support, report, output.
 */
#ifndef KT_OUTPUT_CSV_CSV_H
#define KT_OUTPUT_CSV_CSV_H

#include "output/writer.h"
#include "report/document.h"

void kt_print_csv(const kt_document *document, kt_writer *writer);

#endif
