/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/memory.h"

#include "tests/drivers/frame/report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BORDER_BYTES = 64, BORDER = 0xA5, FRESH = 0xCD, FRESH_MAX = 1 << 16 };

static struct block *blocks, *freed;

struct block *memory_create(unsigned kind, const void *context, size_t bytes, size_t alignment)
{
    size_t align = alignment < BORDER_BYTES ? BORDER_BYTES : alignment;
    void *all = bytes < SIZE_MAX / 2 ? malloc(bytes + align * 2 + BORDER_BYTES) : NULL;
    struct block *block = all ? malloc(sizeof *block) : NULL;
    if (!block) {
        free(all);
        return NULL;
    }
    uintptr_t begin = ((uintptr_t)all + BORDER_BYTES + align - 1) / align * align;
    *block = (struct block){.next = blocks,
                            .kind = kind,
                            .alive = true,
                            .context = context,
                            .bytes = bytes,
                            .data = (unsigned char *)all + (begin - (uintptr_t)all),
                            .all = all};
    memset(block->data - BORDER_BYTES, BORDER, BORDER_BYTES);
    memset(block->data, FRESH, bytes < FRESH_MAX ? bytes : FRESH_MAX);
    memset(block->data + bytes, BORDER, BORDER_BYTES);
    blocks = block;
    return block;
}

static void check_block(const struct block *block)
{
    for (int i = 1; i <= BORDER_BYTES; i++)
        if (block->data[-i] != BORDER || block->data[block->bytes + (size_t)i - 1] != BORDER) {
            misuse("memory was written beyond its ends");
            return;
        }
}

void memory_end(struct block *block)
{
    check_block(block);
    struct block **at = &blocks;
    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    block->next = freed;
    freed = block;
    block->alive = false;
    free(block->all);
    block->all = block->data = NULL;
}

struct block *memory_find(const void *address)
{
    const unsigned char *at = address;
    for (struct block *b = blocks; b; b = b->next)
        if (at >= b->data && at < b->data + b->bytes)
            return b;
    return NULL;
}

size_t memory_behind(const void *address)
{
    const struct block *block = memory_find(address);
    return block ? (size_t)(block->data + block->bytes - (const unsigned char *)address) : 0;
}

struct block *memory_of_context(const void *context)
{
    struct block *block = blocks;
    while (block && block->context != context)
        block = block->next;
    return block;
}

unsigned memory_alive(unsigned kind)
{
    unsigned alive = 0;
    for (const struct block *b = blocks; b; b = b->next)
        alive += b->kind == kind;
    return alive;
}

void memory_check_all(void)
{
    for (const struct block *b = blocks; b; b = b->next)
        check_block(b);
}
