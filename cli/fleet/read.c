/* SPDX-License-Identifier: MIT */
/*
 * read.c - result files to rows. Each file is freed before the next one is read, so that memory
 * grows with the rows alone.
 */
#include "cli/fleet/commands.h"
#include "cli/output/text.h"
#include "cli/result_file/read_result.h"
#include "cli/terminal/folder.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX   5 /* files that a note names, before it counts */
#define TIME_MIN_NS 1e-6
#define TIME_MAX_NS 1e18 /* 32 years */

/* ---- which files ---- */

typedef struct listing {
    fleet *of;
    const char *folder;
} listing;

static void add_file(fleet *of, const char *path)
{
    fleet_file *file = fleet_add(of, &of->files, &of->file_count, &of->file_room, sizeof *file);
    if (file)
        file->path = path;
}

static void take_name(void *user, const char *name)
{
    const listing *l = user;
    size_t length = strlen(name);
    if (name[0] == '.' || length < 6 || strcmp(name + length - 5, ".json") != 0)
        return;
    size_t folder = strlen(l->folder);
    while (folder > 1 && l->folder[folder - 1] == '/')
        folder--;
    bool is_root = folder == 1 && l->folder[0] == '/';
    add_file(l->of,
             fleet_keepf(l->of, "%.*s%s%s", (int)folder, l->folder, is_root ? "" : "/", name));
}

static int by_path(const void *a, const void *b)
{
    const fleet_file *one = a, *other = b;
    return strcmp(one->path, other->path);
}

static int list_operand(fleet *of, const char *path)
{
    listing l = {of, path};
    switch (folder_list(path, take_name, &l)) {
    case FOLDER_LISTED: return EXIT_DONE;
    case FOLDER_NONE: add_file(of, fleet_keep(of, path)); return EXIT_DONE;
    default: fleet_say("%s: it cannot be opened: %s", path, strerror(errno)); return EXIT_USAGE;
    }
}

/* Whether a file was named before, perhaps by another path. */
static bool is_known(fleet *of, const char *path, size_t number)
{
    char id[FILE_ID_BYTES];
    return folder_file_is(path, id) && fleet_find(of, &of->by_inode, id, number) != number;
}

/* Sorted, so that the order of names in a folder, which is any, changes nothing. */
static int list_files(fleet *of)
{
    const cli_options *o = of->options;
    int code = EXIT_DONE;
    for (int i = 0; i < o->operand_count && code == EXIT_DONE; i++)
        code = list_operand(of, o->operands[i]);
    if (code != EXIT_DONE || of->out_of_memory)
        return code;
    size_t kept = 0;
    if (of->file_count)
        qsort(of->files, of->file_count, sizeof *of->files, by_path);
    for (size_t i = 0; i < of->file_count && o->operand_count > 1; i++)
        if (!is_known(of, of->files[i].path, kept))
            of->files[kept++] = of->files[i];
    of->file_count = o->operand_count > 1 ? kept : of->file_count;
    return EXIT_DONE;
}

/* ---- one file ---- */

static const char *known(const char *text)
{
    return text ? text : "";
}

/* Whether its rank is one of several: a batch script of Slurm has rank 0, and no size. */
static bool has_rank(const kt_launch *launch)
{
    bool is_batch = launch->size == KT_LAUNCH_UNKNOWN && launch->rank == 0 &&
                    strcmp(launch->variable, "SLURM_PROCID") == 0;
    return launch->size > 1 && !is_batch;
}

static void take_origin(fleet *of, fleet_file *file, const kt_report_desc *desc)
{
    const kt_report_origin *origin = desc->origin;
    const kt_launch *launch = origin->launch;
    const char *node = launch && launch->node[0] ? launch->node : origin->host;
    file->node = fleet_keep(of, node && *node ? node : "?");
    file->is_anonymous = !(node && *node) && !known(origin->boot_id)[0];
    file->started = fleet_keep(of, origin->started);
    file->is_step = launch && launch->node[0];
    if (of->options->fleet.again)
        file->command = fleet_repeat(of, desc, &file->not_repeated);
    if (!launch)
        return;
    file->variable = fleet_keep(of, launch->variable);
    if (!has_rank(launch))
        return;
    file->rank = launch->rank;
    file->size = launch->size;
    file->job = fleet_keep(of, launch->job);
    file->job_key = fleet_keepf(of, "%s/%u", launch->job, (unsigned)launch->size);
    if (launch->job[0])
        file->place = fleet_keepf(of, "%s/%u", file->job_key, (unsigned)launch->rank);
}

/* What a device is known by. UUIDs of CUDA are the device's own; those of other APIs are made of the
 * bus address, so that equal hosts have equal ones. Two hosts may have one name, and a host several,
 * as in containers: its start tells. */
static const char *key_of(fleet *of, size_t number, const kt_device_info *info,
                          const kt_report_origin *origin)
{
    const fleet_file *file = &of->files[number];
    if (info->uuid[0] && strcmp(info->backend, "cuda") == 0)
        return fleet_keepf(of, "uuid %s", info->uuid);
    if (info->serial[0])
        return fleet_keepf(of, "serial %s", info->serial);
    const char *boot_id = known(origin->boot_id);
    return fleet_keepf(of, "%zu\n%s\n%s\n%s\n%s", file->is_anonymous ? number : 0,
                       *boot_id ? boot_id : file->node, info->uuid, info->pci_address, info->id);
}

static size_t take_group(fleet *of, const kt_device_info *info, const kt_device_state *state)
{
    fleet_settings s = fleet_settings_of(state);
    size_t next = of->group_count;
    const char *key =
        fleet_keepf(of, "%s\n%s\n%" PRId64 "\n%" PRId64 "\n%" PRId64, info->name, info->driver,
                    s.power_limit_w, s.clocks_locked, s.core_clock_max_mhz);
    size_t group = fleet_find(of, &of->by_group, key, next);
    fleet_group *added =
        group == next ? fleet_add(of, &of->groups, &of->group_count, &of->group_room, sizeof *added)
                      : NULL;
    if (added)
        *added = (fleet_group){.name = fleet_keep(of, info->name),
                               .driver = fleet_keep(of, info->driver),
                               .settings = s};
    return group;
}

static size_t take_device(fleet *of, size_t file, const kt_report *report, uint32_t number)
{
    const fleet_file *from = &of->files[file];
    const kt_device_info *info = kt_report_device(report, number);
    const kt_report_origin *origin = kt_report_get_desc(report)->origin;
    size_t group = take_group(of, info, kt_report_device_state(report, number));
    size_t next = of->device_count;
    /* A device whose driver or settings changed is another one, since groups are never mixed. */
    const char *key = fleet_keepf(of, "%zu %s", group, known(key_of(of, file, info, origin)));
    size_t device = fleet_find(of, &of->by_device, key, next);
    fleet_device *added = device == next ? fleet_add(of, &of->devices, &of->device_count,
                                                     &of->device_room, sizeof *added)
                                         : NULL;
    if (!added)
        return device;
    *added = (fleet_device){.node = from->node,
                            .id = fleet_keep(of, info->id),
                            .uuid = fleet_keep(of, info->uuid),
                            .pci_address = fleet_keep(of, info->pci_address),
                            .serial = fleet_keep(of, info->serial),
                            .boot_id = fleet_keep(of, known(origin->boot_id)),
                            .group = group,
                            .file = file,
                            .problem_file = file,
                            .workload = FLEET_NONE,
                            .missing_in = FLEET_NONE};
    added->slot = info->pci_address[0] ? added->pci_address : added->id;
    if (group != FLEET_NONE && !of->out_of_memory)
        of->groups[group].device_count++;
    return device;
}

/* ---- its rows ---- */

static const char *label_of(fleet *of, const kt_series *series)
{
    bool has_step = !kt_series_is_wall(series) && strcmp(series->step, series->workload) != 0;
    return fleet_keepf(of, "%s%s%s%s%s%s%s", series->name, series->variant ? " " : "",
                       known(series->variant), has_step ? " " : "", has_step ? series->step : "",
                       series->cold ? " cold" : "", kt_series_is_wall(series) ? " wall" : "");
}

/* All rows of a measurement have one number, those of a failed one, too. */
static size_t number_of_work(fleet *of, const kt_series *series)
{
    return fleet_find(
        of, &of->by_work,
        fleet_keepf(of, "%s\n%s\n%d", series->name, known(series->variant), series->cold),
        of->by_work.count);
}

static size_t take_workload(fleet *of, size_t file, const kt_series *series, size_t group)
{
    size_t next = of->workload_count;
    const char *key =
        fleet_keepf(of, "%zu\n%s\n%s\n%s\n%d\n%d\n%d", group, series->name, known(series->variant),
                    series->step, (int)series->kind, (int)series->method, series->cold);
    size_t found = fleet_find(of, &of->by_workload, key, next);
    fleet_workload *added = found == next ? fleet_add(of, &of->workloads, &of->workload_count,
                                                      &of->workload_room, sizeof *added)
                                          : NULL;
    if (added)
        *added = (fleet_workload){.label = label_of(of, series),
                                  .name = fleet_keep(of, series->name),
                                  .variant = fleet_keep(of, series->variant),
                                  .step = fleet_keep(of, series->step),
                                  .kind = series->kind,
                                  .method = series->method,
                                  .is_cold = series->cold != 0,
                                  .is_traced = of->files[file].is_traced,
                                  .work = number_of_work(of, series),
                                  .group = group};
    return found;
}

/* "it ran at a lower clock (thermal)" */
static const char *say_throttled(fleet *of, uint32_t reasons)
{
    char names[KT_THROTTLE_NAMES_BYTES];
    kt_throttle_names(reasons & KT_THROTTLE_MASK, names, sizeof names);
    return fleet_keepf(of, "it ran at a lower clock%s%s%s", *names ? " (" : "", names,
                       *names ? ")" : "");
}

/* What hindered a row, and a clause on it. */
static unsigned problems_of(fleet *of, const kt_series *series, const char **reason)
{
    unsigned problems = series->wrong                         ? FLEET_WRONG
                        : series->status == KT_SERIES_FAILED  ? FLEET_FAILED
                        : series->status == KT_SERIES_PARTIAL ? FLEET_PARTIAL
                                                              : 0;
    if (series->discarded[KT_TIMESTAMP_THROTTLED])
        problems |= FLEET_THROTTLED;
    const char *error = known(series->error);
    if (problems)
        *reason =
            fleet_keepf(of, "%s: %s", series->name,
                        *error                       ? error
                        : problems & FLEET_BAD       ? "it failed"
                        : problems & FLEET_THROTTLED ? say_throttled(of, series->state.left_out)
                                                     : "samples are missing");
    return problems;
}

static bool is_judged(const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    return role == KT_ROLE_KERNEL || role == KT_ROLE_COPY || role == KT_ROLE_WALL;
}

static bool has_time(const kt_series *series)
{
    return (series->status == KT_SERIES_OK || series->status == KT_SERIES_PARTIAL) &&
           series->summary.median > 0;
}

static void take_row(fleet *of, size_t file, size_t device, const kt_series *series)
{
    if (device == FLEET_NONE || !is_judged(series) || of->out_of_memory)
        return;
    bool is_wall = kt_series_is_wall(series) != 0;
    const char *reason = NULL;
    unsigned problems = problems_of(of, series, &reason);
    if (is_wall && !has_time(series) && !problems)
        return; /* no time that its steps lack */
    size_t which = take_workload(of, file, series, of->devices[device].group);
    fleet_row *row = fleet_add(of, &of->rows, &of->row_count, &of->row_room, sizeof *row);
    if (row)
        *row = (fleet_row){.workload = which,
                           .device = device,
                           .file = file,
                           .run = series->run,
                           .problems = problems,
                           .is_wall = is_wall,
                           .median_ns = has_time(series) ? series->summary.median : NAN,
                           .resolution_ns = is_wall ? NAN : series->summary.resolution,
                           .reason = reason,
                           .sample_count = series->discarded[KT_TIMESTAMP_OK],
                           .left_out = series->discarded[KT_TIMESTAMP_THROTTLED],
                           .left_out_for = series->state.left_out & KT_THROTTLE_MASK,
                           .throttle = series->state.throttle & KT_THROTTLE_MASK};
}

/* Only devices with rows: a file may list others. */
static void take_rows(fleet *of, size_t file, const kt_report *report)
{
    uint32_t count = kt_report_series_count(report), devices = kt_report_device_count(report);
    size_t device = FLEET_NONE;
    const char *last = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const kt_series *series = kt_report_series(report, i);
        if (!last || strcmp(last, series->device) != 0) {
            device = FLEET_NONE;
            for (uint32_t k = 0; k < devices && device == FLEET_NONE; k++)
                if (strcmp(kt_report_device(report, k)->id, series->device) == 0)
                    device = take_device(of, file, report, k);
        }
        last = series->device;
        take_row(of, file, device, series);
    }
}

/* The first time that no clock can have measured: their ratio may be no double. NULL: none. */
static const kt_series *find_absurd(const kt_report *report)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++) {
        const kt_series *series = kt_report_series(report, i);
        double median = series->summary.median;
        if (is_judged(series) && has_time(series) && (median < TIME_MIN_NS || median > TIME_MAX_NS))
            return series;
    }
    return NULL;
}

/* Why a file that was read does not count; NULL: it does. */
static const char *refuse(fleet *of, size_t number, const kt_report *report, read_kind kind)
{
    fleet_file *file = &of->files[number];
    const kt_report_desc *desc = kt_report_get_desc(report);
    if (kind == READ_REGISTRY || kind == READ_TRACE)
        return kind == READ_TRACE ? "it is a time line, not a result"
                                  : "it is what a program recorded of itself, not a result";
    if (strcmp(desc->document, "result") != 0)
        return strcmp(desc->document, "doctor") == 0 ? "it is what \"kerntime doctor\" found"
                                                     : "it is a list of devices";
    file->is_incomplete = kt_report_series_count(report) == 0;
    if (file->is_incomplete)
        return "it has no times";
    const kt_series *absurd = find_absurd(report);
    file->is_incomplete = absurd != NULL;
    if (absurd)
        return fleet_keepf(of, "%s: a time of %.3g ns is not possible", absurd->name,
                           absurd->summary.median);
    if (!desc->origin->id)
        return NULL;
    size_t same = fleet_find(of, &of->by_document, desc->origin->id, number);
    return same == number || same == FLEET_NONE
               ? NULL
               : fleet_keepf(of, "it is a copy of %s, which counts once", of->files[same].path);
}

static void read_one(fleet *of, size_t number)
{
    fleet_file *file = &of->files[number];
    kt_report *report = NULL;
    read_kind kind = READ_RESULT;
    char reason[READ_REASON_BYTES];
    int result = read_medians_file(file->path, &kind, &report, reason);
    if (result == READ_NO_MEMORY)
        of->out_of_memory = true;
    file->is_incomplete = result == READ_REFUSED;
    file->is_fleet = result == READ_FLEET;
    file->problem = result == READ_DONE ? refuse(of, number, report, kind) : fleet_keep(of, reason);
    of->counts.incomplete += file->is_incomplete;
    if (!file->problem) {
        file->is_traced = kind == READ_TRACED;
        take_origin(of, file, kt_report_get_desc(report));
        take_rows(of, number, report);
        of->counts.read++;
    }
    kt_report_destroy(&report);
}

/* The first ones by name, those that should be results before others. */
static void note_refused(fleet *of)
{
    bool is_all = of->options->verbose;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < of->file_count; i++)
            if (of->files[i].problem && of->files[i].is_incomplete == (pass == 0) &&
                (count++ < NAMED_MAX || is_all))
                fleet_note(of, "%s: %s", of->files[i].path, of->files[i].problem);
    if (count > NAMED_MAX && !is_all)
        fleet_note(of, "%zu more file%s did not count, either: --verbose names them",
                   count - NAMED_MAX, text_plural(count - NAMED_MAX));
}

static void note_anonymous(fleet *of)
{
    size_t count = 0;
    for (size_t i = 0; i < of->file_count; i++)
        count += of->files[i].is_anonymous;
    if (count)
        fleet_note(of, "%zu file%s no host: each of %s devices counts as one of its own", count,
                   count == 1 ? " names" : "s name", count == 1 ? "its" : "their");
}

int fleet_read(fleet *of)
{
    int code = list_files(of);
    if (code != EXIT_DONE)
        return code;
    for (size_t i = 0; i < of->file_count && !of->out_of_memory; i++)
        read_one(of, i);
    if (of->out_of_memory)
        return EXIT_DONE; /* fleet_merge() says so */
    note_refused(of);
    note_anonymous(of);
    if (of->counts.read)
        return EXIT_DONE;
    if (!of->file_count)
        fleet_say("%s: no file in it ends in .json; folders in it are not searched: name them",
                  of->options->operands[0]);
    else
        fleet_say("no result in %zu file%s: %s: %s", of->file_count, text_plural(of->file_count),
                  of->files[0].path, of->files[0].problem);
    return EXIT_USAGE;
}
