/* SPDX-License-Identifier: MIT */
/* commands.c - suspects, and the commands of --slurm that drain their nodes. They are printed, never
 * run. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/commands.h"
#include "cli/output/text.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define NAME_MAX 253 /* of a host, RFC 1035 */

bool fleet_is_harmless(const char *text, const char *others)
{
    size_t length = strlen(text), plain = 0;
    while (text[plain] && (strchr(LETTERS, text[plain]) || strchr(others, text[plain])))
        plain++;
    return length > 0 && length <= NAME_MAX && plain == length && text[0] != '-' && text[0] != '.';
}

bool fleet_has_node(const fleet_device *d)
{
    return fleet_is_harmless(d->node, ".-_");
}

void fleet_say(const char *format, ...)
{
    char text[4096] = "kerntime fleet: ";
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    text_put_sentence(stderr, text, terminal_error_width(), false);
}

/* ---- suspects ---- */

static bool has_failed(const fleet_device *d)
{
    return d->answer == FLEET_ANSWER_WRONG || d->answer == FLEET_ANSWER_FAILED;
}

bool fleet_is_suspect(const fleet_device *d)
{
    return fleet_is_slow(d) || has_failed(d);
}

/* A failure of more than half of the devices, so of no node; NULL: there is none. By Boyer and
 * Moore's vote: texts of a fleet are equal if their addresses are. */
static const char *find_common_failure(const fleet *of)
{
    const char *common = NULL;
    size_t votes = 0, count = 0;
    for (size_t i = 0; i < of->device_count; i++) {
        const char *reason = has_failed(&of->devices[i]) ? of->devices[i].reason : NULL;
        if (!votes)
            common = reason;
        votes += reason == common ? 1 : (size_t)-1;
    }
    for (size_t i = 0; common && i < of->device_count; i++)
        count += has_failed(&of->devices[i]) && of->devices[i].reason == common;
    return 2 * count > of->device_count && count >= KT_FLEET_DEVICES_MIN ? common : NULL;
}

static int by_node(const void *a, const void *b)
{
    const fleet_device *one = ((const fleet_suspect *)a)->device,
                       *other = ((const fleet_suspect *)b)->device;
    int order = strcmp(one->node, other->node);
    return order ? order : strcmp(one->label, other->label);
}

/* Says how many devices are left out, since their nodes have no name for a command. */
static void say_left_out(size_t count, const char *name)
{
    if (count)
        fleet_say("%zu device%s left out, whose node has %s", count, count == 1 ? " is" : "s are",
                  name);
}

fleet_suspect *fleet_list_suspects(const fleet *of, size_t *count)
{
    size_t alike = 0, nameless = 0, strange = 0;
    const char *common = find_common_failure(of);
    fleet_suspect *all = calloc(of->device_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < of->device_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        if (!fleet_is_suspect(d))
            continue;
        if (common && has_failed(d) && d->reason == common)
            alike++;
        else if (strcmp(d->node, "?") == 0)
            nameless++;
        else if (!fleet_has_node(d))
            strange++;
        else
            all[(*count)++].device = d;
    }
    say_left_out(nameless, "no name");
    say_left_out(strange, "a name that no host can have");
    if (alike)
        fleet_say("%zu of %zu devices failed alike, so they are left out: %s", alike,
                  of->device_count, common);
    if (all && *count)
        qsort(all, *count, sizeof *all, by_node);
    return all;
}

/* ---- --slurm ---- */

static size_t end_of_node(const fleet_suspect *all, size_t count, size_t first)
{
    size_t next = first + 1;
    while (next < count && strcmp(all[next].device->node, all[first].device->node) == 0)
        next++;
    return next;
}

/* Names of workloads may have what a shell would read within double quotes. */
static void put_workload(const char *name, size_t length, FILE *file)
{
    bool is_fine = length > 0;
    for (size_t i = 0; i < length; i++)
        is_fine &= name[i] >= ' ' && name[i] <= '~' && !strchr("\"$`\\!", name[i]);
    if (is_fine)
        fprintf(file, " in %.*s", (int)length, name);
}

/* The id, and where the card is: numbers of an API depend on its settings. */
static void put_device(const fleet_device *d, FILE *file)
{
    const char *place = d->pci_address[0] ? d->pci_address : d->uuid;
    fputs(fleet_is_harmless(d->id, FLEET_ID_OTHERS) ? d->id : "device", file);
    if (fleet_is_harmless(place, ":.-"))
        fprintf(file, " @%s", place);
}

static void put_finding(const fleet *of, const fleet_device *d, FILE *file)
{
    if (has_failed(d)) {
        const char *end = d->reason ? strstr(d->reason, ": ") : NULL;
        fputs(d->answer == FLEET_ANSWER_WRONG ? " wrong results" : " failed", file);
        if (end)
            put_workload(d->reason, (size_t)(end - d->reason), file);
        return;
    }
    const char *label = of->workloads[d->workload].label;
    size_t slow_count = fleet_slow_count(of, d);
    fprintf(file, " %.1f%% slow", 100 * d->cell->effect);
    put_workload(label, strlen(label), file);
    if (slow_count > 1)
        fprintf(file, " and %zu more", slow_count - 1);
}

static bool is_whole_node(const fleet *of, const fleet_suspect *all, size_t count)
{
    for (size_t i = 0; i < of->node_count; i++)
        if (of->nodes[i].name == all->device->node)
            return count > 1 && of->nodes[i].slow_count == count &&
                   of->nodes[i].device_count == count;
    return false;
}

/* "all 8 devices 5.9-6.2% slow in WORKLOAD" */
static void put_whole_node(const fleet *of, const fleet_suspect *all, size_t count, FILE *file)
{
    const fleet_device *first = all->device;
    double least = first->cell->effect, most = least;
    bool is_one = true;
    char low[32], high[32];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, all[i].device->cell->effect);
        most = fmax(most, all[i].device->cell->effect);
        is_one &= all[i].device->workload == first->workload;
    }
    snprintf(low, sizeof low, "%.1f", 100 * least);
    snprintf(high, sizeof high, "%.1f", 100 * most);
    fprintf(file, "all %zu devices %s%s%s%% slow", count, low, strcmp(low, high) ? "-" : "",
            strcmp(low, high) ? high : "");
    if (is_one) {
        const char *label = of->workloads[first->workload].label;
        put_workload(label, strlen(label), file);
    }
}

static char *make_reason(const fleet *of, const fleet_suspect *all, size_t count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    fputs("kerntime: ", file);
    bool is_whole = is_whole_node(of, all, count);
    if (is_whole)
        put_whole_node(of, all, count, file);
    for (size_t i = 0; i < count && !is_whole; i++) {
        const fleet_device *d = all[i].device;
        fputs(i ? ", " : "", file);
        put_device(d, file);
        put_finding(of, d, file);
    }
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

/* Nodes of one reason share a line. */
static void print_lines(fleet_suspect *all, size_t count, FILE *file)
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

/* What a table would say beside the lines. */
static void say_beside(const fleet *of, size_t count)
{
    for (size_t i = 0; i < of->slot_count && count; i++)
        if (fleet_is_common(of, &of->slots[i]))
            fleet_say("slot %s is slow on %zu of %zu nodes: look for a common cause before you "
                      "drain them",
                      of->slots[i].name, of->slots[i].slow_nodes, of->slots[i].node_count);
    if (!count && !of->options->quiet)
        terminal_say("next", "no node is to be drained");
}

bool fleet_print_slurm(const fleet *of, FILE *file)
{
    size_t count;
    fleet_suspect *all = fleet_list_suspects(of, &count);
    bool complete = all != NULL;
    for (size_t first = 0, next; complete && first < count; first = next) {
        next = end_of_node(all, count, first);
        all[first].reason = make_reason(of, &all[first], next - first);
        complete = all[first].reason != NULL;
    }
    if (complete) {
        print_lines(all, count, file);
        say_beside(of, count);
    }
    for (size_t i = 0; all && i < count; i++)
        free(all[i].reason);
    free(all);
    return complete;
}
