#include "cli/trace/trace.h"

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

static bool is_hooked(const trace_document *document, int api)
{
    for (size_t i = 0; i < document->run_count; i++)
        if (document->runs[i].totals.hooked[api])
            return true;
    return false;
}

/* Says why APIs were not traced: those that were named. If nothing was traced, also what is wrong
 * with the others. */
static bool note_entries(trace_document *document)
{
    bool any = false, noted = true;
    const trace_entries *entries = &document->runs[0].entries;
    uint32_t named = document->options->trace.apis;
    char reason[ENTRY_REASON_BYTES];
    for (int api = 0; api < TRACE_API_COUNT; api++)
        any |= is_hooked(document, api);
    if (!any && entries_explain_all(document->options, entries, reason))
        return trace_note(document, "nothing was traced: %s", reason);
    if (!any && !named)
        noted = trace_note(document, "nothing was traced: PROGRAM loaded no API that was seen");
    for (int api = 0; api < TRACE_API_COUNT && noted; api++) {
        if (is_hooked(document, api) ||
            !(named ? named & 1u << api : !any && entries_has_cause((trace_api)api, entries)))
            continue;
        entries_explain((trace_api)api, entries, reason);
        noted = trace_note(document, "%s was not traced: %s", trace_api_words[api], reason);
    }
    return noted;
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
        if (run->is_paused && !run->totals.calls &&
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
