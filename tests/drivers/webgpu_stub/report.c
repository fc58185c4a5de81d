/* Misuse, counts of calls, and the report at exit. */
#include "stub.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MISUSES_MAX = 64, SENTENCE_MAX = 160, KERNELS_MAX = 64 };

static struct {
    char sentence[SENTENCE_MAX];
    unsigned long long count;
} misuses[MISUSES_MAX + 1], /* the last one is for all that found no room */
    kernels[KERNELS_MAX + 1];

static unsigned long long calls[ENTRY_COUNT], unknown_kernels;
static long long infos;

void report_call(enum entry entry)
{
    calls[entry]++;
}

void report_unknown_kernel(void)
{
    unknown_kernels++;
}

void report_infos(int change)
{
    infos += change;
}

void report_kernel(const char *name)
{
    int i = 0;
    while (i < KERNELS_MAX && kernels[i].count != 0 && strcmp(kernels[i].sentence, name) != 0)
        i++;
    snprintf(kernels[i].sentence, SENTENCE_MAX, "%s", i < KERNELS_MAX ? name : "others");
    kernels[i].count++;
}

void misuse(const char *format, ...)
{
    char sentence[SENTENCE_MAX];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (script.strict) {
        fprintf(stderr, "webgpu_stub: misuse: %s\n", sentence);
        abort();
    }
    int i = 0;
    while (i < MISUSES_MAX && misuses[i].count != 0 && strcmp(misuses[i].sentence, sentence) != 0)
        i++;
    snprintf(misuses[i].sentence, SENTENCE_MAX, "%s", i < MISUSES_MAX ? sentence : "others");
    misuses[i].count++;
}

/* Ended as far as the program is concerned is what it has no refs of any more. */
static void write_leaks(FILE *file)
{
    static const char *const names[KIND_COUNT] = {"instance",      "adapter",  "device",
                                                  "queue",         "buffer",   "query set",
                                                  "shader",        "pipeline", "bind group layout",
                                                  "bind group",    "encoder",  "pass",
                                                  "command buffer"};
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        unsigned long long alive = 0;
        for (const struct object *o = NULL; (o = object_next((enum kind)kind, (void *)o)) != NULL;)
            alive += o->refs > 0;
        if (alive)
            fprintf(file, "leak %s %llu\n", names[kind], alive);
    }
    if (infos)
        fprintf(file, "leak adapter info %lld\n", infos);
    for (const struct WGPUDeviceImpl *d = NULL; (d = object_next(KIND_DEVICE, (void *)d)) != NULL;)
        if (d->scopes)
            fprintf(file, "leak error scope 1\n");
}

static void write_report(FILE *file)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (calls[i])
            fprintf(file, "%s %llu\n", entry_name((enum entry)i), calls[i]);
    for (int i = 0; i <= KERNELS_MAX; i++)
        if (kernels[i].count)
            fprintf(file, "kernel %s %llu\n", kernels[i].sentence, kernels[i].count);
    if (unknown_kernels)
        fprintf(file, "unknown kernels %llu\n", unknown_kernels);
    write_leaks(file);
    for (int i = 0; i <= MISUSES_MAX; i++)
        if (misuses[i].count)
            fprintf(file, "misuse %llu %s\n", misuses[i].count, misuses[i].sentence);
}

/* Also for a library that nobody called: an empty report says "loaded, never used". */
__attribute__((destructor)) static void leave(void)
{
    const char *path = getenv("KT_STUB_WEBGPU_COUNTS");
    if (!path || !*path)
        return;
    FILE *file = fopen(path, "w");
    if (file)
        write_report(file);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "webgpu_stub: cannot write '%s'\n", path);
}
