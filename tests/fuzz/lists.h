/* SPDX-License-Identifier: MIT */
/* lists.h - what must be true of a list of sizes, whichever the units. */
#ifndef LISTS_H
#define LISTS_H

#include "cli/options/parse.h"

typedef int list_parser(const char *text, parse_sizes *out, char *reason);

/* What "k", "Ki" to "T", "Ti", followed by `ending`, multiply by: a second opinion on the parser's
 * own tables. "" and `ending` alone are 1; anything else is a failed check. */
double fuzz_factor(const char *unit, const char *ending);

/* `unit_of` gives what a unit of these lists multiplies by. */
void fuzz_list(const char *text, list_parser *parse, double (*unit_of)(const char *unit));

#endif
