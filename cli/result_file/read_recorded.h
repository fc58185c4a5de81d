/* SPDX-License-Identifier: MIT */
/* read_recorded.h - reads a registry or a trace that a program exported, as the report of one run:
 * a series for each row, or for each name of a span; and the document of `kerntime trace`. */
#ifndef CLI_READ_RECORDED_H
#define CLI_READ_RECORDED_H

#include "cli/result_file/read_json.h"

#include <kerntime/kerntime.h>

/* Read the whole document. NULL, or a report that the caller owns, also if the reader failed. */
kt_report *read_registry(json_reader *r);
kt_report *read_trace(json_reader *r);
kt_report *read_traced(json_reader *r);

/* A report of no series; NULL after an error. */
kt_report *read_create(json_reader *r, const kt_report_origin *origin);
/* A series without a number. */
kt_series read_begin_series(void);

#endif
