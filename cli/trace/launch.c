#include "cli/terminal/folder.h"
#include "cli/terminal/program.h"
#include "cli/trace/entries.h"
#include "cli/trace/trace.h"
#include "tracers/common/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_DEFAULT (UINT64_C(64) << 20)
#define FREE_BYTES     (UINT64_C(64) << 20) /* that a file system of memory needs */

/* Joins lists as "a*,b" into texts that are each ended by 0. Returns false if there is no room. */
static bool put_globs(char *out, const char *const *lists, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *at = lists[i]; *at; at += *at == ',') {
            size_t length = strcspn(at, ",");
            if (used + length + 2 > TRACE_GLOBS_BYTES)
                return false;
            memcpy(out + used, at, length);
            used += length + (length > 0);
            at += length;
        }
    return true;
}

static void put_settings(const cli_options *options, trace_settings *out)
{
    const trace_options *from = &options->trace;
    snprintf(out->version, sizeof out->version, "%s", kt_version());
    if (options->files[OUTPUT_TRACE])
        out->memory_bytes = from->memory_bytes ? from->memory_bytes : MEMORY_DEFAULT;
    out->skip = from->skip;
    out->count = from->count;
    out->by_size = from->by_size;
    out->exact = from->exact;
    put_globs(out->wanted, from->wanted, from->wanted_count);
    put_globs(out->unwanted, from->unwanted, from->unwanted_count);
    snprintf(out->ranks, sizeof out->ranks, "%s", from->ranks ? from->ranks : "");
    snprintf(out->rank_variable, sizeof out->rank_variable, "%s",
             from->rank_variable ? from->rank_variable : "");
    atomic_store(&out->paused, from->paused);
    out->magic = TRACE_SETTINGS_MAGIC;
}

static int refuse_start(const cli_options *options, int error)
{
    fprintf(stderr, "kerntime trace: %s: %s\n", options->trace.program[0], strerror(error));
    return error == ENOENT ? TRACE_EXIT_NOT_FOUND : TRACE_EXIT_NOT_EXECUTABLE;
}

int trace_launch(const cli_options *options, trace_run *out)
{
    *out = (trace_run){0};
    char folder[FOLDER_BYTES];
    trace_entries entries;
    program_end end;
    trace_settings *settings = NULL;
    bool has_folder = folder_create_in_memory(folder, FREE_BYTES) == 0;
    program_environment environment = program_environment_copy();
    if (has_folder)
        settings = folder_map(folder, TRACE_SETTINGS_FILE, sizeof *settings);
    if (!settings || !environment.variables)
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: %s", strerror(errno));
    if (settings)
        put_settings(options, settings);
    if (settings && (program_environment_set(&environment, TRACE_VARIABLE, folder) != 0 ||
                     entries_prepare(options, &environment, &entries) != 0))
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: out of memory");
    const program_plan plan = {.words = options->trace.program,
                               .environment = &environment,
                               .toggle = settings ? &settings->paused : NULL,
                               .number =
                                   settings && options->trace.no_follow ? &settings->root : NULL};
    int error = program_run(&plan, &end);
    if (!error && settings)
        trace_collect(folder, &out->totals, out->problem, sizeof out->problem);
    if (settings)
        folder_unmap(settings, sizeof *settings);
    if (has_folder)
        folder_remove(folder);
    program_environment_free(&environment);
    if (error)
        return refuse_start(options, error);
    out->wall_ns = end.wall_ns;
    out->code = end.code;
    out->signal = end.signal;
    out->process = end.process;
    return 0;
}
