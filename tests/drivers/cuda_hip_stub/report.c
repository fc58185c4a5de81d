/* SPDX-License-Identifier: MIT */
/* Entering and leaving calls, and what is leaked. */
#include "stub.h"

static unsigned long long blocked;
static unsigned shared;
static bool initialised;
static cuda_code lost;

static struct report_entry entries[ENTRY_COUNT] = {
#define SHARED_NAME(name_, cuda, hip, parameters) [ENTRY_##name_] = {.name = SYMBOL(cuda, hip)},
#define ALONE_NAME(name_, symbol, parameters)     [ENTRY_##name_] = {.name = #symbol},
    SHARED_ENTRIES(SHARED_NAME) CUDA_COMPILER_TEXTS(SHARED_NAME)
#if STUB_HIP
        HIP_ENTRIES(ALONE_NAME) HIP_TEXTS(ALONE_NAME)
#else
        CUDA_ENTRIES(ALONE_NAME)
#endif
};

const struct report_of report_of = {
    "cuda_hip_stub", STUB_HIP ? "KT_STUB_HIP_COUNTS" : "KT_STUB_CUDA_COUNTS", entries, ENTRY_COUNT};

const char *const kind_names[KIND_COUNT + 1] = {"context", "stream", "event", "module", "program"};

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

cuda_code stub_enter(enum entry entry, unsigned needs)
{
    bool forced = call_enter((int)entry);
    clock_advance((int64_t)script.call_ns);
    if (forced)
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

void stub_leave(const cuda_code *code)
{
    call_leave();
}

void report_blocked(void)
{
    blocked++;
}

void report_shared(unsigned bytes)
{
    shared = bytes > shared ? bytes : shared;
}

void report_own(FILE *file)
{
    static const char *const memories[MEMORY_KIND_COUNT] = {"device memory", "pinned memory",
                                                            "managed memory"};
    call_lock();
    if (blocked)
        fprintf(file, "blocked %llu\n", blocked);
    if (shared)
        fprintf(file, "shared %u\n", shared);
    objects_report(file);
    for (unsigned kind = 0; kind < MEMORY_KIND_COUNT; kind++)
        report_leak(file, memories[kind], memory_alive(kind));
    report_leak(file, "pushed context", contexts_pushed());
    report_leak(file, "NVML", nvml_open_count());
    report_caller = "exit";
    memory_check_all();
    call_unlock();
}
