/* read_result.h - a result file (docs/result-file.md) back into the report that it was made of. */
#ifndef CLI_READ_RESULT_H
#define CLI_READ_RESULT_H

#include "cli/result_file/read_json.h"

#include <kerntime/kerntime.h>

/* Only what is wrong with the file is for its owner to mend. */
enum { READ_DONE = 0, READ_REFUSED = -1, READ_NO_MEMORY = -2 };

/*
 * Reads a document of schema kerntime/1. READ_DONE, or another of these with one sentence in `why`
 * (of READ_WHY_BYTES), which names the place but not the file; *out is written only on READ_DONE,
 * and the report is the caller's.
 *
 * Everything that kerntime writes comes back: written as JSON again, the report gives the same
 * bytes. Keys that are not known are ignored, since a later version may add some; all others must
 * be there, with values that kerntime could have written.
 *
 * The text may come from anyone: memory stays within 100 times its size.
 */
int read_result_text(const char *text, size_t bytes, kt_report **out, char *why);

/* The same from a file, of at most 256 MiB. */
int read_result_file(const char *path, kt_report **out, char *why);

#endif
