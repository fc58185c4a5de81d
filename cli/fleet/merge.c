/* SPDX-License-Identifier: MIT */
/*
 * merge.c - from rows to answers: which rows count, the times of each workload, an answer for each
 * device.
 *
 * Rows are sorted, never searched, so 100,000 files take about 100 times as long as 1,000.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which rows count ---- */

/* A row with what it is sorted by. */
typedef struct sorted_row {
    fleet_row row;
    size_t number, work;
    const char *place, *started;
} sorted_row;

static int by_measurement(const void *a, const void *b)
{
    const sorted_row *one = a, *other = b;
    int order = fleet_compare_sizes(one->row.device, other->row.device);
    order = order ? order : fleet_compare_sizes(one->work, other->work);
    order = order ? order : fleet_compare_texts(one->place, other->place);
    order = order ? order : fleet_compare_texts(one->started, other->started);
    order = order ? order : fleet_compare_sizes(one->row.file, other->row.file);
    order = order ? order : fleet_compare_sizes(one->row.workload, other->row.workload);
    order = order ? order : (one->row.run > other->row.run) - (one->row.run < other->row.run);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

static bool is_same_measurement(const sorted_row *one, const sorted_row *other)
{
    return one->row.device == other->row.device && one->work == other->work &&
           one->place == other->place;
}

static bool is_repeated(const sorted_row *before, const sorted_row *row)
{
    return row->row.file == before->row.file && row->row.workload == before->row.workload &&
           row->row.run == before->row.run;
}

/* What was left out. */
typedef struct left_out {
    size_t repeated, replaced;
} left_out;

static void note_replaced(fleet *of, size_t old, size_t new, left_out *out)
{
    if (of->files[old].is_replaced)
        return;
    of->files[old].is_replaced = true;
    if (out->replaced++ < FLEET_NOTES_MAX)
        fleet_note(of, "rank %u of job %s has two results: %s counts, %s does not",
                   (unsigned)of->files[old].rank, of->files[old].job, of->files[new].path,
                   of->files[old].path);
}

/* Of the rows of one measurement on a device, by one rank of a job or by none, keeps those that count:
 * each row of a run once, and of a rank the latest file alone. Returns the row behind them. */
static size_t choose_of(fleet *of, const sorted_row *rows, size_t count, size_t first, size_t *kept,
                        left_out *out)
{
    size_t next = first + 1;
    while (next < count && is_same_measurement(&rows[first], &rows[next]))
        next++;
    for (size_t i = first; i < next; i++) {
        const fleet_row *row = &rows[i].row;
        if (i > first && is_repeated(&rows[i - 1], &rows[i]))
            out->repeated++;
        else if (rows[i].place && row->file != rows[next - 1].row.file)
            note_replaced(of, row->file, rows[next - 1].row.file, out);
        else
            of->rows[(*kept)++] = *row;
    }
    return next;
}

static void choose_rows(fleet *of)
{
    size_t kept = 0;
    left_out out = {0};
    sorted_row *rows = fleet_alloc(of, of->row_count, sizeof *rows);
    for (size_t i = 0; rows && i < of->row_count; i++) {
        const fleet_row *row = &of->rows[i];
        const fleet_file *file = &of->files[row->file];
        rows[i] =
            (sorted_row){*row, i, of->workloads[row->workload].work, file->place, file->started};
    }
    if (rows)
        qsort(rows, of->row_count, sizeof *rows, by_measurement);
    for (size_t i = 0; rows && i < of->row_count;)
        i = choose_of(of, rows, of->row_count, i, &kept, &out);
    free(rows);
    if (out.replaced > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more files have results of a rank that has later ones",
                   out.replaced - FLEET_NOTES_MAX);
    if (out.repeated)
        fleet_note(of, "%zu row%s of one name in one run: the first counts", out.repeated,
                   text_plural(out.repeated));
    of->row_count = kept;
}

/* The lower the bit, the worse. */
void fleet_add_problems(fleet_device *device, unsigned problems, size_t file, const char *reason)
{
    if (problems &&
        (!device->problems || (problems & -problems) < (device->problems & -device->problems))) {
        device->problem_file = file;
        device->reason = reason;
    }
    device->problems |= problems;
}

/* What the rows that count tell of their devices and workloads. */
static void take_problems(fleet *of)
{
    for (size_t i = 0; i < of->row_count; i++) {
        const fleet_row *row = &of->rows[i];
        fleet_device *device = &of->devices[row->device];
        fleet_add_problems(device, row->problems, row->file, row->reason);
        device->sample_count += row->sample_count;
        device->left_out += row->left_out;
        device->left_out_for |= row->left_out_for;
        device->throttle |= row->throttle;
        of->workloads[row->workload].is_untimed |=
            isnan(row->median_ns) && !row->is_wall && !(row->problems & FLEET_BAD);
    }
}

/* Row behind those of the same measurement on the same device: choose_rows() has sorted them. Finds
 * whether wall time is its only time. */
static size_t find_times(const fleet *of, size_t first, bool *is_wall_alone)
{
    size_t next = first, work = of->workloads[of->rows[first].workload].work;
    bool has_wall = false, has_device_time = false;
    for (; next < of->row_count && of->rows[next].device == of->rows[first].device &&
           of->workloads[of->rows[next].workload].work == work;
         next++)
        if (!isnan(of->rows[next].median_ns))
            *(of->rows[next].is_wall ? &has_wall : &has_device_time) = true;
    *is_wall_alone = has_wall && !has_device_time;
    return next;
}

/* Keeps rows with a time that counts. Wall time counts for all devices of a group in a measurement of
 * which one of them has no device time. */
static void keep_times(fleet *of)
{
    size_t kept = 0, works = of->by_work.count;
    bool *needs_wall = fleet_alloc(of, of->group_count * works, sizeof *needs_wall);
    for (size_t i = 0, next; needs_wall && i < of->row_count; i = next) {
        const fleet_device *device = &of->devices[of->rows[i].device];
        size_t work = of->workloads[of->rows[i].workload].work;
        bool is_wall_alone;
        next = find_times(of, i, &is_wall_alone);
        needs_wall[device->group * works + work] |=
            is_wall_alone && !(device->problems & FLEET_USELESS);
    }
    for (size_t i = 0; needs_wall && i < of->row_count; i++) {
        const fleet_row *row = &of->rows[i];
        const fleet_device *device = &of->devices[row->device];
        size_t work = of->workloads[row->workload].work;
        if (!isnan(row->median_ns) && !(device->problems & FLEET_USELESS) &&
            (!row->is_wall || needs_wall[device->group * works + work]))
            of->rows[kept++] = *row;
    }
    of->row_count = kept;
    free(needs_wall);
}

/* ---- populations ---- */

/* A text for each label of a group; with the name of the method, it is that of one workload. */
static const char *key_of_label(fleet *of, const fleet_workload *w)
{
    return fleet_keepf(of, "%zu %s", w->group, w->label);
}

/* Notes workloads that no device of a group could time. */
static void note_untimed(fleet *of, const size_t *places)
{
    fleet_index timed = {0}, walls = {0};
    size_t count = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        const fleet_workload *w = &of->workloads[i];
        if (!places[i])
            continue;
        fleet_find(of, &timed, key_of_label(of, w), i);
        if (w->kind == KT_SERIES_WALL)
            fleet_find(of, &walls, fleet_keepf(of, "%zu %zu", w->group, w->work), 1);
    }
    for (size_t i = 0; i < of->workload_count; i++) {
        const fleet_workload *w = &of->workloads[i];
        if (places[i] || !w->is_untimed || fleet_find(of, &timed, key_of_label(of, w), i) != i ||
            count++ >= FLEET_NOTES_MAX)
            continue;
        bool has_wall = fleet_find(of, &walls, fleet_keepf(of, "%zu %zu", w->group, w->work), 0);
        fleet_note(of, "%s: no device of %s has %s", w->label, of->groups[w->group].name,
                   has_wall ? "a device time, so wall time is compared"
                            : "a time: too short to be measured, or not possible");
    }
    if (count > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more workloads have no time on any device of a model",
                   count - FLEET_NOTES_MAX);
    free(timed.entries);
    free(walls.entries);
}

/* Workloads of one label differ in their method alone. */
static void name_methods(fleet *of)
{
    fleet_index labels = {0};
    size_t *first = fleet_alloc(of, of->workload_count, sizeof *first);
    bool *is_alike = fleet_alloc(of, of->workload_count, sizeof *is_alike);
    for (size_t i = 0; first && is_alike && i < of->workload_count && !of->out_of_memory; i++) {
        first[i] = fleet_find(of, &labels, key_of_label(of, &of->workloads[i]), i);
        if (first[i] < i)
            is_alike[i] = is_alike[first[i]] = true;
    }
    for (size_t i = 0; first && is_alike && i < of->workload_count; i++)
        if (is_alike[i])
            of->workloads[i].label = fleet_keepf(of, "%s [%s]", of->workloads[i].label,
                                                 kt_method_name(of->workloads[i].method));
    free(labels.entries);
    free(first);
    free(is_alike);
}

/* Workloads without a time are gone; the others keep their order, by group. */
static void compact_workloads(fleet *of)
{
    size_t *places = fleet_alloc(of, of->workload_count, sizeof *places), kept = 0;
    fleet_workload *all = fleet_alloc(of, of->workload_count, sizeof *all);
    for (size_t i = 0; places && i < of->row_count; i++)
        places[of->rows[i].workload] = 1;
    if (places)
        note_untimed(of, places);
    for (size_t group = 0; places && all && group < of->group_count; group++)
        for (size_t i = 0; i < of->workload_count; i++)
            if (of->workloads[i].group == group && places[i]) {
                all[kept] = of->workloads[i];
                places[i] = kept++;
            }
    for (size_t i = 0; places && all && i < of->row_count; i++)
        of->rows[i].workload = places[of->rows[i].workload];
    free(places);
    if (!all)
        return;
    free(of->workloads);
    of->workloads = all;
    of->workload_count = kept;
    name_methods(of);
}

static int by_workload(const void *a, const void *b)
{
    const fleet_row *one = a, *other = b;
    int order = fleet_compare_sizes(one->workload, other->workload);
    order = order ? order : fleet_compare_sizes(one->device, other->device);
    order = order ? order : fleet_compare_sizes(one->file, other->file);
    return order ? order : (one->run > other->run) - (one->run < other->run);
}

/* Fills the cell of the rows from `first`, and returns the row behind them. */
static size_t fill_cell(fleet *of, size_t first, kt_fleet_cell *cell, size_t *median)
{
    const fleet_row *row = &of->rows[first];
    size_t next = first;
    cell->medians_ns = &of->medians[*median];
    for (; next < of->row_count && of->rows[next].workload == row->workload &&
           of->rows[next].device == row->device;
         next++) {
        of->medians[(*median)++] = of->rows[next].median_ns;
        cell->resolution_ns = fmax(cell->resolution_ns, of->rows[next].resolution_ns);
    }
    cell->run_count = next - first;
    return next;
}

static void fill_populations(fleet *of)
{
    of->populations = fleet_alloc(of, of->workload_count, sizeof *of->populations);
    of->cells = fleet_alloc(of, of->row_count, sizeof *of->cells);
    of->cell_devices = fleet_alloc(of, of->row_count, sizeof *of->cell_devices);
    of->medians = fleet_alloc(of, of->row_count, sizeof *of->medians);
    if (of->out_of_memory)
        return;
    size_t cells = 0, median = 0;
    if (of->row_count)
        qsort(of->rows, of->row_count, sizeof *of->rows, by_workload);
    for (size_t i = 0; i < of->row_count; cells++) {
        const fleet_row *row = &of->rows[i];
        kt_fleet_population *population = &of->populations[row->workload];
        if (!population->count++)
            population->cells = &of->cells[cells];
        of->cell_devices[cells] = row->device;
        i = fill_cell(of, i, &of->cells[cells], &median);
    }
}

/* Finds the cells of each device: counts them, then fills its part of the list. */
static void index_cells(fleet *of)
{
    size_t count = 0, first = 0;
    for (size_t i = 0; i < of->workload_count && !of->out_of_memory; i++)
        count += of->populations[i].count;
    of->cell_workloads = fleet_alloc(of, count, sizeof *of->cell_workloads);
    of->device_cells = fleet_alloc(of, count, sizeof *of->device_cells);
    if (of->out_of_memory)
        return;
    for (size_t cell = 0; cell < count; cell++)
        of->devices[of->cell_devices[cell]].cell_count++;
    for (size_t i = 0; i < of->device_count; i++) {
        fleet_device *d = &of->devices[i];
        d->first_cell = first;
        first += d->cell_count;
        d->cell_count = 0;
    }
    for (size_t i = 0; i < of->workload_count; i++)
        for (size_t k = 0; k < of->populations[i].count; k++) {
            size_t cell = (size_t)(&of->populations[i].cells[k] - of->cells);
            fleet_device *d = &of->devices[of->cell_devices[cell]];
            of->cell_workloads[cell] = i;
            of->device_cells[d->first_cell + d->cell_count++] = cell;
        }
}

/* ---- answers ---- */

static int rank_of_answer(kt_fleet_answer answer)
{
    return answer == KT_FLEET_SLOW ? 2 : answer == KT_FLEET_UNDECIDED;
}

/* NaN is below all. */
static bool is_worse(const kt_fleet_cell *one, const kt_fleet_cell *other)
{
    int order = rank_of_answer(one->answer) - rank_of_answer(other->answer);
    if (order)
        return order > 0;
    return isnan(other->effect) ? !isnan(one->effect) : one->effect > other->effect;
}

static void take_answers(fleet *of)
{
    for (size_t i = 0; i < of->workload_count; i++) {
        const kt_fleet_population *p = &of->populations[i];
        fleet_workload *w = &of->workloads[i];
        w->device_count = p->count;
        w->runs_min = UINT32_MAX;
        for (size_t k = 0; k < p->count; k++) {
            const kt_fleet_cell *cell = &p->cells[k];
            fleet_device *device = &of->devices[of->cell_devices[cell - of->cells]];
            w->runs_min = cell->run_count < w->runs_min ? (uint32_t)cell->run_count : w->runs_min;
            w->runs_max = cell->run_count > w->runs_max ? (uint32_t)cell->run_count : w->runs_max;
            w->slow_count += cell->answer == KT_FLEET_SLOW;
            if (!device->cell || is_worse(cell, device->cell)) {
                device->cell = cell;
                device->workload = i;
            }
        }
    }
}

size_t fleet_slow_count(const fleet *of, const fleet_device *device)
{
    size_t slow = 0;
    for (size_t i = 0; i < device->cell_count; i++)
        slow += fleet_cell_of(of, device, i)->answer == KT_FLEET_SLOW;
    return slow;
}

static bool has_device_time(const fleet *of, const fleet_device *d, size_t work)
{
    for (size_t i = 0; i < d->cell_count; i++) {
        const fleet_workload *w = &of->workloads[fleet_workload_of(of, fleet_cell_of(of, d, i))];
        if (w->work == work && w->kind != KT_SERIES_WALL)
            return true;
    }
    return false;
}

/* Devices of its group without a time in a workload. `has` has for each device the last workload in
 * which it has one, plus 1. */
static void find_missing_times_in(fleet *of, size_t number, size_t *has)
{
    fleet_workload *w = &of->workloads[number];
    const kt_fleet_population *p = &of->populations[number];
    for (size_t k = 0; k < p->count; k++)
        has[of->cell_devices[&p->cells[k] - of->cells]] = number + 1;
    for (size_t i = 0; i < of->device_count; i++) {
        fleet_device *device = &of->devices[i];
        if (device->group != w->group || has[i] == number + 1 || device->problems & FLEET_USELESS ||
            (w->kind == KT_SERIES_WALL && has_device_time(of, device, w->work)))
            continue;
        if (!w->missing_count++ ||
            (fleet_is_bad(&of->devices[w->first_missing]) && !fleet_is_bad(device)))
            w->first_missing = i; /* what is bad is named in any case */
        /* Ranks of one program may well run different kernels. */
        if (device->missing_in == FLEET_NONE && !w->is_traced)
            device->missing_in = number;
    }
}

static void find_missing_times(fleet *of)
{
    size_t *has = fleet_alloc(of, of->device_count, sizeof *has);
    size_t *wanted = fleet_alloc(of, of->group_count, sizeof *wanted);
    for (size_t i = 0; has && wanted && i < of->device_count; i++)
        wanted[of->devices[i].group] += !(of->devices[i].problems & FLEET_USELESS);
    for (size_t i = 0; has && wanted && i < of->workload_count; i++)
        if (of->populations[i].count < wanted[of->workloads[i].group])
            find_missing_times_in(of, i, has);
    free(has);
    free(wanted);
}

static fleet_device_answer answer_of(const fleet_device *d)
{
    if (d->problems & FLEET_WRONG)
        return FLEET_ANSWER_WRONG;
    if (d->problems & FLEET_TWICE)
        return FLEET_ANSWER_TWICE;
    if (d->cell && d->cell->answer == KT_FLEET_SLOW)
        return FLEET_ANSWER_SLOW;
    if (d->problems & FLEET_FAILED)
        return FLEET_ANSWER_FAILED;
    return d->cell && d->cell->answer == KT_FLEET_GOOD && d->missing_in == FLEET_NONE
               ? FLEET_ANSWER_GOOD
               : FLEET_ANSWER_UNDECIDED;
}

static void answer_devices(fleet *of)
{
    size_t counts[FLEET_ANSWER_COUNT] = {0};
    fleet_counts *c = &of->counts;
    for (size_t i = 0; i < of->device_count; i++) {
        fleet_device *d = &of->devices[i];
        d->answer = answer_of(d);
        counts[d->answer]++;
        c->throttled += (d->problems & FLEET_THROTTLED) != 0;
        if (d->answer == FLEET_ANSWER_UNDECIDED && d->missing_in != FLEET_NONE)
            d->reason = fleet_keepf(of, "no time in %s", of->workloads[d->missing_in].label);
        else if (d->answer == FLEET_ANSWER_UNDECIDED && !d->cell)
            d->reason = "no time";
        else if (d->answer == FLEET_ANSWER_UNDECIDED && fleet_is_coarse(of, d->cell))
            d->reason = fleet_keepf(of, "clock resolution of %.2g %% of %s: %s",
                                    100 * d->cell->resolution_ns / d->cell->time_ns,
                                    of->workloads[d->workload].label,
                                    fleet_finer_by(&of->workloads[d->workload]));
    }
    c->devices = of->device_count;
    c->good = counts[FLEET_ANSWER_GOOD];
    c->undecided = counts[FLEET_ANSWER_UNDECIDED];
    c->failed = counts[FLEET_ANSWER_FAILED];
    c->slow = counts[FLEET_ANSWER_SLOW];
    c->twice = counts[FLEET_ANSWER_TWICE];
    c->wrong = counts[FLEET_ANSWER_WRONG];
}

/* ---- missing times ---- */

static void note_missing_times(fleet *of)
{
    size_t missing = 0;
    for (size_t i = 0; i < of->workload_count; i++) {
        const fleet_workload *w = &of->workloads[i];
        if (!w->missing_count || missing++ >= FLEET_NOTES_MAX)
            continue;
        const fleet_device *first = &of->devices[w->first_missing];
        fleet_note(of, "%s: %zu of %zu devices of %s %s no time, such as %s %s", w->label,
                   w->missing_count, w->device_count + w->missing_count, of->groups[w->group].name,
                   w->missing_count == 1 ? "has" : "have", first->node, first->label);
    }
    if (missing > FLEET_NOTES_MAX)
        fleet_note(of, "%zu more workloads have no time on some devices of a model",
                   missing - FLEET_NOTES_MAX);
}

/* "n01 cuda:0 (12 %, thermal)" */
static void put_throttled(FILE *file, const fleet_device *d, bool is_left_out)
{
    char names[KT_THROTTLE_NAMES_BYTES];
    kt_throttle_names(is_left_out ? d->left_out_for : d->throttle, names, sizeof names);
    fprintf(file, "%s %s (", d->node, d->label);
    if (is_left_out)
        fprintf(file, "%.2g %%%s", 100 * fleet_left_out(d), *names ? ", " : "");
    fprintf(file, "%s)", names);
}

/* True if throttling cost the device samples (`is_left_out`), or may have made it slow. */
static bool is_throttled(const fleet_device *d, bool is_left_out)
{
    return is_left_out ? (d->problems & FLEET_THROTTLED) != 0 : fleet_is_slow(d) && d->throttle;
}

/* Which devices, in order: all with --verbose. */
static void note_throttled(fleet *of, bool is_left_out)
{
    size_t most = of->options->verbose ? SIZE_MAX : FLEET_NOTES_MAX, count = 0;
    char *names = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&names, &bytes);
    for (size_t i = 0; file && i < of->device_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        if (!is_throttled(d, is_left_out) || count++ >= most)
            continue;
        fputs(count > 1 ? ", " : "", file);
        put_throttled(file, d, is_left_out);
    }
    if (count > most)
        fprintf(file, " and %zu more", count - most);
    if (file && fclose(file) == 0 && count)
        fleet_note(
            of,
            is_left_out
                ? "%zu device%s ran at a lower clock for some samples, which do not count: %s"
                : "%zu slow device%s ran at a lower clock meanwhile: %s",
            count, text_plural(count), names);
    free(names);
}

static int refuse_for_memory(void)
{
    fprintf(stderr, "kerntime fleet: out of memory\n");
    return EXIT_FAILED;
}

static bool judge(fleet *of)
{
    return kt_fleet_judge(of->populations, of->workload_count, of->min_effect, of->alpha) == KT_OK;
}

int fleet_merge(fleet *of)
{
    fleet_name_groups(of);
    fleet_check_ranks(of);
    choose_rows(of);
    take_problems(of);
    keep_times(of);
    compact_workloads(of);
    fill_populations(of);
    index_cells(of);
    if (of->out_of_memory)
        return refuse_for_memory();
    if (!judge(of)) {
        fprintf(stderr, "kerntime fleet: %s\n", kt_error_text());
        return EXIT_FAILED;
    }
    take_answers(of);
    find_missing_times(of);
    answer_devices(of);
    fleet_sort(of);
    note_missing_times(of);
    note_throttled(of, true);
    note_throttled(of, false);
    fleet_doubt(of);
    return of->out_of_memory ? refuse_for_memory() : EXIT_DONE;
}
