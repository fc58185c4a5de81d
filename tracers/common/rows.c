/* SPDX-License-Identifier: MIT */
#include "support/alloc.h"
#include "tracers/common/filter.h"
#include "tracers/common/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Open addressing by hash, at most half full. Guarded by the process's lock. */
static trace_file_row **table;
static size_t table_size, row_count;

/* Rows for calls whose own row has no room. Only their addresses are used. */
static const char unnamed[TRACE_KIND_COUNT];

trace_kind tracer_unnamed_kind(const trace_row *row)
{
    const char *at = (const char *)row;
    return at >= unnamed && at < unnamed + TRACE_KIND_COUNT ? (trace_kind)(at - unnamed)
                                                            : TRACE_KIND_COUNT;
}

static trace_row *unnamed_row(trace_kind kind)
{
    union {
        const char *constant;
        trace_row *row;
    } at = {.constant = unnamed + kind};
    return at.row;
}

static uint32_t add_to_hash(uint32_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619); /* FNV-1a */
    return (hash ^ 0xff) * UINT32_C(16777619);
}

typedef struct row_key {
    uint32_t device, kind, hash;
    const char *name, *size; /* size "": none */
} row_key;

static bool is_row(const trace_file_row *row, const row_key *key)
{
    return row->hash == key->hash && row->device == key->device && row->kind == key->kind &&
           strcmp(tracer_at(row->name), key->name) == 0 &&
           strcmp(row->size ? (const char *)tracer_at(row->size) : "", key->size) == 0;
}

/* The place of a row in the table, or the empty one where it belongs. */
static trace_file_row **place_of(const row_key *key)
{
    size_t at = key->hash & (table_size - 1);
    while (table[at] && !is_row(table[at], key))
        at = (at + 1) & (table_size - 1);
    return &table[at];
}

static bool make_room_in_table(void)
{
    if (2 * (row_count + 1) <= table_size)
        return true;
    size_t size = table_size ? 2 * table_size : 256;
    trace_file_row **larger = kt_alloc(size, sizeof(trace_file_row *));
    if (!larger)
        return false;
    for (size_t i = 0; i < table_size; i++) {
        if (!table[i])
            continue;
        size_t at = table[i]->hash & (size - 1);
        while (larger[at])
            at = (at + 1) & (size - 1);
        larger[at] = table[i];
    }
    kt_free(table);
    table = larger;
    table_size = size;
    return true;
}

static trace_file_row *add_row(trace_file_head *head, const row_key *key)
{
    uint64_t name = tracer_file_text(key->name);
    uint64_t size = key->size[0] && name ? tracer_file_text(key->size) : 0;
    if (!name || (key->size[0] && !size))
        return NULL;
    uint64_t offset = tracer_file_reserve(sizeof(trace_file_row));
    if (!offset)
        return NULL;
    trace_file_row *row = tracer_at(offset);
    row->name = name;
    row->size = size;
    row->kind = key->kind;
    row->device = key->device;
    row->hash = key->hash;
    row->next = atomic_load(&head->rows);
    atomic_store_explicit(&head->rows, offset, memory_order_release);
    return row;
}

static trace_file_row *find_row(trace_file_head *head, const row_key *key)
{
    if (!make_room_in_table())
        return NULL;
    trace_file_row **place = place_of(key);
    if (!*place && (*place = add_row(head, key)))
        row_count++;
    return *place;
}

/* Names are compared as they are kept. */
#define NAME_BYTES 4096

trace_row *tracer_row(trace_device *device, trace_kind kind, const char *name, const char *size)
{
    if (!device || !name || (unsigned)kind >= TRACE_KIND_COUNT || !tracer_head())
        return NULL;
    const trace_settings *settings = tracer_state.settings;
    if (!trace_wants_name(settings, name))
        return NULL;
    trace_file_head *head = tracer_lock();
    if (!head)
        return NULL;
    static char kept[NAME_BYTES]; /* guarded by the lock */
    snprintf(kept, sizeof kept, "%s", name);
    row_key key = {.device = (uint32_t)((trace_file_device *)device - head->devices),
                   .kind = (uint32_t)kind,
                   .name = kept,
                   .size = settings->by_size && size ? size : ""};
    key.hash =
        add_to_hash(add_to_hash(UINT32_C(2166136261) ^ key.device * 31 ^ key.kind, kept), key.size);
    trace_file_row *row = find_row(head, &key);
    tracer_unlock();
    return row ? (trace_row *)row : unnamed_row(kind);
}

/* Without a number, devices of one name may be several. */
static trace_file_device *find_device(trace_file_head *head, const trace_file_device *wanted)
{
    size_t length = strlen(wanted->id);
    bool has_number = length > 0 && wanted->id[length - 1] >= '0' && wanted->id[length - 1] <= '9';
    uint32_t count = has_number ? atomic_load(&head->device_count) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(head->devices[i].id, wanted->id) == 0 &&
            strcmp(head->devices[i].name, wanted->name) == 0)
            return &head->devices[i];
    return NULL;
}

static trace_file_device *add_device(trace_file_head *head, const trace_file_device *added)
{
    uint32_t count = atomic_load(&head->device_count);
    if (count >= TRACE_DEVICES_MAX) {
        tracer_add_gap(
            head, "a process used more than 64 devices, and the further ones are not traced", 0);
        return NULL;
    }
    head->devices[count] = *added;
    atomic_store_explicit(&head->device_count, count + 1, memory_order_release);
    return &head->devices[count];
}

trace_device *tracer_add_device(const char *id, const char *name, double resolution_ns)
{
    trace_file_device wanted = {
        .resolution_ns = resolution_ns, .offset_ns = NAN, .uncertainty_ns = NAN};
    snprintf(wanted.id, sizeof wanted.id, "%s", id);
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    trace_file_head *head = tracer_lock();
    if (!head)
        return NULL;
    trace_file_device *device = find_device(head, &wanted);
    if (!device)
        device = add_device(head, &wanted);
    tracer_unlock();
    return (trace_device *)device;
}

void tracer_set_offset(trace_device *device, double offset_ns, double uncertainty_ns)
{
    if (!device || !tracer_lock())
        return;
    trace_file_device *at = (trace_file_device *)device;
    at->offset_ns = offset_ns;
    at->uncertainty_ns = uncertainty_ns;
    tracer_unlock();
}
