/* SPDX-License-Identifier: MIT */
/*
 * doubts.c - what makes an answer doubtful: devices without peers, a median of slow devices or of
 * none, a coarse clock, devices that differ from run to run or from file to file; and which slots have
 * more than chance.
 */
#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdlib.h>

#define FAST_PART  4 /* of a population: one in so many that are faster makes its median doubtful */
#define NOISY      3 /* times the noise of the others, and */
#define NOISY_PART 3 /* one in so many of the minimum effect: what is worth a note */
#define BY_CHANCE  0.01 /* probability that slow devices meet in any slot by chance */

/* ---- peers ---- */

static void find_peers(fleet *of)
{
    size_t judged = 0;
    for (size_t i = 0; i < of->group_count; i++) {
        of->groups[i].has_peers = of->groups[i].device_count >= KT_FLEET_DEVICES_MIN;
        judged += of->groups[i].has_peers;
    }
    for (size_t i = 0; i < of->device_count && judged; i++) {
        fleet_device *d = &of->devices[i];
        if (d->answer != FLEET_ANSWER_UNDECIDED || of->groups[d->group].has_peers)
            continue;
        of->counts.unjudged++;
        d->reason = d->reason                       ? d->reason
                    : of->groups[d->group].is_split ? "too few devices of its model and settings"
                                                    : "too few devices of its model and driver";
    }
}

/* Devices with other settings than their kind are named: somebody has set them. */
static const char *say_first(fleet *of, size_t group)
{
    size_t first = 0;
    while (first < of->device_count && of->devices[of->order[first]].group != group)
        first++;
    if (!of->groups[group].is_split || first == of->device_count)
        return "";
    const fleet_device *d = &of->devices[of->order[first]];
    return fleet_keepf(of, ", such as %s %s", d->node, d->label);
}

static void note_peers(fleet *of)
{
    size_t alone = 0;
    for (size_t i = 0; i < of->group_count; i++) {
        const fleet_group *g = &of->groups[i];
        if (g->has_peers || alone++ >= FLEET_NOTES_MAX)
            continue;
        const char *first = say_first(of, i);
        fleet_note(of, "%zu device%s of %s%s%s%s ha%s %s: not judged%s", g->device_count,
                   text_plural(g->device_count), g->name, g->label[0] ? " [" : "", g->label,
                   g->label[0] ? "]" : "", g->device_count == 1 ? "s" : "ve",
                   g->device_count == 1 ? "no peers" : "too few peers", first ? first : "");
    }
    if (alone > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more models have too few devices to be judged",
                   alone - FLEET_NOTES_MAX);
}

/* ---- a median of slow devices, or of none ---- */

/* How much slower one half is than the other, as a share, if the median surely lies between them and
 * that matters; else 0. */
static double find_gap(const fleet *of, const kt_fleet_population *p)
{
    const kt_fleet_cell *below = NULL, *above = NULL; /* nearest to the median */
    size_t faster = 0, slower = 0;
    for (size_t k = 0; k < p->count; k++) {
        const kt_fleet_cell *cell = &p->cells[k];
        faster += cell->effect < 0;
        slower += cell->effect > 0;
        if (cell->effect < 0 && (!below || cell->effect > below->effect))
            below = cell;
        if (cell->effect > 0 && (!above || cell->effect < above->effect))
            above = cell;
    }
    /* Of an odd number, or of equal times in the middle, one is the median but for rounding. */
    if (!below || !above || faster != slower || 2 * faster != p->count ||
        !(below->high < above->low))
        return 0;
    double gap = above->time_ns / below->time_ns - 1;
    return gap > of->min_effect ? gap : 0;
}

static void note_median(fleet *of)
{
    size_t doubtful = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        const kt_fleet_population *p = &of->populations[i];
        const fleet_workload *w = &of->workloads[i];
        double gap = find_gap(of, p);
        if (gap > 0) {
            if (doubtful++ < FLEET_NOTES_MAX)
                fleet_note(of,
                           "%s: the median lies in a gap of %.2g %%: one half of the devices is "
                           "that much slower than the other",
                           w->label, 100 * gap);
            continue;
        }
        size_t fast = 0;
        for (size_t k = 0; k < p->count; k++)
            fast += p->cells[k].high < -of->min_effect; /* NaN is not */
        if (!fast || FAST_PART * fast < p->count || doubtful++ >= FLEET_NOTES_MAX)
            continue;
        fleet_note(of,
                   "%s: %zu of %zu devices %s more than %.3g %% faster than the median, so it may "
                   "be of slow ones",
                   w->label, fast, p->count, fast == 1 ? "is" : "are", 100 * of->min_effect);
    }
    if (doubtful > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more medians are doubtful", doubtful - FLEET_NOTES_MAX);
    of->is_median_doubtful = doubtful > 0;
}

/* ---- a coarse clock ---- */

static void note_coarse(fleet *of)
{
    size_t coarse = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        const kt_fleet_population *p = &of->populations[i];
        const fleet_workload *w = &of->workloads[i];
        size_t count = 0;
        double most = 0;
        for (size_t k = 0; k < p->count; k++)
            if (fleet_is_coarse(of, &p->cells[k])) {
                most = fmax(most, p->cells[k].resolution_ns / p->cells[k].time_ns);
                count++;
            }
        if (!count || coarse++ >= FLEET_NOTES_MAX)
            continue;
        fleet_note(of, "%s: times of %zu of %zu devices have a resolution of %.2g %%: %s", w->label,
                   count, p->count, 100 * most, fleet_finer_by(w));
    }
    if (coarse > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more workloads have times that are too coarse",
                   coarse - FLEET_NOTES_MAX);
}

/* ---- noisy devices ---- */

typedef struct noisy_device {
    size_t workload;
    const kt_fleet_cell *cell; /* its noisiest; NULL: none */
    double ratio;              /* to the noise of the others */
} noisy_device;

static void find_noisy(const fleet *of, noisy_device *all)
{
    for (size_t i = 0; i < of->workload_count; i++) {
        const kt_fleet_population *p = &of->populations[i];
        for (size_t k = 0; k < p->count; k++) {
            const kt_fleet_cell *cell = &p->cells[k];
            noisy_device *d = &all[of->cell_devices[cell - of->cells]];
            double ratio = cell->noise / p->noise;
            if (ratio >= NOISY && cell->noise >= of->min_effect / NOISY_PART && ratio > d->ratio)
                *d = (noisy_device){i, cell, ratio};
        }
    }
}

/* How the runs of a cell differ within its files, and its slowest and fastest file. */
typedef struct by_file {
    size_t count, slowest, fastest;
    double most, least; /* means of logarithms */
    double squares;     /* within files */
} by_file;

/* Adds the runs of one file, and returns the row behind them. */
static size_t add_file(const fleet *of, size_t first, by_file *to)
{
    const fleet_row *row = &of->rows[first];
    size_t next = first;
    double sum = 0;
    for (; next < of->row_count && of->rows[next].file == row->file &&
           of->rows[next].device == row->device && of->rows[next].workload == row->workload;
         next++)
        sum += log(of->rows[next].median_ns);
    double mean = sum / (double)(next - first);
    for (size_t i = first; i < next; i++)
        to->squares += pow(log(of->rows[i].median_ns) - mean, 2);
    if (!to->count || mean > to->most) {
        to->most = mean;
        to->slowest = row->file;
    }
    if (!to->count || mean < to->least) {
        to->least = mean;
        to->fastest = row->file;
    }
    to->count++;
    return next;
}

/* The rows of a cell are those from which its medians are, in the same order. */
static by_file list_files_of(const fleet *of, const kt_fleet_cell *cell)
{
    by_file out = {0};
    size_t first = (size_t)(cell->medians_ns - of->medians);
    for (size_t i = first; i < first + cell->run_count;)
        i = add_file(of, i, &out);
    return out;
}

/* Whether files differ, but hardly the runs within them: a repair, or a fault that comes and goes. */
static bool do_files_differ(const by_file *files, const kt_fleet_cell *cell)
{
    double within = (double)cell->run_count - (double)files->count;
    return files->count > 1 && within > 0 &&
           files->squares / within < cell->noise * cell->noise / 4;
}

static void note_noisy_device(fleet *of, const fleet_device *d, const noisy_device *noisy)
{
    const char *label = of->workloads[noisy->workload].label;
    by_file files = list_files_of(of, noisy->cell);
    if (do_files_differ(&files, noisy->cell))
        fleet_note(of, "%s %s: %s: %.2g %% slower in %s than in %s: judge files apart", d->node,
                   d->label, label, 100 * expm1(files.most - files.least),
                   of->files[files.slowest].path, of->files[files.fastest].path);
    else
        fleet_note(of,
                   "%s %s: %s: its runs differ by %.2g %%, those of others by %.2g %%: judged by "
                   "its own",
                   d->node, d->label, label, 100 * noisy->cell->noise,
                   100 * of->populations[noisy->workload].noise);
}

static void note_noisy(fleet *of)
{
    size_t count = 0;
    noisy_device *all = fleet_alloc(of, of->device_count, sizeof *all);
    if (!all)
        return;
    find_noisy(of, all);
    for (size_t i = 0; i < of->device_count && !of->out_of_memory; i++) {
        size_t device = of->order[i];
        if (all[device].cell && count++ < FLEET_NOTES_MAX)
            note_noisy_device(of, &of->devices[device], &all[device]);
    }
    if (count > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more devices differ from run to run more than others",
                   count - FLEET_NOTES_MAX);
    free(all);
}

void fleet_doubt(fleet *of)
{
    find_peers(of);
    note_peers(of);
    note_median(of);
    note_coarse(of);
    note_noisy(of);
}

/* ---- slots ---- */

/* ln of n over k */
static double log_choose(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

/* Probability that of `slow` devices among `all`, at least `met` are among `count` of them. */
static double chance_to_meet(size_t all, size_t slow, size_t count, size_t met)
{
    double sum = 0;
    for (size_t k = met; k <= count && k <= slow; k++)
        if (slow - k <= all - count)
            sum += exp(log_choose(count, k) + log_choose(all - count, slow - k) -
                       log_choose(all, slow));
    return sum;
}

bool fleet_is_common(const fleet *of, const fleet_place *slot)
{
    return slot->slow_nodes > 1 &&
           (double)of->slot_count * chance_to_meet(of->device_count, of->counts.slow,
                                                   slot->device_count, slot->slow_count) <
               BY_CHANCE;
}
