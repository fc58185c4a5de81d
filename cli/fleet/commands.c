/*
 * commands.c - commands for a shell: --slurm and --again. They are printed, never run.
 *
 * Names come from files that anybody may have written, so only harmless ones are printed: of hosts
 * letters, digits, dots, "-" and "_"; of devices also ":", "=" and ",".
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define NAME_MAX 253 /* of a host, RFC 1035 */
#define RUNS     3

static bool is_harmless(const char *name, const char *others)
{
    size_t length = strlen(name), plain = 0;
    while (name[plain] && (strchr(LETTERS, name[plain]) || strchr(others, name[plain])))
        plain++;
    return length > 0 && length <= NAME_MAX && plain == length && name[0] != '-' && name[0] != '.';
}

static bool is_node(const fleet_device *d)
{
    return is_harmless(d->node, ".-_");
}

static const char *device_id(const fleet_device *d)
{
    return is_harmless(d->id, ":=,_.-") ? d->id : "device";
}

/* A device that a person should look at, by node. */
typedef struct suspect {
    const fleet_device *device;
    char *reason; /* of all suspects of its node; in the first of them */
} suspect;

static bool is_suspect(const fleet_device *d)
{
    return fleet_is_slow(d) || (d->problems & (FLEET_WRONG | FLEET_FAILED)) != 0;
}

static int by_node(const void *a, const void *b)
{
    const fleet_device *one = ((const suspect *)a)->device, *other = ((const suspect *)b)->device;
    int order = strcmp(one->node, other->node);
    return order ? order : strcmp(one->label, other->label);
}

/* Sorted by node. NULL: out of memory; says which nodes have names that no host has. */
static suspect *list_suspects(const fleet *of, size_t *count)
{
    suspect *all = calloc(of->device_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < of->device_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        if (!is_suspect(d))
            continue;
        if (is_node(d))
            all[(*count)++].device = d;
        else
            fprintf(stderr, "kerntime fleet: a device is left out: %s\n",
                    strcmp(d->node, "?") == 0 ? "its node has no name"
                                              : "the name of its node is no name of a host");
    }
    if (all && *count)
        qsort(all, *count, sizeof *all, by_node);
    return all;
}

static size_t end_of_node(const suspect *all, size_t count, size_t first)
{
    size_t next = first + 1;
    while (next < count && strcmp(all[next].device->node, all[first].device->node) == 0)
        next++;
    return next;
}

/* ---- --slurm ---- */

static char *make_reason(const suspect *all, size_t count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    fputs("kerntime: ", file);
    for (size_t i = 0; i < count; i++) {
        const fleet_device *d = all[i].device;
        fprintf(file, "%s%s ", i ? ", " : "", device_id(d));
        if (d->problems & FLEET_WRONG)
            fputs("wrong results", file);
        else if (d->problems & FLEET_FAILED)
            fputs("failed", file);
        else
            fprintf(file, "%.1f%% slow", 100 * d->cell->effect);
    }
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

/* Nodes of one reason share a line. */
static void print_lines(suspect *all, size_t count, FILE *file)
{
    for (size_t first = 0; first < count; first = end_of_node(all, count, first)) {
        const char *reason = all[first].reason;
        bool is_done = false;
        for (size_t i = 0; i < first && !is_done; i++)
            is_done = all[i].reason && strcmp(all[i].reason, reason) == 0;
        if (is_done)
            continue;
        fprintf(file, "scontrol update nodename=%s", all[first].device->node);
        for (size_t i = first + 1; i < count; i++)
            if (all[i].reason && strcmp(all[i].reason, reason) == 0)
                fprintf(file, ",%s", all[i].device->node);
        fprintf(file, " state=drain reason=\"%s\"\n", reason);
    }
}

bool fleet_print_slurm(const fleet *of, FILE *file)
{
    size_t count;
    suspect *all = list_suspects(of, &count);
    bool complete = all != NULL;
    for (size_t first = 0, next; complete && first < count; first = next) {
        next = end_of_node(all, count, first);
        all[first].reason = make_reason(&all[first], next - first);
        complete = all[first].reason != NULL;
    }
    if (complete)
        print_lines(all, count, file);
    for (size_t i = 0; all && i < count; i++)
        free(all[i].reason);
    free(all);
    return complete;
}

/* ---- --again ---- */

/* Good devices of the same model, as many as there are suspects: first those of the same node. */
static void add_neighbours(const fleet *of, suspect *all, size_t *count, size_t room)
{
    size_t suspects = *count, wanted = suspects;
    bool *taken = calloc(of->device_count + 1, sizeof *taken);
    for (int pass = 0; taken && pass < 2; pass++)
        for (size_t i = 0; i < suspects && wanted; i++) {
            const fleet_device *slow = all[i].device;
            for (size_t k = of->device_count; k-- > 0 && wanted;) {
                size_t number = of->order[k];
                const fleet_device *d = &of->devices[number];
                bool is_near = d->node == slow->node;
                if (taken[number] || is_suspect(d) || fleet_is_bad(d) || d->group != slow->group ||
                    !d->cell || is_near != (pass == 0) || !is_node(d) || *count == room)
                    continue;
                taken[number] = true;
                all[(*count)++].device = d;
                wanted--;
                break;
            }
        }
    free(taken);
}

/* How a command is started on one node. */
static void print_launch(const fleet *of, const fleet_device *d, FILE *file)
{
    const char *variable = of->files[d->file].variable;
    if (variable && strncmp(variable, "SLURM", 5) == 0)
        fprintf(file, "srun --nodelist=%s --nodes=1 --ntasks=1 ", d->node);
    else if (variable && strncmp(variable, "FLUX", 4) == 0)
        fprintf(file, "flux run --requires=host:%s -N1 -n1 ", d->node);
    else if (variable && strncmp(variable, "OMPI", 4) == 0)
        fprintf(file, "mpirun --host %s -n 1 ", d->node);
    else
        fprintf(file, "ssh %s ", d->node);
}

static void print_again(const fleet *of, const suspect *all, size_t count, FILE *file)
{
    const fleet_device *first = all->device;
    const char *command = of->files[first->file].command;
    print_launch(of, first, file);
    fprintf(file, "kerntime %s", command);
    for (size_t i = 0; i < count; i++)
        fprintf(file, " -d %s", device_id(all[i].device));
    if (!strstr(command, "--runs"))
        fprintf(file, " --runs %d", RUNS);
    fprintf(file, " --json again-%s.json\n", first->node);
}

bool fleet_print_again(const fleet *of, FILE *file)
{
    size_t count, unknown = 0;
    suspect *all = list_suspects(of, &count);
    suspect *more = all ? realloc(all, (2 * count + 1) * sizeof *all) : NULL;
    if (!more) {
        free(all);
        return false;
    }
    all = more;
    add_neighbours(of, all, &count, 2 * count);
    if (count)
        qsort(all, count, sizeof *all, by_node);
    for (size_t first = 0, next; first < count; first = next) {
        next = end_of_node(all, count, first);
        if (of->files[all[first].device->file].command)
            print_again(of, &all[first], next - first, file);
        else
            unknown++;
    }
    if (unknown)
        fprintf(stderr, "kerntime fleet: --again: files of %zu node%s name no command to repeat\n",
                unknown, unknown == 1 ? "" : "s");
    free(all);
    return true;
}
