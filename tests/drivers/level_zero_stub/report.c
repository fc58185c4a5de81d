/* SPDX-License-Identifier: MIT */
/* Entering and leaving calls, and what is leaked. */
#include "stub.h"

static bool initialised, lost;

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_)             [ENTRY_##name_] = {.name = "ze" #name_},
#define LATER_NAME(name_, parameters) ENTRY_NAME(name_)
    ENTRIES(ENTRY_NAME) LATER_ENTRIES(LATER_NAME)
#undef ENTRY_NAME
#undef LATER_NAME
};

const struct report_of report_of = {"level_zero_stub", "KT_STUB_LEVEL_ZERO_COUNTS", entries,
                                    ENTRY_COUNT};

const char *const kind_names[KIND_COUNT + 1] = {
    "context", "queue", "fence", "list", "event pool", "event", "module", "kernel", "build log"};

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
    bool forced = call_enter((int)entry);
    clock_advance((int64_t)script.call_ns);
    if (forced)
        return errors[script.error];
    if (needs != NEEDS_NOTHING && !initialised) {
        misuse("before zeInit");
        return ZE_RESULT_ERROR_UNINITIALIZED;
    }
    return lost && !(needs & NEEDS_NO_LUCK) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

void stub_leave(const ze_result_t *entered)
{
    call_leave();
}

void report_own(FILE *file)
{
    static const char *const memories[MEMORY_KIND_COUNT] = {"host memory", "device memory",
                                                            "shared memory"};
    call_lock();
    objects_report(file);
    for (unsigned kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        report_leak(file, memories[kind], memory_alive(kind));
    report_caller = "exit";
    memory_check_all();
    call_unlock();
}
