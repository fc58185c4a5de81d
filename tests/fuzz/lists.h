/* lists.h - what must be true of a list of sizes, whichever the units. */
#ifndef LISTS_H
#define LISTS_H

#include "cli/options/parse.h"

typedef int list_parser(const char *text, parse_sizes *out, char *reason);

/* `unit_of` gives what a unit multiplies by, a second opinion on the parser's own table; of sizes
 * without units it is 1 for "". */
void fuzz_list(const char *text, list_parser *parse, double (*unit_of)(const char *unit));

#endif
