/* SPDX-License-Identifier: MIT */
#include "cli/output/grid.h"

#include <string.h>

#define NAME_MIN 14 /* names have at least that many columns, if one of them is as long */
#define NAME_MAX 64 /* and at most that many, so that one long name does not move all numbers */
#define GAP      2
#define BOLD     "\033[1m"
#define PLAIN    "\033[0m"

void grid_name(grid *g, const char *name, const char *size)
{
    g->name = name;
    g->size = size;
}

void grid_set(grid *g, unsigned column, const char *text)
{
    snprintf(g->cells[column], sizeof g->cells[column], "%s", text);
}

static unsigned name_width(const grid *g)
{
    return text_width(g->name) + (g->size ? text_width(g->size) + 3 : 0);
}

static bool is_shown(const grid *g, unsigned column)
{
    return !g->hidden[column] && (g->filled[column] || !g->columns[column].optional);
}

static void measure_row(grid *g, bool head)
{
    unsigned width = name_width(g);
    g->filled[0] = true;
    for (unsigned i = 0; i < g->count; i++) {
        width = i ? text_width(g->cells[i]) : width;
        g->filled[i] |= width && !head;
        if (width > g->widths[i])
            g->widths[i] = width;
    }
}

/* ---- printing ---- */

static void put_blanks(const grid *g, unsigned count)
{
    fprintf(g->file, "%*s", (int)count, "");
}

/* Shortens the name, never the size. */
static void put_name(const grid *g, unsigned width)
{
    unsigned size = name_width(g) - text_width(g->name);
    text_put(g->file, g->name, width > size + NAME_MIN ? width - size : NAME_MIN, g->markdown);
    if (!g->size)
        return;
    fputs(g->markdown ? " \\[" : " [", g->file);
    text_put(g->file, g->size, UINT32_MAX, g->markdown);
    fputs(g->markdown ? "\\]" : "]", g->file);
}

static void print_markdown(const grid *g, bool head)
{
    for (unsigned i = 0; i < g->count; i++) {
        if (!is_shown(g, i))
            continue;
        fputs("| ", g->file);
        if (i == 0)
            put_name(g, UINT32_MAX);
        else
            text_put(g->file, g->cells[i], UINT32_MAX, true);
        fputc(' ', g->file);
    }
    fputs("|\n", g->file);
    for (unsigned i = 0; head && i < g->count; i++)
        if (is_shown(g, i))
            fputs(g->columns[i].left ? "| --- " : "| --: ", g->file);
    fputs(head ? "|\n" : "", g->file);
}

/* The column of names, or the name on a line of its own before it. */
static void print_name(const grid *g)
{
    unsigned width = name_width(g), room = g->widths[0];
    if (width <= room) {
        put_name(g, room);
        put_blanks(g, room - width);
        return;
    }
    put_name(g, g->width ? g->width : UINT32_MAX);
    fputc('\n', g->file);
    put_blanks(g, room);
}

static void print_aligned(const grid *g, bool head)
{
    unsigned last = g->count - 1;
    while (last > 0 && !(g->cells[last][0] && is_shown(g, last)))
        last--;
    fputs(head && g->color ? BOLD : "", g->file);
    print_name(g);
    for (unsigned i = 1; i <= last; i++) {
        if (!is_shown(g, i))
            continue;
        unsigned width = text_width(g->cells[i]), padding = g->widths[i] - width;
        bool left = g->columns[i].left;
        put_blanks(g, g->gap + (left ? 0 : padding));
        text_put(g->file, g->cells[i], UINT32_MAX, false);
        put_blanks(g, left && i < last ? padding : 0);
    }
    fputs(head && g->color ? PLAIN : "", g->file);
    fputc('\n', g->file);
}

static void end_row(grid *g, bool head)
{
    if (!g->file)
        measure_row(g, head);
    else if (g->markdown)
        print_markdown(g, head);
    else
        print_aligned(g, head);
    memset(g->cells, 0, sizeof g->cells);
    grid_name(g, "", NULL);
}

void grid_end_row(grid *g)
{
    end_row(g, false);
}

void grid_heading(grid *g, const char *name, const char *size)
{
    if (!g->file)
        return;
    grid_name(g, name, size);
    if (g->markdown) {
        end_row(g, false);
        return;
    }
    put_name(g, g->width ? g->width : UINT32_MAX);
    fputc('\n', g->file);
    grid_name(g, "", NULL);
}

static void set_rows(grid *g, void (*rows)(grid *g, const void *user), const void *user)
{
    grid_name(g, g->columns[0].head, NULL);
    for (unsigned i = 1; i < g->count; i++)
        grid_set(g, i, g->columns[i].head);
    end_row(g, true);
    rows(g, user);
}

/* ---- width of the screen ---- */

/* Width of all columns but the first. */
static unsigned width_of_numbers(const grid *g, unsigned gap)
{
    unsigned width = 0;
    for (unsigned i = 1; i < g->count; i++)
        width += is_shown(g, i) ? gap + g->widths[i] : 0;
    return width;
}

static bool fits(const grid *g, unsigned gap)
{
    unsigned name = g->widths[0] < NAME_MIN ? g->widths[0] : NAME_MIN;
    return name + width_of_numbers(g, gap) <= g->width;
}

/* Drops the column of the highest rank above `least`. Returns false if there is none. */
static bool drop_column(grid *g, unsigned least)
{
    unsigned worst = 0;
    for (unsigned i = 1; i < g->count; i++)
        if (is_shown(g, i) && g->columns[i].rank > least &&
            (!worst || g->columns[i].rank > g->columns[worst].rank))
            worst = i;
    if (!worst)
        return false;
    g->hidden[worst] = true;
    if (worst + 1 < g->count && g->columns[worst + 1].stands_in)
        g->hidden[worst + 1] = false;
    return true;
}

static void fit(grid *g)
{
    g->gap = GAP;
    for (unsigned i = 0; i < g->count; i++)
        g->hidden[i] = g->columns[i].stands_in;
    while (g->width && !fits(g, GAP) && drop_column(g, GRID_RANK_WANTED))
        ;
    while (g->width && !fits(g, GAP) && !fits(g, 1) && drop_column(g, 0))
        ;
    if (g->width && !fits(g, GAP))
        g->gap = 1;
    unsigned numbers = width_of_numbers(g, g->gap);
    unsigned room = !g->width                       ? NAME_MAX
                    : numbers + NAME_MIN < g->width ? g->width - numbers
                                                    : NAME_MIN;
    room = room > NAME_MAX ? NAME_MAX : room;
    if (g->widths[0] > room)
        g->widths[0] = room;
}

void grid_print(grid *g, FILE *file, void (*rows)(grid *g, const void *user), const void *user)
{
    grid_name(g, "", NULL);
    set_rows(g, rows, user);
    fit(g);
    g->file = file;
    set_rows(g, rows, user);
}
