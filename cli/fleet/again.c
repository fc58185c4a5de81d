/* SPDX-License-Identifier: MIT */
/*
 * again.c - the commands of --again: they measure suspects once more, and so many good devices
 * beside them that the median of the new files is that of a good one. They are printed, never run.
 *
 * Each suspect is measured by the command of the file in which it was worst. Its good neighbours are
 * of the same group, and on the same node where there are such.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/commands.h"
#include "cli/output/text.h"
#include "cli/terminal/folder.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS_MIN 3 /* good devices beside suspects */
#define FOLDERS_MAX    1000

/* A device to be measured. */
typedef struct target {
    const fleet_device *device;
    const char *node, *command;
    const char *name; /* by which kerntime finds it on its node; NULL: none is sure */
    bool is_by_uuid;  /* the name is its UUID, else its id */
    /* A neighbour is chosen by these. */
    bool is_undecided, is_far;
    double distance; /* from the median, relative */
} target;

typedef struct list {
    const fleet *of;
    FILE *file;
    target *targets;
    size_t count;
    char folder[32]; /* of the new files */
    char present[FOLDER_BYTES];
    size_t unclear; /* suspects without a name */
} list;

/* ---- names of devices ---- */

/* CUDA alone finds devices by UUID. Those of parts of a GPU (MIG) are written in another way, and a
 * process has one of them alone. */
static bool has_uuid(const fleet *of, const fleet_device *d)
{
    return strncmp(d->id, "cuda:", 5) == 0 && !strstr(of->groups[d->group].name, " MIG ") &&
           fleet_is_harmless(d->uuid, "-");
}

/* UUIDs first: a launcher that shows each rank one GPU gives different ones the same id. */
static target make_target(const fleet *of, const fleet_device *d, const char *command)
{
    target out = {.device = d, .node = d->node, .command = command, .is_by_uuid = has_uuid(of, d)};
    if (out.is_by_uuid)
        out.name = d->uuid;
    else if (!d->is_id_shared && fleet_is_harmless(d->id, FLEET_ID_OTHERS))
        out.name = d->id;
    return out;
}

/* Devices of two drivers, or before and after a restart, may be one. */
static bool is_same(const target *one, const target *other)
{
    return one->node == other->node && one->name == other->name && one->command == other->command;
}

static bool is_listed(const target *all, size_t count, const target *one)
{
    for (size_t i = 0; i < count; i++)
        if (is_same(&all[i], one))
            return true;
    return false;
}

/* ---- which command ---- */

/* The file in which each device is worst, or failed. NULL: out of memory. */
static size_t *find_files(const fleet *of)
{
    size_t *files = calloc(of->device_count + 1, sizeof *files);
    for (size_t i = 0; files && i < of->device_count; i++)
        files[i] = of->devices[i].problem_file;
    for (size_t i = 0; files && i < of->row_count; i++) {
        const fleet_row *row = &of->rows[i];
        const fleet_device *d = &of->devices[row->device];
        if (fleet_is_slow(d) && row->workload == d->workload)
            files[row->device] = row->file;
    }
    return files;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Says once of each reason why commands are not repeated. */
static void say_not_repeated(const char **reasons, size_t count)
{
    if (count)
        qsort(reasons, count, sizeof *reasons, by_text);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && reasons[next] == reasons[first];)
            next++;
        fleet_say("--again: %zu device%s left out, whose command cannot be "
                  "repeated: %s",
                  next - first, next - first == 1 ? " is" : "s are", reasons[first]);
    }
}

/* Suspects with a command. false: out of memory. */
static bool add_suspects(list *l)
{
    size_t count, refused = 0;
    fleet_suspect *all = fleet_list_suspects(l->of, &count);
    size_t *files = find_files(l->of);
    const char **reasons = all ? calloc(count + 1, sizeof *reasons) : NULL;
    l->targets = all ? calloc(count + 1, sizeof *l->targets) : NULL;
    bool complete = files && reasons && l->targets;
    for (size_t i = 0; complete && i < count; i++) {
        const fleet_file *file = &l->of->files[files[all[i].device - l->of->devices]];
        target one = make_target(l->of, all[i].device, file->command);
        if (!one.name)
            l->unclear++;
        else if (!one.command)
            reasons[refused++] = file->not_repeated ? file->not_repeated : "it is not known";
        else if (!is_listed(l->targets, l->count, &one))
            l->targets[l->count++] = one;
    }
    if (complete)
        say_not_repeated(reasons, refused);
    free((void *)reasons);
    free(files);
    free(all);
    return complete;
}

/* ---- good neighbours ---- */

static int by_batch(const void *a, const void *b)
{
    const target *one = a, *other = b;
    int order =
        (one->device->group > other->device->group) - (one->device->group < other->device->group);
    order = order ? order : strcmp(one->command, other->command);
    order = order ? order : strcmp(one->node, other->node);
    return order ? order : strcmp(one->device->label, other->device->label);
}

/* Few nodes are better than many; on a node, those in the middle are better than the fastest. */
static int by_choice(const void *a, const void *b)
{
    const target *one = a, *other = b;
    int order = one->is_undecided - other->is_undecided;
    order = order ? order : one->is_far - other->is_far;
    if (!order && one->is_far)
        order = strcmp(one->node, other->node);
    order = order ? order : (one->distance > other->distance) - (one->distance < other->distance);
    return order ? order : (one->device > other->device) - (one->device < other->device);
}

static bool is_candidate(const fleet_device *d, size_t group)
{
    return d->group == group && d->cell && !fleet_is_suspect(d) && !fleet_is_bad(d) &&
           fleet_has_node(d);
}

static bool has_node(const target *suspects, size_t count, const char *node)
{
    for (size_t i = 0; i < count; i++)
        if (suspects[i].node == node)
            return true;
    return false;
}

/* All that can be chosen, the best first. NULL: out of memory. */
static target *list_candidates(const fleet *of, const target *suspects, size_t count, size_t *found)
{
    target *all = calloc(of->device_count + 1, sizeof *all);
    *found = 0;
    for (size_t i = 0; all && i < of->device_count; i++) {
        const fleet_device *d = &of->devices[i];
        target one = make_target(of, d, suspects->command);
        if (!one.name || !is_candidate(d, suspects->device->group))
            continue;
        one.is_undecided = d->answer != FLEET_ANSWER_GOOD;
        one.is_far = !has_node(suspects, count, d->node);
        one.distance = fmin(fabs(d->cell->effect), INFINITY); /* not NaN */
        all[(*found)++] = one;
    }
    if (all && *found)
        qsort(all, *found, sizeof *all, by_choice);
    return all;
}

static void say_few(const fleet *of, const target *suspects, size_t count, size_t good)
{
    if (good > count && good + count >= KT_FLEET_DEVICES_MIN)
        return;
    fleet_say("--again: %zu suspect%s of %s, but %zu good one%s: the new files may not "
              "show who is slow",
              count, text_plural(count), of->groups[suspects->device->group].name, good,
              text_plural(good));
}

/* For `count` suspects of one group and one command. false: out of memory. */
static bool add_neighbours(list *l, size_t first, size_t count)
{
    size_t wanted = 2 * count + 1, found, good = 0;
    target *all = list_candidates(l->of, &l->targets[first], count, &found);
    wanted = wanted < NEIGHBOURS_MIN ? NEIGHBOURS_MIN : wanted;
    wanted = wanted > found ? found : wanted;
    target *more = all ? realloc(l->targets, (l->count + wanted + 1) * sizeof *more) : NULL;
    if (more) {
        l->targets = more;
        for (size_t i = 0; i < found && good < wanted; i++)
            if (!is_listed(&more[first], count, &all[i]) &&
                !is_listed(&more[l->count], good, &all[i]))
                more[l->count + good++] = all[i];
        l->count += good;
        say_few(l->of, &more[first], count, good);
    }
    free(all);
    return more != NULL;
}

static bool add_all_neighbours(list *l)
{
    size_t suspects = l->count;
    bool complete = true;
    if (suspects)
        qsort(l->targets, suspects, sizeof *l->targets, by_batch);
    for (size_t first = 0, next; complete && first < suspects; first = next) {
        const target *batch = &l->targets[first];
        for (next = first + 1; next < suspects &&
                               l->targets[next].device->group == batch->device->group &&
                               l->targets[next].command == batch->command;)
            next++;
        complete = add_neighbours(l, first, next - first);
    }
    return complete;
}

/* ---- one command ---- */

/* How a command is started on a node; ssh gives it to another shell. */
static bool put_launch(const list *l, const fleet_device *d, FILE *file)
{
    const fleet_file *from = &l->of->files[d->file];
    const char *variable = from->variable ? from->variable : "";
    bool is_ssh = false;
    if (from->is_step || strncmp(variable, "SLURM", 5) == 0)
        fprintf(file, "srun --nodelist=%s --nodes=1 --ntasks=1 ", d->node);
    else if (strncmp(variable, "FLUX", 4) == 0)
        fprintf(file, "flux run --requires=host:%s -N1 -n1 ", d->node);
    else if (strncmp(variable, "OMPI", 4) == 0)
        fprintf(file, "mpirun --host %s -n 1 --bind-to none ", d->node);
    else {
        fprintf(file, "ssh %s ", d->node);
        is_ssh = true;
    }
    return is_ssh;
}

/* "[env CUDA_VISIBLE_DEVICES=UUID,...] kerntime COMMAND -d DEVICE... --json FILE" */
static bool put_kerntime(const list *l, const target *all, size_t count, size_t number, FILE *file)
{
    const char *node = all->node;
    if (all->is_by_uuid) {
        fputs("env CUDA_VISIBLE_DEVICES=", file);
        for (size_t i = 0; i < count; i++)
            fprintf(file, "%sGPU-%s", i ? "," : "", all[i].name);
        fputc(' ', file);
    }
    fprintf(file, "kerntime %s", all->command);
    if (all->is_by_uuid)
        fputs(" -d cuda", file);
    for (size_t i = 0; i < count && !all->is_by_uuid; i++)
        fprintf(file, " -d %s", all[i].name);
    if (number > 1)
        fprintf(file, " --json %s/%s.%zu.json", l->folder, node, number);
    else
        fprintf(file, " --json %s/%s.json", l->folder, node);
    return !ferror(file);
}

/* For ssh: in the present folder, and quoted once more. false: out of memory. */
static bool put_remote(const list *l, const target *all, size_t count, size_t number)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return false;
    fputs("cd ", file);
    bool complete = fleet_put_word(file, l->present);
    fputs(" && ", file);
    complete = put_kerntime(l, all, count, number, file) && complete;
    complete = fclose(file) == 0 && complete && fleet_put_word(l->file, text);
    free(text);
    return complete;
}

/* Devices of one node and command; `number` counts the commands of the node. */
static bool print_command(list *l, const target *all, size_t count, size_t number)
{
    bool complete = put_launch(l, all->device, l->file)
                        ? put_remote(l, all, count, number)
                        : put_kerntime(l, all, count, number, l->file);
    /* It reads none of the next commands; what it finds is in its file. */
    fputs(" </dev/null >/dev/null\n", l->file);
    return complete;
}

/* ---- all commands ---- */

static int by_line(const void *a, const void *b)
{
    const target *one = a, *other = b;
    int order = strcmp(one->node, other->node);
    order = order ? order : strcmp(one->command, other->command);
    order = order ? order : one->is_by_uuid - other->is_by_uuid;
    order = order ? order : strcmp(one->name, other->name);
    return order ? order : (one->device > other->device) - (one->device < other->device);
}

/* Sorts them by line, each once. */
static void sort_lines(list *l)
{
    size_t kept = 0;
    if (l->count)
        qsort(l->targets, l->count, sizeof *l->targets, by_line);
    for (size_t i = 0; i < l->count; i++)
        if (!kept || !is_same(&l->targets[kept - 1], &l->targets[i]))
            l->targets[kept++] = l->targets[i];
    l->count = kept;
}

static bool is_same_line(const target *one, const target *other)
{
    return one->node == other->node && one->command == other->command &&
           one->is_by_uuid == other->is_by_uuid;
}

static bool print_commands(list *l)
{
    bool complete = true;
    size_t number = 0;
    sort_lines(l);
    if (l->count)
        fprintf(l->file, "mkdir %s || exit\n", l->folder); /* run twice, nothing is written over */
    for (size_t first = 0, next; complete && first < l->count; first = next) {
        const target *line = &l->targets[first];
        for (next = first + 1; next < l->count && is_same_line(line, &l->targets[next]);)
            next++;
        bool is_next = first && line[-1].node == line->node;
        number = is_next ? number + 1 : 1;
        complete = print_command(l, line, next - first, number);
    }
    return complete;
}

static void say(const list *l)
{
    const fleet_counts *c = &l->of->counts;
    if (l->unclear)
        fleet_say("--again: %zu device%s left out: no id or UUID names %s alone", l->unclear,
                  l->unclear == 1 ? " is" : "s are", l->unclear == 1 ? "it" : "them");
    if (l->of->options->quiet)
        return;
    if (l->count)
        terminal_sayf("next", "run these commands; then \"kerntime fleet %s\" judges the new files",
                      l->folder);
    else if (!c->slow && !c->wrong && !c->failed)
        terminal_say("next", "no device is to be measured again");
}

/* A name that is new: files of an earlier time are not to be judged with those of now. */
static void choose_folder(list *l)
{
    unsigned number = 1;
    snprintf(l->folder, sizeof l->folder, "again");
    while (!folder_is_new(l->folder) && number < FOLDERS_MAX)
        snprintf(l->folder, sizeof l->folder, "again-%u", ++number);
}

/* False: a shell elsewhere cannot go to the present folder by its name. */
static bool find_present(list *l)
{
    bool is_fine = folder_present(l->present) == 0 && fleet_is_word(l->present);
    if (!is_fine)
        fleet_say("--again: a shell cannot go to the present folder by name");
    return is_fine;
}

bool fleet_print_again(const fleet *of, FILE *file)
{
    list l = {.of = of, .file = file};
    choose_folder(&l);
    if (!find_present(&l))
        return true;
    bool complete = add_suspects(&l) && add_all_neighbours(&l);
    if (complete) {
        complete = print_commands(&l);
        say(&l);
    }
    free(l.targets);
    return complete;
}
