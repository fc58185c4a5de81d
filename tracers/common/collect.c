/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "tracers/common/collector.h"

#include "tracers/common/settings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Memory of the C library: the command links the shared library, which keeps its own to itself. */
bool collect_make_room(collector *c, void *list, size_t *room, size_t needed, size_t bytes)
{
    if (needed <= *room)
        return true;
    size_t larger = needed < 8 ? 8 : 2 * needed;
    void *old;
    memcpy(&old, list, sizeof old);
    void *grown = realloc(old, larger * bytes);
    if (!grown) {
        c->no_memory = true;
        return false;
    }
    memcpy(list, &grown, sizeof grown);
    *room = larger;
    return true;
}

void collect_add_gap(collector *c, const char *text, uint64_t calls)
{
    trace_totals *out = c->out;
    for (size_t i = 0; i < out->gap_count; i++) {
        if (strcmp(out->gaps[i].text, text) != 0)
            continue;
        out->gaps[i].calls += calls;
        return;
    }
    if (collect_make_room(c, &out->gaps, &c->gap_room, out->gap_count + 1, sizeof *out->gaps))
        out->gaps[out->gap_count++] = (trace_total_gap){.text = text, .calls = calls};
}

void collect_add_sentence(collector *c, const char *text, uint64_t calls)
{
    if (!collect_make_room(c, &c->texts, &c->text_room, c->text_count + 1, sizeof *c->texts))
        return;
    char *copy = strdup(text);
    if (!copy) {
        c->no_memory = true;
        return;
    }
    c->texts[c->text_count++] = copy;
    collect_add_gap(c, copy, calls);
}

/* Takes `bytes`, which free() frees. */
static trace_image *add_image(collector *c, const char *name, unsigned char *bytes, uint64_t size)
{
    trace_image *from = calloc(1, sizeof *from);
    if (!from ||
        !collect_make_room(c, &c->images, &c->image_room, c->image_count + 1, sizeof *c->images)) {
        c->no_memory = true;
        free(from);
        free(bytes);
        return NULL;
    }
    from->bytes = bytes;
    from->size = size;
    snprintf(from->name, sizeof from->name, "%s", name);
    c->images[c->image_count++] = from;
    return from;
}

/* ---- begin and end ---- */

static void finish_cost(collector *c)
{
    trace_totals *out = c->out;
    out->cost_ns = out->cost_per_call_ns = NAN;
    if (out->calls == 0)
        return;
    double sum_ns = c->reading_ns;
    for (size_t i = 0; i < c->cost_count; i++) {
        const struct process_cost *cost = &c->costs[i];
        double each_ns =
            isnan(cost->median_ns) ? collect_median(&c->cost[cost->api]) : cost->median_ns;
        sum_ns += cost->calls > 0 ? (double)cost->calls * each_ns : 0;
    }
    out->cost_ns = sum_ns;
    out->cost_per_call_ns = sum_ns / (double)out->calls;
}

static void free_collector(collector *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->image_count; i++) {
        free(c->images[i]->links);
        free(c->images[i]->bytes);
        free(c->images[i]);
    }
    for (size_t i = 0; i < c->text_count; i++)
        free(c->texts[i]);
    free(c->images);
    free(c->texts);
    free(c->rests);
    free(c->table);
    free(c->costs);
    free(c->uses);
    free(c);
}

static collector *begin(trace_totals *out)
{
    memset(out, 0, sizeof *out);
    out->cost_ns = out->cost_per_call_ns = NAN;
    collector *c = calloc(1, sizeof *c);
    if (c)
        c->out = out;
    out->owned = c;
    return c;
}

static int finish(collector *c)
{
    if (c->no_memory || !collect_finish_rows(c))
        return -1;
    finish_cost(c);
    return 0;
}

void trace_free(trace_totals *totals)
{
    free_collector(totals->owned);
    free(totals->rows);
    free(totals->devices);
    free(totals->processes);
    free(totals->gaps);
    memset(totals, 0, sizeof *totals);
}

int trace_collect_bytes(const void *bytes, size_t count, trace_totals *out)
{
    collector *c = begin(out);
    unsigned char *copy = c ? malloc(count + 1) : NULL;
    if (!copy)
        return -1;
    memcpy(copy, bytes, count);
    trace_image *from = add_image(c, "file", copy, count);
    if (from)
        collect_image(c, from);
    return finish(c);
}

/* ---- files ---- */

/* Reads what is there up to `size` bytes. */
static uint64_t read_bytes(int fd, unsigned char *to, uint64_t size)
{
    uint64_t done = 0;
    while (done < size) {
        ssize_t count = pread(fd, to + done, size - done, (off_t)done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += (uint64_t)count;
    }
    return done;
}

static void collect_file(collector *c, int folder, const char *name)
{
    struct stat status;
    char text[160];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(text, sizeof text, "%.60s cannot be read: %s", name, strerror(errno));
        collect_add_sentence(c, text, 0);
        if (fd >= 0)
            close(fd);
        return;
    }
    uint64_t size = (uint64_t)status.st_size;
    trace_file_head *head = malloc(sizeof *head); /* what is used may be less than the file */
    if (head && read_bytes(fd, (unsigned char *)head, sizeof *head) == sizeof *head &&
        head->used < size)
        size = head->used;
    free(head);
    unsigned char *bytes = malloc(size + 1);
    if (bytes) {
        trace_image *from = add_image(c, name, bytes, read_bytes(fd, bytes, size));
        if (from)
            collect_image(c, from);
    } else {
        c->no_memory = true;
    }
    close(fd);
}

static void collect_settings(collector *c, int folder)
{
    int fd = openat(folder, TRACE_SETTINGS_FILE, O_RDONLY | O_CLOEXEC);
    trace_settings *settings = malloc(sizeof *settings);
    if (settings && fd >= 0 &&
        read_bytes(fd, (unsigned char *)settings, sizeof *settings) == sizeof *settings) {
        settings->version[sizeof settings->version - 1] = '\0';
        settings->failure[sizeof settings->failure - 1] = '\0';
        memcpy(c->version, settings->version, sizeof c->version);
        if (settings->failures > 0) {
            char text[TRACE_FAILURE_BYTES + 64];
            c->out->failures = settings->failures;
            snprintf(text, sizeof text, "%u process%s not traced: %s", c->out->failures,
                     c->out->failures == 1 ? " was" : "es were", settings->failure);
            collect_add_sentence(c, text, 0);
        }
    }
    free(settings);
    if (fd >= 0)
        close(fd);
}

int trace_collect(const char *folder, trace_totals *out, char *reason, size_t reason_bytes)
{
    collector *c = begin(out);
    DIR *entries = c ? opendir(folder) : NULL;
    if (!entries) {
        snprintf(reason, reason_bytes, "%s: %s", folder, c ? strerror(errno) : "out of memory");
        return -1;
    }
    collect_settings(c, dirfd(entries));
    for (struct dirent *entry; !c->no_memory && (entry = readdir(entries));)
        if (strncmp(entry->d_name, TRACE_FILE_PREFIX, strlen(TRACE_FILE_PREFIX)) == 0)
            collect_file(c, dirfd(entries), entry->d_name);
    closedir(entries);
    int rc = finish(c);
    if (rc != 0)
        snprintf(reason, reason_bytes, "out of memory");
    return rc;
}
