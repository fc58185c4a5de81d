/* SPDX-License-Identifier: MIT */
/* read_result.h - reads a result file (docs/result-file.md) back into its report. */
#ifndef CLI_READ_RESULT_H
#define CLI_READ_RESULT_H

#include "cli/result_file/read_json.h"

#include <kerntime/kerntime.h>

/*
 * READ_REFUSED: the file is invalid. READ_NO_MEMORY: the file may be fine. READ_OTHER: it is whole, and
 * no result, but another document or a folder. READ_FLEET: of those a document of `kerntime fleet`.
 */
enum { READ_DONE = 0, READ_REFUSED = -1, READ_NO_MEMORY = -2, READ_OTHER = -3, READ_FLEET = -4 };

/*
 * Reads a document of schema kerntime/1. READ_DONE, or another code with a message in `reason` (of
 * READ_REASON_BYTES) that names the place but not the file. Writes *out only on READ_DONE; the caller
 * owns the report.
 *
 * Reads everything that kerntime writes: written as JSON again, the report gives the same bytes.
 * Ignores unknown keys, which a later version may add. All others must be present, with values that
 * kerntime could have written.
 *
 * The text may come from an untrusted source: memory use stays below 100 times its size.
 */
int read_result_text(const char *text, size_t bytes, kt_report **out, char *reason);

/* As read_result_text(), for a file of at most 1 GiB. */
int read_result_file(const char *path, kt_report **out, char *reason);

/* A file with times to compare. */
typedef enum read_kind { READ_RESULT, READ_REGISTRY, READ_TRACE, READ_TRACED } read_kind;

/* As the above, and also of registries and traces that programs exported, and of documents of
 * `kerntime trace` (read_recorded.h). Write *kind only on READ_DONE. */
int read_times_text(const char *text, size_t bytes, read_kind *kind, kt_report **out, char *reason);
int read_times_file(const char *path, read_kind *kind, kt_report **out, char *reason);

/* As those, several times as fast, for who needs medians alone: series have no samples (n is 0, and
 * their number is in discarded[KT_TIMESTAMP_OK]), and are not checked against them; baselines are
 * left out. */
int read_medians_text(const char *text, size_t bytes, read_kind *kind, kt_report **out,
                      char *reason);
int read_medians_file(const char *path, read_kind *kind, kt_report **out, char *reason);

#endif
