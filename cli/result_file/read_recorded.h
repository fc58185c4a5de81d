/* read_recorded.h - reads a registry or a trace that a program exported, as the report of one run:
 * a series for each row, or for each name of a span. */
#ifndef CLI_READ_RECORDED_H
#define CLI_READ_RECORDED_H

#include "cli/result_file/read_json.h"

#include <kerntime/kerntime.h>

/* Read the whole document. NULL, or a report that the caller owns, also if the reader failed. */
kt_report *read_registry(json_reader *r);
kt_report *read_trace(json_reader *r);

#endif
