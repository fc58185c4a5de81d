#include "cli/terminal/progress.h"

#include "cli/terminal/terminal.h"

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

void progress_begin(cli_progress *progress, bool quiet, double total_ns, uint32_t run,
                    uint32_t runs)
{
    *progress = (cli_progress){.shown = !quiet && terminal_watched(),
                               .begin_ns = kt_host_now_ns(),
                               .total = total_ns,
                               .run = run,
                               .runs = runs};
}

static void draw(const cli_progress *progress, const char *label)
{
    double share = progress->done / progress->total;
    share = share > 1 ? 1 : share;
    double elapsed_ns = (double)(kt_host_now_ns() - progress->begin_ns);
    /* The expected total time starts from the estimate and moves to the observed rate. */
    double rate_ns = elapsed_ns + (1 - share) * progress->total;
    double left_ns = share > 0.05 ? elapsed_ns / share - elapsed_ns : rate_ns - elapsed_ns;
    char bar[BAR_WIDTH + 1], run[48] = "", left[32];
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < share * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (progress->runs) {
        left_ns += (progress->runs - 1 - progress->run) * (elapsed_ns + left_ns);
        snprintf(run, sizeof run, "run %u of %u, ", progress->run + 1, progress->runs);
    }
    fprintf(stderr, "\r\033[K[%s] %s%s, %s left", bar, run, label,
            progress_format_time(left, left_ns));
    fflush(stderr);
}

void progress_part_begin(progress_part *part, cli_progress *progress, const char *label,
                         double estimate_ns)
{
    *part = (progress_part){.progress = progress, .estimate_ns = estimate_ns};
    snprintf(part->label, sizeof part->label, "%s", label);
    progress->last_ns = 0;
    progress_part_update(part, 0);
}

void progress_part_update(progress_part *part, double fraction)
{
    cli_progress *progress = part->progress;
    if (fraction > part->fraction) {
        progress->done += (fraction - part->fraction) * part->estimate_ns;
        part->fraction = fraction;
    }
    int64_t now_ns = kt_host_now_ns();
    if (!progress->shown || now_ns - progress->last_ns < REDRAW_NS)
        return;
    progress->last_ns = now_ns;
    draw(progress, part->label);
}

void progress_part_end(progress_part *part)
{
    if (part->progress)
        progress_part_update(part, 1);
}

void progress_clear(cli_progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\033[K");
}

void progress_say(cli_progress *progress, const char *text)
{
    if (!progress->shown)
        return;
    progress_clear(progress);
    fprintf(stderr, "%s\n", text);
}
