/* SPDX-License-Identifier: MIT */
#include "output/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RULE_WIDTH_MIN 3 /* Markdown readers require that many dashes */

void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...)
{
    char text[KT_GRID_CELL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    grid->cells[column][0] = '\0';
    kt_append_spelled(grid->style->spell, text, grid->cells[column], KT_GRID_CELL_BYTES);
}

void kt_grid_draw(kt_grid *grid, unsigned column, const char *drawing)
{
    const char *code = grid->style->code;
    snprintf(grid->cells[column], KT_GRID_CELL_BYTES, "%s%s%s", code, drawing, code);
}

static bool is_shown(const kt_grid *grid, unsigned column)
{
    return !grid->hidden[column] &&
           (grid->filled[column] || (grid->widths[column] && !grid->optional[column]));
}

static void put_repeated(kt_writer *writer, char character, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        kt_put_bytes(writer, &character, 1);
}

/* Prints a cell, padded to its column's width unless the cell ends the line. */
static void print_cell(const kt_grid *grid, unsigned column, bool ends_line)
{
    const char *text = grid->cells[column];
    unsigned width = kt_text_width(text), room = grid->widths[column];
    unsigned padding = width < room ? room - width : 0;
    if (!grid->left[column])
        put_repeated(grid->writer, ' ', padding);
    kt_begin_color(grid->writer, grid->colors[column]);
    kt_put_cut(grid->writer, text, room);
    kt_end_color(grid->writer, grid->colors[column]);
    if (grid->left[column] && !ends_line)
        put_repeated(grid->writer, ' ', padding);
}

static void note_cell(kt_grid *grid, unsigned column)
{
    grid->filled_cells[column]++;
    size_t hash = 5381; /* start value of Bernstein's hash */
    for (const char *at = grid->cells[column]; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    grid->differs[column] |= grid->last_hash[column] && grid->last_hash[column] != hash;
    grid->last_hash[column] = hash;
}

static void measure_row(kt_grid *grid, bool head)
{
    for (unsigned i = 0; i < grid->columns; i++) {
        unsigned width = kt_text_width(grid->cells[i]);
        grid->filled[i] |= width && !head;
        if (width && !head)
            note_cell(grid, i);
        if (width && grid->style->boxed && width < RULE_WIDTH_MIN)
            width = RULE_WIDTH_MIN;
        if (width > grid->widths[i])
            grid->widths[i] = width;
    }
}

static void print_row(const kt_grid *grid)
{
    const kt_style *style = grid->style;
    unsigned last = grid->columns - 1; /* last column to print */
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

/* Writes "---" below a column aligned left, "--:" below one aligned right. */
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
    memset(grid->colors, 0, sizeof grid->colors);
    memset(grid->cells, 0, sizeof grid->cells); /* gcc 12 cannot follow a loop here */
}

void kt_grid_end_row(kt_grid *grid)
{
    end_row(grid, false);
}

void kt_grid_end_head(kt_grid *grid)
{
    for (unsigned i = 0; i < grid->columns; i++)
        grid->colors[i] = KT_COLOR_HEAD;
    end_row(grid, true);
}

void kt_grid_color(kt_grid *grid, unsigned column, kt_color color)
{
    grid->colors[column] = color;
}

/* ---- screen width ---- */

#define CUT_WIDTH     24 /* long texts are cut to this width before a column is dropped */
#define CUT_WIDTH_MIN 8  /* no text is cut to fewer columns of the screen */

static unsigned row_width(const kt_grid *grid)
{
    unsigned width = 0, gap = 0;
    for (unsigned i = 0; i < grid->columns; i++) {
        if (!is_shown(grid, i))
            continue;
        width += gap + grid->widths[i];
        gap = (unsigned)strlen(grid->style->gap);
    }
    return width;
}

static bool may_drop(const kt_grid *grid, unsigned column)
{
    return is_shown(grid, column) && grid->rank[column] &&
           !(grid->rank[column] == KT_RANK_SAME && grid->differs[column]);
}

/* Whether a column is dropped before another one: the higher rank first, then the emptier one. */
static bool drops_before(const kt_grid *grid, unsigned column, unsigned other)
{
    return grid->rank[column] != grid->rank[other]
               ? grid->rank[column] > grid->rank[other]
               : grid->filled_cells[column] < grid->filled_cells[other];
}

/* Drops one column. Returns false if none may be dropped. */
static bool drop_column(kt_grid *grid)
{
    unsigned worst = grid->columns;
    for (unsigned i = 0; i < grid->columns; i++)
        if (may_drop(grid, i) && (worst == grid->columns || drops_before(grid, i, worst)))
            worst = i;
    if (worst == grid->columns)
        return false;
    grid->hidden[worst] = true;
    if (worst + 1 < grid->columns && grid->stands_in[worst + 1])
        grid->hidden[worst + 1] = false;
    return true;
}

/* Shortens the widest column of texts by up to `excess`. Returns false if none can be shortened. */
static bool cut_text(kt_grid *grid, unsigned excess)
{
    unsigned widest = grid->columns;
    for (unsigned i = 0; i < grid->columns; i++)
        if (is_shown(grid, i) && grid->left[i] && grid->widths[i] > CUT_WIDTH_MIN &&
            (widest == grid->columns || grid->widths[i] > grid->widths[widest]))
            widest = i;
    if (widest == grid->columns)
        return false;
    unsigned least = CUT_WIDTH_MIN + excess;
    grid->widths[widest] =
        grid->widths[widest] > least ? grid->widths[widest] - excess : CUT_WIDTH_MIN;
    return true;
}

/* Drops columns, then shortens texts, until a row fits the sink's screen. */
static void fit(kt_grid *grid, const kt_writer *writer)
{
    unsigned width = grid->style->boxed ? 0 : writer->sink->width;
    for (unsigned i = 0; i < grid->columns; i++)
        grid->hidden[i] = grid->stands_in[i];
    bool wide = width && row_width(grid) > width;
    for (unsigned i = 0; wide && i < grid->columns; i++)
        if (grid->left[i] && grid->widths[i] > CUT_WIDTH)
            grid->widths[i] = CUT_WIDTH;
    while (width && row_width(grid) > width && drop_column(grid))
        ;
    while (width && row_width(grid) > width && cut_text(grid, row_width(grid) - width))
        ;
}

void kt_grid_print(kt_grid *grid, kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                   const void *user)
{
    rows(grid, user);
    fit(grid, writer);
    grid->writer = writer;
    rows(grid, user);
}
