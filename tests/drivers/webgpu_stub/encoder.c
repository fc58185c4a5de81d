/* SPDX-License-Identifier: MIT */
/* Encoding: commands are put down, and what is wrong with them is told at the end. */
#include "stub.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 256 };

/* ---- lists of commands ---- */

void commands_add(struct commands *commands, const struct command *command)
{
    if (commands->count == commands->room) {
        commands->room = commands->room ? 2 * commands->room : 16;
        commands->list = realloc(commands->list, commands->room * sizeof *commands->list);
        if (!commands->list)
            abort();
    }
    commands->list[commands->count++] = *command;
    counted_hold(command->src);
    counted_hold(command->dst);
    counted_hold(command->queries);
    counted_hold(command->pipeline);
    counted_hold(command->group);
}

void commands_end(struct commands *commands)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        const struct command *command = &commands->list[i];
        counted_drop(command->src);
        counted_drop(command->dst);
        counted_drop(command->queries);
        counted_drop(command->pipeline);
        counted_drop(command->group);
        free(command->data);
    }
    free(commands->list);
    *commands = (struct commands){0};
}

/* ---- encoders ---- */

/* With the name of the call. */
static void note(struct WGPUCommandEncoderImpl *encoder, const char *said)
{
    char text[2 * TEXT_MAX];
    snprintf(text, sizeof text, "%s: %s", report_caller, said);
    if (!encoder->error)
        encoder->error = strdup(text);
}

/* As device_refuses(), but told when the encoder is finished. */
__attribute__((format(printf, 2, 3))) static void refuses(struct WGPUCommandEncoderImpl *encoder,
                                                          const char *format, ...)
{
    char text[TEXT_MAX];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    misuse("%s", text);
    note(encoder, text);
}

#define NEEDS(encoder, condition, ...) ((condition) ? true : (refuses(encoder, __VA_ARGS__), false))

/* Not given as an error by the API itself. */
static bool takes(struct WGPUCommandEncoderImpl *encoder, const void *object)
{
    if (!((const struct base *)object)->invalid)
        return true;
    note(encoder, "an object is invalid");
    return false;
}

/* The encoder if commands may be put there. */
static struct WGPUCommandEncoderImpl *open_encoder(WGPUCommandEncoder encoder, bool fails)
{
    if (!object_use(encoder, KIND_ENCODER) ||
        !NEEDS(encoder, !encoder->finished, "the encoder is finished") ||
        !NEEDS(encoder, !encoder->pass, "within a pass"))
        return NULL;
    if (fails)
        note(encoder, "the script wants it to fail");
    return encoder;
}

static void end_encoder(void *object)
{
    struct WGPUCommandEncoderImpl *encoder = object;
    commands_end(&encoder->commands);
    free(encoder->error);
}

WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
                                                  const WGPUCommandEncoderDescriptor *d)
{
    ENTER(wgpuDeviceCreateCommandEncoder, device);
    EXPECT_USE(!d || !d->nextInChain, "something is chained");
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    return create(KIND_ENCODER, sizeof(struct WGPUCommandEncoderImpl), device, fails, end_encoder);
}

void wgpuCommandEncoderAddRef(WGPUCommandEncoder encoder)
{
    ENTER(wgpuCommandEncoderAddRef, encoder);
    if (object_use(encoder, KIND_ENCODER))
        counted_retain(encoder);
}

RELEASES(wgpuCommandEncoderRelease, WGPUCommandEncoder, KIND_ENCODER)

static bool copy_is_sound(struct WGPUCommandEncoderImpl *encoder, const struct command *c)
{
    return takes(encoder, c->src) && takes(encoder, c->dst) &&
           NEEDS(encoder, c->src != c->dst, "from a buffer to itself") &&
           NEEDS(encoder, c->src->usage & WGPUBufferUsage_CopySrc, "usage of the source") &&
           NEEDS(encoder, c->dst->usage & WGPUBufferUsage_CopyDst, "usage of the target") &&
           NEEDS(encoder, (c->src_offset | c->dst_offset | c->bytes) % 4 == 0, "alignment") &&
           NEEDS(encoder,
                 c->bytes <= c->src->bytes && c->src_offset <= c->src->bytes - c->bytes &&
                     c->bytes <= c->dst->bytes && c->dst_offset <= c->dst->bytes - c->bytes,
                 "beyond the end");
}

void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder handle, WGPUBuffer source,
                                          uint64_t source_offset, WGPUBuffer destination,
                                          uint64_t destination_offset, uint64_t size)
{
    ENTER(wgpuCommandEncoderCopyBufferToBuffer, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails);
    const struct command copy = {.op = OP_COPY,
                                 .src = object_use(source, KIND_BUFFER),
                                 .dst = object_use(destination, KIND_BUFFER),
                                 .src_offset = source_offset,
                                 .dst_offset = destination_offset,
                                 .bytes = size};
    if (encoder && copy.src && copy.dst && !fails && copy_is_sound(encoder, &copy))
        commands_add(&encoder->commands, &copy);
}

/* In this encoder, at either end of a pass. */
static bool is_written(const struct commands *commands, const struct WGPUQuerySetImpl *set,
                       uint32_t query)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        const struct command *c = &commands->list[i];
        if ((c->op == OP_BEGIN || c->op == OP_END) && c->queries == set && c->first == query)
            return true;
    }
    return false;
}

static bool resolve_is_sound(struct WGPUCommandEncoderImpl *encoder, const struct command *c)
{
    if (!takes(encoder, c->queries) || !takes(encoder, c->dst) ||
        !NEEDS(encoder, c->count <= c->queries->count && c->first <= c->queries->count - c->count,
               "queries beyond the end") ||
        !NEEDS(encoder, c->dst->usage & WGPUBufferUsage_QueryResolve, "usage") ||
        !NEEDS(encoder, c->dst_offset % 256 == 0, "offset %llu",
               (unsigned long long)c->dst_offset) ||
        !NEEDS(encoder,
               c->dst_offset <= c->dst->bytes &&
                   UINT64_C(8) * c->count <= c->dst->bytes - c->dst_offset,
               "beyond the end"))
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (!NEEDS(encoder, script.lax || is_written(&encoder->commands, c->queries, c->first + i),
                   "a query that no pass of the encoder writes"))
            return false;
    return true;
}

void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder handle, WGPUQuerySet set, uint32_t first,
                                       uint32_t count, WGPUBuffer destination, uint64_t offset)
{
    ENTER(wgpuCommandEncoderResolveQuerySet, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails);
    const struct command resolve = {.op = OP_RESOLVE,
                                    .queries = object_use(set, KIND_QUERIES),
                                    .first = first,
                                    .count = count,
                                    .dst = object_use(destination, KIND_BUFFER),
                                    .dst_offset = offset};
    if (encoder && resolve.queries && resolve.dst && !fails && resolve_is_sound(encoder, &resolve))
        commands_add(&encoder->commands, &resolve);
}

static void end_command_buffer(void *object)
{
    commands_end(&((struct WGPUCommandBufferImpl *)object)->commands);
}

WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder handle,
                                           const WGPUCommandBufferDescriptor *d)
{
    ENTER(wgpuCommandEncoderFinish, handle);
    EXPECT_USE(!d || !d->nextInChain, "something is chained");
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, false);
    if (!object_use(handle, KIND_ENCODER))
        return NULL;
    WGPUDevice device = handle->base.device;
    WGPUCommandBuffer made = create(KIND_COMMANDS, sizeof *made, device, fails, end_command_buffer);
    if (encoder)
        encoder->finished = true;
    if (fails)
        return made;
    made->base.invalid = !encoder || encoder->error || encoder->base.invalid;
    if (made->base.invalid) {
        device_error(device, WGPUErrorType_Validation, "%s",
                     handle->error ? handle->error : "the encoder is invalid");
        return made;
    }
    made->commands = encoder->commands;
    encoder->commands = (struct commands){0};
    return made;
}

RELEASES(wgpuCommandBufferRelease, WGPUCommandBuffer, KIND_COMMANDS)

/* ---- passes ---- */

static void end_pass(void *object)
{
    struct WGPUComputePassEncoderImpl *pass = object;
    if (!pass->ended && pass->encoder->pass == pass)
        misuse("a pass is released without having been ended");
    counted_drop(pass->pipeline);
    counted_drop(pass->group);
    counted_drop(pass->queries);
    counted_drop(pass->encoder);
}

static bool writes_are_sound(struct WGPUCommandEncoderImpl *encoder,
                             const WGPUPassTimestampWrites *writes)
{
    const uint32_t query[] = {writes->beginningOfPassWriteIndex, writes->endOfPassWriteIndex};
    const struct WGPUQuerySetImpl *set = object_use(writes->querySet, KIND_QUERIES);
    if (!set || !takes(encoder, set) ||
        !NEEDS(encoder, !writes->nextInChain, "something is chained") ||
        !NEEDS(encoder, query[0] != query[1], "both ends write one query"))
        return false;
    for (int i = 0; i < 2; i++)
        if (query[i] != WGPU_QUERY_SET_INDEX_UNDEFINED &&
            (!NEEDS(encoder, query[i] < set->count, "query %u", query[i]) ||
             !NEEDS(encoder, script.lax || !is_written(&encoder->commands, set, query[i]),
                    "a query is written twice in one encoder")))
            return false;
    return true;
}

static void begin_pass(struct WGPUComputePassEncoderImpl *pass,
                       const WGPUPassTimestampWrites *writes)
{
    struct command begin = {.op = OP_BEGIN};
    pass->end_query = WGPU_QUERY_SET_INDEX_UNDEFINED;
    if (writes && writes_are_sound(pass->encoder, writes)) {
        bool timestamped = writes->beginningOfPassWriteIndex != WGPU_QUERY_SET_INDEX_UNDEFINED;
        begin.queries = timestamped ? writes->querySet : NULL;
        begin.first = writes->beginningOfPassWriteIndex;
        pass->queries = writes->querySet;
        pass->end_query = writes->endOfPassWriteIndex;
        counted_hold(pass->queries);
    }
    commands_add(&pass->encoder->commands, &begin);
}

WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(WGPUCommandEncoder handle,
                                                          const WGPUComputePassDescriptor *d)
{
    ENTER(wgpuCommandEncoderBeginComputePass, handle);
    EXPECT_USE(!d || !d->nextInChain, "something is chained");
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails);
    if (!object_use(handle, KIND_ENCODER) || (fails && script.error == ERROR_NULL))
        return NULL;
    WGPUComputePassEncoder pass =
        create(KIND_PASS, sizeof *pass, handle->base.device, false, end_pass);
    pass->encoder = handle;
    counted_hold(handle);
    if (encoder) {
        encoder->pass = pass;
        begin_pass(pass, d ? d->timestampWrites : NULL);
    }
    return pass;
}

/* The pass if it goes on. */
static struct WGPUComputePassEncoderImpl *open_pass(WGPUComputePassEncoder pass, bool fails)
{
    if (!object_use(pass, KIND_PASS) || !NEEDS(pass->encoder, !pass->ended, "the pass was ended"))
        return NULL;
    if (fails)
        note(pass->encoder, "the script wants it to fail");
    return pass;
}

void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder handle, WGPUComputePipeline pipeline)
{
    ENTER(wgpuComputePassEncoderSetPipeline, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails);
    if (pass && object_use(pipeline, KIND_PIPELINE) && takes(pass->encoder, pipeline) && !fails) {
        counted_hold(pipeline);
        counted_drop(pass->pipeline);
        pass->pipeline = pipeline;
    }
}

void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder handle, uint32_t index,
                                        WGPUBindGroup group, size_t count, const uint32_t *offsets)
{
    ENTER(wgpuComputePassEncoderSetBindGroup, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails);
    if (pass && object_use(group, KIND_GROUP) && takes(pass->encoder, group) && !fails &&
        NEEDS(pass->encoder, index == 0 && count == 0 && !offsets, "index or offsets")) {
        counted_hold(group);
        counted_drop(pass->group);
        pass->group = group;
    }
}

/* What is written is bound once. */
static bool is_aliased(const struct WGPUBindGroupImpl *group)
{
    for (int a = 0; a < BINDINGS_MAX; a++)
        for (int b = 0; b < BINDINGS_MAX; b++)
            if (a != b && group->layout->bindings[a] == BINDING_WRITE && group->entries[b].buffer &&
                group->entries[a].buffer == group->entries[b].buffer)
                return true;
    return false;
}

static bool uses_bindings(const struct WGPUBindGroupLayoutImpl *layout)
{
    for (int i = 0; i < BINDINGS_MAX; i++)
        if (layout->bindings[i] != BINDING_NONE)
            return true;
    return false;
}

/* Where it is not, the API gives an error, and so it is after a call that the fault loop left
 * out. */
static bool is_set(struct WGPUCommandEncoderImpl *encoder, const void *object, const char *without)
{
    if (!object)
        note(encoder, without);
    return object;
}

static bool dispatch_is_sound(struct WGPUComputePassEncoderImpl *pass, const uint32_t groups[3])
{
    const struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    const struct WGPUBindGroupImpl *group = pass->group;
    uint32_t most = pass->base.device->limits.maxComputeWorkgroupsPerDimension;
    if (pass->encoder->error)
        return false;
    return is_set(pass->encoder, pipeline, "a dispatch without a pipeline") &&
           NEEDS(pass->encoder, groups[0] <= most && groups[1] <= most && groups[2] <= most,
                 "more groups than the device's limit") &&
           (!uses_bindings(pipeline->layout) ||
            is_set(pass->encoder, group, "a dispatch without its bind group")) &&
           NEEDS(pass->encoder,
                 !group || !uses_bindings(pipeline->layout) || group->layout == pipeline->layout,
                 "the bind group is of another pipeline") &&
           NEEDS(pass->encoder, !group || !is_aliased(group),
                 "a buffer is written and bound twice");
}

void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder handle, uint32_t x, uint32_t y,
                                              uint32_t z)
{
    ENTER(wgpuComputePassEncoderDispatchWorkgroups, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails);
    struct command dispatch = {.op = OP_DISPATCH, .groups = {x, y, z}};
    if (pass && !fails && dispatch_is_sound(pass, dispatch.groups)) {
        dispatch.pipeline = pass->pipeline;
        dispatch.group = pass->group;
        commands_add(&pass->encoder->commands, &dispatch);
    }
}

void wgpuComputePassEncoderEnd(WGPUComputePassEncoder handle)
{
    ENTER(wgpuComputePassEncoderEnd, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails);
    if (pass) {
        bool timestamped = pass->queries && pass->end_query != WGPU_QUERY_SET_INDEX_UNDEFINED;
        const struct command end = {
            .op = OP_END, .queries = timestamped ? pass->queries : NULL, .first = pass->end_query};
        commands_add(&pass->encoder->commands, &end);
        pass->ended = true;
        pass->encoder->pass = NULL;
    }
}

RELEASES(wgpuComputePassEncoderRelease, WGPUComputePassEncoder, KIND_PASS)
