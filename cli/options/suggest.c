/* SPDX-License-Identifier: MIT */
#include "cli/options/suggest.h"

#include <ctype.h>
#include <string.h>

/* Letters of a word that are compared; the words of the command are shorter. */
#define LETTERS_MAX 40

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int letter(const char *word, size_t at)
{
    return tolower((unsigned char)word[at]);
}

/* Edits between two words of at most LETTERS_MAX letters (restricted Damerau-Levenshtein). */
static size_t count_edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LETTERS_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= b_length; k++)
        last[k] = k;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t k = 1; k <= b_length; k++) {
            int one = letter(a, i - 1), other = letter(b, k - 1);
            row[k] = least(last[k - 1] + (one != other), least(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && one == letter(b, k - 2) && letter(a, i - 2) == other)
                row[k] = least(row[k], before[k - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

suggestion suggest_begin(const char *typed, size_t length)
{
    return (suggestion){.typed = typed, .length = length};
}

void suggest_consider(suggestion *s, const char *word)
{
    size_t length = strlen(word);
    if (s->length == 0 || s->length > LETTERS_MAX || length > LETTERS_MAX)
        return;
    size_t edits = count_edits(s->typed, s->length, word, length);
    size_t allowed = s->length < 6 ? 1 : s->length / 3;
    if (edits > allowed || edits >= length || (s->word && edits >= s->edits))
        return;
    s->word = word;
    s->edits = edits;
}
