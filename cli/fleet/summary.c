/* summary.c - verdict, exit code, next step. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>

#define RUNS_USUAL 3

int fleet_exit_code(const fleet *of)
{
    const fleet_counts *c = &of->counts;
    if (c->slow)
        return EXIT_SLOWER;
    if (c->wrong || c->failed || c->twice || c->missing || c->incomplete)
        return EXIT_FAILED;
    return c->undecided ? EXIT_UNDECIDED : EXIT_DONE;
}

static void put_count(FILE *file, size_t count, const char *what)
{
    if (count)
        fprintf(file, ", %zu %s", count, what);
}

void fleet_print_verdict(const fleet *of, FILE *file)
{
    const fleet_counts *c = &of->counts;
    if (!c->slow && c->good == c->devices && !c->missing && !c->incomplete) {
        fprintf(file,
                "no device is slow: none of %zu is more than %.3g %% slower than the median of its "
                "model",
                c->devices, 100 * of->min_effect);
        return;
    }
    fprintf(file, "%zu of %zu devices %s slow (by more than %.3g %%)", c->slow, c->devices,
            c->slow == 1 ? "is" : "are", 100 * of->min_effect);
    put_count(file, c->wrong, "wrong");
    put_count(file, c->failed, "failed");
    put_count(file, c->twice, "measured twice");
    put_count(file, c->undecided, "undecided");
    put_count(file, c->missing, c->missing == 1 ? "rank missing" : "ranks missing");
    put_count(file, c->incomplete, c->incomplete == 1 ? "file unreadable" : "files unreadable");
}

/* ---- next step ---- */

/* Devices that would not be decided with so many runs of the noise that was seen; FLEET_NONE: out
 * of memory. All devices are taken as they are, with runs that differ as much as theirs. */
static size_t count_undecided(const fleet *of, size_t runs)
{
    size_t undecided = 0, cells = 0, cell = 0;
    for (size_t i = 0; i < of->workload_count; i++)
        cells += of->populations[i].count;
    double *medians = calloc(cells * runs + 1, sizeof *medians);
    kt_fleet_cell *copies = calloc(cells + 1, sizeof *copies);
    kt_fleet_population *all = calloc(of->workload_count + 1, sizeof *all);
    for (size_t i = 0; i < of->workload_count && medians && copies && all; i++) {
        const kt_fleet_population *p = &of->populations[i];
        all[i] = (kt_fleet_population){.cells = &copies[cell], .count = p->count};
        /* Half of the runs above the mean, half below, with the variance of the population. */
        double step = p->noise * sqrt((double)(runs - 1) / (double)(runs - runs % 2));
        for (size_t k = 0; k < p->count; k++, cell++) {
            copies[cell].medians_ns = &medians[cell * runs];
            copies[cell].run_count = p->cells[k].run_count ? runs : 0;
            for (size_t run = 0; run < copies[cell].run_count; run++)
                medians[cell * runs + run] =
                    p->cells[k].time_ns * exp(run + 1 == runs && runs % 2 ? 0
                                              : run % 2                   ? step
                                                                          : -step);
        }
    }
    bool has_room = medians && copies && all &&
                    kt_fleet_judge(all, of->workload_count, of->min_effect, of->alpha) == KT_OK;
    for (size_t i = 0; i < cells && has_room; i++)
        undecided += copies[i].run_count && copies[i].answer == KT_FLEET_UNDECIDED;
    free(medians);
    free(copies);
    free(all);
    return has_room ? undecided : FLEET_NONE;
}

/* Whether a population has a noise, and devices enough, so that more runs can decide. */
static bool is_decidable(const kt_fleet_population *p)
{
    return !isnan(p->noise);
}

static void advise_on_runs(const fleet *of)
{
    static const size_t choices[] = {3, 5, 8, 12, 20, 40};
    size_t undecided = 0, unknown = 0, most = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        undecided += of->workloads[i].undecided_count;
        unknown += !is_decidable(&of->populations[i]);
        most = of->workloads[i].runs_max > most ? of->workloads[i].runs_max : most;
    }
    if (unknown) {
        terminal_sayf(
            "next",
            "one run shows no noise: measure with --runs %d, or once more into the same folder",
            RUNS_USUAL);
        return;
    }
    for (size_t i = 0; i < sizeof choices / sizeof choices[0] && undecided; i++) {
        size_t left = choices[i] > most ? count_undecided(of, choices[i]) : FLEET_NONE;
        if (left == 0) {
            terminal_sayf("next", "%zu runs would decide all: measure with --runs %zu", choices[i],
                          choices[i]);
            return;
        }
    }
    terminal_sayf("next",
                  "too noisy for %.3g %%: quiet the machines, or ask for more with --min-effect",
                  100 * of->min_effect);
}

/* Whether all groups are too small to have a median worth the name. */
static bool are_few(const fleet *of)
{
    size_t most = 0;
    for (size_t i = 0; i < of->workload_count; i++)
        most = of->populations[i].count > most ? of->populations[i].count : most;
    return most < KT_FLEET_DEVICES_MIN;
}

void fleet_advise(const fleet *of)
{
    const fleet_counts *c = &of->counts;
    if (of->options->quiet || of->options->fleet.again) /* which says itself what is next */
        return;
    if (c->missing)
        terminal_say(
            "next",
            "ranks are missing: they still write, or failed; then measure all ranks again, in "
            "a new folder");
    if (c->twice)
        terminal_say("next",
                     "devices were measured by several ranks: start one rank for each, with "
                     "--local-device");
    if (c->undecided && are_few(of))
        terminal_sayf("next", "fewer than %d devices of a model have no median to be slower than",
                      KT_FLEET_DEVICES_MIN);
    else if (c->undecided)
        advise_on_runs(of);
    if (c->slow)
        terminal_say("next",
                     "measure the slow ones once more: the same command with --again prints how");
}
