/* SPDX-License-Identifier: MIT */
#include "cli/trace/lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#define NOTE_BYTES 256

bool trace_note(trace_document *document, const char *format, ...)
{
    char text[NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t bytes = length < NOTE_BYTES ? (size_t)length + 1 : NOTE_BYTES;
    char **notes = realloc(document->notes, (document->note_count + 1) * sizeof *notes);
    if (!notes)
        return false;
    document->notes = notes;
    notes[document->note_count] = malloc(bytes);
    if (!notes[document->note_count])
        return false;
    snprintf(notes[document->note_count++], bytes, "%s", text);
    return true;
}

void trace_free_notes(trace_document *document)
{
    for (size_t i = 0; i < document->note_count; i++)
        free(document->notes[i]);
    free(document->notes);
    document->notes = NULL;
    document->note_count = 0;
}

static bool is_hooked(const trace_document *document, trace_api api)
{
    for (size_t i = 0; i < document->run_count; i++)
        if (document->runs[i].totals.hooked[api])
            return true;
    return false;
}

/* Whether something is to be said of an API that was not traced: of those that were named, of all
 * with --verbose, and if nothing at all was traced, of those that may have been used. */
static bool is_owed(const trace_document *document, trace_api api, bool any)
{
    uint32_t named = document->options->trace.apis;
    if (is_hooked(document, api))
        return false;
    if (named)
        return named & 1u << api;
    return document->options->verbose ||
           (!any && entries_has_cause(api, &document->runs[0].entries));
}

/* Says in one sentence which tracers do not exist. */
static bool note_missing(trace_document *document, bool any)
{
    const trace_entries *entries = &document->runs[0].entries;
    char names[128] = "";
    size_t used = 0, count = 0;
    for (int api = 0; api < TRACE_API_COUNT; api++) {
        count += entries->is_missing[api];
        if (entries->is_missing[api] && is_owed(document, (trace_api)api, any))
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     trace_api_name(api));
    }
    if (!used)
        return true;
    return count == TRACE_API_COUNT
               ? trace_note(document, "not traced: kerntime was built without tracers")
               : trace_note(document, "not traced: kerntime was built without tracers of %s",
                            names);
}

/* Notes options that keep tracers out of processes. Sets whether there are any. */
static bool note_left_out_processes(trace_document *document, bool *any)
{
    const trace_options *options = &document->options->trace;
    *any = options->no_follow || options->ranks;
    if (options->no_follow &&
        !trace_note(document, "nothing was traced; --follow no leaves out processes that PROGRAM "
                              "starts"))
        return false;
    return !options->ranks ||
           trace_note(document, "nothing was traced; --ranks leaves out other ranks, and processes "
                                "without a rank");
}

/* Notes options that leave calls out, where a tracer has recorded none. */
static bool note_left_out_calls(trace_document *document)
{
    const trace_options *options = &document->options->trace;
    const struct {
        const char *name;
        bool is_set;
    } all[] = {{"--kernels", options->wanted_count > 0},
               {"--exclude", options->unwanted_count > 0},
               {"--skip", options->skip > 0}};
    char names[64] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].is_set)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     all[i].name);
    return !used ||
           trace_note(document, "nothing was recorded; options leave calls out: %s", names);
}

static bool has_calls(const trace_document *document, trace_api api)
{
    for (size_t run = 0; run < document->run_count; run++) {
        const trace_totals *totals = &document->runs[run].totals;
        for (size_t i = 0; i < totals->process_count; i++)
            if (totals->processes[i].api == api &&
                (totals->processes[i].has_calls || totals->processes[i].stopped))
                return true;
    }
    return false;
}

/* Notes APIs that were opened, but not used: with --verbose, and if nothing at all was recorded. */
static bool note_unused(trace_document *document, bool is_recorded)
{
    const trace_options *options = &document->options->trace;
    bool noted = true, leaves_out = options->wanted_count || options->unwanted_count ||
                                    options->skip || options->paused;
    for (size_t i = 0; i < document->run_count; i++)
        leaves_out |= document->runs[i].is_paused;
    if (leaves_out || (is_recorded && !document->options->verbose))
        return true;
    for (int i = 0; i < TRACE_API_COUNT && noted; i++)
        if (is_hooked(document, (trace_api)i) && !has_calls(document, (trace_api)i))
            noted = trace_note(document, "%s: loaded, but no command was enqueued",
                               trace_api_name((trace_api)i));
    return noted;
}

static bool has_failures(const trace_document *document)
{
    for (size_t i = 0; i < document->run_count; i++)
        if (document->runs[i].totals.failures)
            return true;
    return false;
}

/* Notes another kerntime trace in PROGRAM. Sets whether there is one. */
static bool note_nested(trace_document *document, bool *any)
{
    for (size_t i = 0; i < document->run_count; i++)
        *any |= document->runs[i].is_nested;
    return !*any ||
           trace_note(
               document,
               "PROGRAM ran another kerntime trace: see its output for the calls of its program");
}

/* Says why APIs were not traced. */
static bool note_entries(trace_document *document)
{
    bool any = false, noted = true, is_explained = false, is_nested = false;
    const trace_entries *entries = &document->runs[0].entries;
    char reason[ENTRY_REASON_BYTES];
    uint64_t calls = 0;
    for (int api = 0; api < TRACE_API_COUNT; api++)
        any |= is_hooked(document, (trace_api)api);
    for (size_t i = 0; i < document->run_count; i++)
        calls += trace_calls(&document->runs[i].totals);
    if (any && !calls && !note_left_out_calls(document))
        return false;
    if (!note_unused(document, calls > 0))
        return false;
    if (!note_nested(document, &is_nested))
        return false;
    if (!any && (is_nested || has_failures(document))) /* a gap says why it failed */
        return true;
    if (!any && entries_explain_all(document->options, entries, reason))
        return trace_note(document, "nothing was traced: %s", reason);
    if (!any && !note_left_out_processes(document, &is_explained))
        return false;
    if (is_explained)
        return true;
    if (!any && !document->options->trace.apis)
        noted =
            trace_note(document,
                       "nothing was traced: PROGRAM loaded no traced API, or a sandbox or env -i "
                       "hid it%s",
                       document->options->verbose ? "" : "; --verbose says more");
    for (int i = 0; i < TRACE_API_COUNT && noted; i++) {
        trace_api api = (trace_api)i;
        if (entries->is_missing[i] || !is_owed(document, api, any))
            continue;
        entries_explain(api, entries, reason);
        noted = trace_note(document, "%s was not traced: %s", trace_api_name((trace_api)i), reason);
    }
    return noted && note_missing(document, any);
}

bool trace_note_all(trace_document *document)
{
    bool recorded = true;
    for (size_t i = 0; i < document->run_count; i++) {
        const trace_run *run = &document->runs[i];
        if (run->problem[0]) {
            recorded = false;
            if (!trace_note(document, "%s", run->problem))
                return false;
        }
        if (run->is_paused && !trace_calls(&run->totals) &&
            !trace_note(document, "recording was paused; \"kill -USR2\" to kerntime starts it"))
            return false;
        if (run->outliving &&
            !trace_note(document,
                        "process %" PRId64 " goes on: this has what it did before PROGRAM ended",
                        run->outliving))
            return false;
    }
    return !recorded || note_entries(document);
}
