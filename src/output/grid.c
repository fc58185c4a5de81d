#include "output/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RULE_WIDTH_MIN 3 /* readers of Markdown want as many dashes */

void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...)
{
    char text[KT_GRID_CELL_BYTES], spelled[KT_SPELLED_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char *cell = grid->cells[column];
    size_t used = 0;
    for (size_t at = 0; text[at];) {
        at += grid->style->spell(text, at, spelled);
        size_t length = strlen(spelled);
        if (used + length >= KT_GRID_CELL_BYTES)
            break;
        memcpy(cell + used, spelled, length);
        used += length;
    }
    cell[used] = '\0';
}

void kt_grid_draw(kt_grid *grid, unsigned column, const char *drawing)
{
    const char *code = grid->style->code;
    snprintf(grid->cells[column], KT_GRID_CELL_BYTES, "%s%s%s", code, drawing, code);
}

/* Columns on the screen: continuation bytes of UTF-8 take none. */
static unsigned text_width(const char *text)
{
    unsigned width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static bool is_shown(const kt_grid *grid, unsigned column)
{
    return grid->filled[column] || (grid->widths[column] && !grid->optional[column]);
}

static void put_repeated(kt_writer *writer, char character, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        kt_put_bytes(writer, &character, 1);
}

/* A cell that ends its line needs no blanks behind it. */
static void print_cell(const kt_grid *grid, unsigned column, bool ends_line)
{
    const char *text = grid->cells[column];
    unsigned padding = grid->widths[column] - text_width(text);
    if (!grid->left[column])
        put_repeated(grid->writer, ' ', padding);
    kt_put(grid->writer, text);
    if (grid->left[column] && !ends_line)
        put_repeated(grid->writer, ' ', padding);
}

static void measure_row(kt_grid *grid, bool head)
{
    for (unsigned i = 0; i < grid->columns; i++) {
        unsigned width = text_width(grid->cells[i]);
        grid->filled[i] |= width && !head;
        if (width && grid->style->boxed && width < RULE_WIDTH_MIN)
            width = RULE_WIDTH_MIN;
        if (width > grid->widths[i])
            grid->widths[i] = width;
    }
}

static void print_row(const kt_grid *grid)
{
    const kt_style *style = grid->style;
    unsigned last = grid->columns - 1; /* the last one to print */
    while (!style->boxed && last > 0 && !(grid->cells[last][0] && is_shown(grid, last)))
        last--;
    const char *separator = style->row_begin;
    for (unsigned i = 0; i <= last; i++) {
        if (!is_shown(grid, i))
            continue;
        kt_put(grid->writer, separator);
        print_cell(grid, i, i == last && !style->boxed);
        separator = style->gap;
    }
    kt_put(grid->writer, style->row_end);
    kt_put(grid->writer, "\n");
}

/* "---" below what stands to the left, "--:" below what stands to the right. */
static void print_rule(const kt_grid *grid)
{
    const char *separator = grid->style->row_begin;
    for (unsigned i = 0; i < grid->columns; i++) {
        if (!is_shown(grid, i))
            continue;
        kt_put(grid->writer, separator);
        put_repeated(grid->writer, '-', grid->widths[i] - !grid->left[i]);
        kt_put(grid->writer, grid->left[i] ? "" : ":");
        separator = grid->style->gap;
    }
    kt_put(grid->writer, grid->style->row_end);
    kt_put(grid->writer, "\n");
}

static void end_row(kt_grid *grid, bool head)
{
    if (!grid->writer)
        measure_row(grid, head);
    else
        print_row(grid);
    if (grid->writer && head && grid->style->boxed)
        print_rule(grid);
    memset(grid->cells, 0, sizeof grid->cells); /* a loop is more than gcc 12 can see the end of */
}

void kt_grid_end_row(kt_grid *grid)
{
    end_row(grid, false);
}

void kt_grid_end_head(kt_grid *grid)
{
    end_row(grid, true);
}

void kt_grid_print(kt_grid *grid, kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                   const void *user)
{
    rows(grid, user);
    grid->writer = writer;
    rows(grid, user);
}
