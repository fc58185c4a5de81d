/* SPDX-License-Identifier: MIT */
/* What executes commands: each queue, and each immediate list. Commands between two barriers begin
 * at once, as far as nothing that they wait for keeps them. */
#include "stub.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NEVER      UINT64_MAX
#define HANG_NS    1000000
#define LITTLE_NS  1000
#define FOREVER_NS (UINT64_C(1) << 60)

static struct engine *engines;
static _Atomic(stub_observer *) observer;

void ktStubObserve(stub_observer *who)
{
    atomic_store(&observer, who);
}

void engine_begin(struct engine *engine, struct object *owner, ze_device_handle_t device)
{
    engine->owner = owner;
    engine->device = device;
    engine->next = engines;
    engines = engine;
}

void engine_end(struct engine *engine)
{
    struct engine **at = &engines;
    while (*at && *at != engine)
        at = &(*at)->next;
    if (*at)
        *at = engine->next;
    if (engine->first)
        misuse("%s executes something", kind_names[engine->owner->kind]);
    free(engine->unordered);
    engine->unordered = NULL;
    engine->unordered_count = engine->unordered_room = 0;
}

/* ---- order ---- */

static bool is_work(const struct command *command)
{
    return command->op == OP_LAUNCH || command->op == OP_COPY || command->op == OP_FILL;
}

static bool waits_for(const struct command *command, const struct _ze_event_handle_t *event)
{
    for (uint32_t i = 0; i < command->wait_count; i++)
        if (command->waits[i] == event)
            return true;
    return false;
}

static bool changes(const struct command *command, const struct _ze_event_handle_t *event)
{
    if (command->signal == event)
        return true;
    for (uint32_t i = 0; i < command->event_count; i++)
        if (command->events[i] == event)
            return true;
    return false;
}

static bool share_event(const struct command *a, const struct command *b)
{
    if (a->signal && changes(b, a->signal))
        return true;
    for (uint32_t i = 0; i < a->event_count; i++)
        if (changes(b, a->events[i]))
            return true;
    return false;
}

static bool share_memory(const struct command *a, const struct command *b)
{
    for (uint32_t i = 0; i < a->range_count; i++)
        for (uint32_t k = 0; k < b->range_count; k++)
            if ((a->ranges[i].written || b->ranges[k].written) &&
                a->ranges[i].begin < b->ranges[k].end && b->ranges[k].begin < a->ranges[i].end)
                return true;
    return false;
}

static void check_order(const struct engine *engine, const struct command *command)
{
    for (size_t i = 0; i < engine->unordered_count; i++) {
        const struct command *before = &engine->unordered[i];
        if (before->signal && waits_for(command, before->signal))
            continue;
        if (command->op == OP_TIMESTAMP && is_work(before))
            misuse("a global timestamp is not ordered behind the work before it");
        if (before->op == OP_TIMESTAMP && is_work(command))
            misuse("work is not ordered behind the global timestamp before it");
        if (share_memory(command, before))
            misuse("commands that are not ordered use the same memory");
        if (share_event(command, before))
            misuse("commands that are not ordered change the same event");
    }
}

static void remember(struct engine *engine, const struct command *command)
{
    if (engine->unordered_count == engine->unordered_room) {
        engine->unordered_room = engine->unordered_room ? 2 * engine->unordered_room : 16;
        engine->unordered =
            realloc(engine->unordered, engine->unordered_room * sizeof *engine->unordered);
        if (!engine->unordered)
            abort();
    }
    engine->unordered[engine->unordered_count++] = *command;
}

void engine_seen(struct engine *engine)
{
    engine->unordered_count = 0;
    for (ze_event_handle_t event = NULL; (event = object_next(KIND_EVENT, event)) != NULL;)
        if (event->engine == engine)
            event->late = 0;
}

void engines_seen_event(const struct _ze_event_handle_t *event)
{
    for (struct engine *e = engines; e; e = e->next) {
        size_t kept = 0;
        for (size_t i = 0; i < e->unordered_count; i++)
            if (e->unordered[i].signal != event)
                e->unordered[kept++] = e->unordered[i];
        e->unordered_count = kept;
    }
}

/* ---- adding ---- */

bool command_is_alive(const struct command *command)
{
    bool alive = !command->signal || object_use(command->signal, KIND_EVENT);
    for (uint32_t i = 0; i < command->wait_count; i++)
        alive &= object_use(command->waits[i], KIND_EVENT) != NULL;
    for (uint32_t i = 0; i < command->event_count; i++)
        alive &= object_use(command->events[i], KIND_EVENT) != NULL;
    if (command->kernel)
        alive &= object_use(command->kernel, KIND_KERNEL) != NULL;
    for (uint32_t i = 0; i < command->block_count; i++)
        if (!command->blocks[i]->alive) {
            misuse("memory was freed");
            alive = false;
        }
    return alive;
}

struct pending *engine_add(struct engine *engine, const struct command *command,
                           uint64_t submitted_ticks)
{
    static unsigned jitter;
    struct pending *pending = calloc(1, sizeof *pending);
    if (!pending)
        abort();
    if (!engine->in_order)
        check_order(engine, command);
    if (command->op == OP_BARRIER && command->wait_count == 0)
        engine->unordered_count = 0;
    else if (!engine->in_order)
        remember(engine, command);
    pending->command = *command;
    pending->ready_ticks = submitted_ticks;
    if (!engine->first)
        pending->ready_ticks += counter_length(script.gap_ns) + jitter++ % 8;
    if (engine->last)
        engine->last->next = pending;
    else
        engine->first = pending;
    engine->last = pending;
    return pending;
}

/* What was to be executed never is. */
static void drop(struct engine *engine)
{
    while (engine->first) {
        struct pending *gone = engine->first;
        engine->first = gone->next;
        if (gone->list)
            gone->list->in_flight--;
        free(gone);
    }
    engine->last = NULL;
}

ze_result_t engine_submitted(struct engine *engine, struct pending *last)
{
    static uint64_t submissions;
    submissions++;
    engine->late = script.late;
    if (last && submissions == script.hang)
        last->hangs = true;
    if (script.lost && submissions >= script.lost) {
        stub_lose();
        for (struct engine *e = engines; e; e = e->next)
            drop(e);
        return ZE_RESULT_ERROR_DEVICE_LOST;
    }
    if (script.aub)
        drop(engine);
    if (!engine->synchronous)
        return ZE_RESULT_SUCCESS;
    ze_result_t code = engines_wait(engine_ended, engine, UINT64_MAX);
    if (code == ZE_RESULT_SUCCESS)
        engine_seen(engine); /* the host knows it when the call returns */
    return code;
}

/* ---- running ---- */

static uint64_t duration_of(const struct command *command)
{
    static unsigned jitter;
    switch (command->op) {
    case OP_LAUNCH: return counter_duration(script.kernel_ns);
    case OP_COPY:
    case OP_FILL: return counter_duration(script.copy_ns);
    case OP_QUERY:
        if (script.query_ns)
            return counter_length(script.query_ns);
        /* fall through */
    default: return script.barrier_ticks ? script.barrier_ticks + jitter++ % 3 : 0;
    }
}

/* False: what it waits for has not come. */
static bool begin(struct engine *engine, struct pending *pending)
{
    const struct command *command = &pending->command;
    uint64_t at = pending->ready_ticks;
    for (uint32_t i = 0; i < command->wait_count; i++) {
        if (!command->waits[i]->signalled)
            return false;
        if (command->waits[i]->end_ticks > at)
            at = command->waits[i]->end_ticks;
    }
    bool orders = command->op == OP_BARRIER || engine->in_order;
    uint64_t after = orders ? engine->end_ticks : engine->barrier_ticks;
    pending->begin_ticks = after > at ? after : at;
    pending->end_ticks = pending->hangs ? NEVER : pending->begin_ticks + duration_of(command);
    pending->begun = true;
    if (command->op == OP_QUERY) /* as Intel's kernel for it, before it looks at the events */
        memset(command->dst, 0, command->event_count * sizeof(ze_kernel_timestamp_result_t));
    return true;
}

static void tell_observer(const struct pending *pending)
{
    stub_observer *who = atomic_load(&observer);
    const struct command *command = &pending->command;
    if (who && is_work(command))
        who(command->op == OP_LAUNCH ? command->kernel->entry->name
                                     : (command->op == OP_COPY ? "copy" : "fill"),
            pending->begin_ticks, pending->end_ticks);
}

static void signal(struct engine *engine, const struct pending *pending)
{
    ze_event_handle_t event = pending->command.signal;
    uint64_t ticks = pending->end_ticks - pending->begin_ticks,
             *context = &engine->device->context_ticks;
    uint64_t active =
        ticks / 100 * script.context_percent + ticks % 100 * script.context_percent / 100;
    *context += active;
    if (!event)
        return;
    if (event->signalled)
        misuse("an event was signalled again without a reset");
    event->signalled = true;
    event->late = script.late;
    event->engine = engine;
    event->begin_ticks = pending->begin_ticks;
    event->end_ticks = pending->end_ticks;
    event->context_begin = *context - active;
    event->context_end = *context;
}

/* True: something has ended. */
static bool settle(struct engine *engine)
{
    struct pending *pending = engine->first;
    if (!pending || (!pending->begun && !begin(engine, pending)))
        return false;
    if (pending->end_ticks == NEVER || pending->end_ticks > counter_now())
        return false;
    if (command_is_alive(&pending->command)) {
        command_run(pending);
        signal(engine, pending);
        tell_observer(pending);
    }
    if (pending->end_ticks > engine->end_ticks)
        engine->end_ticks = pending->end_ticks;
    if (pending->command.op == OP_BARRIER)
        engine->barrier_ticks = pending->end_ticks;
    if (pending->list)
        pending->list->in_flight--;
    engine->first = pending->next;
    if (!engine->first)
        engine->last = NULL;
    free(pending);
    return true;
}

void engines_settle(void)
{
    for (bool again = true; again;) {
        again = false;
        for (struct engine *e = engines; e; e = e->next)
            while (settle(e))
                again = true;
    }
}

/* ---- waiting ---- */

/* When the next command ends; NEVER: none does. */
static uint64_t next_end(void)
{
    uint64_t next = NEVER;
    for (const struct engine *e = engines; e; e = e->next)
        if (e->first && e->first->begun && e->first->end_ticks < next)
            next = e->first->end_ticks;
    return next;
}

void engines_poll(void)
{
    uint64_t next = next_end();
    if (device_clock.kind == CLOCK_HOST)
        return;
    if (script.poll_ns)
        clock_advance((int64_t)script.poll_ns);
    else if (next != NEVER)
        clock_reach(counter_moment(next));
    else
        clock_advance(HANG_NS);
}

bool engine_ended(void *of)
{
    struct engine *engine = of;
    if (engine->first || !engine->late)
        return !engine->first;
    engine->late--;
    return false;
}

ze_result_t engines_wait(bool (*done)(void *of), void *of, uint64_t timeout_ns)
{
    bool forever = timeout_ns > FOREVER_NS;
    int64_t deadline = clock_now() + (int64_t)(forever ? FOREVER_NS : timeout_ns);
    for (;;) {
        engines_settle();
        if (stub_is_lost())
            return ZE_RESULT_ERROR_DEVICE_LOST;
        if (done(of))
            return ZE_RESULT_SUCCESS;
        if (clock_now() >= deadline)
            return ZE_RESULT_NOT_READY;
        if (device_clock.kind == CLOCK_HOST) {
            call_pause();
            continue;
        }
        uint64_t next = next_end();
        bool nothing = true;
        for (const struct engine *e = engines; e; e = e->next)
            nothing &= !e->first;
        /* With nothing under way it is asked in vain after the end, `late` times. */
        int64_t until = nothing ? clock_now() + LITTLE_NS : deadline;
        if (next != NEVER)
            until = counter_moment(next);
        else if (forever && !nothing) {
            misuse("waits for ever for what never ends");
            return ZE_RESULT_ERROR_DEVICE_LOST;
        }
        clock_reach(until < deadline ? until : deadline);
    }
}

/* ---- who uses what ---- */

static bool any_pending(bool (*uses)(const struct command *command, const void *what),
                        const void *what)
{
    for (const struct engine *e = engines; e; e = e->next)
        for (const struct pending *p = e->first; p; p = p->next)
            if (uses(&p->command, what))
                return true;
    return false;
}

static bool uses_event(const struct command *command, const void *event)
{
    return changes(command, event) || waits_for(command, event);
}

static bool uses_block(const struct command *command, const void *block)
{
    for (uint32_t i = 0; i < command->block_count; i++)
        if (command->blocks[i] == block)
            return true;
    return false;
}

static bool uses_kernel(const struct command *command, const void *kernel)
{
    return command->kernel == kernel;
}

bool engines_use_event(const struct _ze_event_handle_t *event)
{
    return any_pending(uses_event, event);
}

bool engines_use_block(const struct block *block)
{
    engines_settle();
    return any_pending(uses_block, block);
}

bool engines_use_kernel(const struct _ze_kernel_handle_t *kernel)
{
    return any_pending(uses_kernel, kernel);
}
