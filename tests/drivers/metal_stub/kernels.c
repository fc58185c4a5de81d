/* SPDX-License-Identifier: MIT */
/* Kernels known by their names and run as their C functions; argument i is at index i. */
#include "stub.h"

#include <string.h>

static bool take_memory(const struct encoder *encoder, struct command *command, unsigned index)
{
    const struct binding *binding = &encoder->bindings[index];
    bool bound = binding->buffer != NULL;
    EXPECT_USE(bound, "%s: no buffer at %u", command->kernel->name, index);
    if (bound)
        command->memories[index] = binding->buffer->data + binding->offset;
    return bound;
}

static bool take_number(const struct encoder *encoder, struct command *command, unsigned number)
{
    size_t index = named_kernel_memories(command->kernel) + number;
    const struct binding *binding = &encoder->bindings[index];
    const unsigned char *at =
        binding->buffer ? binding->buffer->data + binding->offset : binding->bytes;
    size_t bytes = binding->buffer ? binding->buffer->bytes - binding->offset : binding->length;
    bool good = at && (bytes >= sizeof(uint32_t));
    EXPECT_USE(good, "%s: no number at %zu", command->kernel->name, index);
    if (good && !binding->buffer && bytes == sizeof(int64_t))
        memcpy(&command->numbers[number].wide, at, sizeof(int64_t));
    else if (good)
        memcpy(&command->numbers[number].word, at, sizeof(uint32_t));
    return good;
}

bool kernel_take(const struct encoder *encoder, struct command *command)
{
    const group_kernel *kernel = command->kernel;
    unsigned memories = (unsigned)named_kernel_memories(kernel);
    bool good = true;
    for (unsigned i = 0; i < memories; i++)
        good = take_memory(encoder, command, i) && good;
    for (unsigned i = 0; i < kernel->numbers; i++)
        good = take_number(encoder, command, i) && good;
    for (unsigned i = 0; good && i < memories; i++) {
        const struct binding *binding = &encoder->bindings[i];
        uint64_t elements = named_kernel_elements(kernel, i, command->numbers[0].word,
                                                  command->groups, command->group_size);
        good = (binding->buffer->bytes - binding->offset) / sizeof(uint32_t) >= elements;
        EXPECT_USE(good, "%s: the buffer at %u is too small", kernel->name, i);
    }
    return good;
}

void kernel_run(const struct command *command)
{
    const named_kernel_launch launch = {.kernel = command->kernel,
                                        .memories = command->memories,
                                        .numbers = command->numbers,
                                        .groups = command->groups,
                                        .group_size = command->group_size,
                                        .wrong = command->wrong};
    named_kernel_run(&launch);
}
