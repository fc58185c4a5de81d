/* SPDX-License-Identifier: MIT */
/* When commands run, and what they do. */
#include "stub.h"

#include <string.h>

/* The kernel of kerntime's empty steps. */
static bool is_empty(const struct command *command)
{
    return command->name && strcmp(command->name, "kerntime_empty") == 0;
}

static int64_t duration_of(const struct command *command)
{
    switch (command->op) {
    case OP_DISPATCH: return clock_duration(is_empty(command) ? script.empty_ns : script.kernel_ns);
    case OP_DRAW: return clock_duration(script.kernel_ns);
    case OP_COPY:
    case OP_FILL: return clock_duration(script.copy_ns);
    default: return 0;
    }
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Where that thing says when the latest pass ends that a command has to do with; NULL: it orders
 * nothing. Every use of a buffer is held for a write. */
static int64_t *end_of(const struct command *command, struct thing *thing)
{
    if (thing->base.kind == KIND_BUFFER)
        return &((struct buffer *)thing)->end_ns;
    return command->op == OP_WAIT || command->op == OP_UPDATE ? &((struct fence *)thing)->end_ns
                                                              : NULL;
}

/* When the encoder can begin: not before the passes have ended that it waits for, or shares a
 * buffer with. */
static int64_t ready(const struct encoder *encoder, int64_t begin_ns)
{
    int64_t ready_ns = begin_ns;
    for (size_t i = 0; i < encoder->count; i++)
        for (size_t k = 0; k < encoder->list[i].held_count; k++) {
            const int64_t *end_ns = end_of(&encoder->list[i], encoder->list[i].held[k]);
            if (end_ns && encoder->list[i].op != OP_UPDATE)
                ready_ns = later(ready_ns, *end_ns);
        }
    return ready_ns;
}

static void tell_end(const struct encoder *encoder)
{
    for (size_t i = 0; i < encoder->count; i++)
        for (size_t k = 0; k < encoder->list[i].held_count; k++) {
            int64_t *end_ns = end_of(&encoder->list[i], encoder->list[i].held[k]);
            if (end_ns && encoder->list[i].op != OP_WAIT)
                *end_ns = later(*end_ns, encoder->end_ns);
        }
}

static void encoder_schedule(struct encoder *encoder, int64_t begin_ns)
{
    int64_t at_ns = begin_ns;
    encoder->begin_ns = at_ns;
    for (size_t i = 0; i < encoder->count; i++) {
        encoder->list[i].begin_ns = at_ns;
        at_ns += duration_of(&encoder->list[i]);
    }
    encoder->end_ns = at_ns;
    tell_end(encoder);
}

/* Encoders that do nothing are dropped, as Metal's are. */
void commands_schedule(struct commands *commands, int64_t begin_ns)
{
    bool is_first = true;
    commands->begin_ns = commands->end_ns = begin_ns;
    for (struct encoder *e = commands->first; e; e = e->next) {
        if (!encoder_works(e)) {
            encoder_forget(e);
            continue;
        }
        int64_t ready_ns = ready(e, begin_ns);
        bool has_waited = ready_ns > begin_ns;
        encoder_schedule(e, ready_ns + (has_waited ? GAP_NS : 0));
        if (is_first)
            commands->begin_ns = e->begin_ns;
        is_first = false;
        commands->end_ns = later(commands->end_ns, e->end_ns);
    }
}

static void run(const struct command *command, enum encoder_type of, bool *ends)
{
    switch (command->op) {
    case OP_DISPATCH: kernel_run(command); break;
    case OP_DRAW: break;
    case OP_COPY: memcpy(command->dst, command->src, command->bytes); break;
    case OP_FILL: memset(command->dst, command->value, command->bytes); break;
    case OP_SAMPLE:
        samples_write(command->samples, command->index, command->begin_ns, *ends, of);
        *ends = !*ends;
        break;
    case OP_WAIT:
    case OP_UPDATE: break;
    }
}

/* A render pass has its vertices done after a quarter of its time. */
static void write_samples(const struct encoder *encoder, int from, int to)
{
    int64_t begin = encoder->begin_ns, end = encoder->end_ns;
    int64_t between = encoder->type == ENCODER_RENDER ? begin + (end - begin) / 4 : end;
    const int64_t moments[SAMPLE_PLACES] = {begin, between, between, end};
    for (int i = from; i < to; i++)
        if (encoder->index[i] != DONT_SAMPLE)
            samples_write(encoder->samples, encoder->index[i], moments[i], i % 2, encoder->type);
}

static void run_encoder(const struct encoder *encoder)
{
    bool ends = false;
    write_samples(encoder, 0, 1);
    for (size_t i = 0; i < encoder->count; i++)
        run(&encoder->list[i], encoder->type, &ends);
    write_samples(encoder, 1, SAMPLE_PLACES);
}

void commands_execute(struct commands *commands)
{
    for (struct encoder *e = commands->first; e; e = e->next) {
        if (commands->fails)
            encoder_forget(e);
        else if (encoder_works(e))
            run_encoder(e);
    }
    commands->status = commands->fails ? STATUS_ERROR : STATUS_COMPLETED;
}
