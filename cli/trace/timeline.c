/* timeline.c - the events of a run as a trace of the library: devices, and the calls that gave them
 * work, on one time line. */
#include "cli/trace/trace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TEXT_BYTES 256

typedef struct timeline {
    const trace_totals *totals;
    kt_trace *trace;
    kt_status status; /* of the first event that could not be added */
} timeline;

static bool count_event(void *user, const trace_total_event *event)
{
    uint64_t *count = user;
    *count += event->call_end_ns ? 2 : 1;
    return true;
}

/* "PROGRAM (1234)", or "PROGRAM (1234, rank 3)". */
static void put_process(const trace_total_process *process, char out[TEXT_BYTES])
{
    snprintf(out, TEXT_BYTES, "%.100s (%" PRId64 "%s%.64s)", process->program, process->number,
             process->rank ? ", rank " : "", process->rank ? process->rank : "");
}

static bool add(timeline *t, const kt_trace_event *event)
{
    if (t->status == KT_OK)
        t->status = kt_trace_add(t->trace, event);
    return t->status == KT_OK;
}

/* The call, on the host's clock. */
static bool add_call(timeline *t, const trace_total_event *event, const trace_total *row,
                     const char *program)
{
    char process[TEXT_BYTES + 8], track[32];
    if (!event->call_end_ns)
        return true;
    snprintf(process, sizeof process, "host: %s", program);
    snprintf(track, sizeof track, "thread %" PRIu32, event->thread);
    return add(t, &(kt_trace_event){.process = process,
                                    .track = track,
                                    .name = row->name,
                                    .category = "call",
                                    .begin_ns = event->call_begin_ns,
                                    .end_ns = event->call_end_ns,
                                    .uncertainty_ns = NAN});
}

/* The command. A clock that was not related to the host's has a time line of its own. */
static bool add_command(timeline *t, const trace_total_event *event, const trace_total *row,
                        const char *program)
{
    const trace_total_device *device = &t->totals->devices[row->device];
    char process[2 * TEXT_BYTES], track[32], clock[2 * TEXT_BYTES];
    snprintf(process, sizeof process, "%s (%.100s): %s", device->id, device->name, program);
    snprintf(track, sizeof track, "queue %" PRIu32, event->queue);
    snprintf(clock, sizeof clock, "clock of %s in %s", device->id, program);
    const kt_trace_arg size = {.name = "size", .text = row->size};
    return add(t, &(kt_trace_event){.timeline = isnan(event->uncertainty_ns) ? clock : NULL,
                                    .process = process,
                                    .track = track,
                                    .name = row->name,
                                    .category = trace_kind_name(row->kind),
                                    .begin_ns = event->begin_ns,
                                    .end_ns = event->end_ns,
                                    .uncertainty_ns = event->uncertainty_ns,
                                    .args = row->size ? &size : NULL,
                                    .arg_count = row->size ? 1 : 0});
}

static bool add_event(void *user, const trace_total_event *event)
{
    timeline *t = user;
    char program[TEXT_BYTES];
    const trace_total *row = &t->totals->rows[event->row];
    if (event->end_ns < event->begin_ns || event->call_end_ns < event->call_begin_ns) {
        t->status = kt_trace_omit(t->trace, "reversed");
        return t->status == KT_OK;
    }
    put_process(&t->totals->processes[event->process], program);
    return add_call(t, event, row, program) && add_command(t, event, row, program);
}

int trace_write_timeline(const trace_document *document, const char *path)
{
    timeline t = {.totals = &document->runs[0].totals, .status = KT_OK};
    uint64_t count = 0;
    trace_each_event(t.totals, count_event, &count);
    const kt_trace_options options = {.size = sizeof options,
                                      .events_max =
                                          count < UINT32_MAX ? (uint32_t)count + 1 : UINT32_MAX};
    t.status = kt_trace_create(&t.trace, &options);
    if (t.status == KT_OK)
        trace_each_event(t.totals, add_event, &t);
    for (uint64_t i = 0; t.status == KT_OK && i < t.totals->lost_events; i++)
        t.status = kt_trace_omit(t.trace, "no_memory_left");
    if (t.status == KT_OK)
        t.status = kt_trace_write_file(t.trace, path);
    if (t.status != KT_OK)
        fprintf(stderr, "kerntime trace: --trace: %s\n", kt_error_text());
    kt_trace_destroy(&t.trace);
    return t.status == KT_OK ? EXIT_DONE : TRACE_EXIT_FAILED;
}
