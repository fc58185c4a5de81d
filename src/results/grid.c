#include "grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GAP "  "

void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(grid->cells[column], sizeof grid->cells[column], format, arguments);
    va_end(arguments);
}

/* Columns on the screen: continuation bytes of UTF-8 take none. */
static unsigned text_width(const char *text)
{
    unsigned width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_cell(const kt_grid *grid, unsigned column, bool last)
{
    const char *text = grid->cells[column];
    unsigned padding = grid->widths[column] - text_width(text);
    if (grid->left[column])
        kt_put(grid->writer, text);
    for (unsigned i = 0; i < padding && !(last && grid->left[column]); i++)
        kt_put(grid->writer, " ");
    if (!grid->left[column])
        kt_put(grid->writer, text);
}

void kt_grid_end_row(kt_grid *grid)
{
    unsigned last = 0;
    for (unsigned i = 0; i < grid->columns; i++)
        if (grid->cells[i][0])
            last = i;
    bool any = false;
    for (unsigned i = 0; i < grid->columns; i++) {
        if (!grid->writer) {
            unsigned width = text_width(grid->cells[i]);
            grid->widths[i] = width > grid->widths[i] ? width : grid->widths[i];
        } else if (grid->widths[i] && i <= last) {
            if (any)
                kt_put(grid->writer, GAP);
            print_cell(grid, i, i == last);
            any = true;
        }
        grid->cells[i][0] = '\0';
    }
    if (grid->writer)
        kt_put(grid->writer, "\n");
}
