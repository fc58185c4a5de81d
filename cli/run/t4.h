/* SPDX-License-Identifier: MIT */
/* t4.h - writes contests as a T4 file, the common result file of autotuners. */
#ifndef CLI_RUN_T4_H
#define CLI_RUN_T4_H

#include "cli/run/answer.h"

/* Writes judged contests, replacing the file as a whole; "-": standard output. Returns an exit
 * code, after a message if it is not EXIT_DONE. */
int t4_write(const char *path, const answer_contest *contests, size_t count);

#endif
