/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* vsnprintf of POSIX */
#include "cli/fleet/fleet.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)

/* A piece of memory for strings; the next one is behind its head. */
typedef struct chunk {
    struct chunk *next;
    size_t used;
    char text[];
} chunk;

static char *take_bytes(fleet *of, size_t bytes)
{
    if (of->out_of_memory)
        return NULL;
    if (bytes > of->memory_left) {
        size_t room = bytes > CHUNK ? bytes : CHUNK;
        chunk *more = malloc(sizeof *more + room);
        if (!more) {
            of->out_of_memory = true;
            return NULL;
        }
        *more = (chunk){.next = of->memory};
        of->memory = more;
        of->memory_left = room;
    }
    chunk *last = of->memory;
    char *out = last->text + last->used;
    last->used += bytes;
    of->memory_left -= bytes;
    return out;
}

/* ---- tables ---- */

/* FNV-1a */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return value;
}

static fleet_entry *find(const fleet_index *in, const char *text)
{
    size_t at = (size_t)hash(text) & (in->room - 1);
    while (in->entries[at].text && strcmp(in->entries[at].text, text) != 0)
        at = (at + 1) & (in->room - 1);
    return &in->entries[at];
}

/* At most half of a table is used. */
static bool grow(fleet *of, fleet_index *in)
{
    if (2 * (in->count + 1) <= in->room)
        return true;
    fleet_index larger = {.count = in->count, .room = in->room ? 2 * in->room : 256};
    larger.entries = of->out_of_memory ? NULL : calloc(larger.room, sizeof *larger.entries);
    if (!larger.entries) {
        of->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < in->room; i++)
        if (in->entries[i].text)
            *find(&larger, in->entries[i].text) = in->entries[i];
    free(in->entries);
    *in = larger;
    return true;
}

/* The entry of a text, which is copied if it is new. */
static fleet_entry *enter(fleet *of, fleet_index *in, const char *text, size_t next)
{
    if (!grow(of, in))
        return NULL;
    fleet_entry *entry = find(in, text);
    if (entry->text)
        return entry;
    size_t bytes = strlen(text) + 1;
    char *copy = take_bytes(of, bytes);
    if (!copy)
        return NULL;
    memcpy(copy, text, bytes);
    *entry = (fleet_entry){copy, next};
    in->count++;
    return entry;
}

const char *fleet_keep(fleet *of, const char *text)
{
    const fleet_entry *entry = text ? enter(of, &of->strings, text, 0) : NULL;
    return entry ? entry->text : NULL;
}

static const char *keep_arguments(fleet *of, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) {
        of->out_of_memory = true;
        return NULL;
    }
    vsnprintf(text, (size_t)length + 1, format, arguments);
    const char *kept = fleet_keep(of, text);
    free(text);
    return kept;
}

const char *fleet_keepf(fleet *of, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *kept = keep_arguments(of, format, arguments);
    va_end(arguments);
    return kept;
}

size_t fleet_find(fleet *of, fleet_index *in, const char *text, size_t next)
{
    const fleet_entry *entry = text ? enter(of, in, text, next) : NULL;
    return entry ? entry->index : FLEET_NONE;
}

/* ---- arrays ---- */

void *fleet_add(fleet *of, void *array, size_t *count, size_t *room, size_t bytes)
{
    void *items;
    if (of->out_of_memory)
        return NULL;
    memcpy(&items, array, sizeof items);
    if (*count == *room) {
        size_t larger = *room ? 2 * *room : 64;
        void *moved = larger > SIZE_MAX / bytes ? NULL : realloc(items, larger * bytes);
        if (!moved) {
            of->out_of_memory = true;
            return NULL;
        }
        items = moved;
        memcpy(array, &items, sizeof items);
        *room = larger;
    }
    char *item = (char *)items + (*count)++ * bytes;
    memset(item, 0, bytes);
    return item;
}

void *fleet_alloc(fleet *of, size_t count, size_t bytes)
{
    void *memory = of->out_of_memory ? NULL : calloc(count + 1, bytes);
    if (!memory)
        of->out_of_memory = true;
    return memory;
}

void fleet_note(fleet *of, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = keep_arguments(of, format, arguments);
    va_end(arguments);
    const char **note = fleet_add(of, &of->notes, &of->note_count, &of->note_room, sizeof *note);
    if (note)
        *note = text;
}

void fleet_free(fleet *of)
{
    for (chunk *c = of->memory, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    void *const arrays[] = {of->files,
                            of->groups,
                            of->devices,
                            of->workloads,
                            of->rows,
                            of->order,
                            of->populations,
                            of->cells,
                            of->cell_devices,
                            of->cell_workloads,
                            of->device_cells,
                            of->medians,
                            of->nodes,
                            of->slots,
                            of->missing,
                            (void *)of->notes,
                            of->strings.entries,
                            of->by_device.entries,
                            of->by_group.entries,
                            of->by_model.entries,
                            of->by_workload.entries,
                            of->by_work.entries,
                            of->by_document.entries,
                            of->by_inode.entries};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    *of = (fleet){0};
}
