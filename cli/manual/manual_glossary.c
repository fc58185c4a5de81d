/* SPDX-License-Identifier: MIT */
/* manual_glossary.c - the words of the output as docs/glossary.md. */
#include "cli/manual/manual.h"
#include "cli/options/glossary.h"

#include <string.h>

#define LINE_WIDTH 100

/* A word of the list and what it means, in lines of at most LINE_WIDTH columns. */
static void put_item(FILE *to, const cli_term *term)
{
    int at = fprintf(to, "- **%s**:", term->name);
    for (const char *text = term->meaning; *text;) {
        int bytes = (int)strcspn(text, " ");
        if (at + 1 + bytes > LINE_WIDTH)
            at = fprintf(to, "\n ") - 1;
        at += fprintf(to, " %.*s", bytes, text);
        text += bytes + (int)strspn(text + bytes, " ");
    }
    fputs("\n", to);
}

void manual_glossary(FILE *to, const manual *m)
{
    (void)m;
    fputs("# Glossary\n\nThe words of kerntime's output, help, result files and documentation. "
          "`kerntime help WORD`\nprints an entry.\n\n",
          to);
    for (const cli_term *term = glossary; term->name; term++)
        put_item(to, term);
}
