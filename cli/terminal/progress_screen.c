/* SPDX-License-Identifier: MIT */
/* progress_screen.c - draws on a terminal. */
#include "cli/terminal/progress_screen.h"

#include "cli/terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BAR_WIDTH 20
/* Lines of the terminal that rows leave free: the bar, and the line above the rows. */
#define LINES_BESIDE 2

/* Output of one redraw, written at once: standard error has no buffer. */
typedef struct canvas {
    char text[16384];
    size_t length;
    int width; /* of a line, in columns */
} canvas;

__attribute__((format(printf, 2, 3))) static void put(canvas *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(c->text + c->length, sizeof c->text - c->length, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof c->text - c->length)
        c->length += (size_t)length;
}

/* Puts a text, cut to the width of a line: a longer one would wrap and not be found again. */
static void put_line(canvas *c, const char *text, const char *end)
{
    int columns = 0;
    size_t bytes = 0;
    for (; text[bytes]; bytes++) {
        columns += ((unsigned char)text[bytes] & 0xC0) != 0x80; /* UTF-8: not within a character */
        if (columns >= c->width)
            break;
    }
    put(c, "%.*s\033[K%s", (int)bytes, text, end);
}

static canvas begin_drawing(cli_progress *progress)
{
    canvas c = {.width = (int)terminal_error_width()};
    /* The message after Ctrl-C has moved the cursor: what was drawn stays, and is drawn anew. */
    if (terminal_interrupted() && !progress->interrupted) {
        progress->interrupted = progress->rows_changed = true;
        progress->drawn = 0;
    }
    return c;
}

static void end_drawing(const canvas *c)
{
    fwrite(c->text, 1, c->length, stderr);
    fflush(stderr);
}

static void put_bar(canvas *c, cli_progress *progress, const char *label)
{
    char bar[BAR_WIDTH + 1], run[48] = "", left[48] = "", time[32], line[PROGRESS_TEXT_BYTES];
    double left_ns = progress_left_ns(progress);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < progress->share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (progress->runs)
        snprintf(run, sizeof run, "run %u of %u, ", progress->run + 1, progress->runs);
    if (progress->seen)
        snprintf(left, sizeof left, ", %s left", progress_format_time(time, left_ns));
    snprintf(line, sizeof line, "[%s] %s%s%s", bar, run, label, left);
    put(c, "\r");
    put_line(c, line, "");
}

/* Moves to the first line that is redrawn. */
static void put_home(canvas *c, const cli_progress *progress)
{
    put(c, "\r");
    if (progress->drawn)
        put(c, "\033[%uA", progress->drawn);
}

void progress_format_row(const cli_progress *progress, char row[PROGRESS_TEXT_BYTES],
                         const char *label, const char *who, const char *text)
{
    snprintf(row, PROGRESS_TEXT_BYTES, "%-*.80s  %-*.80s  %.80s", progress->label_width, label,
             progress->who_width, who, text);
}

/* True for a row with a text: others are not drawn. */
static bool has_row(const progress_part *part)
{
    return part->row[0] != '\0';
}

static unsigned count_rows(const cli_progress *progress)
{
    unsigned count = 0;
    for (const progress_part *part = progress->first; part; part = part->next)
        count += has_row(part);
    return count;
}

/* Puts finished rows for good, from the first on, until the others fit into `room` lines. */
static void put_lasting_rows(canvas *c, cli_progress *progress, unsigned count, unsigned room)
{
    progress_part *before = NULL, *next;
    for (progress_part *part = progress->first; part; part = next) {
        next = part->next;
        if (count <= room || !has_row(part) || !part->is_final) {
            before = part;
            continue;
        }
        put_line(c, part->row, "\n");
        *(before ? &before->next : &progress->first) = next;
        if (progress->last == part)
            progress->last = before;
        count--;
    }
}

static void put_rows(canvas *c, cli_progress *progress)
{
    unsigned lines = terminal_error_height();
    unsigned room = lines > LINES_BESIDE + 2 ? lines - LINES_BESIDE : 2;
    put_home(c, progress);
    put_lasting_rows(c, progress, count_rows(progress), room);
    unsigned count = count_rows(progress), most = count > room ? room - 1 : count;
    progress->drawn = 0;
    for (const progress_part *part = progress->first; part && progress->drawn < most;
         part = part->next)
        if (has_row(part)) {
            put_line(c, part->row, "\n");
            progress->drawn++;
        }
    if (count > most) {
        char more[32];
        snprintf(more, sizeof more, "%u more rows", count - most);
        put_line(c, more, "\n");
        progress->drawn++;
    }
    progress->rows_changed = false;
}

void progress_draw(cli_progress *progress, const char *label)
{
    canvas c = begin_drawing(progress);
    bool whole = progress->rows_changed;
    if (whole)
        put_rows(&c, progress);
    put_bar(&c, progress, label);
    if (whole)
        put(&c, "\033[J");
    end_drawing(&c);
}

void progress_clear(cli_progress *progress)
{
    if (!progress->shown)
        return;
    canvas c = begin_drawing(progress);
    put_home(&c, progress);
    put(&c, "\033[J");
    end_drawing(&c);
    progress->drawn = 0;
    progress->rows_changed = true;
}

void progress_say(cli_progress *progress, const char *text)
{
    if (!progress->shown)
        return;
    progress_clear(progress);
    fprintf(stderr, "%s\n", text);
}

void progress_settle(cli_progress *progress)
{
    if (progress->shown && progress->first) {
        canvas c = begin_drawing(progress);
        put_home(&c, progress);
        put_lasting_rows(&c, progress, count_rows(progress), 0);
        put(&c, "\033[J");
        end_drawing(&c);
    }
    progress->first = progress->last = NULL;
    progress->drawn = 0;
}
