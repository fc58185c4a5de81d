#include "cli/terminal/progress.h"

#include "cli/terminal/terminal.h"

#include <kerntime/clock.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REDRAW_NS 100000000
#define BAR_WIDTH 20
/* Lines of the terminal that rows leave free: the bar, and the line above the rows. */
#define LINES_BESIDE 2

char *progress_format_time(char *text, double ns)
{
    double seconds = ns * 1e-9;
    if (seconds < 1)
        snprintf(text, 32, "under 1 s");
    else if (seconds < 100)
        snprintf(text, 32, "about %.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, 32, "about %.0f min", seconds / 60);
    else
        snprintf(text, 32, "about %.1f h", seconds / 3600);
    return text;
}

char *progress_format_plan(char *text, double ns)
{
    static const unsigned steps[] = {2, 3, 5, 10, 20, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600};
    double seconds = ns * 1e-9;
    size_t count = sizeof steps / sizeof *steps, i = 0;
    while (i < count && seconds > steps[i])
        i++;
    if (seconds < 1)
        snprintf(text, 32, "under 1 s");
    else if (i == count)
        snprintf(text, 32, "usually under %.0f h", ceil(seconds / 3600));
    else if (steps[i] < 60)
        snprintf(text, 32, "usually under %u s", steps[i]);
    else
        snprintf(text, 32, "usually under %u min", steps[i] / 60);
    return text;
}

void progress_begin(cli_progress *progress, bool quiet, double planned_ns, uint32_t run,
                    uint32_t runs)
{
    *progress = (cli_progress){.shown = !quiet && terminal_watched(),
                               .begin_ns = kt_host_now_ns(),
                               .planned_ns = planned_ns,
                               .run = run,
                               .runs = runs};
}

void progress_round_over(cli_progress *progress)
{
    progress->seen = true;
}

/* ---- drawing ---- */

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

static double remaining_ns(const cli_progress *progress)
{
    double rest_ns = progress->planned_ns - progress->begun_ns;
    double total_ns = progress->spent_ns + progress->left_ns;
    if (progress->begun_ns > 0 && rest_ns > 0)
        rest_ns *= total_ns / progress->begun_ns;
    return progress->left_ns + (rest_ns > 0 ? rest_ns : 0);
}

static void put_bar(canvas *c, cli_progress *progress, const char *label)
{
    double elapsed_ns = (double)(kt_host_now_ns() - progress->begin_ns);
    double all_ns = remaining_ns(progress);
    char bar[BAR_WIDTH + 1], run[48] = "", left[48] = "", time[32], line[PROGRESS_TEXT_BYTES];
    progress->share = fmax(progress->share, elapsed_ns / (elapsed_ns + all_ns + 1));
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < progress->share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (progress->runs) {
        all_ns += (progress->runs - 1 - progress->run) * (elapsed_ns + all_ns);
        snprintf(run, sizeof run, "run %u of %u, ", progress->run + 1, progress->runs);
    }
    if (progress->seen)
        snprintf(left, sizeof left, ", %s left", progress_format_time(time, all_ns));
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

/* Whether a row is drawn: it has a text. */
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

static void draw(cli_progress *progress, const char *label)
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

static void format_row(const cli_progress *progress, char row[PROGRESS_TEXT_BYTES],
                       const char *label, const char *who, const char *text)
{
    snprintf(row, PROGRESS_TEXT_BYTES, "%-*.80s  %-*.80s  %.80s", progress->label_width, label,
             progress->who_width, who, text);
}

void progress_say_row(cli_progress *progress, const char *label, const char *who, const char *text)
{
    char row[PROGRESS_TEXT_BYTES];
    format_row(progress, row, label, who, text);
    progress_say(progress, row);
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

/* ---- parts ---- */

/* Redraws if it is time. */
static void redraw(progress_part *part)
{
    cli_progress *progress = part->progress;
    int64_t now_ns = kt_host_now_ns();
    if (!progress->shown || now_ns - progress->last_ns < REDRAW_NS)
        return;
    progress->last_ns = now_ns;
    draw(progress, part->label);
}

/* Replaces the times of a part in the sums. */
static void set_times(progress_part *part, double spent_ns, double left_ns)
{
    cli_progress *progress = part->progress;
    progress->spent_ns += spent_ns - part->spent_ns;
    progress->left_ns += left_ns - part->left_ns;
    part->spent_ns = spent_ns;
    part->left_ns = left_ns;
}

void progress_part_begin(progress_part *part, cli_progress *progress, const char *label,
                         double planned_ns)
{
    *part = (progress_part){
        .progress = progress, .begin_ns = kt_host_now_ns(), .planned_ns = planned_ns};
    snprintf(part->label, sizeof part->label, "%s", label);
    progress->begun_ns += planned_ns;
    set_times(part, 0, planned_ns);
    progress->last_ns = 0;
    redraw(part);
}

void progress_part_update(progress_part *part, double share)
{
    if (share * part->planned_ns > part->spent_ns)
        set_times(part, share * part->planned_ns, (1 - share) * part->planned_ns);
    redraw(part);
}

void progress_part_follow(progress_part *part, double spent_ns, double left_ns)
{
    part->followed = true;
    set_times(part, spent_ns, left_ns);
    redraw(part);
}

void progress_part_row(progress_part *part, const char *label, const char *who, const char *text,
                       bool is_final)
{
    cli_progress *progress = part->progress;
    if (!has_row(part)) {
        *(progress->last ? &progress->last->next : &progress->first) = part;
        progress->last = part;
    }
    format_row(progress, part->row, label, who, text);
    part->is_final = is_final;
    progress->rows_changed = true;
}

void progress_part_end(progress_part *part)
{
    if (!part->progress)
        return;
    /* A part without reported times did nothing else between its begin and its end. */
    double spent_ns = part->followed ? part->spent_ns : (double)(kt_host_now_ns() - part->begin_ns);
    set_times(part, spent_ns, 0);
    redraw(part);
}
