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

/* Encoders that do nothing are dropped, as Metal's are. */
void commands_schedule(struct commands *commands, int64_t begin_ns)
{
    int64_t at_ns = begin_ns;
    for (struct encoder *e = commands->first; e; e = e->next) {
        if (!encoder_works(e)) {
            encoder_forget(e);
            continue;
        }
        if (at_ns != begin_ns)
            at_ns += (int64_t)script.gap_ns;
        e->begin_ns = at_ns;
        for (size_t i = 0; i < e->count; i++) {
            e->list[i].begin_ns = at_ns;
            at_ns += duration_of(&e->list[i]);
        }
        e->end_ns = at_ns;
    }
    commands->begin_ns = begin_ns;
    commands->end_ns = at_ns;
}

static void run(const struct command *command, bool *ends)
{
    switch (command->op) {
    case OP_DISPATCH: kernel_run(command); break;
    case OP_DRAW: break;
    case OP_COPY:
        if (!command->skipped)
            memmove(command->dst, command->src, command->bytes);
        break;
    case OP_FILL: memset(command->dst, command->value, command->bytes); break;
    case OP_SAMPLE:
        samples_write(command->samples, command->index, command->begin_ns, *ends);
        *ends = !*ends;
        break;
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
            samples_write(encoder->samples, encoder->index[i], moments[i], i % 2);
}

static void run_encoder(const struct encoder *encoder)
{
    bool ends = false;
    write_samples(encoder, 0, 1);
    for (size_t i = 0; i < encoder->count; i++)
        run(&encoder->list[i], &ends);
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
