/* style.h - how a table and the sentences around it look: aligned text, or Markdown. */
#ifndef KT_OUTPUT_STYLE_H
#define KT_OUTPUT_STYLE_H

#include "output/text.h"

typedef struct kt_style {
    kt_spelling *spell;       /* cells and names: they stay on their line */
    kt_spelling *spell_lines; /* sentences that may have several lines */
    const char *row_begin, *gap, *row_end;
    bool boxed;         /* all cells of each row, and below the head a row that tells their sides */
    const char *item;   /* what a sentence begins with */
    const char *code;   /* around text whose characters are of one width */
    const char *strong; /* around what nobody may overlook */
    const char *fold_begin, *fold_end; /* around sentences that few look for */
} kt_style;

/* Columns of a text that line up, for a terminal. */
extern const kt_style kt_style_aligned;
/* The same as GitHub takes it. */
extern const kt_style kt_style_markdown;

#endif
