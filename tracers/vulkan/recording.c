/* SPDX-License-Identifier: MIT */
/*
 * recording.c - command buffers and their queries.
 *
 * A span begins at the top of the pipe and ends at its bottom, as most programs time themselves. So
 * without a barrier before it, it contains what is left of the command before it: such spans are
 * marked as overlapped. With tracer_is_exact() a barrier goes before and behind each command.
 *
 * Queries are reset from the host when they were read. Where that cannot be, or where commands may
 * run again before they were read, a command resets them whenever the command buffer begins.
 */
#include "tracers/vulkan/layer.h"

#include "clock/ticks.h"
#include "support/alloc.h"

#include <math.h>
#include <string.h>

#define BATCH 64

static handle_map all_commands; /* by handle, of all devices */

commands *commands_find(VkCommandBuffer handle)
{
    return map_find(&all_commands, NUMBER(handle));
}

/* ---- pools ---- */

VkResult trace_vkCreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkCommandPool *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkCreateCommandPool(handle, info, allocator, out);
    pool *p = code == VK_SUCCESS && info->queueFamilyIndex < d->family_count
                  ? kt_alloc(1, sizeof *p)
                  : NULL;
    if (!p)
        return code;
    p->family = &d->families[info->queueFamilyIndex];
    kt_mutex_lock(d->mutex);
    bool is_kept = map_put(&d->pools, NUMBER(*out), p);
    kt_mutex_unlock(d->mutex);
    if (!is_kept)
        kt_free(p);
    return code;
}

/* Zeroed but for what it keeps from earlier command buffers. Under the mutex. */
static commands *take_commands(device *d)
{
    commands *c = d->free_commands;
    if (!c)
        return kt_alloc(1, sizeof *c);
    d->free_commands = c->next;
    return c;
}

VkResult trace_vkAllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
                                        VkCommandBuffer *out)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkAllocateCommandBuffers(handle, info, out);
    pool *p = map_find(&d->pools, NUMBER(info->commandPool));
    for (uint32_t i = 0; p && code == VK_SUCCESS && i < info->commandBufferCount; i++) {
        kt_mutex_lock(d->mutex);
        commands *c = take_commands(d);
        kt_mutex_unlock(d->mutex);
        if (!c)
            continue;
        c->device = d;
        c->handle = out[i];
        c->family = p->family;
        kt_mutex_lock(kt_mutex_of_library());
        bool is_kept = map_put(&all_commands, NUMBER(out[i]), c);
        kt_mutex_unlock(kt_mutex_of_library());
        c->next = p->commands;
        p->commands = c;
        if (!is_kept)
            c->handle = VK_NULL_HANDLE;
    }
    return code;
}

/* ---- queries ---- */

static void reset_on_host(commands *c)
{
    for (uint32_t first = 0; first < c->query_count; first += CHUNK_QUERIES) {
        uint32_t left = c->query_count - first;
        c->device->reset_queries(c->device->handle, c->chunks[first / CHUNK_QUERIES]->queries, 0,
                                 left < CHUNK_QUERIES ? left : CHUNK_QUERIES);
    }
}

static chunk *create_chunk(device *d)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = CHUNK_QUERIES};
    chunk *created = kt_alloc(1, sizeof *created);
    if (!created)
        return NULL;
    if (d->next.vkCreateQueryPool(d->handle, &info, NULL, &created->queries) != VK_SUCCESS) {
        kt_free(created);
        return NULL;
    }
    if (d->reset_queries)
        d->reset_queries(d->handle, created->queries, 0, CHUNK_QUERIES);
    return created;
}

/* One more chunk for a command buffer. */
static bool add_chunk(commands *c)
{
    device *d = c->device;
    chunk **chunks = kt_make_room(c->chunks, &c->chunk_room, c->chunk_count + 1, sizeof(chunk *));
    if (!chunks)
        return false;
    c->chunks = chunks;
    kt_mutex_lock(d->mutex);
    chunk *added = d->free_chunks;
    if (added)
        d->free_chunks = added->next;
    kt_mutex_unlock(d->mutex);
    if (!added)
        added = create_chunk(d);
    if (added)
        c->chunks[c->chunk_count++] = added;
    return added;
}

/* Two queries. NO_QUERY: out of memory. */
static uint32_t take_queries(commands *c)
{
    uint32_t first = c->query_count;
    if (first == UINT32_MAX - CHUNK_QUERIES ||
        (first == c->chunk_count * CHUNK_QUERIES && !add_chunk(c)))
        return NO_QUERY;
    if (c->resets_itself && first % RESET_QUERIES == 0)
        c->device->next.vkCmdResetQueryPool(c->handle, c->chunks[first / CHUNK_QUERIES]->queries,
                                            first % CHUNK_QUERIES, RESET_QUERIES);
    c->query_count += 2;
    return first;
}

static void write_timestamp(commands *c, VkPipelineStageFlagBits stage, uint32_t query)
{
    c->device->next.vkCmdWriteTimestamp(c->handle, stage, c->chunks[query / CHUNK_QUERIES]->queries,
                                        query % CHUNK_QUERIES);
}

/* ---- begin and end of a recording ---- */

/* The program may record again: the device is done with it. */
static void finish(commands *c)
{
    device *d = c->device;
    kt_mutex_lock(d->mutex);
    if (c->is_unread)
        commands_settle(c, clock_now_ns(d));
    if (c->resets_itself && d->reset_queries)
        reset_on_host(c); /* for whoever uses them next */
    c->recording++;
    c->is_mixed = false;
    kt_mutex_unlock(d->mutex);
    c->query_count = 0;
    c->span_count = c->execution_count = 0;
    c->render = 0;
}

static void begin(commands *c, const VkCommandBufferBeginInfo *info)
{
    finish(c);
    bool only_copies = !(c->family->flags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT));
    c->is_simultaneous = info->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    c->resets_itself = c->is_simultaneous || !c->device->reset_queries;
    c->is_timed = c->family->clock.valid_bits > 0 && !(c->resets_itself && only_copies);
    memset(c->bound, 0, sizeof c->bound);
    memset(c->latest, 0, sizeof c->latest);
    memset(c->open, WORK_ALL << WORK_EARLIER, sizeof c->open);
}

VkResult trace_vkBeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
    commands *c = commands_find(handle);
    VkResult code = device_of(handle)->next.vkBeginCommandBuffer(handle, info);
    if (c)
        begin(c, info);
    return code;
}

VkResult trace_vkEndCommandBuffer(VkCommandBuffer handle)
{
    commands *c = commands_find(handle);
    if (c && c->render) { /* it is resumed in another command buffer */
        tracer_gap("a render pass that several command buffers share is not traced", 1);
        c->spans[c->render - 1].row = NULL;
        c->render = 0;
    }
    return device_of(handle)->next.vkEndCommandBuffer(handle);
}

VkResult trace_vkResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
    commands *c = commands_find(handle);
    if (c)
        finish(c);
    return device_of(handle)->next.vkResetCommandBuffer(handle, flags);
}

VkResult trace_vkResetCommandPool(VkDevice handle, VkCommandPool reset,
                                  VkCommandPoolResetFlags flags)
{
    device *d = device_of(handle);
    const pool *p = map_find(&d->pools, NUMBER(reset));
    for (commands *c = p ? p->commands : NULL; c; c = c->next)
        finish(c);
    return d->next.vkResetCommandPool(handle, reset, flags);
}

/* The command buffer goes. */
static void release(commands *c)
{
    device *d = c->device;
    finish(c);
    kt_mutex_lock(kt_mutex_of_library());
    map_take(&all_commands, NUMBER(c->handle));
    kt_mutex_unlock(kt_mutex_of_library());
    kt_mutex_lock(d->mutex);
    while (c->chunk_count > 0) {
        chunk *freed = c->chunks[--c->chunk_count];
        freed->next = d->free_chunks;
        d->free_chunks = freed;
    }
    c->next = d->free_commands;
    d->free_commands = c;
    kt_mutex_unlock(d->mutex);
}

void trace_vkFreeCommandBuffers(VkDevice handle, VkCommandPool from, uint32_t count,
                                const VkCommandBuffer *handles)
{
    device *d = device_of(handle);
    pool *p = map_find(&d->pools, NUMBER(from));
    for (uint32_t i = 0; p && i < count; i++)
        for (commands **at = &p->commands; *at; at = &(*at)->next)
            if (handles[i] && (*at)->handle == handles[i]) {
                commands *freed = *at;
                *at = freed->next;
                release(freed);
                break;
            }
    d->next.vkFreeCommandBuffers(handle, from, count, handles);
}

static void release_all(pool *p)
{
    while (p && p->commands) {
        commands *freed = p->commands;
        p->commands = freed->next;
        release(freed);
    }
    kt_free(p);
}

void trace_vkDestroyCommandPool(VkDevice handle, VkCommandPool destroyed,
                                const VkAllocationCallbacks *allocator)
{
    device *d = device_of(handle);
    kt_mutex_lock(d->mutex);
    pool *p = map_take(&d->pools, NUMBER(destroyed));
    kt_mutex_unlock(d->mutex);
    release_all(p);
    d->next.vkDestroyCommandPool(handle, destroyed, allocator);
}

static void release_pool(void *p)
{
    release_all(p);
}

void recording_end(device *d)
{
    map_clear(&d->pools, release_pool);
    while (d->free_chunks) {
        chunk *freed = d->free_chunks;
        d->free_chunks = freed->next;
        d->next.vkDestroyQueryPool(d->handle, freed->queries, NULL);
        kt_free(freed);
    }
    while (d->free_commands) {
        commands *freed = d->free_commands;
        d->free_commands = freed->next;
        kt_free(freed->chunks);
        kt_free(freed->spans);
        kt_free(freed->executions);
        kt_free(freed);
    }
}

/* ---- spans ---- */

static size_t class_of(uint8_t kind)
{
    return kind == WORK_COMPUTE ? 0 : kind == WORK_TRANSFER ? 1 : 2;
}

static void put_barrier(commands *c)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    c->device->next.vkCmdPipelineBarrier(c->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0,
                                         NULL);
    memset(c->open, 0, sizeof c->open);
}

/* Whether the new span, and those before it that may still run, overlap. */
static void mark_overlap(commands *c, size_t number, uint8_t kind)
{
    uint8_t open = c->open[class_of(kind)];
    span *s = &c->spans[number - 1];
    s->is_unordered = open & WORK_ALL;
    s->earlier = open >> WORK_EARLIER;
    for (size_t i = 0; i < WORK_CLASSES; i++)
        if (open >> i & 1 && c->latest[i])
            c->spans[c->latest[i] - 1].is_unordered = true;
}

size_t work_begin(commands *c, const work *w)
{
    bool is_exact = tracer_is_exact();
    size_t number = 0;
    if (w->row) {
        span *spans = kt_make_room(c->spans, &c->span_room, c->span_count + 1, sizeof *spans);
        if (spans) {
            c->spans = spans;
            if (is_exact)
                put_barrier(c);
            uint32_t query = c->is_timed ? take_queries(c) : NO_QUERY;
            number = ++c->span_count;
            spans[number - 1] =
                (span){.row = w->row,
                       .bytes = w->bytes,
                       .query = query,
                       .reason = c->is_timed ? TRACE_NO_MEMORY : TRACE_NO_TIMESTAMPS,
                       .is_kernel = w->is_kernel};
            mark_overlap(c, number, w->kind);
            if (query != NO_QUERY)
                write_timestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, query);
        } else { /* counted once, however often it runs */
            tracer_enqueued(1);
            tracer_untimed(w->row, TRACE_NO_MEMORY, 1);
        }
    }
    size_t kind = class_of(w->kind);
    for (size_t i = 0; i < WORK_CLASSES; i++)
        c->open[i] |= w->kind;
    c->latest[kind] = number;
    return number;
}

void work_end(commands *c, size_t number)
{
    if (!number)
        return;
    uint32_t query = c->spans[number - 1].query;
    if (query != NO_QUERY)
        write_timestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, query + 1);
    if (tracer_is_exact())
        put_barrier(c);
}

/* ---- reading ---- */

/* Half a turn of a counter tells a negative span from a long one. A kernel that outlasts it is
 * known by the time that the host waited. */
static bool measure(const family *f, uint64_t begin, uint64_t end, double wall_ns, double *ns)
{
    double most_ns = fmax(f->half_ns, kt_span_most_ns(wall_ns, f->clock.period_ns));
    return kt_ticks_span(&f->clock, begin, end, 0, most_ns, ns) == KT_TIMESTAMP_OK;
}

typedef struct batch {
    trace_span spans[BATCH];
    size_t count;
} batch;

static void flush(device *d, batch *b)
{
    if (b->count)
        tracer_record(d->trace, b->spans, b->count);
    b->count = 0;
}

static void record(commands *c, const span *s, const uint64_t *both, int64_t now_ns, batch *b)
{
    device *d = c->device;
    double ns = 0;
    bool is_good = both[1] && both[3] &&
                   measure(c->family, both[0], both[2], (double)(now_ns - c->begin_ns), &ns);
    if (!is_good) {
        tracer_untimed(s->row, TRACE_UNTRUSTED, 1);
        return;
    }
    trace_span *read = &b->spans[b->count++];
    *read = (trace_span){.row = s->row,
                         .begin_ns = clock_position_ns(d, c->family, both[0], c->begin_ns, now_ns),
                         .bytes = s->bytes,
                         .call_begin_ns = c->begin_ns,
                         .call_end_ns = c->end_ns,
                         .thread = c->thread,
                         .queue = c->queue->number,
                         .overlapped = s->is_overlapped};
    read->end_ns = read->begin_ns + llround(ns);
    clock_bracket(d, c->begin_ns, read, now_ns);
    if (b->count == BATCH)
        flush(d, b);
}

/* Reads the queries of one chunk: of each its value, and not 0 if there is one. */
static void read_chunk(commands *c, uint32_t first, uint32_t count, uint64_t *results)
{
    device *d = c->device;
    for (uint32_t i = 0; i < count; i++) /* drivers may fail without a word */
        results[2 * i + 1] = 0;
    tracer_pause_reading(&d->reading);
    d->next.vkGetQueryPoolResults(d->handle, c->chunks[first / CHUNK_QUERIES]->queries, 0, count,
                                  2 * count * sizeof *results, results, 2 * sizeof *results,
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    tracer_resume_reading(&d->reading);
}

void commands_read(commands *c, bool is_last, int64_t now_ns)
{
    uint64_t results[2 * CHUNK_QUERIES];
    uint32_t have = NO_QUERY; /* the chunk that is in `results` */
    batch b;
    b.count = 0;
    for (; c->read_count < c->span_count; c->read_count++) {
        const span *s = &c->spans[c->read_count];
        if (s->query == NO_QUERY || !s->is_counted)
            continue;
        uint32_t first = s->query - s->query % CHUNK_QUERIES, left = c->query_count - first;
        if (have != first) {
            read_chunk(c, first, left < CHUNK_QUERIES ? left : CHUNK_QUERIES, results);
            have = first;
        }
        const uint64_t *both = &results[2 * (s->query % CHUNK_QUERIES)];
        if ((!both[1] || !both[3]) && !is_last)
            break;
        record(c, s, both, now_ns, &b);
    }
    flush(c->device, &b);
    if (c->read_count < c->span_count)
        return;
    c->is_unread = false;
    if (!c->resets_itself)
        reset_on_host(c);
}

void commands_lose(commands *c, trace_reason reason)
{
    for (size_t i = c->read_count; c->is_unread && i < c->span_count; i++)
        if (c->spans[i].is_counted && c->spans[i].query != NO_QUERY)
            tracer_untimed(c->spans[i].row, reason, 1);
    c->is_unread = false;
}

void commands_settle(commands *c, int64_t now_ns)
{
    if (submissions_let_read(c->device)) {
        commands_read(c, true, now_ns);
        return;
    }
    commands_lose(c, TRACE_OVERWRITTEN);
    if (!c->resets_itself)
        reset_on_host(c);
}
