/* SPDX-License-Identifier: MIT */
/*
 * expected.c - what configurations should write, in files that one process writes and later ones
 * read: SET.outputs with the buffers of a kernel, SET-NUMBER.bytes with an output's content.
 * Both are read by the program that wrote them alone. SET is configuration.expected.
 */
#include "cli/run/launch_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 1200

static void index_path(const launch_pool *pool, uint32_t set, const char *ending,
                       char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%" PRIu32 ".outputs%s", pool->folder, set, ending);
}

static void data_path(const launch_pool *pool, uint32_t set, size_t number, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%" PRIu32 "-%zu.bytes", pool->folder, set, number);
}

static int read_file(const char *path, void *data, size_t bytes)
{
    FILE *file = fopen(path, "rb");
    bool is_whole = file && fread(data, 1, bytes, file) == bytes;
    if (file)
        fclose(file);
    return is_whole ? 0 : -1;
}

static int write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    bool is_whole = file && fwrite(data, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0)
        is_whole = false;
    return is_whole ? 0 : -1;
}

static int fail(char *reason, const char *what, const char *path)
{
    snprintf(reason, LAUNCH_REASON_BYTES, "%.400s %s", path, what);
    return -1;
}

/* Reads the index into `buffers`. Returns their number; 0: there is no such file. */
static size_t read_index(const char *path, expected_buffer *buffers)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t count = fread(buffers, sizeof *buffers, SIGNATURE_PARAMETERS_MAX, file);
    fclose(file);
    for (size_t i = 0; i < count; i++)
        buffers[i].data = NULL;
    return count;
}

static int load(launch_pool *pool, expected_outputs *e, char *reason)
{
    char path[PATH_BYTES];
    index_path(pool, e->set, "", path);
    e->count = read_index(path, e->buffers);
    for (size_t i = 0; i < e->count; i++) {
        if (!e->buffers[i].is_output)
            continue;
        e->varies |= e->buffers[i].varies;
        data_path(pool, e->set, i, path);
        e->buffers[i].data = malloc(e->buffers[i].bytes);
        if (!e->buffers[i].data) {
            snprintf(reason, LAUNCH_REASON_BYTES, "the host is out of memory");
            return -1;
        }
        if (read_file(path, e->buffers[i].data, e->buffers[i].bytes) != 0)
            return fail(reason, "cannot be read", path);
    }
    e->is_known = e->count > 0;
    return 0;
}

void expected_empty(expected_outputs *e)
{
    for (size_t i = 0; i < e->count; i++) {
        free(e->buffers[i].data);
        e->buffers[i].data = NULL;
    }
    e->count = 0;
    e->is_known = e->varies = false;
}

expected_outputs *expected_find(launch_pool *pool, uint32_t set, char reason[LAUNCH_REASON_BYTES])
{
    expected_outputs *e = pool->expected;
    while (e && e->set != set)
        e = e->next;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) {
            snprintf(reason, LAUNCH_REASON_BYTES, "the host is out of memory");
            return NULL;
        }
        e->set = set;
        e->next = pool->expected;
        pool->expected = e;
    }
    if (e->is_known)
        return e;
    if (load(pool, e, reason) == 0)
        return e;
    expected_empty(e);
    return NULL;
}

int expected_write(const launch_pool *pool, const expected_outputs *e,
                   char reason[LAUNCH_REASON_BYTES])
{
    char path[PATH_BYTES], whole[PATH_BYTES];
    for (size_t i = 0; i < e->count; i++) {
        if (!e->buffers[i].is_output)
            continue;
        data_path(pool, e->set, i, path);
        if (write_file(path, e->buffers[i].data, e->buffers[i].bytes) != 0)
            return fail(reason, "cannot be written", path);
    }
    /* The index appears as a whole, and last. */
    index_path(pool, e->set, ".new", path);
    index_path(pool, e->set, "", whole);
    if (write_file(path, e->buffers, e->count * sizeof *e->buffers) != 0 ||
        rename(path, whole) != 0)
        return fail(reason, "cannot be written", path);
    return 0;
}

void expected_forget(launch_pool *pool, uint32_t set)
{
    for (expected_outputs **link = &pool->expected; *link;) {
        expected_outputs *e = *link;
        if (e->references == 0 && e->set != set) {
            *link = e->next;
            expected_empty(e);
            free(e);
        } else {
            link = &e->next;
        }
    }
}
