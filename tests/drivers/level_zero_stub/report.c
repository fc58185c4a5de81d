/* Entering and leaving calls, and what is leaked. */
#include "stub.h"

#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialised, lost;
static _Thread_local unsigned inside_needs;

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_)             [ENTRY_##name_] = {.name = "ze" #name_},
#define LATER_NAME(name_, parameters) ENTRY_NAME(name_)
    ENTRIES(ENTRY_NAME) LATER_ENTRIES(LATER_NAME)
#undef ENTRY_NAME
#undef LATER_NAME
};

const struct report_of report_of = {"level_zero_stub", "KT_STUB_LEVEL_ZERO_COUNTS", entries,
                                    ENTRY_COUNT};

const char *const kind_names[KIND_COUNT + 1] = {"context", "queue",  "list",   "event pool",
                                                "event",   "module", "kernel", "build log"};

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

ze_result_t stub_enter(enum entry entry, unsigned needs)
{
    static const ze_result_t errors[] = {
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
        ZE_RESULT_ERROR_DEVICE_LOST, ZE_RESULT_ERROR_UNINITIALIZED, ZE_RESULT_ERROR_UNKNOWN};
    bool forced = report_call((int)entry);
    pthread_mutex_lock(&lock);
    report_caller = entries[entry].name;
    inside_needs = needs;
    clock_advance((int64_t)script.call_ns);
    if (forced)
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
    report_caller = NULL;
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

void report_own(FILE *file)
{
    static const char *const memories[MEMORY_KIND_COUNT] = {"host memory", "device memory",
                                                            "shared memory"};
    pthread_mutex_lock(&lock);
    objects_report(file);
    for (unsigned kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        report_leak(file, memories[kind], memory_alive(kind));
    report_caller = "exit";
    memory_check_all();
    pthread_mutex_unlock(&lock);
}
