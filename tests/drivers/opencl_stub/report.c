/* Begin and end of the library: reads the environment, counts calls, writes the report at exit. */
#include "event_pool.h"
#include "memory.h"
#include "objects.h"
#include "script.h"
#include "stub.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

atomic_int stub_mode = MODE_UNREAD;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *report_path;
static atomic_ullong calls[ENTRY_COUNT];
static atomic_ullong misuses;

static const char *const entry_names[ENTRY_COUNT] = {
#define ENTRY_NAME(name) #name,
    ENTRY_POINTS(ENTRY_NAME)
#undef ENTRY_NAME
};

static void read_environment(void)
{
    script_read();
    const char *path = getenv("KT_STUB_OPENCL_COUNTS");
    if (path && *path)
        report_path = strdup(path);
    atomic_store_explicit(&stub_mode, report_path ? MODE_COUNTING : MODE_FAST,
                          memory_order_release);
}

void stub_init(void)
{
    pthread_once(&once, read_environment);
}

void stub_enter_slow(enum entry entry)
{
    stub_init();
    if (atomic_load_explicit(&stub_mode, memory_order_relaxed) == MODE_COUNTING)
        atomic_fetch_add_explicit(&calls[entry], 1, memory_order_relaxed);
}

void stub_misuse(void)
{
    atomic_fetch_add_explicit(&misuses, 1, memory_order_relaxed);
}

void stub_sleep_forever(void)
{
    for (;;)
        pause();
}

static void write_line(FILE *file, const char *name, unsigned long long count)
{
    if (count != 0)
        fprintf(file, "%s %llu\n", name, count);
}

static void write_report(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "opencl_stub: cannot write '%s'\n", path);
        return;
    }
    for (int i = 0; i < ENTRY_COUNT; i++)
        write_line(file, entry_names[i], atomic_load(&calls[i]));
    write_line(file, "leak context", objects_alive(KIND_CONTEXT));
    write_line(file, "leak queue", objects_alive(KIND_QUEUE));
    write_line(file, "leak buffer", objects_alive(KIND_BUFFER));
    write_line(file, "leak map", maps_alive());
    write_line(file, "leak svm", objects_alive(KIND_SVM));
    write_line(file, "leak program", objects_alive(KIND_PROGRAM));
    write_line(file, "leak kernel", objects_alive(KIND_KERNEL));
    write_line(file, "leak event", events_alive());
    write_line(file, "misuse", atomic_load(&misuses));
    if (fclose(file) != 0)
        fprintf(stderr, "opencl_stub: cannot write '%s'\n", path);
}

/* Also for a library that nobody called: an empty report says "loaded, never used". Nothing is
 * freed: a thread that waits for a hung command may still be inside. */
__attribute__((destructor)) static void leave(void)
{
    stub_init();
    if (report_path)
        write_report(report_path);
}
