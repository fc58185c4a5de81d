/* SPDX-License-Identifier: MIT */
/* ranks.c - ranks of jobs: which left no result, and which measured one device together. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"
#include "cli/terminal/ranges.h"

#include <stdlib.h>

/* ---- who was there ---- */

/* A rank of a job, and what it measured. */
typedef struct attendance {
    const char *job_key;
    uint32_t rank;
    size_t device, file;
} attendance;

static int by_device_and_job(const void *a, const void *b)
{
    const attendance *one = a, *other = b;
    int order = fleet_compare_sizes(one->device, other->device);
    order = order ? order : fleet_compare_texts(one->job_key, other->job_key);
    order = order ? order : (one->rank > other->rank) - (one->rank < other->rank);
    return order ? order : fleet_compare_sizes(one->file, other->file);
}

static int by_job_and_rank(const void *a, const void *b)
{
    const attendance *one = a, *other = b;
    int order = fleet_compare_texts(one->job_key, other->job_key);
    return order ? order : (one->rank > other->rank) - (one->rank < other->rank);
}

/* Each rank with each of its devices. NULL: out of memory. */
static attendance *list_ranks(fleet *of, size_t *count)
{
    attendance *all = fleet_alloc(of, of->row_count, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < of->row_count; i++) {
        const fleet_row *row = &of->rows[i];
        const fleet_file *file = &of->files[row->file];
        bool is_next = i == 0 || row[-1].file != row->file || row[-1].device != row->device;
        if (file->job_key && is_next)
            all[(*count)++] = (attendance){file->job_key, file->rank, row->device, row->file};
    }
    return all;
}

/* ---- measured twice ---- */

/* Ranks of one job that measured one device, sorted. NULL: it is one rank, or memory ran out. */
static const char *join_ranks(fleet *of, const attendance *ranks, size_t count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *list = ranks[0].rank != ranks[count - 1].rank ? open_memstream(&text, &bytes) : NULL;
    if (!list)
        return NULL;
    uint32_t first = ranks[0].rank, next = first + 1;
    for (size_t i = 1; i < count; i++) {
        if (ranks[i].rank > next) {
            ranges_put(list, first, next);
            first = ranks[i].rank;
        }
        next = ranks[i].rank + 1;
    }
    ranges_put(list, first, next);
    const char *kept = fclose(list) == 0 ? fleet_keep(of, text) : NULL;
    free(text);
    return kept;
}

/* Devices that several ranks of one job measured, at the same time for all we know. Without a name,
 * jobs of one size cannot be told apart: their files are further runs. */
static void find_twice(fleet *of, attendance *all, size_t count)
{
    qsort(all, count, sizeof *all, by_device_and_job);
    for (size_t first = 0, next; first < count; first = next) {
        const attendance *one = &all[first];
        for (next = first + 1; next < count && all[next].device == one->device &&
                               fleet_compare_texts(all[next].job_key, one->job_key) == 0;)
            next++;
        const char *job = of->files[one->file].job;
        const char *ranks = job[0] ? join_ranks(of, one, next - first) : NULL;
        if (ranks)
            fleet_add_problems(&of->devices[one->device], FLEET_TWICE, one->file,
                               fleet_keepf(of, "ranks %s of job %s measured it", ranks, job));
    }
}

/* ---- missing ranks ---- */

/* Those that are not among `count` sorted ones of one job; of an unknown size, those between them.
 * Returns whether the size is known. */
static bool find_missing_of(fleet *of, const attendance *ranks, size_t count)
{
    const fleet_file *file = &of->files[ranks->file];
    char *text = NULL;
    size_t bytes = 0;
    bool has_size = file->size != KT_LAUNCH_UNKNOWN;
    uint32_t next = has_size ? 0 : ranks->rank, missing = 0;
    FILE *list = open_memstream(&text, &bytes);
    if (!list) {
        of->out_of_memory = true;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (ranks[i].rank < next)
            continue;
        ranges_put(list, next, ranks[i].rank);
        missing += ranks[i].rank - next;
        next = ranks[i].rank + 1;
    }
    if (has_size) {
        ranges_put(list, next, file->size);
        missing += next < file->size ? file->size - next : 0;
    }
    fclose(list);
    fleet_missing *added =
        missing ? fleet_add(of, &of->missing, &of->missing_count, &of->missing_room, sizeof *added)
                : NULL;
    if (added)
        *added = (fleet_missing){file->job, file->size, missing, fleet_keep(of, text)};
    of->counts.missing += missing;
    free(text);
    return has_size;
}

static void find_missing(fleet *of, attendance *all, size_t count)
{
    size_t unknown = 0;
    const attendance *last = NULL; /* of the first job of unknown size */
    qsort(all, count, sizeof *all, by_job_and_rank);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1;
             next < count && fleet_compare_texts(all[next].job_key, all[first].job_key) == 0;)
            next++;
        if (!find_missing_of(of, &all[first], next - first) && !unknown++)
            last = &all[next - 1];
    }
    const char *job = unknown ? of->files[last->file].job : "";
    if (unknown == 1)
        fleet_note(of,
                   "the number of ranks%s%s is unknown: those after rank %u would not be missed",
                   job[0] ? " of job " : "", job, (unsigned)last->rank);
    else if (unknown)
        fleet_note(
            of,
            "the numbers of ranks of %zu jobs are unknown: those after the last rank of each "
            "would not be missed",
            unknown);
}

void fleet_check_ranks(fleet *of)
{
    size_t count = 0;
    attendance *all = list_ranks(of, &count);
    if (all && count) {
        find_twice(of, all, count);
        find_missing(of, all, count);
    }
    free(all);
}
