/* style.h - styles of tables and sentences: aligned text or Markdown. */
#ifndef KT_OUTPUT_STYLE_H
#define KT_OUTPUT_STYLE_H

#include "output/text.h"

typedef struct kt_style {
    kt_spelling *spell;       /* for cells and names: keeps them on one line */
    kt_spelling *spell_lines; /* for sentences of several lines */
    const char *row_begin, *gap, *row_end;
    bool boxed;         /* borders around all cells, and a row of alignments below the head */
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
