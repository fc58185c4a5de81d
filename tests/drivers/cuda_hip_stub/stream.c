/* SPDX-License-Identifier: MIT */
/* Streams: what stands in them, what it takes, and the kernel that holds them. */
#include "stub.h"

#include <stdlib.h>
#include <string.h>

#define NEVER_NS (INT64_MAX / 2)

/* The words that a blocking kernel shares with the host, as src/backends/cuda_hip/blocking_ptx.h has them. */
enum { RELEASED_BYTE = 0, EXPIRED_BYTE = 64 };

/* By how much the simulated clock moves when a stream is asked that is blocked or hangs. */
enum { POLL_HELD_NS = 1000, POLL_HUNG_NS = 1000000 };

cuda_stream stream_create(cuda_context context)
{
    static uint32_t streams;
    cuda_stream stream = object_create(KIND_STREAM, sizeof(struct cuda_stream_opaque), context);
    stream->number = ++streams;
    return stream;
}

static _Thread_local char thread_mark; /* its address tells threads apart */

static cuda_stream stream_of_thread(cuda_context context)
{
    for (cuda_stream s = NULL; (s = object_next(KIND_STREAM, s)) != NULL;)
        if (s->base.context == context && s->of_thread == &thread_mark)
            return s;
    cuda_stream stream = stream_create(context);
    stream->base.implicit = true;
    stream->of_thread = &thread_mark;
    return stream;
}

cuda_stream stream_implicit(cuda_stream handle)
{
    enum { LEGACY = 1, PER_THREAD = 2 };
    cuda_context current = context_current();
    if ((uintptr_t)handle == PER_THREAD)
        return stream_of_thread(current);
    if (handle && (uintptr_t)handle != LEGACY)
        return NULL;
    if (!current->null_stream) {
        current->null_stream = stream_create(current);
        current->null_stream->base.implicit = true;
    }
    return current->null_stream;
}

cuda_stream stream_use(cuda_stream handle)
{
    cuda_stream stream = stream_implicit(handle);
    if (!stream)
        stream = handle;
    if (!object_use(stream, KIND_STREAM))
        return NULL;
    bool is_here = contexts_meet(stream->base.context, context_current());
    EXPECT_USE(is_here, "the stream is of another context");
    if (!is_here)
        return NULL;
    stream_settle(stream);
    return stream;
}

bool streams_hang(const struct cuda_context_opaque *context)
{
    for (cuda_stream s = NULL; (s = object_next(KIND_STREAM, s)) != NULL;)
        if (s->base.context == context && s->end_ns >= NEVER_NS)
            return true;
    return false;
}

/* ---- executing ---- */

/* A stream in which nothing stands takes a while to begin. */
static int64_t begin_of(const struct cuda_stream_opaque *stream, const struct command *command)
{
    int64_t gap = command->op >= OP_FENCE ? 0 : (int64_t)script.launch_gap_ns;
    int64_t queued = command->queued_ns + (command->was_idle ? gap : 0);
    bool is_work = command->op == OP_LAUNCH || command->op == OP_COPY || command->op == OP_SET;
    int64_t busy = is_work && !command->was_idle ? (int64_t)script.busy_launch_ns : 0;
    return (stream->end_ns > queued ? stream->end_ns : queued) + busy;
}

/* Whether the script has this one end as if nobody had released it. */
static bool is_given_up(void)
{
    static uint64_t holds;
    holds++;
    return holds == script.give_up || (script.give_up_every && holds % script.give_up_every == 0);
}

/* False: it still holds. */
static bool end_blocking(cuda_stream stream, struct command *command)
{
    if (!command->begun) {
        command->begin_ns = begin_of(stream, command);
        command->begun = true;
        command->given_up = is_given_up();
    }
    int64_t now = clock_now(), limit = command->begin_ns + command->limit_ns;
    uint32_t *words = (uint32_t *)(void *)command->words;
    uint32_t released = __atomic_load_n(&words[RELEASED_BYTE / 4], __ATOMIC_ACQUIRE);
    bool is_released = (int32_t)(released - command->ticket) >= 0 && !command->given_up;
    bool waits =
        script.blocking == BLOCKING_PATIENT || (script.blocking == BLOCKING_WORKS && now < limit);
    if (!is_released && waits)
        return false;
    int64_t end = is_released || script.blocking == BLOCKING_IGNORED ? now : limit;
    if (end == limit && !is_released)
        __atomic_store_n(&words[EXPIRED_BYTE / 4], command->ticket, __ATOMIC_RELEASE);
    stream->end_ns = end > command->begin_ns ? end : command->begin_ns;
    observe(stream, command, command->begin_ns, stream->end_ns);
    return true;
}

void command_run(const struct command *command)
{
    if (command->skipped)
        return;
    switch (command->op) {
    case OP_LAUNCH:
        named_kernel_run(&(named_kernel_launch){.kernel = command->kernel,
                                                .memories = command->memories,
                                                .numbers = command->numbers,
                                                .groups = command->groups,
                                                .group_size = command->group_size,
                                                .wrong = command->wrong});
        break;
    case OP_COPY: memmove(command->dst, command->src, command->bytes); break;
    case OP_SET: memset(command->dst, command->value, command->bytes); break;
    case OP_BLOCKING:
    case OP_FENCE:
    case OP_RECORD: break;
    }
}

static void execute(cuda_stream stream, const struct command *command)
{
    int64_t begin = begin_of(stream, command), before = clock_now();
    command_run(command);
    if (command->spin_timestamps)
        spin_run(command, begin);
    if (command->clock_words)
        cycles_run(command);
    /* A record does nothing: what reading the host's clock takes is not what it was told to
     * take. */
    bool is_work = device_clock.kind == CLOCK_HOST && command->op < OP_FENCE;
    int64_t took = is_work ? clock_now() - before : 0;
    if (command->duration_ns > took)
        took = command->duration_ns;
    stream->end_ns = command->hangs ? NEVER_NS : begin + took;
    observe(stream, command, begin, stream->end_ns);
    if (command->op == OP_RECORD)
        event_timestamp(command->event, command->serial, begin);
    if (command->loses)
        stub_lose(CUDA_ILLEGAL_ADDRESS);
}

void stream_settle(cuda_stream stream)
{
    while (stream->first && stream->end_ns < NEVER_NS) {
        struct command *command = stream->first;
        if (command->op != OP_BLOCKING)
            execute(stream, command);
        else if (!end_blocking(stream, command))
            return;
        stream->first = command->next;
        stream->waiting--;
        free(command);
    }
}

void stream_add(cuda_stream stream, const struct command *what)
{
    if (stream->waiting >= script.depth)
        report_blocked();
    while (stream->waiting >= script.depth && stream->end_ns < NEVER_NS) {
        stream_poll(stream);
        stream_settle(stream);
    }
    struct command *command = malloc(sizeof *command);
    if (!command)
        abort();
    *command = *what;
    command->next = NULL;
    command->was_idle = stream_ended(stream);
    if (command->was_idle) /* what begins then begins at no round number */
        clock_add_noise();
    command->queued_ns = clock_now();
    command->serial = ++stream->serial;
    if (command->op == OP_RECORD)
        command->event->serial = command->serial;
    if (stream->first)
        stream->last->next = command;
    else
        stream->first = command;
    stream->last = command;
    stream->waiting++;
    stream->late = script.late;
    stream_settle(stream);
}

bool stream_ended(const struct cuda_stream_opaque *stream)
{
    return !stream->first && stream->end_ns <= clock_now();
}

bool stream_is_blocked(const struct cuda_stream_opaque *stream)
{
    return stream->first && stream->end_ns < NEVER_NS;
}

void stream_poll(cuda_stream stream)
{
    if (script.poll_ns)
        clock_advance((int64_t)script.poll_ns);
    else if (stream->end_ns >= NEVER_NS)
        clock_advance(POLL_HUNG_NS);
    else if (stream->first)
        clock_advance(POLL_HELD_NS);
    else if (device_clock.kind == CLOCK_SIMULATED)
        clock_reach(stream->end_ns);
}

/* A blocking kernel that nobody can release while this waits comes to its limit. */
void stream_finish(cuda_stream stream)
{
    while (stream_is_blocked(stream)) {
        if (stream->first->op == OP_BLOCKING)
            clock_reach(stream->first->begin_ns + stream->first->limit_ns);
        stream_settle(stream);
    }
    if (stream->end_ns < NEVER_NS)
        clock_reach(stream->end_ns);
    stream->done_serial = stream->serial;
    stream->late = 0;
}

/* ---- the functions ---- */

int64_t ktStubNow(void)
{
    report_begin();
    return clock_now();
}

void ktStubAdvance(int64_t ns)
{
    clock_advance(ns);
}

void ktStubTake(int64_t ns)
{
    clock_take(ns);
}

cuda_code stub_cuStreamCreate(cuda_stream *out, unsigned flags)
{
    ENTER(cuStreamCreate, NEEDS_CONTEXT);
    EXPECT_USE(flags <= CUDA_STREAM_NON_BLOCKING, "flags %u", flags);
    *out = stream_create(context_current());
    return CUDA_OK;
}

cuda_code stub_cuStreamDestroy(cuda_stream handle)
{
    ENTER(cuStreamDestroy, NEEDS_CONTEXT | NEEDS_NO_LUCK);
    cuda_stream stream = handle;
    if (!object_use(stream, KIND_STREAM))
        return CUDA_INVALID_HANDLE;
    stream_settle(stream);
    EXPECT_USE(!stream_is_blocked(stream), "the stream is blocked");
    EXPECT_USE(stream->end_ns < NEVER_NS, "the stream hangs");
    EXPECT_USE(stream->capture == CUDA_CAPTURE_NONE, "the stream is being captured");
    while (stream->first) {
        struct command *command = stream->first;
        stream->first = command->next;
        free(command);
    }
    events_forget_stream(stream);
    object_destroy(stream);
    return stub_lost();
}

cuda_code stub_cuStreamQuery(cuda_stream handle)
{
    ENTER(cuStreamQuery, NEEDS_CONTEXT);
    cuda_code spoils = capture_check();
    cuda_stream stream = stream_use(handle);
    if (!stream || spoils != CUDA_OK)
        return stream ? spoils : CUDA_INVALID_HANDLE;
    if (stream->capture != CUDA_CAPTURE_NONE) {
        stream->capture = CAPTURE_INVALIDATED;
        return CUDA_CAPTURE_UNSUPPORTED;
    }
    if (stub_lost() != CUDA_OK)
        return stub_lost();
    if (!stream_ended(stream)) {
        stream_poll(stream);
        return CUDA_NOT_READY;
    }
    if (stream->late > 0) {
        stream->late--;
        return CUDA_NOT_READY;
    }
    stream->done_serial = stream->serial;
    return CUDA_OK;
}

cuda_code stub_cuStreamSynchronize(cuda_stream handle)
{
    ENTER(cuStreamSynchronize, NEEDS_CONTEXT);
    cuda_stream stream = stream_use(handle);
    if (!stream)
        return CUDA_INVALID_HANDLE;
    stream_finish(stream);
    return stub_lost();
}

#if !STUB_HIP
cuda_code stub_cuStreamGetCtx(cuda_stream handle, cuda_context *out)
{
    ENTER(cuStreamGetCtx, NEEDS_CONTEXT);
    cuda_stream stream = stream_implicit(handle);
    if (!stream)
        stream = handle;
    if (!object_use(stream, KIND_STREAM))
        return CUDA_INVALID_HANDLE;
    *out = stream->base.context;
    return CUDA_OK;
}

cuda_code stub_cuStreamGetCtx_v2(cuda_stream handle, cuda_context *out, cuda_green_context *green)
{
    ENTER(cuStreamGetCtx_v2, NEEDS_CONTEXT);
    cuda_stream stream = stream_implicit(handle);
    if (!stream)
        stream = handle;
    if (!object_use(stream, KIND_STREAM))
        return CUDA_INVALID_HANDLE;
    cuda_context context = stream->base.context;
    *green = context->parent ? (cuda_green_context)(void *)context : NULL;
    *out = context->parent ? context->parent : context;
    return CUDA_OK;
}
#else
/* HIP knows all its streams, so anything may be asked. */
cuda_stream stream_find(cuda_stream handle)
{
    cuda_stream stream = stream_implicit(handle);
    for (cuda_stream s = NULL; !stream && (s = object_next(KIND_STREAM, s)) != NULL;)
        stream = s == handle ? s : NULL;
    return stream;
}

cuda_code stub_hipStreamGetDevice(cuda_stream handle, cuda_ordinal *out)
{
    ENTER(hipStreamGetDevice, NEEDS_CONTEXT);
    cuda_stream stream = stream_find(handle);
    if (!stream)
        return CUDA_CONTEXT_IS_DESTROYED;
    const struct cuda_context_opaque *context = stream->base.context;
    *out = context->device;
    return CUDA_OK;
}
#endif
