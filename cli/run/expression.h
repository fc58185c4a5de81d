/* SPDX-License-Identifier: MIT */
/*
 * expression.h - integer expressions of names: "n/WPT", "ceil(n/256)", "TILE % WPT == 0".
 *
 * Operators by rank: || && (also "or", "and"), "not", == != < <= > >=, + -, * / % (also "//"),
 * unary - !, ^ (power, right to left; also "**"), parentheses, min(a,b,...) max(a,b,...)
 * ceil(a/b). "a < b < c" is "a < b && b < c". Numbers may have the units of sizes (16Mi, 64k).
 * Division rounds towards zero; within ceil() it is exact, and ceil() rounds up. All arithmetic is
 * in int64_t; overflow and division by zero are errors, never a number.
 */
#ifndef CLI_EXPRESSION_H
#define CLI_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPRESSION_REASON_BYTES 200

/* Finds the value of a name of `length` characters. False: it has none; the look-up may then write
 * a sentence, else there is no such name. */
typedef bool (*expression_lookup)(const void *names, const char *name, size_t length,
                                  int64_t *value, char reason[EXPRESSION_REASON_BYTES]);

/* Evaluates a whole text. Returns 0, or -1 with a sentence. */
int expression_evaluate(const char *text, expression_lookup lookup, const void *names,
                        int64_t *value, char reason[EXPRESSION_REASON_BYTES]);
/* Evaluates the expression that `text` begins with, up to `ending` (a comma at the top level, or
 * the end), and sets `end` behind it. */
int expression_evaluate_part(const char *text, expression_lookup lookup, const void *names,
                             int64_t *value, const char **end,
                             char reason[EXPRESSION_REASON_BYTES]);
/* Likewise in double, for --flops and --bytes: "2*n^3" of n = 1Mi has no int64_t. Division is
 * exact, and numbers may have a fraction: "2/3*n^3", "1.5e3*n". */
int expression_evaluate_number(const char *text, expression_lookup lookup, const void *names,
                               double *value, char reason[EXPRESSION_REASON_BYTES]);

#endif
