/* SPDX-License-Identifier: MIT */
/*
 * buffers.c - memories of launches, shared by those of a contest that want the same content.
 *
 * Before and behind the content lie guard zones of 4 KiB, whose bytes are known.
 */
#include "cli/run/launch_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16 /* of sizes of memories; WebGPU wants 4 */

/* After a timeout the device may still write to the bytes of a transfer: they are never freed, but
 * stay within reach. */
static void *abandoned;

static void abandon(void *bytes)
{
    void **link = malloc(2 * sizeof *link);
    if (!link)
        return;
    link[0] = abandoned;
    link[1] = bytes;
    abandoned = (void *)link;
}

static bool is_same(const buffer_request *a, const buffer_request *b)
{
    const specification *x = &a->spec, *y = &b->spec;
    return a->contest == b->contest && a->seed == b->seed && a->count == b->count &&
           a->bytes == b->bytes && a->in_front == b->in_front &&
           a->element.scalar == b->element.scalar &&
           a->element.scalar_bytes == b->element.scalar_bytes &&
           a->element.lanes == b->element.lanes && a->element.stride == b->element.stride &&
           x->kind == y->kind && x->number_count == y->number_count && x->low == y->low &&
           x->high == y->high && strcmp(x->file, y->file) == 0 &&
           memcmp(x->numbers, y->numbers, x->number_count * sizeof *x->numbers) == 0;
}

static size_t round_up(size_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

/* A file is the whole buffer, with what is in front. */
static size_t in_front_of(const buffer_request *r)
{
    bool is_file = r->spec.kind == SPECIFICATION_NPY || r->spec.kind == SPECIFICATION_BIN;
    return is_file || r->in_front > r->bytes ? 0 : r->in_front;
}

int buffer_fill(const buffer_request *r, uint8_t *content, char reason[SPECIFICATION_REASON_BYTES])
{
    size_t in_front = in_front_of(r), stride = r->element.stride ? r->element.stride : 1;
    int64_t count = in_front ? (int64_t)((r->bytes - in_front) / stride) : r->count;
    return specification_fill(&r->spec, &r->element, r->seed, content + in_front, count, reason);
}

/* Fills the host's copy, and creates the memory. */
static launch_outcome make(launch_pool *pool, pool_buffer *b, char *reason)
{
    const buffer_request *r = &b->request;
    char why[SPECIFICATION_REASON_BYTES];
    uint64_t most = pool->info->max_memory_bytes;
    if (pool->info->max_argument_bytes && (most == 0 || pool->info->max_argument_bytes < most))
        most = pool->info->max_argument_bytes;
    b->part_bytes = round_up(r->bytes, pool->info->languages & KT_LANGUAGE_WGSL ? 4 : 1);
    b->zone_bytes = ZONE_BYTES;
    if (most && round_up(b->part_bytes + 2 * b->zone_bytes, ALIGNMENT) > most)
        b->zone_bytes = 0;
    b->room_bytes = round_up(b->part_bytes + 2 * b->zone_bytes, ALIGNMENT);
    b->initial = calloc(b->room_bytes, 1);
    if (!b->initial) {
        snprintf(reason, LAUNCH_REASON_BYTES, "the host is out of memory");
        return OUTCOME_LIMIT;
    }
    zone_fill(b->initial, b->zone_bytes);
    zone_fill(b->initial + b->zone_bytes + b->part_bytes, b->zone_bytes);
    if (buffer_fill(r, b->initial + b->zone_bytes, why) != 0) {
        snprintf(reason, LAUNCH_REASON_BYTES, "%s", why);
        return OUTCOME_ARGUMENTS;
    }
    b->is_changed = true;
    kt_status status = kt_memory_create(pool->device, KT_MEMORY_DEFAULT, b->room_bytes, &b->memory);
    if (status == KT_OK)
        return OUTCOME_OK;
    snprintf(reason, LAUNCH_REASON_BYTES, "%s", kt_error_text());
    return status == KT_LIMIT || status == KT_NO_MEMORY ? OUTCOME_LIMIT : OUTCOME_FAILED;
}

static void destroy(pool_buffer *b)
{
    kt_memory_destroy(&b->memory);
    free(b->initial);
    free(b);
}

launch_outcome buffer_take(launch_pool *pool, const buffer_request *request, pool_buffer **out,
                           char reason[LAUNCH_REASON_BYTES])
{
    for (pool_buffer *b = pool->buffers; b; b = b->next)
        if (is_same(&b->request, request)) {
            b->references++;
            *out = b;
            return OUTCOME_OK;
        }
    pool_buffer *b = calloc(1, sizeof *b);
    if (!b) {
        snprintf(reason, LAUNCH_REASON_BYTES, "the host is out of memory");
        return OUTCOME_LIMIT;
    }
    b->request = *request;
    launch_outcome outcome = make(pool, b, reason);
    if (outcome != OUTCOME_OK) {
        destroy(b);
        return outcome;
    }
    b->references = 1;
    b->next = pool->buffers;
    pool->buffers = *out = b;
    return OUTCOME_OK;
}

void buffer_release(pool_buffer **buffer)
{
    if (*buffer)
        (*buffer)->references--;
    *buffer = NULL;
}

void buffers_forget(launch_pool *pool, uint32_t contest)
{
    for (pool_buffer **link = &pool->buffers; *link;) {
        pool_buffer *b = *link;
        if (b->references == 0 && b->request.contest != contest) {
            *link = b->next;
            destroy(b);
        } else {
            link = &b->next;
        }
    }
}

kt_status buffer_reset(pool_buffer *buffer)
{
    if (!buffer->is_changed)
        return KT_OK;
    kt_status status = kt_memory_write(buffer->memory, 0, buffer->initial, buffer->room_bytes);
    if (status == KT_TIMEOUT) {
        abandon(buffer->initial);
        buffer->initial = NULL;
    }
    buffer->is_changed = status != KT_OK;
    return status;
}

const uint8_t *buffer_read(launch_pool *pool, pool_buffer *buffer, kt_status *status)
{
    if (pool->scratch_bytes < buffer->room_bytes) {
        free(pool->scratch);
        pool->scratch = malloc(buffer->room_bytes);
        pool->scratch_bytes = pool->scratch ? buffer->room_bytes : 0;
    }
    *status = pool->scratch ? kt_memory_read(buffer->memory, 0, pool->scratch, buffer->room_bytes)
                            : KT_NO_MEMORY;
    if (*status == KT_TIMEOUT) {
        abandon(pool->scratch);
        pool->scratch = NULL;
        pool->scratch_bytes = 0;
    }
    return *status == KT_OK ? pool->scratch + buffer->zone_bytes : NULL;
}
