/* SPDX-License-Identifier: MIT */
#include "cli/terminal/progress.h"

#include "cli/terminal/progress_screen.h"
#include "cli/terminal/terminal.h"

#include <kerntime/clock.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REDRAW_NS 100000000

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

/* Time that the parts of this run still take. */
static double remaining_ns(const cli_progress *progress)
{
    double rest_ns = progress->planned_ns - progress->begun_ns;
    double total_ns = progress->spent_ns + progress->left_ns;
    if (progress->begun_ns > 0 && rest_ns > 0)
        rest_ns *= total_ns / progress->begun_ns;
    return progress->left_ns + (rest_ns > 0 ? rest_ns : 0);
}

double progress_left_ns(cli_progress *progress)
{
    double elapsed_ns = (double)(kt_host_now_ns() - progress->begin_ns);
    double left_ns = remaining_ns(progress);
    progress->share = fmax(progress->share, elapsed_ns / (elapsed_ns + left_ns + 1));
    uint32_t later = progress->runs ? progress->runs - 1 - progress->run : 0;
    return left_ns + later * (elapsed_ns + left_ns);
}

/* ---- rows ---- */

void progress_say_row(cli_progress *progress, const char *label, const char *who, const char *text)
{
    char row[PROGRESS_TEXT_BYTES];
    progress_format_row(progress, row, label, who, text);
    progress_say(progress, row);
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
    progress_draw(progress, part->label);
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
    if (!part->row[0]) {
        *(progress->last ? &progress->last->next : &progress->first) = part;
        progress->last = part;
    }
    progress_format_row(progress, part->row, label, who, text);
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
