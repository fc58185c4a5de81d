/* SPDX-License-Identifier: MIT */
/* NVRTC and hiprtc, which compile CUDA C where the program runs. Neither needs a GPU for that.
 * Their functions have the same forms, and their names begin differently. */
#include "targets.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 8

typedef struct runtime_compiler {
    const char *prefix;           /* of its functions */
    const char *files[NAMES_MAX]; /* NULL-terminated */
    const char *code, *code_size; /* functions that hand out what was made */
    const char *option;           /* NULL: none. For whom, where no GPU is there to ask */
    const char *missing;
} runtime_compiler;

static const runtime_compiler nvrtc = {
    .prefix = "nvrtc",
    .files = {"libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.13", "libnvrtc.so.12",
              "/usr/local/cuda/lib64/libnvrtc.so.12", "libnvrtc.so.11.2", NULL},
    .code = "GetPTX",
    .code_size = "GetPTXSize",
    .missing = "there is no NVRTC here"};

static const runtime_compiler hiprtc = {
    .prefix = "hiprtc", /* up to version 5 within HIP itself */
    .files = {"libhiprtc.so.7", "libhiprtc.so.6", "libamdhip64.so.5", NULL},
    .code = "GetCode",
    .code_size = "GetCodeSize",
    .option = "--offload-arch=gfx90a",
    .missing = "there is no hiprtc here"};

/* Each returns 0 for success. */
typedef struct program program;
static struct {
    const runtime_compiler *which;
    int (*create)(program **, const char *source, const char *name, int headers,
                  const char *const *texts, const char *const *names);
    int (*compile)(program *, int count, const char *const *options);
    int (*log_size)(program *, size_t *);
    int (*log)(program *, char *);
    int (*code_size)(program *, size_t *);
    int (*code)(program *, char *);
    int (*destroy)(program **);
} api;

static bool load(void *library, const char *function, void *slot)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", api.which->prefix, function);
    void *address = dlsym(library, name);
    memcpy(slot, &address, sizeof address);
    return address != NULL;
}

static bool load_all(void *library)
{
    return load(library, "CreateProgram", &api.create) &&
           load(library, "CompileProgram", &api.compile) &&
           load(library, "GetProgramLogSize", &api.log_size) &&
           load(library, "GetProgramLog", &api.log) &&
           load(library, api.which->code_size, &api.code_size) &&
           load(library, api.which->code, &api.code) &&
           load(library, "DestroyProgram", &api.destroy);
}

const char *runtime_compiler_open(const char *name)
{
    api.which = strcmp(name, nvrtc.prefix) == 0 ? &nvrtc : &hiprtc;
    for (const char *const *file = api.which->files; *file; file++) {
        void *library = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
        if (library && load_all(library)) {
            printf("%s\n", *file);
            return NULL;
        }
    }
    return api.which->missing;
}

/* What `size` and `get` hand out, as a string of its own; NULL: they failed. */
static char *take(program *made, int (*size)(program *, size_t *), int (*get)(program *, char *),
                  size_t *bytes)
{
    *bytes = 0;
    if (size(made, bytes) != 0)
        return NULL;
    char *copy = calloc(*bytes + 1, 1);
    if (copy && *bytes > 0 && get(made, copy) != 0) {
        free(copy);
        return NULL;
    }
    return copy;
}

/* PTX has the entry; the object file for a GPU of AMD has its descriptor, whose name begins and
 * ends as a string. */
static bool has_kernel(const char *code, size_t bytes, const char *entry)
{
    char mark[128];
    int length = api.which == &nvrtc ? snprintf(mark, sizeof mark, ".visible .entry %s(", entry)
                                     : snprintf(mark, sizeof mark, "%c%s.kd%c", 0, entry, 0);
    return memmem(code, bytes, mark, (size_t)length) != NULL;
}

/* The latest text and what was made of it: kernels of one text follow each other. */
static struct {
    char *source, *code;
    size_t bytes;
} latest;

static bool remember(const char *source, char *code, size_t bytes)
{
    free(latest.source);
    free(latest.code);
    latest.source = strdup(source);
    latest.code = code;
    latest.bytes = bytes;
    return latest.source != NULL;
}

static bool compile(program *made, const char *source, complaint *reason)
{
    size_t log_bytes, code_bytes = 0;
    int result = api.compile(made, api.which->option ? 1 : 0, &api.which->option);
    char *log = take(made, api.log_size, api.log, &log_bytes);
    char *code = result == 0 ? take(made, api.code_size, api.code, &code_bytes) : NULL;
    bool silent = log && !*log;
    if (!code || !silent)
        complain(reason, "it does not compile without a word (%d): %s", result, log ? log : "");
    free(log);
    if (code && silent)
        return remember(source, code, code_bytes);
    free(code);
    return false;
}

static bool compile_text(const char *source, complaint *reason)
{
    program *made = NULL;
    if (latest.source && strcmp(latest.source, source) == 0)
        return true;
    if (api.create(&made, source, "kernel.cu", 0, NULL, NULL) != 0)
        return complain(reason, "it takes no text");
    bool fine = compile(made, source, reason);
    api.destroy(&made);
    return fine;
}

bool runtime_compiler_takes(const workload_kernel *kernel, complaint *reason)
{
    if (!kernel->source)
        return complain(reason, "there is no text");
    return compile_text(kernel->source, reason) &&
           (has_kernel(latest.code, latest.bytes, kernel->entry) ||
            complain(reason, "there is no kernel %s", kernel->entry));
}
