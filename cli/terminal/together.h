/* SPDX-License-Identifier: MIT */
/*
 * together.h - ranks wait for each other by files in a folder that they share, NFS included.
 *
 * Each rank has one empty file, named after job and rank. ".here": it waits. ".go": it has seen all
 * others, or its limit has passed; whoever sees one goes, too, so that all that are there start
 * together. A rank removes its file when no ".here" is left: then nobody needs it. No locks; a file
 * is made under another name and renamed. A rank that waits touches its file: one that was there
 * before and is not touched is of a rank that was killed, for which the others wait anew.
 */
#ifndef CLI_TOGETHER_H
#define CLI_TOGETHER_H

#include <kerntime/kerntime.h>
#include <stdbool.h>

/* Why ranks cannot wait in this folder, a clause; NULL: they can. */
const char *together_refuses(const char *folder);

/* Waits until all ranks of the job are here, or `limit_ns` has passed, and says who is missing.
 * Returns at once if the program is interrupted. No file stays. */
void together_wait(const char *folder, const kt_launch *place, int64_t limit_ns, bool quiet);

#endif
