/* SPDX-License-Identifier: MIT */
/*
 * formats.h - the printers of each format: kt_print_NAME() of a report, kt_print_compare_NAME() of a
 * comparison, kt_print_registry_NAME() of a snapshot. A format has those that its row of
 * KT_FORMATS_ names.
 */
#ifndef KT_OUTPUT_FORMATS_H
#define KT_OUTPUT_FORMATS_H

#include "output/writer.h"

#include <kerntime/result.h>

struct kt_document;
struct kt_compare_document;
struct kt_registry_document;

#define KT_DECLARE_PRINTERS(NAME, name, option, report, compare, snapshot, meaning)              \
    void kt_print_##name(const struct kt_document *document, kt_writer *writer);                 \
    void kt_print_compare_##name(const struct kt_compare_document *document, kt_writer *writer); \
    void kt_print_registry_##name(const struct kt_registry_document *document, kt_writer *writer);
KT_FORMATS_(KT_DECLARE_PRINTERS)

/* Items of a list by format: a printer, or NULL. */
#define KT_PRINTER_1(printer)                                                     printer,
#define KT_PRINTER_0(printer)                                                     NULL,
#define KT_REPORT_PRINTER(NAME, name, option, report, compare, snapshot, meaning) kt_print_##name,
#define KT_COMPARE_PRINTER(NAME, name, option, report, compare, snapshot, meaning) \
    KT_PRINTER_##compare(kt_print_compare_##name)
#define KT_SNAPSHOT_PRINTER(NAME, name, option, report, compare, snapshot, meaning) \
    KT_PRINTER_##snapshot(kt_print_registry_##name)

#endif
