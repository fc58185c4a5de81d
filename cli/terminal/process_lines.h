/* SPDX-License-Identifier: MIT */
/* process_lines.h - the lines that a process has printed so far. */
#ifndef CLI_PROCESS_LINES_H
#define CLI_PROCESS_LINES_H

#include "cli/terminal/process.h"

/* A whole line of what was read, or NULL. */
char *process_take_line(process_child *child);
/* Makes room behind what was read. False if memory runs out. */
bool process_make_room(process_child *child);

#endif
