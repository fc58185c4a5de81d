/* SPDX-License-Identifier: MIT */
#include "output/style.h"

#include <string.h>

const kt_style kt_style_aligned = {
    .spell = kt_spell_plain,
    .spell_lines = kt_spell_lines,
    .row_begin = "",
    .gap = "  ",
    .row_end = "",
    .item = "",
    .code = "",
    .strong = "",
    .fold_begin = "",
    .fold_end = "",
};

/* ---- Markdown ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Whether the character could be read as markup, a column border or a formula. */
static bool is_markup(const char *text, size_t at)
{
    if (text[at] == '_' && at > 0 && is_word(text[at - 1]) && is_word(text[at + 1]))
        return false; /* "_" in a word such as kernel_ns emphasises nothing */
    return strchr("\\|*_[]<>#~&`$", text[at]) != NULL;
}

static size_t spell(const char *text, size_t at, char *out)
{
    if (!is_markup(text, at))
        return kt_spell_plain(text, at, out);
    out[0] = '\\';
    out[1] = text[at];
    out[2] = '\0';
    return 1;
}

/* Escapes a character of a sentence. A line break becomes one that stays within the list item. */
static size_t spell_lines(const char *text, size_t at, char *out)
{
    if (text[at] != '\n')
        return spell(text, at, out);
    memcpy(out, "<br>", sizeof "<br>");
    return 1;
}

const kt_style kt_style_markdown = {
    .spell = spell,
    .spell_lines = spell_lines,
    .row_begin = "| ",
    .gap = " | ",
    .row_end = " |",
    .boxed = true,
    .item = "- ",
    .code = "`",
    .strong = "**",
    .fold_begin = "\n<details><summary>What the words mean, and what was compared</summary>\n\n",
    .fold_end = "\n</details>\n",
};
