/* SPDX-License-Identifier: MIT */
/* Lists, and reading of the events of their commands. */
#include "tracers/level_zero/layer.h"

#include "backends/level_zero/timestamps.h"
#include "support/alloc.h"

#include <math.h>

/* READ_AT: commands of a list in flight, from which on appending reads those that have ended. */
enum { TILES_MAX = 32, BATCH_MAX = 256, READ_AT = 1024 };

static layer_chunk *spare;       /* of lists that are gone */
static _Atomic(bool) is_pending; /* something may be */
static _Atomic(uint32_t) lanes;

/* ---- what was read, until it is handed over ---- */

static trace_span batch[BATCH_MAX];
static size_t batch_count;
static layer_device *batch_device;
static int64_t reading_ns; /* the host's time of this reading; 0: not read yet */

static void hand_over(void)
{
    if (batch_count > 0)
        tracer_record(batch_device->device, batch, batch_count);
    batch_count = 0;
}

void layer_flush(void)
{
    hand_over();
    reading_ns = 0;
}

static void push(layer_device *device, const trace_span *span)
{
    if (batch_count == BATCH_MAX || device != batch_device)
        hand_over();
    batch_device = device;
    batch[batch_count++] = *span;
}

/* ---- slots ---- */

void layer_set_pending(void)
{
    if (!atomic_load_explicit(&is_pending, memory_order_relaxed))
        atomic_store_explicit(&is_pending, true, memory_order_relaxed);
}

bool layer_has_pending(void)
{
    return atomic_load_explicit(&is_pending, memory_order_relaxed);
}

static bool make_events(layer_chunk *chunk)
{
    ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                 .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                          ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                 .count = CHUNK_SLOTS};
    ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                             .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    if (!layer_next.EventPoolCreate || !layer_next.EventCreate ||
        layer_next.EventPoolCreate(chunk->context, &pool, 1, &chunk->device->handle,
                                   &chunk->pool) != ZE_RESULT_SUCCESS)
        return false;
    for (uint32_t i = 0; i < CHUNK_SLOTS; i++) {
        event.index = i;
        if (layer_next.EventCreate(chunk->pool, &event, &chunk->slots[i].own) != ZE_RESULT_SUCCESS)
            return false;
    }
    return true;
}

static void free_chunk(layer_chunk *chunk)
{
    for (uint32_t i = 0; chunk && i < CHUNK_SLOTS; i++)
        if (chunk->slots[i].own)
            (void)layer_next.EventDestroy(chunk->slots[i].own);
    if (chunk && chunk->pool)
        (void)layer_next.EventPoolDestroy(chunk->pool);
    kt_free(chunk);
}

static layer_chunk *take_chunk(layer_list *list)
{
    for (layer_chunk **at = &spare; *at; at = &(*at)->next) {
        layer_chunk *chunk = *at;
        if (chunk->context == list->context && chunk->device == list->device) {
            *at = chunk->next;
            return chunk;
        }
    }
    layer_chunk *chunk = kt_alloc(1, sizeof *chunk);
    if (!chunk)
        return NULL;
    chunk->context = list->context;
    chunk->device = list->device;
    if (make_events(chunk))
        return chunk;
    free_chunk(chunk);
    return NULL;
}

/* Gives the list a chunk for this command. False: no memory. */
static bool add_chunk(layer_list *list, uint64_t number)
{
    layer_lock();
    size_t place = number / CHUNK_SLOTS, room = place + 1;
    if (list->is_immediate) {
        place %= RING_CHUNKS;
        room = RING_CHUNKS;
    }
    layer_chunk **chunks = kt_make_room(list->chunks, &list->chunk_room, room, sizeof *chunks);
    if (chunks) {
        list->chunks = chunks;
        for (; list->chunk_count < list->chunk_room; list->chunk_count++)
            chunks[list->chunk_count] = NULL;
        chunks[place] = take_chunk(list);
    }
    bool is_there = chunks && chunks[place];
    layer_unlock();
    return is_there;
}

static layer_chunk **chunk_of(const layer_list *list, uint64_t number)
{
    uint64_t place = number / CHUNK_SLOTS;
    return &list->chunks[list->is_immediate ? place % RING_CHUNKS : place];
}

layer_slot *layer_slot_at(const layer_list *list, uint64_t number)
{
    return &(*chunk_of(list, number))->slots[number % CHUNK_SLOTS];
}

/* ---- reading ---- */

/* All tiles of a device where the driver tells them apart, else what one query says. */
static ze_result_t query(const layer_device *device, ze_event_handle_t event,
                         ze_kernel_timestamp_result_t *out)
{
    ze_kernel_timestamp_result_t tiles[TILES_MAX];
    uint32_t count = TILES_MAX;
    if (device->tiles > 1 && layer_next.EventExpQueryTimestampsExp) {
        ze_result_t code =
            layer_next.EventExpQueryTimestampsExp(event, device->handle, &count, tiles);
        if (code == ZE_RESULT_NOT_READY)
            return code;
        if (code == ZE_RESULT_SUCCESS && count > 0 && count <= TILES_MAX) {
            *out = kt_level_zero_combine(tiles, count, device->clock.valid_bits);
            return code;
        }
    }
    return layer_next.EventQueryKernelTimestamp(event, out);
}

static void end_slot(layer_slot *slot)
{
    layer_slot *expected = slot;
    slot->is_pending = false;
    if (slot->program)
        atomic_compare_exchange_strong(&slot->program->user, &expected, NULL);
}

bool layer_settle(layer_slot *slot, int reason)
{
    ze_kernel_timestamp_result_t result = {0}; /* a driver may leave it as it is */
    if (!slot->is_pending)                     /* the program may have destroyed its event */
        return true;
    layer_list *list = slot->list;
    ze_event_handle_t event = slot->program ? slot->program->handle : slot->own;
    ze_result_t code = query(list->device, event, &result);
    if (code == ZE_RESULT_NOT_READY && reason == LAYER_LEAVE)
        return false;
    if (reading_ns == 0)
        reading_ns = tracer_now_ns();
    trace_span span = {.row = slot->row,
                       .bytes = slot->bytes,
                       .call_begin_ns = slot->call_begin_ns,
                       .call_end_ns = slot->call_end_ns,
                       .thread = slot->thread,
                       .queue = list->queue ? list->queue->number : list->number};
    if (slot->is_ignored)
        ;
    else if (code == ZE_RESULT_NOT_READY)
        tracer_untimed(slot->row, slot->is_reset_later ? TRACE_OVERWRITTEN : (trace_reason)reason,
                       1);
    else if (code != ZE_RESULT_SUCCESS)
        tracer_untimed(slot->row, TRACE_FAILED, 1);
    else if (layer_span(list->device, &result, list->since_ns, reading_ns, &span))
        push(list->device, &span);
    else
        tracer_untimed(slot->row, TRACE_UNTRUSTED, 1);
    if (!slot->program && code == ZE_RESULT_SUCCESS)
        (void)layer_next.EventHostReset(slot->own);
    end_slot(slot);
    return true;
}

static void give_back(layer_chunk **chunk)
{
    if (*chunk) {
        (*chunk)->next = spare;
        spare = *chunk;
    }
    *chunk = NULL;
}

/* An immediate list ends its commands about in their order: the first that has not ended stops. */
static bool settle_immediate(layer_list *list, int reason)
{
    uint64_t at = atomic_load(&list->ended), end = atomic_load(&list->begun);
    while (at < end && layer_settle(layer_slot_at(list, at), reason)) {
        at++;
        if (at % CHUNK_SLOTS == 0)
            give_back(chunk_of(list, at - 1));
        atomic_store_explicit(&list->ended, at, memory_order_release);
    }
    return at == end;
}

bool layer_settle_list(layer_list *list, int reason)
{
    if (list->is_immediate)
        return settle_immediate(list, reason);
    uint64_t count = atomic_load(&list->begun);
    for (uint64_t i = 0; i < count; i++)
        if (!layer_settle(layer_slot_at(list, i), reason))
            return false;
    return true;
}

/* ---- appending ---- */

/* The first command of a chunk. Of many in flight, those are read that have ended. */
static bool begin_chunk(layer_list *list, uint64_t number, trace_reason *reason)
{
    if (list->is_immediate && number - atomic_load(&list->ended) >= READ_AT) {
        layer_lock();
        settle_immediate(list, LAYER_LEAVE);
        layer_flush();
        layer_unlock();
    }
    *reason = TRACE_TOO_MANY;
    if (list->is_immediate && number - atomic_load(&list->ended) > RING_SLOTS - CHUNK_SLOTS)
        return false;
    *reason = TRACE_NO_MEMORY;
    bool has_one = list->chunk_count > 0 &&
                   (list->is_immediate || number / CHUNK_SLOTS < list->chunk_count) &&
                   *chunk_of(list, number); /* of an earlier or a refused command */
    return has_one || add_chunk(list, number);
}

/* The next slot of a list. NULL: the reason says why there is none. */
static layer_slot *next_slot(layer_list *list, trace_reason *reason)
{
    uint64_t number = atomic_load_explicit(&list->begun, memory_order_relaxed);
    if (list->is_immediate && number == atomic_load(&list->ended))
        list->since_ns = tracer_now_ns();
    if (number % CHUNK_SLOTS == 0 && !begin_chunk(list, number, reason))
        return NULL;
    return layer_slot_at(list, number);
}

/* The program's event is about to be used again: the last moment to read the command before. */
static void take_over(layer_event *event)
{
    if (!atomic_load(&event->user))
        return;
    layer_lock();
    layer_slot *user = atomic_load(&event->user);
    if (user)
        layer_settle(user, TRACE_OVERWRITTEN);
    layer_flush();
    layer_unlock();
}

/* Fills the slot. */
static void fill_slot(layer_append *append, bool is_kernel, uint64_t bytes, ze_event_handle_t event)
{
    layer_event *program = event ? object_find(OBJECT_EVENT, event) : NULL;
    layer_slot *slot = append->slot;
    ze_event_handle_t own = slot->own;
    *slot = (layer_slot){.own = own,
                         .program = program,
                         .list = append->list,
                         .row = append->row,
                         .bytes = bytes,
                         .is_kernel = is_kernel,
                         .is_untimed = event && (!program || !program->has_timestamps)};
    if (program && append->list->is_immediate && !slot->is_untimed)
        take_over(program);
}

ze_event_handle_t layer_append_begin(layer_append *append, layer_list *list, trace_row *row,
                                     bool is_kernel, uint64_t bytes, ze_event_handle_t event)
{
    trace_reason reason = TRACE_NO_MEMORY;
    append->list = list;
    append->row = row;
    append->slot = NULL;
    if (row && list->is_immediate && is_kernel && !tracer_wants_kernel())
        append->row = NULL;
    if (!append->row)
        return event;
    append->slot = next_slot(list, &reason);
    if (append->slot) {
        fill_slot(append, is_kernel, bytes, event);
    } else {
        tracer_enqueued(1);
        tracer_untimed(row, reason, 1);
    }
    tracer_pause(&append->timing);
    return append->slot && !event ? append->slot->own : event;
}

static void submit_slot(layer_slot *slot, const trace_timing *timing)
{
    slot->call_begin_ns = timing->call_begin_ns;
    slot->call_end_ns = timing->call_end_ns;
    slot->thread = timing->call_end_ns ? tracer_thread() : 0; /* for the time line alone */
    tracer_enqueued(1);
    if (slot->is_untimed) {
        tracer_untimed(slot->row, TRACE_NO_TIMESTAMPS, 1);
        return;
    }
    slot->is_pending = true;
    if (slot->program)
        atomic_store(&slot->program->user, slot);
}

ze_result_t layer_append_end(layer_append *append, ze_result_t code)
{
    layer_list *list = append->list;
    layer_slot *slot = append->slot;
    if (!append->row)
        return code;
    tracer_resume(&append->timing);
    if (slot && code == ZE_RESULT_SUCCESS) {
        if (list->is_immediate)
            submit_slot(slot, &append->timing);
        if (slot->program && !list->is_immediate)
            atomic_store(&slot->program->recorded, slot);
        uint64_t begun = atomic_load_explicit(&list->begun, memory_order_relaxed);
        atomic_store_explicit(&list->begun, begun + 1, memory_order_release);
        layer_set_pending();
    }
    tracer_end(&append->timing);
    if (slot && list->is_immediate && list->is_synchronous && code == ZE_RESULT_SUCCESS) {
        layer_lock();
        layer_settle_list(list, TRACE_UNTRUSTED);
        layer_flush();
        layer_unlock();
    }
    return code;
}

/* ---- begin and end of lists ---- */

static void add_list(ze_command_list_handle_t handle, ze_context_handle_t context,
                     ze_device_handle_t device, const ze_command_queue_desc_t *immediate)
{
    layer_lock();
    layer_list *list = kt_alloc(1, sizeof *list);
    layer_device *on = layer_device_of(device);
    if (list && on && on->device) {
        list->handle = handle;
        list->context = context;
        list->device = on;
        list->is_immediate = immediate;
        list->is_synchronous = immediate && immediate->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        list->number = atomic_fetch_add(&lanes, 1);
        if (object_add(OBJECT_LIST, handle, list))
            list = NULL;
    }
    kt_free(list);
    layer_unlock();
}

ze_result_t layer_CommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                    const ze_command_list_desc_t *desc,
                                    ze_command_list_handle_t *out)
{
    ze_result_t code = layer_next.CommandListCreate(context, device, desc, out);
    if (code == ZE_RESULT_SUCCESS)
        add_list(*out, context, device, NULL);
    return code;
}

ze_result_t layer_CommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                             const ze_command_queue_desc_t *desc,
                                             ze_command_list_handle_t *out)
{
    ze_result_t code = layer_next.CommandListCreateImmediate(context, device, desc, out);
    if (code == ZE_RESULT_SUCCESS)
        add_list(*out, context, device, desc);
    return code;
}

/* Takes the list from its queue. */
void layer_leave_queue(layer_list *list)
{
    for (layer_list **at = list->queue ? &list->queue->waiting : NULL; at && *at;
         at = &(*at)->next_waiting)
        if (*at == list) {
            *at = list->next_waiting;
            break;
        }
    list->queue = NULL;
    list->next_waiting = NULL;
    list->is_repeated = false;
}

/* The last moment to read its events. */
static void read_list(layer_list *list)
{
    layer_settle_list(list, TRACE_UNTRUSTED);
    layer_flush();
    layer_leave_queue(list);
}

ze_result_t layer_CommandListReset(ze_command_list_handle_t handle)
{
    layer_list *list = object_find(OBJECT_LIST, handle);
    layer_lock();
    if (list)
        read_list(list);
    layer_unlock();
    ze_result_t code = layer_next.CommandListReset(handle);
    if (list && code == ZE_RESULT_SUCCESS)
        atomic_store(&list->begun, 0);
    return code;
}

static void free_list(layer_list *list)
{
    for (size_t i = 0; i < list->chunk_count; i++)
        give_back(&list->chunks[i]);
    kt_free(list->chunks);
    kt_free(list);
}

ze_result_t layer_CommandListDestroy(ze_command_list_handle_t handle)
{
    layer_lock();
    layer_list *list = object_find(OBJECT_LIST, handle);
    if (list)
        read_list(list);
    layer_unlock();
    ze_result_t code = layer_next.CommandListDestroy(handle);
    if (list && code == ZE_RESULT_SUCCESS) {
        layer_lock();
        object_remove(OBJECT_LIST, handle, list);
        free_list(list);
        layer_unlock();
    }
    return code;
}

ze_result_t layer_CommandListHostSynchronize(ze_command_list_handle_t handle, uint64_t timeout)
{
    ze_result_t code = layer_next.CommandListHostSynchronize(handle, timeout);
    layer_list *list = object_find(OBJECT_LIST, handle);
    if (code != ZE_RESULT_SUCCESS || !list || !layer_has_pending())
        return code;
    layer_lock();
    trace_reading reading = tracer_begin_reading(1);
    layer_settle_list(list, TRACE_UNTRUSTED);
    layer_flush();
    tracer_end_reading(&reading);
    layer_unlock();
    return code;
}

/* ---- all lists ---- */

static void sweep_immediate(void *object)
{
    layer_list *list = object;
    if (list->is_immediate && !settle_immediate(list, LAYER_LEAVE))
        layer_set_pending();
}

static void sweep_queue(void *object)
{
    layer_queue *queue = object;
    layer_settle_queue(queue, UINT64_MAX, LAYER_LEAVE);
    if (queue->waiting)
        layer_set_pending();
}

/* What another thread submits meanwhile may be left to the next call that submits or waits. */
void layer_sweep(void)
{
    if (!layer_has_pending())
        return;
    layer_lock();
    trace_reading reading = tracer_begin_reading(1);
    atomic_store(&is_pending, false);
    object_each(OBJECT_LIST, sweep_immediate);
    object_each(OBJECT_QUEUE, sweep_queue);
    layer_flush();
    tracer_end_reading(&reading);
    layer_unlock();
}

void layer_context_ends(ze_context_handle_t context)
{
    for (layer_chunk **at = &spare; *at;) {
        layer_chunk *chunk = *at;
        if (chunk->context != context) {
            at = &chunk->next;
            continue;
        }
        *at = chunk->next;
        free_chunk(chunk);
    }
}

static void forget_list(void *object)
{
    layer_list *list = object;
    uint64_t count = atomic_load(&list->begun);
    for (uint64_t i = list->is_immediate ? atomic_load(&list->ended) : 0; i < count; i++)
        layer_slot_at(list, i)->is_pending = false;
    if (list->is_immediate)
        atomic_store(&list->ended, count);
    layer_leave_queue(list);
}

void layer_forget_pending(void)
{
    object_each(OBJECT_LIST, forget_list);
    atomic_store(&is_pending, false);
}
