#include "cli/trace/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

/* How an API lets a tracer in. */
typedef struct entry {
    const char *name; /* of its library: libkerntime-trace-NAME.so */
    /* Sets the variables. `library`: path of the tracer, `folder`: of its folder. */
    int (*prepare)(program_environment *environment, const char *library, const char *folder,
                   bool is_named, char *reason);
} entry;

static int prepare_opencl(program_environment *environment, const char *library, const char *folder,
                          bool is_named, char *reason)
{
    (void)folder, (void)is_named, (void)reason;
    return program_environment_append(environment, "OPENCL_LAYERS", library);
}

static int prepare_vulkan(program_environment *environment, const char *library, const char *folder,
                          bool is_named, char *reason)
{
    (void)library, (void)is_named, (void)reason;
    if (program_environment_append(environment, "VK_ADD_LAYER_PATH", folder) != 0)
        return -1;
    return program_environment_append(environment, "VK_INSTANCE_LAYERS", "VK_LAYER_KERNTIME_trace");
}

static int prepare_level_zero(program_environment *environment, const char *library,
                              const char *folder, bool is_named, char *reason)
{
    (void)folder, (void)is_named, (void)reason;
    if (program_environment_set(environment, "ZE_ENABLE_TRACING_LAYER", "1") != 0)
        return -1;
    return program_environment_append(environment, "LD_PRELOAD", library);
}

static int prepare_cuda(program_environment *environment, const char *library, const char *folder,
                        bool is_named, char *reason)
{
    (void)folder, (void)is_named;
    const char *other = program_environment_get(environment, "CUDA_INJECTION64_PATH");
    if (!other || !*other)
        return program_environment_set(environment, "CUDA_INJECTION64_PATH", library);
    snprintf(reason, ENTRY_REASON_BYTES, "CUDA_INJECTION64_PATH has another tool: %.80s", other);
    return 0;
}

static int prepare_hip(program_environment *environment, const char *library, const char *folder,
                       bool is_named, char *reason)
{
    (void)folder, (void)is_named, (void)reason;
    return program_environment_append(environment, "ROCP_TOOL_LIBRARIES", library);
}

static const entry entries[TRACE_API_COUNT] = {
    [TRACE_OPENCL] = {"opencl", prepare_opencl},
    [TRACE_VULKAN] = {"vulkan", prepare_vulkan},
    [TRACE_LEVEL_ZERO] = {"level_zero", prepare_level_zero},
    [TRACE_CUDA] = {"cuda", prepare_cuda},
    [TRACE_HIP] = {"hip", prepare_hip},
};

int entries_prepare(const cli_options *options, program_environment *environment,
                    trace_entries *out)
{
    *out = (trace_entries){0};
    char *own = program_own_folder();
    for (int i = 0; own && i < TRACE_API_COUNT; i++) {
        char folder[PATH_BYTES], library[PATH_BYTES + 64];
        bool is_named = options->trace.apis & 1u << i;
        if (options->trace.apis && !is_named)
            continue;
        snprintf(folder, sizeof folder, "%s/tracers", own);
        snprintf(library, sizeof library, "%s/libkerntime-trace-%s.so", folder, entries[i].name);
        if (!program_has_file(library)) {
            snprintf(out->reasons[i], ENTRY_REASON_BYTES, "its tracer is not installed");
            continue;
        }
        if (entries[i].prepare(environment, library, folder, is_named, out->reasons[i]) != 0) {
            free(own);
            return -1;
        }
        out->is_set[i] = !out->reasons[i][0];
    }
    free(own);
    return 0;
}
