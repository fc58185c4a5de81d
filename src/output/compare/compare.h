/* SPDX-License-Identifier: MIT */
/*
 * compare.h - a comparison of two sides as text and as JSON.
 *
 * Room output/compare: a comparison in each format.
 * May know: support, report, compare, output, output/table, output/json.
 */
#ifndef KT_OUTPUT_COMPARE_COMPARE_H
#define KT_OUTPUT_COMPARE_COMPARE_H

#include "compare/report_comparison.h"
#include "output/formats.h"
#include "output/style.h"

/* Prints the table of a comparison, with a bar per change and notes below. `style`:
 * kt_style_aligned or kt_style_markdown. */
void kt_print_compare(const kt_compare_document *document, const kt_style *style,
                      kt_writer *writer);

#endif
