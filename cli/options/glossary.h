/* SPDX-License-Identifier: MIT */
/* glossary.h - the words of kerntime's output, for `kerntime help WORD` and docs/glossary.md. */
#ifndef CLI_GLOSSARY_H
#define CLI_GLOSSARY_H

#include "cli/options/options.h"

/* All words in alphabetical order; the last entry has no name. */
extern const cli_term glossary[];

/* The entry of a word, in upper or lower case, with "_" or "-" for a blank; NULL: no such entry. */
const cli_term *glossary_find(const char *word);

/* An entry whose name begins like this word; NULL: no such entry. */
const cli_term *glossary_guess(const char *word);

/* Looks for the word in name and meaning of the entry, whatever the case. */
bool glossary_mentions(const cli_term *term, const char *word);

#endif
