/* SPDX-License-Identifier: MIT */
/* Memory of the device, the host and both; copies and fillings. */
#include "stub.h"

static uint64_t used_bytes; /* of the device's memory */

static void end_block(struct block *block)
{
    if (block->kind == MEMORY_DEVICE)
        used_bytes -= block->bytes;
    memory_end(block);
}

unsigned memory_drop(const struct cuda_context_opaque *context)
{
    unsigned dropped = 0;
    for (struct block *block; (block = memory_of_context(context)) != NULL; dropped++)
        end_block(block);
    return dropped;
}

/* As drivers do: more managed memory than the device has is no error. */
static cuda_code allocate(void **out, size_t bytes, enum memory_kind kind)
{
    cuda_code spoils = capture_check();
    if (spoils != CUDA_OK)
        return spoils;
    EXPECT_USE(bytes > 0, "no bytes");
    if (bytes == 0)
        return CUDA_INVALID_VALUE;
    if (kind == MEMORY_DEVICE && bytes > script.free_bytes - used_bytes)
        return CUDA_OUT_OF_MEMORY;
    struct block *block = memory_create(kind, context_current(), bytes, 0);
    if (!block)
        return CUDA_OUT_OF_MEMORY;
    used_bytes += kind == MEMORY_DEVICE ? bytes : 0;
    *out = block->data;
    return CUDA_OK;
}

static cuda_code allocate_device(cuda_address *out, size_t bytes, enum memory_kind kind)
{
    void *data = NULL;
    cuda_code code = allocate(&data, bytes, kind);
    if (code == CUDA_OK)
        *out = (cuda_address)data;
    return code;
}

cuda_code stub_cuMemAlloc(cuda_address *out, size_t bytes)
{
    ENTER(cuMemAlloc, NEEDS_CONTEXT);
    return allocate_device(out, bytes, MEMORY_DEVICE);
}

cuda_code stub_cuMemAllocManaged(cuda_address *out, size_t bytes, unsigned flags)
{
    ENTER(cuMemAllocManaged, NEEDS_CONTEXT);
    if (!script.managed)
        return CODE_NOT_SUPPORTED;
    EXPECT_USE(flags == CUDA_ATTACH_GLOBAL, "flags %u", flags);
    return allocate_device(out, bytes, MEMORY_MANAGED);
}

cuda_code stub_cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    ENTER(cuMemHostAlloc, NEEDS_CONTEXT);
    EXPECT_USE(!(flags & ~(unsigned)(CUDA_HOST_PORTABLE | CUDA_HOST_MAPPED)), "flags %u", flags);
    return allocate(out, bytes, MEMORY_PINNED);
}

/* Freeing waits for all that the device does, which can be a blocking kernel. */
static cuda_code free_block(const void *data, bool pinned)
{
    cuda_code spoils = capture_check();
    if (spoils != CUDA_OK)
        return spoils;
    for (cuda_stream s = NULL; (s = object_next(KIND_STREAM, s)) != NULL;)
        if (s->base.context == context_current()) {
            stream_settle(s);
            EXPECT_USE(s->waiting == 0, "it waits for a stream that is blocked");
            EXPECT_USE(!pinned || !streams_hang(s->base.context),
                       "it waits for a stream that hangs");
        }
    struct block *block = memory_find(data);
    if (block && block->data == data && (block->kind == MEMORY_PINNED) == pinned) {
        end_block(block);
        return stub_lost();
    }
    misuse("no memory of this kind begins there");
    return CUDA_INVALID_VALUE;
}

cuda_code stub_cuMemFree(cuda_address address)
{
    ENTER(cuMemFree, NEEDS_CONTEXT | NEEDS_NO_LUCK);
    return free_block((const void *)address, false);
}

cuda_code stub_cuMemFreeHost(void *data)
{
    ENTER(cuMemFreeHost, NEEDS_CONTEXT | NEEDS_NO_LUCK);
    return free_block(data, true);
}

cuda_code stub_cuMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    ENTER(cuMemGetInfo, NEEDS_CONTEXT);
    *free_bytes = (size_t)(script.free_bytes - used_bytes);
    *total_bytes = (size_t)script.total_bytes;
    return CUDA_OK;
}

/* ---- commands ---- */

static bool is_managed(const void *address)
{
    const struct block *block = memory_find(address);
    return block && block->kind == MEMORY_MANAGED;
}

/* Managed memory that the host has to hand over waits for the host, too. */
static void check_managed(const void *address, const struct cuda_stream_opaque *stream)
{
    bool waits = is_managed(address) && !script.concurrent;
    EXPECT_USE(!waits || !stream_is_blocked(stream), "managed memory, in a stream that is blocked");
}

/* One end of a copy; what is not of the stub is memory of the process, whose size nobody knows. */
static bool in_bounds(const void *address, size_t bytes, bool *pageable)
{
    size_t behind = memory_behind(address);
    if (behind == 0)
        *pageable = true;
    EXPECT_USE(address && (behind == 0 || behind >= bytes), "beyond the end of a memory");
    return address && (behind == 0 || behind >= bytes);
}

/* What cannot be copied by the device alone is waited for: the call comes back when all of the
 * stream is done. */
static cuda_code copy(void *dst, const void *src, size_t bytes, cuda_stream handle)
{
    static uint64_t copies;
    cuda_stream stream = stream_use(handle);
    bool pageable = false;
    if (!stream)
        return CUDA_INVALID_HANDLE;
    if (!in_bounds(dst, bytes, &pageable) || !in_bounds(src, bytes, &pageable))
        return CUDA_INVALID_VALUE;
    if (stream->capture != CUDA_CAPTURE_NONE)
        return CUDA_OK;
    EXPECT_USE(!pageable || !stream_is_blocked(stream),
               "pageable memory, which waits for a stream that is blocked");
    check_managed(dst, stream);
    check_managed(src, stream);
    if (pageable && stream_is_blocked(stream))
        stream_finish(stream);
    bool waits = pageable || (script.managed_waits && (is_managed(dst) || is_managed(src)));
    copies++;
    stream_add(stream, &(struct command){.op = OP_COPY,
                                         .duration_ns = clock_duration(script.copy_ns),
                                         .dst = dst,
                                         .src = src,
                                         .bytes = bytes,
                                         .hangs = copies == script.hang_copy,
                                         .skipped = copies == script.skip_copy});
    EXPECT_USE(!pageable || copies != script.hang_copy, "pageable memory, and a copy without end");
    if (waits)
        stream_finish(stream);
    return stub_lost();
}

#if STUB_HIP
cuda_code stub_hipMemcpyAsync(void *dst, const void *src, size_t bytes, cuda_copy_kind kind,
                              cuda_stream stream)
{
    ENTER(hipMemcpyAsync, NEEDS_CONTEXT);
    return copy(dst, src, bytes, stream);
}
#else
cuda_code stub_cuMemcpyAsync(cuda_address dst, cuda_address src, size_t bytes, cuda_stream stream)
{
    ENTER(cuMemcpyAsync, NEEDS_CONTEXT);
    return copy((void *)dst, (const void *)src, bytes, stream);
}
#endif

static cuda_code set(void *dst, unsigned char value, size_t bytes, cuda_stream handle)
{
    cuda_stream stream = stream_use(handle);
    bool pageable = false;
    if (!stream)
        return CUDA_INVALID_HANDLE;
    if (!in_bounds(dst, bytes, &pageable) || pageable)
        return CUDA_INVALID_VALUE;
    if (stream->capture == CUDA_CAPTURE_NONE)
        stream_add(stream, &(struct command){.op = OP_SET,
                                             .duration_ns = clock_duration(script.copy_ns),
                                             .dst = dst,
                                             .value = value,
                                             .bytes = bytes});
    return stub_lost();
}

cuda_code stub_cuMemsetD8Async(cuda_address dst, unsigned char value, size_t bytes,
                               cuda_stream stream)
{
    ENTER(cuMemsetD8Async, NEEDS_CONTEXT);
    return set((void *)dst, value, bytes, stream);
}
