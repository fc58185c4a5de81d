/* SPDX-License-Identifier: MIT */
/* Buffers. */
#include "stub.h"

#include <unistd.h>

enum { MEMORY_BUFFER };

static void buffer_end(void *thing)
{
    struct buffer *buffer = thing;
    if (buffer->block)
        memory_end(buffer->block);
}

/* Metal wants whole pages. */
static bool is_whole(const void *memory, ns_uint bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bool whole = (uintptr_t)memory % page == 0 && bytes % page == 0;
    EXPECT_USE(whole, "the memory is no whole pages");
    return whole;
}

struct buffer *buffer_create(struct device *device, ns_uint bytes, ns_uint options, void *memory)
{
    ns_uint storage = options >> 4 & 0xF;
    EXPECT_USE(options <= 0x2FF && storage <= STORAGE_PRIVATE && !(options & 0xE), "options 0x%lx",
               options);
    EXPECT_USE(bytes, "0 bytes");
    EXPECT_USE(!memory || storage != STORAGE_PRIVATE, "private, over memory of the process");
    if (!bytes || bytes > script.max_buffer || (memory && !is_whole(memory, bytes)))
        return NULL;
    struct block *block = memory ? NULL : memory_create(MEMORY_BUFFER, device, bytes, 256);
    if (!memory && !block)
        return NULL;
    struct buffer *buffer = thing_create(KIND_BUFFER, 0, sizeof *buffer, buffer_end);
    buffer->device = device;
    buffer->block = block;
    buffer->data = block ? block->data : memory;
    buffer->bytes = bytes;
    buffer->storage = storage;
    return buffer;
}

static void *buffer_contents(id self, SEL selector)
{
    ANSWER(void *, contents, struct buffer, KIND_BUFFER,
           it->storage == STORAGE_PRIVATE ? NULL : it->data);
}

static ns_uint buffer_length(id self, SEL selector)
{
    ANSWER(ns_uint, length, struct buffer, KIND_BUFFER, it->bytes);
}

const struct method buffer_methods[] = {METHOD(contents, buffer_contents, "^v@:"),
                                        METHOD(length, buffer_length, "Q@:"), METHODS_END};
