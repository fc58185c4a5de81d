/* SPDX-License-Identifier: MIT */
/* Encoders: what they are given becomes a list of commands. */
#include "stub.h"

#include <stdlib.h>
#include <string.h>

static void bind(struct binding *to, const struct binding *from)
{
    thing_drop(to->buffer);
    free(to->bytes);
    *to = *from;
}

static void encoder_end(void *thing)
{
    struct encoder *encoder = thing;
    for (int i = 0; i < BINDINGS_MAX; i++)
        bind(&encoder->bindings[i], &(struct binding){0});
    for (size_t i = 0; i < encoder->count; i++)
        for (size_t k = 0; k < encoder->list[i].held_count; k++)
            thing_drop(encoder->list[i].held[k]);
    free(encoder->list);
    thing_drop(encoder->pipeline);
}

/* Takes the samples of the pass. */
static void take_samples(struct encoder *encoder, const struct pass *pass)
{
    const struct attachment *of = pass ? pass->attachments->attachment : NULL;
    int places = encoder->type == ENCODER_RENDER ? SAMPLE_PLACES : 2;
    for (int i = 0; i < SAMPLE_PLACES; i++)
        encoder->index[i] = DONT_SAMPLE;
    if (!of || !of->samples)
        return;
    if (!device_samples_at(AT_STAGE)) {
        misuse("this device does not sample at stages");
        return;
    }
    encoder->samples = of->samples;
    of->samples->writers++;
    for (int i = 0; i < places; i++)
        if (samples_take(encoder->commands->queue->device, of->samples, of->index[i]))
            encoder->index[i] = of->index[i];
}

struct encoder *encoder_create(struct commands *commands, enum encoder_type type, struct pass *pass)
{
    struct encoder *encoder = thing_create(KIND_ENCODER, type, sizeof *encoder, encoder_end);
    encoder->type = type;
    encoder->commands = commands;
    take_samples(encoder, pass);
    if (commands->last)
        commands->last->next = encoder;
    else
        commands->first = encoder;
    commands->last = encoder;
    commands->open = encoder;
    return thing_retain(encoder); /* the commands' own, and who asked for it */
}

bool encoder_works(const struct encoder *encoder)
{
    for (size_t i = 0; i < encoder->count; i++)
        if (encoder->list[i].op < OP_SAMPLE)
            return true;
    return false;
}

void encoder_forget(struct encoder *encoder)
{
    for (int i = 0; i < SAMPLE_PLACES; i++) {
        if (encoder->index[i] != DONT_SAMPLE)
            samples_leave(encoder->samples, encoder->index[i]);
        encoder->index[i] = DONT_SAMPLE;
    }
    for (size_t i = 0; i < encoder->count; i++) {
        struct command *command = &encoder->list[i];
        if (command->op == OP_SAMPLE && command->index != DONT_SAMPLE)
            samples_leave(command->samples, command->index);
        command->index = DONT_SAMPLE;
    }
}

void encoder_let_go(const struct encoder *encoder)
{
    if (encoder->samples)
        encoder->samples->writers--;
    for (size_t i = 0; i < encoder->count; i++)
        if (encoder->list[i].op == OP_SAMPLE)
            encoder->list[i].samples->writers--;
}

/* The encoder, if it takes commands; NULL, and a misuse: it does not. */
static struct encoder *enter(enum entry entry, id self)
{
    struct encoder *encoder = stub_enter(entry, self, KIND_ENCODER);
    if (!encoder || !encoder->ended)
        return encoder;
    misuse("encoding has ended");
    return NULL;
}

static void hold(struct command *command, void *thing)
{
    if (thing)
        command->held[command->held_count++] = thing_retain(thing);
}

static void add(struct encoder *encoder, const struct command *command)
{
    if (encoder->count == encoder->room) {
        encoder->room = encoder->room * 2 + 8;
        encoder->list = realloc(encoder->list, encoder->room * sizeof *encoder->list);
        if (!encoder->list)
            abort();
    }
    encoder->list[encoder->count++] = *command;
}

#define ENTER_OPEN(entry) LEAVES struct encoder *encoder = enter(ENTRY_##entry, self)

/* ---- of all ---- */

static id encoder_device(id self, SEL selector)
{
    ENTER_OPEN(device);
    return encoder ? thing_id(encoder->commands->queue->device) : NULL;
}

static void encoder_sample(id self, SEL selector, id samples, ns_uint index, ns_bool barrier)
{
    static const ns_uint points[] = {AT_DISPATCH, AT_BLIT, AT_DRAW};
    ENTER_OPEN(sampleCountersInBuffer);
    struct samples *into = thing_use(samples, KIND_SAMPLES);
    EXPECT_USE(barrier <= 1, "BOOL %u", barrier);
    EXPECT_USE(into, "no sample buffer");
    if (encoder && !device_samples_at(points[encoder->type])) {
        misuse("this device does not sample there");
    } else if (encoder && into && samples_take(encoder->commands->queue->device, into, index)) {
        struct command command = {.op = OP_SAMPLE, .samples = into, .index = index};
        into->writers++;
        add(encoder, &command);
    }
}

struct fence *fence_create(struct device *device)
{
    struct fence *fence = thing_create(KIND_FENCE, 0, sizeof *fence, NULL);
    fence->device = device;
    return fence;
}

static id fence_device(id self, SEL selector)
{
    ANSWER(id, device, struct fence, KIND_FENCE, thing_id(it->device));
}

const struct method fence_methods[] = {METHOD(device, fence_device, "@@:"), METHODS_END};

/* Metal may wait at the begin of an encoder and update at its end, so a fence that it has updated
 * is not waited for. */
static bool has_updated(const struct encoder *encoder, const struct fence *fence)
{
    for (size_t i = 0; i < encoder->count; i++)
        if (encoder->list[i].op == OP_UPDATE && encoder->list[i].held[0] == &fence->thing)
            return true;
    return false;
}

static void add_fence(enum entry entry, id self, id object, enum op op)
{
    LEAVES struct encoder *encoder = enter(entry, self);
    struct fence *fence = thing_use(object, KIND_FENCE);
    EXPECT_USE(fence, "no fence");
    if (encoder && fence) {
        struct command command = {.op = op};
        EXPECT_USE(fence->device == encoder->commands->queue->device, "a fence of another device");
        EXPECT_USE(op == OP_UPDATE || !has_updated(encoder, fence), "it has updated that fence");
        hold(&command, fence);
        add(encoder, &command);
    }
}

static void encoder_wait_for(id self, SEL selector, id fence)
{
    add_fence(ENTRY_waitForFence, self, fence, OP_WAIT);
}

static void encoder_update(id self, SEL selector, id fence)
{
    add_fence(ENTRY_updateFence, self, fence, OP_UPDATE);
}

static void encoder_stop(id self, SEL selector)
{
    ENTER_OPEN(endEncoding);
    if (encoder) {
        encoder->ended = true;
        encoder->commands->open = NULL;
    }
}

/* ---- compute ---- */

static void compute_set_pipeline(id self, SEL selector, id pipeline)
{
    ENTER_OPEN(setComputePipelineState);
    struct pipeline *to = thing_use(pipeline, KIND_PIPELINE);
    EXPECT_USE(to, "no pipeline");
    if (encoder && to) {
        thing_retain(to);
        thing_drop(encoder->pipeline);
        encoder->pipeline = to;
    }
}

static void compute_set_buffer(id self, SEL selector, id buffer, ns_uint offset, ns_uint index)
{
    ENTER_OPEN(setBuffer);
    struct buffer *to = thing_use(buffer, KIND_BUFFER);
    bool good = index < BINDINGS_MAX && (!to || offset < to->bytes);
    EXPECT_USE(good, "offset %lu, index %lu", offset, index);
    if (encoder && good) {
        EXPECT_USE(!to || to->device == encoder->commands->queue->device,
                   "a buffer of another device");
        bind(&encoder->bindings[index],
             &(struct binding){.buffer = thing_retain(to), .offset = offset});
    }
}

static void compute_set_bytes(id self, SEL selector, const void *bytes, ns_uint length,
                              ns_uint index)
{
    ENTER_OPEN(setBytes);
    bool good = bytes && length && length <= BYTES_MAX_BOUND && index < BINDINGS_MAX;
    EXPECT_USE(good, "length %lu, index %lu", length, index);
    if (encoder && good) {
        unsigned char *copy = malloc(length);
        if (!copy)
            abort();
        memcpy(copy, bytes, length);
        bind(&encoder->bindings[index], &(struct binding){.bytes = copy, .length = length});
    }
}

/* Of a multiple of 16 bytes, at indices of their own. */
static void compute_set_group_memory(id self, SEL selector, ns_uint length, ns_uint index)
{
    ENTER_OPEN(setThreadgroupMemoryLength);
    bool good = length && length % 16 == 0 && index < BINDINGS_MAX;
    EXPECT_USE(good, "length %lu, index %lu", length, index);
    if (!encoder || !good)
        return;
    ns_uint all = 0;
    encoder->group_memory[index] = length;
    for (int i = 0; i < BINDINGS_MAX; i++)
        all += encoder->group_memory[i];
    EXPECT_USE(all <= GROUP_MEMORY_BYTES, "%lu bytes of threadgroup memory", all);
}

static bool is_good_size(struct mtl_size groups, struct mtl_size size)
{
    const ns_uint most =
        script.max_threads < script.device_threads ? script.max_threads : script.device_threads;
    ns_uint all = groups.width && groups.height && groups.depth ? 1 : 0;
    const ns_uint sizes[] = {size.width, size.height, size.depth};
    for (int i = 0; i < 3 && all <= most; i++)
        all *= sizes[i] <= most ? sizes[i] : most + 1;
    return all >= 1 && all <= most && groups.width <= UINT32_MAX && groups.height <= UINT32_MAX &&
           groups.depth <= UINT32_MAX;
}

static void dispatch(struct encoder *encoder, struct mtl_size groups, struct mtl_size size)
{
    static uint64_t launches;
    const struct function *function = encoder->pipeline->function;
    struct command command = {
        .op = OP_DISPATCH,
        .groups = {(uint32_t)groups.width, (uint32_t)groups.height, (uint32_t)groups.depth},
        .group_size = {(uint32_t)size.width, (uint32_t)size.height, (uint32_t)size.depth},
        .kernel = function->known,
        .name = function->name}; /* the pipeline is held */
    report_kernel(function->name, function->known != NULL);
    if (command.kernel && command.kernel->function) {
        if (!kernel_take(encoder, &command))
            return;
        command.wrong = ++launches == script.wrong;
    }
    hold(&command, encoder->pipeline);
    for (int i = 0; i < GROUP_KERNEL_MEMORIES_MAX; i++)
        hold(&command, encoder->bindings[i].buffer);
    add(encoder, &command);
}

static void compute_dispatch(id self, SEL selector, struct mtl_size groups, struct mtl_size size)
{
    ENTER_OPEN(dispatchThreadgroups);
    bool good = is_good_size(groups, size);
    EXPECT_USE(good, "sizes %lu %lu %lu, %lu %lu %lu", groups.width, groups.height, groups.depth,
               size.width, size.height, size.depth);
    EXPECT_USE(!encoder || encoder->pipeline, "no pipeline");
    if (encoder && encoder->pipeline && good)
        dispatch(encoder, groups, size);
}

/* ---- blit ---- */

/* macOS wants multiples of four. */
static bool is_range(const struct buffer *buffer, ns_uint offset, ns_uint bytes)
{
    return buffer && bytes && offset <= buffer->bytes && bytes <= buffer->bytes - offset &&
           offset % 4 == 0 && bytes % 4 == 0;
}

static void blit_copy(id self, SEL selector, id from, ns_uint from_offset, id to, ns_uint to_offset,
                      ns_uint bytes)
{
    ENTER_OPEN(copyFromBuffer);
    struct buffer *src = thing_use(from, KIND_BUFFER), *dst = thing_use(to, KIND_BUFFER);
    bool good = is_range(src, from_offset, bytes) && is_range(dst, to_offset, bytes);
    EXPECT_USE(good, "%lu bytes from %lu to %lu", bytes, from_offset, to_offset);
    EXPECT_USE(src != dst || from_offset >= to_offset + bytes || to_offset >= from_offset + bytes,
               "the parts overlap");
    if (encoder && good) {
        struct command command = {.op = OP_COPY,
                                  .src = src->data + from_offset,
                                  .dst = dst->data + to_offset,
                                  .bytes = bytes};
        hold(&command, src);
        hold(&command, dst);
        add(encoder, &command);
    }
}

static void blit_fill(id self, SEL selector, id buffer, struct ns_range range, unsigned char value)
{
    ENTER_OPEN(fillBuffer);
    struct buffer *dst = thing_use(buffer, KIND_BUFFER);
    bool good = is_range(dst, range.location, range.length);
    EXPECT_USE(good, "range %lu, %lu", range.location, range.length);
    if (encoder && good) {
        struct command command = {.op = OP_FILL,
                                  .dst = dst->data + range.location,
                                  .bytes = range.length,
                                  .value = value};
        hold(&command, dst);
        add(encoder, &command);
    }
}

/* ---- render: as much as makes a pass that does something ---- */

static void render_draw(id self, SEL selector, ns_uint type, ns_uint start, ns_uint count)
{
    ENTER_OPEN(drawPrimitives);
    EXPECT_USE(type <= 4 && count, "type %lu, %lu vertices", type, count);
    if (encoder)
        add(encoder, &(struct command){.op = OP_DRAW});
}

#define OF_ALL                                                    \
    METHOD(device, encoder_device, "@@:"),                        \
        METHOD(sampleCountersInBuffer, encoder_sample, "v@:@QB"), \
        METHOD(endEncoding, encoder_stop, "v@:")

#define OF_PLAIN \
    METHOD(waitForFence, encoder_wait_for, "v@:@"), METHOD(updateFence, encoder_update, "v@:@")

const struct method compute_methods[] = {
    OF_ALL,
    OF_PLAIN,
    METHOD(setComputePipelineState, compute_set_pipeline, "v@:@"),
    METHOD(setBuffer, compute_set_buffer, "v@:@QQ"),
    METHOD(setBytes, compute_set_bytes, "v@:r^vQQ"),
    METHOD(setThreadgroupMemoryLength, compute_set_group_memory, "v@:QQ"),
    METHOD(dispatchThreadgroups, compute_dispatch, "v@:{?=QQQ}{?=QQQ}"),
    METHODS_END,
};
const struct method blit_methods[] = {
    OF_ALL,
    OF_PLAIN,
    METHOD(copyFromBuffer, blit_copy, "v@:@Q@QQ"),
    METHOD(fillBuffer, blit_fill, "v@:@{_NSRange=QQ}C"),
    METHODS_END,
};
const struct method render_methods[] = {OF_ALL, METHOD(drawPrimitives, render_draw, "v@:QQQ"),
                                        METHODS_END};
