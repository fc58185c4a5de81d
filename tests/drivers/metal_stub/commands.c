/* SPDX-License-Identifier: MIT */
/* Queues and command buffers. */
#include "stub.h"

/* ---- queues ---- */

static void queue_end(void *thing)
{
    thing_drop(((struct queue *)thing)->device);
}

struct queue *queue_create(struct device *device, ns_uint depth)
{
    struct queue *queue = thing_create(KIND_QUEUE, 0, sizeof *queue, queue_end);
    queue->depth = depth;
    queue->device = thing_retain(device);
    return queue;
}

static id queue_device(id self, SEL selector)
{
    ANSWER(id, device, struct queue, KIND_QUEUE, thing_id(it->device));
}

static void commands_end(void *thing)
{
    struct commands *commands = thing;
    EXPECT_USE(!commands->open, "an encoder of it is open at its end");
    for (struct encoder *e = commands->first, *next; e; e = next) {
        next = e->next;
        if (commands->status == STATUS_NONE)
            encoder_forget(e);
        encoder_let_go(e);
        e->ended = true;
        e->commands = NULL;
        thing_drop(e);
    }
    if (commands->status == STATUS_NONE)
        commands->queue->alive--;
    thing_drop(commands->queue);
}

static id queue_commands(id self, SEL selector)
{
    struct commands *commands = NULL;
    ENTER(struct queue, queue, commandBuffer, KIND_QUEUE);
    if (queue) {
        EXPECT_USE(queue->alive < queue->depth,
                   "%lu command buffers are not complete: it would wait for one", queue->depth);
        queue->alive++;
        commands = thing_create(KIND_COMMANDS, 0, sizeof *commands, commands_end);
        commands->queue = thing_retain(queue);
        commands->late = script.late;
    }
    return thing_leave(commands);
}

const struct method queue_methods[] = {METHOD(device, queue_device, "@@:"),
                                       METHOD(commandBuffer, queue_commands, "@@:"), METHODS_END};

/* ---- encoders ---- */

static id commands_encoder(enum entry entry, id self, enum encoder_type type, id descriptor,
                           bool described)
{
    LEAVES struct commands *commands = stub_enter(entry, self, KIND_COMMANDS);
    struct pass *pass = described ? thing_use(descriptor, KIND_PASS) : NULL;
    struct encoder *encoder = NULL;
    EXPECT_USE(!described || pass, "no descriptor");
    EXPECT_USE(!pass || pass->type == type, "a descriptor of another kind of pass");
    if (commands && commands->open)
        misuse("an encoder is open");
    else if (commands && commands->status != STATUS_NONE)
        misuse("it is committed");
    else if (commands)
        encoder = encoder_create(commands, type, pass);
    return thing_leave(encoder);
}

static id commands_compute(id self, SEL selector)
{
    return commands_encoder(ENTRY_computeCommandEncoder, self, ENCODER_COMPUTE, NULL, false);
}

static id commands_compute_with(id self, SEL selector, id pass)
{
    return commands_encoder(ENTRY_computeCommandEncoderWithDescriptor, self, ENCODER_COMPUTE, pass,
                            true);
}

static id commands_blit(id self, SEL selector)
{
    return commands_encoder(ENTRY_blitCommandEncoder, self, ENCODER_BLIT, NULL, false);
}

static id commands_blit_with(id self, SEL selector, id pass)
{
    return commands_encoder(ENTRY_blitCommandEncoderWithDescriptor, self, ENCODER_BLIT, pass, true);
}

static id commands_render_with(id self, SEL selector, id pass)
{
    return commands_encoder(ENTRY_renderCommandEncoderWithDescriptor, self, ENCODER_RENDER, pass,
                            true);
}

/* ---- from their commit on ---- */

static void commit(struct commands *commands)
{
    static uint64_t commits;
    struct device *device = commands->queue->device;
    commits++;
    commands->hangs = script.hang && commits >= script.hang;
    commands->fails =
        script.error && commits >= script.error && commits - script.error < script.error_times;
    commands->status = STATUS_SCHEDULED;
    int64_t earliest = clock_now() + GAP_NS;
    commands_schedule(commands, device->begin_ns > earliest ? device->begin_ns : earliest);
    device->begin_ns = commands->begin_ns;
    thing_retain(commands);
    if (device->last)
        device->last->next = commands;
    else
        device->first = commands;
    device->last = commands;
}

static void commands_commit(id self, SEL selector)
{
    ENTER(struct commands, commands, commit, KIND_COMMANDS);
    if (commands && commands->status != STATUS_NONE)
        misuse("it is committed");
    else if (commands && commands->open)
        misuse("an encoder is open");
    else if (commands)
        commit(commands);
}

/* Asked in vain: the simulated time passes, to the end of what is under way unless the script says
 * how much; 1 ms if that never comes. */
static void poll(const struct commands *commands)
{
    int64_t left_ns = commands->end_ns - clock_now();
    clock_advance(script.poll_ns    ? (int64_t)script.poll_ns
                  : commands->hangs ? 1000000
                  : left_ns > 0     ? left_ns
                                    : 0);
}

static ns_uint commands_status(id self, SEL selector)
{
    ns_uint answer = 0;
    ENTER(struct commands, commands, status, KIND_COMMANDS);
    if (commands) {
        bool done = commands->status >= STATUS_COMPLETED;
        answer = done && commands->late ? STATUS_SCHEDULED : commands->status;
        commands->late -= done && commands->late;
        if (commands->status == STATUS_SCHEDULED)
            poll(commands);
    }
    return answer;
}

static void commands_wait(id self, SEL selector)
{
    ENTER(struct commands, commands, waitUntilCompleted, KIND_COMMANDS);
    EXPECT_USE(!commands || commands->status != STATUS_NONE, "it is not committed");
    EXPECT_USE(!commands || !commands->hangs, "for ever");
    if (commands && commands->status == STATUS_SCHEDULED && !commands->hangs) {
        thing_retain(commands);
        clock_wait(commands->end_ns);
        devices_settle();
        commands->late = 0;
        thing_drop(commands);
    }
}

static id commands_error(id self, SEL selector)
{
    id answer = NULL;
    ENTER(const struct commands, commands, error, KIND_COMMANDS);
    if (commands && commands->status == STATUS_ERROR)
        error_tell(&answer,
                   script.error_domain == ERRORS_OF_METAL ? IN_COMMANDS
                                                          : "IOGPUCommandQueueErrorDomain",
                   (long)script.error_code,
                   "Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackError"
                   "Timeout)");
    return answer;
}

static double seconds(const struct commands *commands, int64_t ns)
{
    return commands->status == STATUS_COMPLETED ? (double)clock_on_resolution(ns) / 1e9 : 0;
}

static double commands_start(id self, SEL selector)
{
    ANSWER(double, GPUStartTime, struct commands, KIND_COMMANDS, seconds(it, it->begin_ns));
}

static double commands_end_time(id self, SEL selector)
{
    ANSWER(double, GPUEndTime, struct commands, KIND_COMMANDS, seconds(it, it->end_ns));
}

static id commands_device(id self, SEL selector)
{
    ANSWER(id, device, struct commands, KIND_COMMANDS, thing_id(it->queue->device));
}

const struct method commands_methods[] = {
    METHOD(device, commands_device, "@@:"),
    METHOD(computeCommandEncoder, commands_compute, "@@:"),
    METHOD(computeCommandEncoderWithDescriptor, commands_compute_with, "@@:@"),
    METHOD(blitCommandEncoder, commands_blit, "@@:"),
    METHOD(blitCommandEncoderWithDescriptor, commands_blit_with, "@@:@"),
    METHOD(renderCommandEncoderWithDescriptor, commands_render_with, "@@:@"),
    METHOD(commit, commands_commit, "v@:"),
    METHOD(status, commands_status, "Q@:"),
    METHOD(error, commands_error, "@@:"),
    METHOD(GPUStartTime, commands_start, "d@:"),
    METHOD(GPUEndTime, commands_end_time, "d@:"),
    METHOD(waitUntilCompleted, commands_wait, "v@:"),
    METHODS_END,
};
