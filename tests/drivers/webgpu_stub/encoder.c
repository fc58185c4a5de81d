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
    object_retain(command->src);
    object_retain(command->dst);
    object_retain(command->queries);
    object_retain(command->pipeline);
    object_retain(command->group);
}

void commands_end(struct commands *commands)
{
    for (uint32_t i = 0; i < commands->count; i++) {
        const struct command *command = &commands->list[i];
        object_drop(command->src);
        object_drop(command->dst);
        object_drop(command->queries);
        object_drop(command->pipeline);
        object_drop(command->group);
        free(command->data);
    }
    free(commands->list);
    *commands = (struct commands){0};
}

/* ---- encoders ---- */

static void note(struct WGPUCommandEncoderImpl *encoder, const char *text)
{
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
    if (!((const struct object *)object)->invalid)
        return true;
    note(encoder, "an object is invalid");
    return false;
}

/* The encoder if commands may be put there, and the script lets them. */
static struct WGPUCommandEncoderImpl *open_encoder(WGPUCommandEncoder handle, bool fails,
                                                   const char *call)
{
    struct WGPUCommandEncoderImpl *encoder = object_use(handle, KIND_ENCODER, call);
    if (!encoder || !NEEDS(encoder, !encoder->finished, "%s: the encoder is finished", call) ||
        !NEEDS(encoder, !encoder->pass, "%s: within a pass", call))
        return NULL;
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%s: the script wants it to fail", call);
    if (fails)
        note(encoder, text);
    return encoder;
}

static void end_encoder(void *object)
{
    struct WGPUCommandEncoderImpl *encoder = object;
    commands_end(&encoder->commands);
    free(encoder->error);
}

WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice handle,
                                                  const WGPUCommandEncoderDescriptor *descriptor)
{
    bool fails = ENTER(wgpuDeviceCreateCommandEncoder, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUCommandEncoderImpl *encoder = NULL;
    EXPECT_USE(!descriptor || !descriptor->nextInChain, "%s: something is chained", __func__);
    if (device && fails)
        device_forced(device, __func__);
    if (device && (!fails || script.error != ERROR_NULL)) {
        encoder = object_create(KIND_ENCODER, sizeof *encoder, device);
        encoder->base.end = end_encoder;
        encoder->base.invalid = fails;
    }
    stub_leave();
    return encoder;
}

void wgpuCommandEncoderAddRef(WGPUCommandEncoder handle)
{
    ENTER(wgpuCommandEncoderAddRef, handle);
    struct WGPUCommandEncoderImpl *encoder = USE(handle, KIND_ENCODER);
    if (encoder)
        encoder->base.refs++;
    stub_leave();
}

void wgpuCommandEncoderRelease(WGPUCommandEncoder encoder)
{
    ENTER(wgpuCommandEncoderRelease, encoder);
    object_release(encoder, KIND_ENCODER, __func__);
    stub_leave();
}

static bool copy_is_sound(struct WGPUCommandEncoderImpl *encoder, const struct command *c)
{
    static const char call[] = "wgpuCommandEncoderCopyBufferToBuffer";
    return takes(encoder, c->src) && takes(encoder, c->dst) &&
           NEEDS(encoder, c->src != c->dst, "%s: from a buffer to itself", call) &&
           NEEDS(encoder, c->src->usage & WGPUBufferUsage_CopySrc, "%s: usage of the source",
                 call) &&
           NEEDS(encoder, c->dst->usage & WGPUBufferUsage_CopyDst, "%s: usage of the target",
                 call) &&
           NEEDS(encoder, (c->src_offset | c->dst_offset | c->bytes) % 4 == 0, "%s: alignment",
                 call) &&
           NEEDS(encoder,
                 c->bytes <= c->src->bytes && c->src_offset <= c->src->bytes - c->bytes &&
                     c->bytes <= c->dst->bytes && c->dst_offset <= c->dst->bytes - c->bytes,
                 "%s: beyond the end", call);
}

void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder handle, WGPUBuffer source,
                                          uint64_t source_offset, WGPUBuffer destination,
                                          uint64_t destination_offset, uint64_t size)
{
    bool fails = ENTER(wgpuCommandEncoderCopyBufferToBuffer, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails, __func__);
    const struct command copy = {.op = OP_COPY,
                                 .src = USE(source, KIND_BUFFER),
                                 .dst = USE(destination, KIND_BUFFER),
                                 .src_offset = source_offset,
                                 .dst_offset = destination_offset,
                                 .bytes = size};
    if (encoder && copy.src && copy.dst && !fails && copy_is_sound(encoder, &copy))
        commands_add(&encoder->commands, &copy);
    stub_leave();
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
    static const char call[] = "wgpuCommandEncoderResolveQuerySet";
    if (!takes(encoder, c->queries) || !takes(encoder, c->dst) ||
        !NEEDS(encoder, c->count <= c->queries->count && c->first <= c->queries->count - c->count,
               "%s: queries beyond the end", call) ||
        !NEEDS(encoder, c->dst->usage & WGPUBufferUsage_QueryResolve, "%s: usage", call) ||
        !NEEDS(encoder, c->dst_offset % 256 == 0, "%s: offset %llu", call,
               (unsigned long long)c->dst_offset) ||
        !NEEDS(encoder,
               c->dst_offset <= c->dst->bytes &&
                   UINT64_C(8) * c->count <= c->dst->bytes - c->dst_offset,
               "%s: beyond the end", call))
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (!NEEDS(encoder, script.lax || is_written(&encoder->commands, c->queries, c->first + i),
                   "%s: a query that no pass of the encoder writes", call))
            return false;
    return true;
}

void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder handle, WGPUQuerySet set, uint32_t first,
                                       uint32_t count, WGPUBuffer destination, uint64_t offset)
{
    bool fails = ENTER(wgpuCommandEncoderResolveQuerySet, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails, __func__);
    const struct command resolve = {.op = OP_RESOLVE,
                                    .queries = USE(set, KIND_QUERIES),
                                    .first = first,
                                    .count = count,
                                    .dst = USE(destination, KIND_BUFFER),
                                    .dst_offset = offset};
    if (encoder && resolve.queries && resolve.dst && !fails && resolve_is_sound(encoder, &resolve))
        commands_add(&encoder->commands, &resolve);
    stub_leave();
}

static void end_command_buffer(void *object)
{
    commands_end(&((struct WGPUCommandBufferImpl *)object)->commands);
}

WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder handle,
                                           const WGPUCommandBufferDescriptor *descriptor)
{
    bool fails = ENTER(wgpuCommandEncoderFinish, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, false, __func__);
    struct WGPUCommandBufferImpl *commands = NULL;
    EXPECT_USE(!descriptor || !descriptor->nextInChain, "%s: something is chained", __func__);
    if (USE(handle, KIND_ENCODER) && (!fails || script.error != ERROR_NULL)) {
        commands = object_create(KIND_COMMANDS, sizeof *commands, handle->base.device);
        commands->base.end = end_command_buffer;
        commands->base.invalid = fails || !encoder || encoder->error || encoder->base.invalid;
    }
    if (encoder && fails)
        device_forced(encoder->base.device, __func__);
    else if (commands && commands->base.invalid)
        device_error(handle->base.device, WGPUErrorType_Validation, "%s",
                     handle->error ? handle->error
                                   : "wgpuCommandEncoderFinish: the encoder is invalid");
    else if (commands) {
        commands->commands = encoder->commands;
        encoder->commands = (struct commands){0};
    }
    if (encoder)
        encoder->finished = true;
    stub_leave();
    return commands;
}

void wgpuCommandBufferRelease(WGPUCommandBuffer commands)
{
    ENTER(wgpuCommandBufferRelease, commands);
    object_release(commands, KIND_COMMANDS, __func__);
    stub_leave();
}

/* ---- passes ---- */

static void end_pass(void *object)
{
    struct WGPUComputePassEncoderImpl *pass = object;
    if (!pass->ended && pass->encoder->pass == pass)
        misuse("a pass is released without having been ended");
    object_drop(pass->pipeline);
    object_drop(pass->group);
    object_drop(pass->queries);
    object_drop(pass->encoder);
}

static bool writes_are_sound(struct WGPUCommandEncoderImpl *encoder,
                             const WGPUPassTimestampWrites *writes)
{
    static const char call[] = "wgpuCommandEncoderBeginComputePass";
    const uint32_t query[] = {writes->beginningOfPassWriteIndex, writes->endOfPassWriteIndex};
    const struct WGPUQuerySetImpl *set = object_use(writes->querySet, KIND_QUERIES, call);
    if (!set || !takes(encoder, set) ||
        !NEEDS(encoder, !writes->nextInChain, "%s: something is chained", call) ||
        !NEEDS(encoder, query[0] != query[1], "%s: both ends write one query", call))
        return false;
    for (int i = 0; i < 2; i++)
        if (query[i] != WGPU_QUERY_SET_INDEX_UNDEFINED &&
            (!NEEDS(encoder, query[i] < set->count, "%s: query %u", call, query[i]) ||
             !NEEDS(encoder, script.lax || !is_written(&encoder->commands, set, query[i]),
                    "%s: a query is written twice in one encoder", call)))
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
        object_retain(pass->queries);
    }
    commands_add(&pass->encoder->commands, &begin);
}

WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(
    WGPUCommandEncoder handle, const WGPUComputePassDescriptor *descriptor)
{
    bool fails = ENTER(wgpuCommandEncoderBeginComputePass, handle);
    struct WGPUCommandEncoderImpl *encoder = open_encoder(handle, fails, __func__);
    struct WGPUComputePassEncoderImpl *pass = NULL;
    EXPECT_USE(!descriptor || !descriptor->nextInChain, "%s: something is chained", __func__);
    if (USE(handle, KIND_ENCODER) && (!fails || script.error != ERROR_NULL)) {
        pass = object_create(KIND_PASS, sizeof *pass, handle->base.device);
        pass->base.end = end_pass;
        pass->encoder = handle;
        object_retain(handle);
    }
    if (pass && encoder) {
        encoder->pass = pass;
        begin_pass(pass, descriptor ? descriptor->timestampWrites : NULL);
    }
    stub_leave();
    return pass;
}

/* The pass if it goes on, and the script lets it. */
static struct WGPUComputePassEncoderImpl *open_pass(WGPUComputePassEncoder handle, bool fails,
                                                    const char *call)
{
    struct WGPUComputePassEncoderImpl *pass = object_use(handle, KIND_PASS, call);
    if (!pass || !NEEDS(pass->encoder, !pass->ended, "%s: the pass was ended", call))
        return NULL;
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%s: the script wants it to fail", call);
    if (fails)
        note(pass->encoder, text);
    return pass;
}

void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder handle, WGPUComputePipeline pipeline)
{
    bool fails = ENTER(wgpuComputePassEncoderSetPipeline, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails, __func__);
    if (pass && USE(pipeline, KIND_PIPELINE) && takes(pass->encoder, pipeline) && !fails) {
        object_retain(pipeline);
        object_drop(pass->pipeline);
        pass->pipeline = pipeline;
    }
    stub_leave();
}

void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder handle, uint32_t index,
                                        WGPUBindGroup group, size_t count, const uint32_t *offsets)
{
    bool fails = ENTER(wgpuComputePassEncoderSetBindGroup, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails, __func__);
    if (pass && USE(group, KIND_GROUP) && takes(pass->encoder, group) && !fails &&
        NEEDS(pass->encoder, index == 0 && count == 0 && !offsets, "%s: index or offsets",
              __func__)) {
        object_retain(group);
        object_drop(pass->group);
        pass->group = group;
    }
    stub_leave();
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
    static const char call[] = "wgpuComputePassEncoderDispatchWorkgroups";
    const struct WGPUComputePipelineImpl *pipeline = pass->pipeline;
    const struct WGPUBindGroupImpl *group = pass->group;
    uint32_t most = pass->base.device->limits.maxComputeWorkgroupsPerDimension;
    if (pass->encoder->error)
        return false;
    return is_set(pass->encoder, pipeline, "a dispatch without a pipeline") &&
           NEEDS(pass->encoder, groups[0] <= most && groups[1] <= most && groups[2] <= most,
                 "%s: more groups than the device's limit", call) &&
           (!uses_bindings(pipeline->layout) ||
            is_set(pass->encoder, group, "a dispatch without its bind group")) &&
           NEEDS(pass->encoder,
                 !group || !uses_bindings(pipeline->layout) || group->layout == pipeline->layout,
                 "%s: the bind group is of another pipeline", call) &&
           NEEDS(pass->encoder, !group || !is_aliased(group),
                 "%s: a buffer is written and bound twice", call);
}

void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder handle, uint32_t x, uint32_t y,
                                              uint32_t z)
{
    bool fails = ENTER(wgpuComputePassEncoderDispatchWorkgroups, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails, __func__);
    struct command dispatch = {.op = OP_DISPATCH, .groups = {x, y, z}};
    if (pass && !fails && dispatch_is_sound(pass, dispatch.groups)) {
        dispatch.pipeline = pass->pipeline;
        dispatch.group = pass->group;
        commands_add(&pass->encoder->commands, &dispatch);
    }
    stub_leave();
}

void wgpuComputePassEncoderEnd(WGPUComputePassEncoder handle)
{
    bool fails = ENTER(wgpuComputePassEncoderEnd, handle);
    struct WGPUComputePassEncoderImpl *pass = open_pass(handle, fails, __func__);
    if (pass) {
        bool timestamped = pass->queries && pass->end_query != WGPU_QUERY_SET_INDEX_UNDEFINED;
        const struct command end = {
            .op = OP_END, .queries = timestamped ? pass->queries : NULL, .first = pass->end_query};
        commands_add(&pass->encoder->commands, &end);
        pass->ended = true;
        pass->encoder->pass = NULL;
    }
    stub_leave();
}

void wgpuComputePassEncoderRelease(WGPUComputePassEncoder pass)
{
    ENTER(wgpuComputePassEncoderRelease, pass);
    object_release(pass, KIND_PASS, __func__);
    stub_leave();
}
