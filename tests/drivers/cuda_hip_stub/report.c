/* Entering and leaving calls, counts of them, misuse, and the report at exit. */
#include "stub.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE_COUNTS (STUB_HIP ? "KT_STUB_HIP_COUNTS" : "KT_STUB_CUDA_COUNTS")

enum { LINES_MAX = 64, LINE_MAX_BYTES = 128 };

struct lines {
    struct {
        char text[LINE_MAX_BYTES];
        unsigned long long count;
    } line[LINES_MAX + 1]; /* the last one is for all that found no room */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long calls[ENTRY_COUNT], calls_of_all, blocked;
static struct lines misuses, kernels, unknown_kernels;
static bool initialised;
static cuda_code lost;
static _Thread_local enum entry inside = ENTRY_COUNT;
static _Thread_local unsigned inside_needs;

static const char *const entry_names[ENTRY_COUNT] = {
#define SHARED_NAME(name, cuda, hip, parameters) [ENTRY_##name] = SYMBOL(cuda, hip),
#define ALONE_NAME(name, symbol, parameters)     [ENTRY_##name] = #symbol,
    SHARED_ENTRIES(SHARED_NAME) CUDA_COMPILER_TEXTS(SHARED_NAME)
#if STUB_HIP
        HIP_ENTRIES(ALONE_NAME) HIP_TEXTS(ALONE_NAME)
#else
        CUDA_ENTRIES(ALONE_NAME)
#endif
};

int entry_find(const char *symbol)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (entry_names[i] && strcmp(entry_names[i], symbol) == 0)
            return i;
    return FAIL_NONE;
}

const char *entry_name(enum entry entry)
{
    return entry < ENTRY_COUNT && entry_names[entry] ? entry_names[entry] : "exit";
}

const char *caller_name(void)
{
    return entry_name(inside);
}

void stub_initialised(void)
{
    initialised = true;
}

void stub_lose(cuda_code code)
{
    lost = code;
}

cuda_code stub_lost(void)
{
    return lost;
}

static bool forced(enum entry entry)
{
    uint64_t call = ++calls[entry], any = ++calls_of_all;
    if (script.fail != FAIL_ANY && script.fail != (int)entry)
        return false;
    return script.fail_nth == 0 || script.fail_nth == (script.fail == FAIL_ANY ? any : call);
}

void stub_begin(void)
{
    pthread_once(&once, script_read);
}

cuda_code stub_enter(enum entry entry, unsigned needs)
{
    stub_begin();
    pthread_mutex_lock(&lock);
    inside = entry;
    inside_needs = needs;
    clock_advance((int64_t)script.call_ns);
    if (forced(entry))
        return (cuda_code)script.error;
    /* HIP begins by itself. */
    if (!STUB_HIP && (needs & (NEEDS_INIT | NEEDS_CONTEXT)) && !initialised) {
        misuse("before cuInit");
        return CODE_NOT_INITIALIZED;
    }
    if ((needs & NEEDS_CONTEXT) && !context_current()) {
        misuse("no context is current");
        return CODE_INVALID_CONTEXT;
    }
    return needs & (NEEDS_NO_LUCK | NEEDS_NO_DEVICE) ? CUDA_OK : lost;
}

cuda_code stub_leave(cuda_code code)
{
    if (code == CUDA_OK && (inside_needs & NEEDS_NO_LUCK))
        code = lost;
    inside = ENTRY_COUNT;
    pthread_mutex_unlock(&lock);
    return code;
}

/* ---- what is counted ---- */

static void count_line(struct lines *lines, const char *text)
{
    int i = 0;
    while (i < LINES_MAX && lines->line[i].count != 0 && strcmp(lines->line[i].text, text) != 0)
        i++;
    snprintf(lines->line[i].text, LINE_MAX_BYTES, "%s", i < LINES_MAX ? text : "others");
    lines->line[i].count++;
}

void misuse(const char *format, ...)
{
    char sentence[LINE_MAX_BYTES], text[LINE_MAX_BYTES];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    int length = snprintf(text, sizeof text, "%s: ", caller_name());
    snprintf(text + length, sizeof text - (size_t)length, "%.*s",
             (int)(sizeof text - (size_t)length - 1), sentence);
    if (script.strict) {
        fprintf(stderr, "cuda_hip_stub: misuse: %s\n", text);
        abort();
    }
    count_line(&misuses, text);
}

void report_kernel(const char *name, bool known)
{
    count_line(known ? &kernels : &unknown_kernels, name);
}

void report_blocked(void)
{
    blocked++;
}

static void write_lines(FILE *file, const char *before, const struct lines *lines)
{
    for (int i = 0; i <= LINES_MAX; i++)
        if (lines->line[i].count)
            fprintf(file, "%s %s %llu\n", before, lines->line[i].text, lines->line[i].count);
}

/* Contexts of HIP are its devices, which nobody ends; the null stream is its context's. */
static unsigned long long alive_of(enum kind kind)
{
    unsigned long long alive = 0;
    for (const struct object *o = NULL; (o = object_next(kind, o)) != NULL;)
        alive += !(kind == KIND_CONTEXT && STUB_HIP) &&
                 !(kind == KIND_STREAM && ((const struct cuda_stream_opaque *)o)->implicit);
    return alive;
}

static void write_leaks(FILE *file)
{
    static const char *const memories[MEMORY_KIND_COUNT] = {"device memory", "pinned memory",
                                                            "managed memory"};
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (alive_of((enum kind)kind))
            fprintf(file, "leak %s %llu\n", kind_name((enum kind)kind), alive_of((enum kind)kind));
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        if (memory_alive((enum memory_kind)kind))
            fprintf(file, "leak %s %u\n", memories[kind], memory_alive((enum memory_kind)kind));
    if (contexts_pushed())
        fprintf(file, "leak pushed context %u\n", contexts_pushed());
}

static void write_report(FILE *file)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (calls[i])
            fprintf(file, "%s %llu\n", entry_name((enum entry)i), calls[i]);
    write_lines(file, "kernel", &kernels);
    write_lines(file, "unknown kernel", &unknown_kernels);
    if (blocked)
        fprintf(file, "blocked %llu\n", blocked);
    write_leaks(file);
    memory_check_all();
    for (int i = 0; i <= LINES_MAX; i++)
        if (misuses.line[i].count)
            fprintf(file, "misuse %llu %s\n", misuses.line[i].count, misuses.line[i].text);
}

/* Also for a library that nobody called: an empty report says "loaded, never used". */
__attribute__((destructor)) static void leave(void)
{
    const char *path = getenv(VARIABLE_COUNTS);
    if (!path || !*path)
        return;
    stub_begin();
    pthread_mutex_lock(&lock);
    FILE *file = fopen(path, "w");
    if (file)
        write_report(file);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "cuda_hip_stub: cannot write '%s'\n", path);
    pthread_mutex_unlock(&lock);
}
