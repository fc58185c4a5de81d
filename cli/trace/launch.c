/* SPDX-License-Identifier: MIT */
#include "cli/terminal/folder.h"
#include "cli/terminal/program.h"
#include "cli/trace/trace.h"
#include "tracers/common/filter.h"
#include "tracers/common/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Space that process files may need besides. Tracers take a quarter of what is free at most. */
#define FREE_BYTES (UINT64_C(64) << 20)

/* Writes patterns as "a*,b" and "c" each with a 0 behind it. They fit: trace.c has checked that. */
static void put_globs(char out[TRACE_GLOBS_BYTES], const char *const *lists, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *at = lists[i]; *at; at += *at == ',') {
            size_t length = strcspn(at, ",");
            memcpy(out + used, at, length);
            used += length + (length > 0);
            at += length;
        }
}

static void put_settings(const cli_options *options, trace_settings *out)
{
    const trace_options *from = &options->trace;
    snprintf(out->version, sizeof out->version, "%s", kt_version());
    out->memory_bytes = trace_events_bytes(options);
    out->skip = from->skip;
    out->count = from->count;
    out->by_size = from->by_size;
    out->exact = from->exact;
    put_globs(out->wanted, from->wanted, from->wanted_count);
    put_globs(out->unwanted, from->unwanted, from->unwanted_count);
    snprintf(out->ranks, sizeof out->ranks, "%s", from->ranks ? from->ranks : "");
    snprintf(out->rank_variable, sizeof out->rank_variable, "%s",
             options->rank_variable ? options->rank_variable : "");
    atomic_store(&out->paused, from->paused);
    out->magic = TRACE_SETTINGS_MAGIC;
}

/* What one run needs. */
typedef struct launch {
    const cli_options *options;
    char folder[FOLDER_BYTES]; /* "": none */
    folder_file shared;
    trace_settings *settings; /* NULL: none */
    program_environment environment;
} launch;

/* Makes all that tracing needs. If that fails, the program runs without, and the run says why. */
static void prepare(launch *l, trace_run *out)
{
    uint64_t bytes = 4 * (FREE_BYTES + trace_events_bytes(l->options));
    if (folder_create_shared(l->folder, TRACE_SETTINGS_FILE, bytes) != 0) {
        l->folder[0] = '\0';
        snprintf(out->problem, sizeof out->problem,
                 "nothing was recorded: cannot write to /dev/shm, TMPDIR or /tmp: %.40s",
                 strerror(errno));
        return;
    }
    if (folder_share(l->folder, TRACE_SETTINGS_FILE, sizeof *l->settings, &l->shared) != 0) {
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: %.60s: %.40s", l->folder,
                 strerror(errno));
        return;
    }
    l->settings = l->shared.map;
    put_settings(l->options, l->settings);
    if (program_environment_set(&l->environment, TRACE_VARIABLE, l->folder) != 0 ||
        entries_prepare(l->options, &l->environment, &out->entries) != 0)
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: out of memory");
}

/* Tells a launcher that runs this one. Of several, one is enough. */
static void tell_outer(void)
{
    const char *outer = getenv(TRACE_VARIABLE);
    folder_file file;
    if (outer && outer[0] && folder_share(outer, TRACE_NESTED_FILE, 1, &file) == 0)
        folder_unshare(&file);
}

static void collect(const launch *l, trace_run *out)
{
    char reason[100], nested[FOLDER_BYTES + 16];
    snprintf(nested, sizeof nested, "%s/%s", l->folder, TRACE_NESTED_FILE);
    out->is_nested = program_has_file(nested);
    if (trace_collect(l->folder, &out->totals, reason, sizeof reason) != 0) {
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: %s", reason);
        return;
    }
    for (size_t i = 0; i < out->totals.process_count && !out->outliving; i++)
        if (program_is_alive(out->totals.processes[i].number))
            out->outliving = out->totals.processes[i].number;
}

static void clean(launch *l)
{
    if (l->folder[0])
        folder_remove(l->folder);
    folder_unshare(&l->shared);
    program_environment_free(&l->environment);
    program_let_signals();
}

static int refuse_start(const launch *l, const program_end *end, int error)
{
    int number = program_interrupted();
    if (number)
        return 128 + number;
    if (!end->process) {
        fprintf(stderr, "kerntime trace: no process can be started: %s\n", strerror(error));
        return TRACE_EXIT_FAILED;
    }
    fprintf(stderr, "kerntime trace: %s: %s\n", l->options->trace.program[0], strerror(error));
    return error == ENOENT ? TRACE_EXIT_NOT_FOUND : TRACE_EXIT_NOT_EXECUTABLE;
}

/* Whether --ranks does not have the rank of this process. */
static bool is_left_out(const cli_options *options)
{
    kt_launch place;
    char rank[32];
    if (kt_launch_read(options->rank_variable, &place) != KT_OK)
        return false;
    snprintf(rank, sizeof rank, "%" PRIu32, place.rank);
    return !trace_list_holds(options->trace.ranks, rank);
}

int trace_launch(const cli_options *options, trace_run *out)
{
    *out = (trace_run){0};
    program_catch_signals(); /* from here on there is a folder to remove */
    launch l = {.options = options, .environment = program_environment_copy()};
    program_end end;
    out->is_unwanted = options->trace.ranks && is_left_out(options);
    if (l.environment.variables && !out->is_unwanted)
        prepare(&l, out);
    else if (!l.environment.variables)
        snprintf(out->problem, sizeof out->problem, "nothing was recorded: out of memory");
    bool recording = l.settings && !out->problem[0];
    if (recording)
        tell_outer();
    const program_plan plan = {.words = options->trace.program,
                               .environment = &l.environment,
                               .toggle = recording ? &l.settings->paused : NULL,
                               .number = recording && options->trace.no_follow ? &l.settings->root
                                                                               : NULL};
    int error = program_run(&plan, &end);
    if (!error) {
        out->wall_ns = end.wall_ns;
        out->code = end.code;
        out->signal = end.signal;
        out->process = end.process;
        out->is_paused = recording && atomic_load(&l.settings->paused);
        if (recording)
            collect(&l, out);
    }
    int code = error ? refuse_start(&l, &end, error) : 0;
    clean(&l);
    return code;
}
