/* SPDX-License-Identifier: MIT */
/* terminal.h - the system-dependent part: is standard error a terminal, was Ctrl-C pressed. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether standard error is a terminal that can move its cursor. */
bool terminal_watched(void);
/* Columns and lines of standard error if it is a terminal; else 0. */
unsigned terminal_error_width(void);
unsigned terminal_error_height(void);

/* Width of standard output in columns if it is a terminal; else 0. */
unsigned terminal_width(void);
/* Whether the user wants no colours (no-color.org) or the terminal has none. */
bool terminal_is_plain(void);

/* Writes the words of a text, each after a blank, in lines of `width` columns; 0: in one line. The
 * first line goes on from column `at`, others from column `indent`. Ends the line. */
void terminal_wrap(FILE *stream, const char *text, int at, int indent, int width);

/* "NAME: text" on standard output, or standard error, in lines as wide as the terminal; a file or
 * pipe gets one line. */
void terminal_print_text(const char *name, const char *text);
void terminal_say(const char *name, const char *text);
/* terminal_say() of a formatted text of at most 4 KiB; more is cut. */
void terminal_sayf(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For one run of several: ignores Ctrl-C, which the starting process handles. The SIGTERM that it
 * forwards sets the flag. */
void terminal_catch_passed_on(void);

/* Sets the process that Ctrl-C ends, too: it gets SIGTERM, and SIGKILL at the second Ctrl-C. 0: no
 * process. */
void terminal_pass_on_to(int process);

/* From now on Ctrl-C, SIGTERM or a closing terminal only sets a flag, so that results can still be
 * written. A second Ctrl-C ends the program as usual; other requests have no further effect. */
void terminal_catch_interrupt(void);
bool terminal_interrupted(void);

/* While `has`, this program has something to remove at its end. A second Ctrl-C then ends only the
 * other process and sets terminal_ended(), after which this one must end soon. A third ends it. A
 * closed pipe behind standard error sets terminal_ended(), too. */
void terminal_has_to_tidy(bool has);
bool terminal_ended(void);

#endif
