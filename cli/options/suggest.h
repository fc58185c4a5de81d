/* SPDX-License-Identifier: MIT */
/* suggest.h - finds the word that was probably meant where a word is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *typed;
    size_t length;    /* letters of `typed` to compare */
    const char *word; /* closest word so far; NULL: none is close */
    size_t edits;     /* edits from `typed` to `word` */
} suggestion;

/* Begins a search for the first `length` letters of `typed`. */
suggestion suggest_begin(const char *typed, size_t length);

/* Takes the word if it is closer than those before: a letter that is wrong, missing, too much or
 * exchanged with its neighbour is one edit; case does not count. One edit is close, or one for
 * three letters. */
void suggest_consider(suggestion *s, const char *word);

#endif
