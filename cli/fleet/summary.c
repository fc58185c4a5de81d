/* SPDX-License-Identifier: MIT */
/* summary.c - words of answers, verdict, exit code, next step. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"
#include "cli/output/text.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>

static bool is_incomplete(const fleet_counts *c)
{
    return c->wrong || c->failed || c->twice || c->missing || c->incomplete;
}

/* Undecided devices that have peers. */
static size_t count_open(const fleet_counts *c)
{
    return c->undecided - c->unjudged;
}

const fleet_problem fleet_problems[] = {{FLEET_WRONG, "wrong"},
                                        {FLEET_TWICE, "measured_twice"},
                                        {FLEET_FAILED, "failed"},
                                        {FLEET_THROTTLED, "throttled"},
                                        {FLEET_PARTIAL, "partial"}};
const size_t fleet_problem_count = sizeof fleet_problems / sizeof fleet_problems[0];

static const char *const answer_words[FLEET_ANSWER_COUNT] = {
    [FLEET_ANSWER_GOOD] = "good",     [FLEET_ANSWER_UNDECIDED] = "undecided",
    [FLEET_ANSWER_FAILED] = "failed", [FLEET_ANSWER_SLOW] = "slow",
    [FLEET_ANSWER_WRONG] = "wrong",   [FLEET_ANSWER_TWICE] = "measured_twice"};

const char *fleet_answer_word(const fleet_device *device)
{
    return answer_words[device->answer];
}

const char *fleet_answer(const fleet_device *device)
{
    return device->answer == FLEET_ANSWER_TWICE ? "measured twice" : fleet_answer_word(device);
}

const char *fleet_cell_word(const kt_fleet_cell *cell)
{
    switch (cell->answer) {
    case KT_FLEET_SLOW: return answer_words[FLEET_ANSWER_SLOW];
    case KT_FLEET_GOOD: return answer_words[FLEET_ANSWER_GOOD];
    default: return answer_words[FLEET_ANSWER_UNDECIDED];
    }
}

int fleet_exit_code(const fleet *of)
{
    const fleet_counts *c = &of->counts;
    if (c->slow)
        return EXIT_SLOWER;
    if (is_incomplete(c))
        return EXIT_FAILED;
    return count_open(c) || of->is_median_doubtful ? EXIT_UNDECIDED : EXIT_DONE;
}

/* ---- verdict ---- */

static void put_count(FILE *file, const char **before, size_t count, const char *what)
{
    text_number text;
    if (!count)
        return;
    fprintf(file, "%s%s %s", *before, text_count(text, count), what);
    *before = ", ";
}

static void put_lacks(FILE *file, const char *before, const fleet_counts *c)
{
    put_count(file, &before, c->wrong, "wrong");
    put_count(file, &before, c->failed, "failed");
    put_count(file, &before, c->twice, "measured twice");
    put_count(file, &before, c->missing, c->missing == 1 ? "rank missing" : "ranks missing");
    put_count(file, &before, c->incomplete,
              c->incomplete == 1 ? "file unreadable" : "files unreadable");
}

static void put_none(const fleet *of, FILE *file)
{
    fprintf(file, "no device is shown to be more than %.3g %% slower than the median of its model",
            100 * of->min_effect);
}

/* What hinders an answer stands first, since a reader in a hurry stops there. */
void fleet_print_verdict(const fleet *of, FILE *file)
{
    const fleet_counts *c = &of->counts;
    const char *before = ", ";
    size_t open = count_open(c);
    text_number count, devices;
    text_count(devices, c->devices);
    switch (fleet_exit_code(of)) {
    case EXIT_SLOWER:
        fprintf(file, "%s of %s devices %s slow (by more than %.3g %%)", text_count(count, c->slow),
                devices, c->slow == 1 ? "is" : "are", 100 * of->min_effect);
        put_lacks(file, before, c);
        break;
    case EXIT_FAILED:
        put_lacks(file, "incomplete: ", c);
        fprintf(file, "; ");
        put_none(of, file);
        break;
    case EXIT_UNDECIDED:
        if (open)
            fprintf(file, "undecided for %s of %s devices; ", text_count(count, open), devices);
        else
            fprintf(file, "undecided, since the median is doubtful; ");
        put_none(of, file);
        open = 0;
        break;
    default:
        fprintf(file, "no device is slow: ");
        if (c->unjudged)
            fprintf(file, "%s of %s are", text_count(count, c->good), devices);
        else
            fprintf(file, "all %s are", devices);
        fprintf(file, " shown to be less than %.3g %% slower than the median of their model",
                100 * of->min_effect);
    }
    put_count(file, &before, open, "undecided");
    put_count(file, &before, c->unjudged, "not judged");
}

/* ---- next step ---- */

static bool has_peers(const fleet *of, size_t number)
{
    return of->populations[number].count >= KT_FLEET_DEVICES_MIN;
}

/* Runs of a copy: half of them above the mean, half below, which differ as much as the cell's. */
static void copy_runs(const kt_fleet_cell *cell, size_t runs, double *medians)
{
    double step = cell->noise * sqrt((double)(runs - 1) / (double)(runs - runs % 2));
    for (size_t run = 0; run < runs; run++)
        medians[run] = cell->time_ns * exp(run + 1 == runs && runs % 2 ? 0
                                           : run % 2                   ? step
                                                                       : -step);
}

/* Whether more runs may decide: not for noisy devices and coarse clocks, on which there are notes. */
static bool is_open(const fleet *of, const kt_fleet_population *p, const kt_fleet_cell *judged,
                    size_t number)
{
    return judged[number].answer == KT_FLEET_UNDECIDED && !(p->cells[number].noise > p->noise) &&
           !fleet_is_coarse(of, &p->cells[number]);
}

/* Times that would not be decided with so many runs of the noise that was seen, all devices being as
 * they are. FLEET_NONE: out of memory. */
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
        if (!has_peers(of, i))
            continue;
        all[i] = (kt_fleet_population){.cells = &copies[cell], .count = p->count};
        for (size_t k = 0; k < p->count; k++, cell++) {
            copy_runs(&p->cells[k], runs, &medians[cell * runs]);
            copies[cell].medians_ns = &medians[cell * runs];
            copies[cell].run_count = runs;
            copies[cell].resolution_ns = p->cells[k].resolution_ns;
        }
    }
    bool has_room = medians && copies && all &&
                    kt_fleet_judge(all, of->workload_count, of->min_effect, of->alpha) == KT_OK;
    for (size_t i = 0; i < of->workload_count && has_room; i++)
        for (size_t k = 0; k < all[i].count; k++)
            undecided += is_open(of, &of->populations[i], all[i].cells, k);
    free(medians);
    free(copies);
    free(all);
    return has_room ? undecided : FLEET_NONE;
}

/* The fewest runs that decide all; if none do, as many as the most runs that are worth it. */
static void advise_more_runs(const fleet *of, size_t undecided, size_t most)
{
    static const size_t choices[] = {3, 5, 8, 12, 20, 40};
    enum { CHOICES = sizeof choices / sizeof choices[0] };
    size_t runs = 0, least = undecided;
    for (size_t i = 0; i < CHOICES && least; i++) {
        size_t left = choices[i] > most ? count_undecided(of, choices[i]) : FLEET_NONE;
        if (left < least) {
            least = left;
            runs = choices[i];
        }
    }
    if (!least)
        terminal_sayf("next", "%zu runs would decide all: measure with --runs %zu", runs, runs);
    else if (runs)
        terminal_sayf(
            "next",
            "%zu runs would decide all but %zu, too close to %.3g %%: measure with --runs "
            "%zu",
            runs, least, 100 * of->min_effect, runs);
    else
        terminal_sayf(
            "next",
            "too close to %.3g %%, or too noisy: quiet the machines, or set another --min-effect",
            100 * of->min_effect);
}

static void advise_on_undecided(const fleet *of)
{
    size_t undecided = 0, unknown = 0, most = 0, judged = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        if (!has_peers(of, i))
            continue;
        judged++;
        const kt_fleet_population *p = &of->populations[i];
        for (size_t k = 0; k < p->count; k++)
            undecided += is_open(of, p, p->cells, k);
        unknown += isnan(p->noise);
        most = of->workloads[i].runs_max > most ? of->workloads[i].runs_max : most;
    }
    if (unknown)
        terminal_sayf("next", "one run shows no noise: measure with --runs %d", FLEET_RUNS_USUAL);
    else if (undecided)
        advise_more_runs(of, undecided, most);
    else if (!judged && of->workload_count)
        terminal_sayf("next", "a model needs %d devices or more to have a slow one",
                      KT_FLEET_DEVICES_MIN);
}

/* What is to be measured once more, and then drained; NULL: nothing. */
static const char *find_suspects(const fleet_counts *c)
{
    return c->slow ? "slow" : c->wrong ? "wrong" : c->failed ? "failed" : NULL;
}

/* One answer to "what now": ranks that lack, or devices that had several, are measured with all. */
void fleet_advise(const fleet *of)
{
    const fleet_counts *c = &of->counts;
    const char *suspects = find_suspects(c);
    if (of->options->quiet || of->options->fleet.again) /* which says itself what is next */
        return;
    if (c->twice)
        terminal_say("next",
                     "devices were measured by several ranks: start as many ranks on a node as it "
                     "has devices, with --local-device; then measure all again, in a new folder");
    else if (c->missing)
        terminal_say(
            "next",
            "ranks are missing: they still write, or failed; then measure all ranks again, in "
            "a new folder");
    if (of->is_median_doubtful)
        terminal_say("next", "compare with a known good device of the same id: kerntime compare "
                             "GOOD.json OTHER.json");
    else if (count_open(c))
        advise_on_undecided(of);
    if (suspects && !c->twice && !c->missing && !of->options->fleet.slurm)
        terminal_sayf("next",
                      "measure the %s ones once more: --again prints how; if %s again: --slurm "
                      "prints how to drain",
                      suspects, suspects);
}
