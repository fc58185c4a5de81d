#include "progress.h"

#include "terminal.h"

#include <kerntime/clock.h>
#include <stdio.h>

#define REDRAW_NS 100000000
#define BAR_WIDTH 20

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

void progress_begin(cli_progress *progress, bool quiet, double total_ns)
{
    *progress = (cli_progress){
        .shown = !quiet && terminal_watched(), .begin_ns = kt_host_now_ns(), .total = total_ns};
}

static void draw(const cli_progress *progress, double fraction)
{
    double share = (progress->done + fraction * progress->step) / progress->total;
    share = share > 1 ? 1 : share;
    double elapsed_ns = (double)(kt_host_now_ns() - progress->begin_ns);
    /* The estimate at first, what was seen since as it grows. */
    double rate_ns = elapsed_ns + (1 - share) * progress->total;
    double left_ns = share > 0.05 ? elapsed_ns / share - elapsed_ns : rate_ns - elapsed_ns;
    char bar[BAR_WIDTH + 1], left[32];
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r\033[K[%s] %s, %s left", bar, progress->label,
            progress_format_time(left, left_ns));
    fflush(stderr);
}

void progress_step(cli_progress *progress, const char *label, double estimate_ns)
{
    progress->done += progress->step;
    progress->step = estimate_ns;
    snprintf(progress->label, sizeof progress->label, "%s", label);
    progress->last_ns = 0;
    progress_update(progress, 0);
}

void progress_update(cli_progress *progress, double fraction)
{
    int64_t now_ns = kt_host_now_ns();
    if (!progress->shown || now_ns - progress->last_ns < REDRAW_NS)
        return;
    progress->last_ns = now_ns;
    draw(progress, fraction);
}

void progress_clear(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
}
