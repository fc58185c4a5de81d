/* glossary.h - the words of kerntime's output, for `kerntime help WORD` and docs/glossary.md. */
#ifndef CLI_GLOSSARY_H
#define CLI_GLOSSARY_H

#include "cli/options/options.h"

/* By the alphabet; the last has no name. */
extern const cli_term glossary[];

/* The entry of a word, in any case, with "_" or "-" for a blank; NULL: none. */
const cli_term *glossary_find(const char *word);

/* The entry whose word begins like this one; NULL: none. */
const cli_term *glossary_guess(const char *word);

#endif
