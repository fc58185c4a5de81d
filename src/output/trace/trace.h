/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a trace as JSON for Perfetto and chrome://tracing.
 *
 * Room output/trace: traces as JSON. May know: support, trace, output.
 */
#ifndef KT_OUTPUT_TRACE_TRACE_H
#define KT_OUTPUT_TRACE_TRACE_H

#include "output/writer.h"
#include "trace/layout.h"

void kt_print_trace(const kt_trace_document *document, kt_writer *writer);

#endif
