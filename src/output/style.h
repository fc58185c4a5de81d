/* SPDX-License-Identifier: MIT */
/* style.h - styles of tables and sentences: aligned text or Markdown. */
#ifndef KT_OUTPUT_STYLE_H
#define KT_OUTPUT_STYLE_H

#include "output/text.h"

typedef struct kt_style {
    kt_spelling *spell;       /* escapes cells and names, which it keeps on one line */
    kt_spelling *spell_lines; /* escapes sentences, which may have several lines */
    const char *row_begin, *gap, *row_end;
    bool boxed;         /* cells have borders; a row of alignments follows the head */
    const char *item;   /* prefix of a sentence */
    const char *code;   /* encloses monospaced text */
    const char *strong; /* encloses important text */
    const char *fold_begin, *fold_end; /* enclose sentences that few readers need */
} kt_style;

/* Aligned columns for a terminal. */
extern const kt_style kt_style_aligned;
/* Markdown as GitHub renders it. */
extern const kt_style kt_style_markdown;

#endif
