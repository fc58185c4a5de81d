/* SPDX-License-Identifier: MIT */
#include "cli/trace/entries.h"

#include "tracers/common/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

/* A tracer, and the environment that must name it. */
typedef struct tracer {
    program_environment *environment;
    const char *library, *folder; /* its path, and that of its folder */
    char *reason;                 /* for a clause; ENTRY_REASON_BYTES */
} tracer;

/* Returns 0, also with a reason why not; -1: out of memory. */
typedef int (*entry_prepare)(const tracer *t);

/* How the tracer of an API gets into a program. */
typedef struct entry {
    entry_prepare prepare;
    const char *loader;  /* library by which programs use the API, and which loads tracers */
    const char *has;     /* text in a loader that loads tracers; NULL: each does */
    const char *version; /* the first loaders that do */
    const char *before;  /* name that the loader had; NULL: the same */
} entry;

static int append(const tracer *t, const char *name, const char *value)
{
    return program_environment_append(t->environment, name, value);
}

static int prepare_opencl(const tracer *t)
{
    return append(t, "OPENCL_LAYERS", t->library);
}

static int prepare_vulkan(const tracer *t)
{
    /* VK_LAYER_PATH takes the place of all other folders. */
    const char *only = program_environment_get(t->environment, "VK_LAYER_PATH");
    if (only && *only && append(t, "VK_LAYER_PATH", t->folder) != 0)
        return -1;
    return append(t, "VK_ADD_LAYER_PATH", t->folder) ||
                   append(t, "VK_INSTANCE_LAYERS", "VK_LAYER_kerntime_trace")
               ? -1
               : 0;
}

/* The loader opens its tracing layer by name: ours lies alone in a folder that comes first. */
static int prepare_level_zero(const tracer *t)
{
    static const char name[] = "ZE_ENABLE_TRACING_LAYER";
    char folder[2 * PATH_BYTES];
    const char *other = program_environment_get(t->environment, name);
    const char *libraries = program_environment_get(t->environment, "LD_LIBRARY_PATH");
    snprintf(folder, sizeof folder, "%s/level_zero", t->folder);
    bool is_nested = libraries && strstr(libraries, folder);
    /* Another tool needs the loader's own tracing layer: then ours loads it. */
    bool is_wanted = !is_nested && other && strcmp(other, "1") == 0;
    if (is_wanted && program_environment_set(t->environment, "KERNTIME_TRACE_ZE_TRACING", "1"))
        return -1;
    return program_environment_set(t->environment, name, "1") ||
                   program_environment_prepend(t->environment, "LD_LIBRARY_PATH", folder)
               ? -1
               : 0;
}

static int prepare_cuda(const tracer *t)
{
    static const char name[] = "CUDA_INJECTION64_PATH";
    const char *other = program_environment_get(t->environment, name);
    if (!other || !*other || strcmp(other, t->library) == 0)
        return program_environment_set(t->environment, name, t->library);
    snprintf(t->reason, ENTRY_REASON_BYTES, "%s has another tool, which stays: %.60s", name, other);
    return 0;
}

/* rocprofiler-sdk 0.4 to 1.1 leave out what is behind the last ':'. */
static int prepare_hip(const tracer *t)
{
    char ended[2 * PATH_BYTES + 1];
    snprintf(ended, sizeof ended, "%s:", t->library);
    return append(t, "ROCP_TOOL_LIBRARIES", ended);
}

static const entry entries[TRACE_API_COUNT] = {
    [TRACE_OPENCL] = {prepare_opencl, "libOpenCL.so.1", "OPENCL_LAYERS", "ocl-icd 2.3.0", NULL},
    [TRACE_VULKAN] = {prepare_vulkan, "libvulkan.so.1", "VK_ADD_LAYER_PATH", "1.3.207", NULL},
    [TRACE_LEVEL_ZERO] = {prepare_level_zero, "libze_loader.so.1", "ZE_ENABLE_TRACING_LAYER",
                          "1.0.26", NULL},
    [TRACE_CUDA] = {prepare_cuda, "libcuda.so.1", NULL, NULL, NULL},
    [TRACE_HIP] = {prepare_hip, "librocprofiler-sdk.so.1", NULL, NULL, "librocprofiler-sdk.so.0"},
};

/* Folder of the tracers: beside the command where it was built, else where it is installed. NULL:
 * unknown. */
static char *find_folder(void)
{
    static const char *const places[] = {"tracers", TRACERS_INSTALLED};
    char *own = program_own_folder(), *folder = own ? malloc(PATH_BYTES) : NULL;
    char library[2 * PATH_BYTES];
    bool found = false;
    for (size_t i = 0; folder && !found && i < sizeof places / sizeof places[0]; i++) {
        snprintf(folder, PATH_BYTES, places[i][0] == '/' ? "%.0s%s" : "%s/%s", own, places[i]);
        for (int api = 0; api < TRACE_API_COUNT && !found; api++) {
            snprintf(library, sizeof library, "%s/libkerntime-trace-%s.so", folder,
                     trace_api_name((trace_api)api));
            found = program_has_file(library);
        }
    }
    free(own);
    return folder;
}

int entries_prepare(const cli_options *options, program_environment *environment,
                    trace_entries *out)
{
    *out = (trace_entries){.kind = program_look(options->trace.program[0])};
    char library[2 * PATH_BYTES], *folder = find_folder();
    int failed = 0;
    for (int i = 0; i < TRACE_API_COUNT && !failed; i++) {
        const tracer t = {.environment = environment,
                          .library = library,
                          .folder = folder,
                          .reason = out->reasons[i]};
        if (options->trace.apis && !(options->trace.apis & 1u << i))
            continue;
        snprintf(library, sizeof library, "%s/libkerntime-trace-%s.so", folder ? folder : "",
                 trace_api_name((trace_api)i));
        out->is_missing[i] = !folder || !program_has_file(library);
        failed = out->is_missing[i] ? 0 : entries[i].prepare(&t);
    }
    free(folder);
    return failed;
}

bool entries_explain_all(const cli_options *options, const trace_entries *entries_of,
                         char reason[ENTRY_REASON_BYTES])
{
    const char *name = options->trace.program[0];
    if (entries_of->kind == PROGRAM_PRIVILEGED)
        snprintf(reason, ENTRY_REASON_BYTES,
                 "%.50s is setuid or has capabilities; the system keeps tracers out", name);
    else if (entries_of->kind == PROGRAM_STATIC)
        snprintf(reason, ENTRY_REASON_BYTES, "%.50s is statically linked and loads no libraries",
                 name);
    return entries_of->kind == PROGRAM_PRIVILEGED || entries_of->kind == PROGRAM_STATIC;
}

/* The caller frees it. NULL: it is not installed. */
static char *find_loader(const entry *e)
{
    char *path = program_find_library(e->loader);
    return path || !e->before ? path : program_find_library(e->before);
}

/* A cause that is seen in the loader that is installed. */
static bool explain_loader(const entry *e, char reason[ENTRY_REASON_BYTES])
{
    char *path = find_loader(e);
    bool is_old = path && e->has && !program_file_contains(path, e->has);
    if (!path)
        snprintf(reason, ENTRY_REASON_BYTES, "%s is not installed", e->loader);
    else if (is_old)
        snprintf(reason, ENTRY_REASON_BYTES, "%.60s is older than %s", path, e->version);
    free(path);
    return !path || is_old;
}

bool entries_has_cause(trace_api api, const trace_entries *entries_of)
{
    char ignored[ENTRY_REASON_BYTES];
    char *path = find_loader(&entries[api]);
    free(path);
    return path && (entries_of->is_missing[api] || entries_of->reasons[api][0] ||
                    explain_loader(&entries[api], ignored));
}

void entries_explain(trace_api api, const trace_entries *entries_of,
                     char reason[ENTRY_REASON_BYTES])
{
    if (entries_of->is_missing[api])
        snprintf(reason, ENTRY_REASON_BYTES, "kerntime was built without its tracer");
    else if (entries_of->reasons[api][0])
        snprintf(reason, ENTRY_REASON_BYTES, "%s", entries_of->reasons[api]);
    else if (!explain_loader(&entries[api], reason))
        snprintf(reason, ENTRY_REASON_BYTES, "PROGRAM did not use it, or opened a driver past %s",
                 entries[api].loader);
}
