/* Entering and leaving calls, counts of them, misuse, and the report at exit. */
#include "stub.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VARIABLE_COUNTS "KT_STUB_LEVEL_ZERO_COUNTS"

enum { LINES_MAX = 64, LINE_MAX_BYTES = 160 };

struct lines {
    struct {
        char text[LINE_MAX_BYTES];
        unsigned long long count;
    } line[LINES_MAX + 1]; /* the last one is for all that found no room */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long calls[ENTRY_COUNT], calls_of_all;
static struct lines misuses, kernels, unknown_kernels;
static bool initialised, lost;
static _Thread_local enum entry inside = ENTRY_COUNT;
static _Thread_local unsigned inside_needs;

static const char *const entry_names[ENTRY_COUNT] = {
#define ENTRY_NAME(name)             [ENTRY_##name] = "ze" #name,
#define LATER_NAME(name, parameters) [ENTRY_##name] = "ze" #name,
    ENTRIES(ENTRY_NAME) LATER_ENTRIES(LATER_NAME)
#undef ENTRY_NAME
#undef LATER_NAME
};

int entry_find(const char *symbol)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(entry_names[i], symbol) == 0)
            return i;
    return FAIL_NONE;
}

const char *entry_name(enum entry entry)
{
    return entry < ENTRY_COUNT ? entry_names[entry] : "exit";
}

void stub_initialised(void)
{
    initialised = true;
}

void stub_lose(void)
{
    lost = true;
}

bool stub_is_lost(void)
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

ze_result_t stub_enter(enum entry entry, unsigned needs)
{
    static const ze_result_t errors[] = {
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
        ZE_RESULT_ERROR_DEVICE_LOST, ZE_RESULT_ERROR_UNINITIALIZED, ZE_RESULT_ERROR_UNKNOWN};
    stub_begin();
    pthread_mutex_lock(&lock);
    inside = entry;
    inside_needs = needs;
    clock_advance((int64_t)script.call_ns);
    if (forced(entry))
        return errors[script.error];
    if (needs != NEEDS_NOTHING && !initialised) {
        misuse("before zeInit");
        return ZE_RESULT_ERROR_UNINITIALIZED;
    }
    return lost && !(needs & NEEDS_NO_LUCK) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t stub_leave(ze_result_t code)
{
    if (code == ZE_RESULT_SUCCESS && lost && !(inside_needs & NEEDS_NO_LUCK))
        code = ZE_RESULT_ERROR_DEVICE_LOST;
    inside = ENTRY_COUNT;
    pthread_mutex_unlock(&lock);
    return code;
}

void stub_pause(void)
{
    const struct timespec little = {.tv_nsec = 20000};
    pthread_mutex_unlock(&lock);
    nanosleep(&little, NULL);
    pthread_mutex_lock(&lock);
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
    int length = snprintf(text, sizeof text, "%s: ", entry_name(inside));
    snprintf(text + length, sizeof text - (size_t)length, "%.*s",
             (int)(sizeof text - (size_t)length - 1), sentence);
    if (script.strict) {
        fprintf(stderr, "level_zero_stub: misuse: %s\n", text);
        abort();
    }
    count_line(&misuses, text);
}

void report_kernel(const char *name, bool known)
{
    count_line(known ? &kernels : &unknown_kernels, name);
}

static void write_lines(FILE *file, const char *before, const struct lines *lines)
{
    for (int i = 0; i <= LINES_MAX; i++)
        if (lines->line[i].count)
            fprintf(file, "%s %s %llu\n", before, lines->line[i].text, lines->line[i].count);
}

static void write_leaks(FILE *file)
{
    static const char *const memories[MEMORY_KIND_COUNT] = {"host memory", "device memory",
                                                            "shared memory"};
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (objects_alive((enum kind)kind))
            fprintf(file, "leak %s %llu\n", kind_name((enum kind)kind),
                    objects_alive((enum kind)kind));
    for (int kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        if (memory_alive((enum memory_kind)kind))
            fprintf(file, "leak %s %u\n", memories[kind], memory_alive((enum memory_kind)kind));
}

static void write_report(FILE *file)
{
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (calls[i])
            fprintf(file, "%s %llu\n", entry_name((enum entry)i), calls[i]);
    write_lines(file, "kernel", &kernels);
    write_lines(file, "unknown kernel", &unknown_kernels);
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
        fprintf(stderr, "level_zero_stub: cannot write '%s'\n", path);
    pthread_mutex_unlock(&lock);
}
