/* SPDX-License-Identifier: MIT */
/*
 * The functions of the stub, once: their numbers, their names and prototypes. A function has Level
 * Zero's name here, with stub_ in place of ze. The driver shows them through its tables alone, the
 * loader under their own names.
 */
#ifndef LEVEL_ZERO_STUB_ENTRY_POINTS_H
#define LEVEL_ZERO_STUB_ENTRY_POINTS_H

#include "src/backends/level_zero/api.h"

/* What programs of a user's own call beside what kerntime calls. */
#define USER_ENTRIES(X)                         \
    X(CommandListAppendSignalEvent)             \
    X(CommandListAppendWaitOnEvents)            \
    X(CommandListAppendLaunchCooperativeKernel) \
    X(EventHostSignal)                          \
    X(FenceCreate)                              \
    X(FenceDestroy)                             \
    X(FenceHostSynchronize)                     \
    X(FenceQueryStatus)                         \
    X(MemGetAllocProperties)

/* Of later APIs than the headers', which the loader alone has. X(name, (parameters)) */
#define LATER_ENTRIES(X) \
    ZE_LATER(X)          \
    X(CommandListHostSynchronize, (ze_command_list_handle_t, uint64_t))

#define ENTRIES(X)  \
    ZE_FUNCTIONS(X) \
    ZE_OPTIONAL(X)  \
    USER_ENTRIES(X)

enum entry {
#define ENTRY_ID(name)             ENTRY_##name,
#define LATER_ID(name, parameters) ENTRY_##name,
    ENTRIES(ENTRY_ID) LATER_ENTRIES(LATER_ID)
#undef ENTRY_ID
#undef LATER_ID
        ENTRY_COUNT
};

#ifdef STUB_LOADER
#define EXPORT __attribute__((visibility("default")))
/* A driver has no such symbols: those of a loader that a program is linked with would come before
 * its own. */
#if STUB_LOADER
#define PROTOTYPE(name) EXPORT __typeof__(*(ze_pfn##name##_t)NULL) stub_##name __asm__("ze" #name);
#define LATER_PROTOTYPE(name, parameters) \
    EXPORT ze_result_t stub_##name parameters __asm__("ze" #name);
#else
#define PROTOTYPE(name)                   __typeof__(*(ze_pfn##name##_t)NULL) stub_##name;
#define LATER_PROTOTYPE(name, parameters) ze_result_t stub_##name parameters;
#endif
ENTRIES(PROTOTYPE)
LATER_ENTRIES(LATER_PROTOTYPE)

/* Not of the API: what a test does to the device. Never counted. Any thread. */

/* The clock of the stub's world, in ns: to be the host's clock of a test where the clock is a
 * simulated one. */
EXPORT int64_t ktStubNow(void);
/* The simulated clock moves on. */
EXPORT void ktStubAdvance(int64_t ns);
/* From now on each kernel, copy and filling takes so many ticks, whatever the script says; 0: as it
 * says. */
EXPORT void ktStubTake(uint64_t ticks);
/* The counters behind the global timestamps and behind those of events show these numbers at this
 * moment, as far as they are wide. */
EXPORT void ktStubSetCounters(uint64_t global_ticks, uint64_t kernel_ticks);
/* Is called for each kernel, copy and filling that ran, with its ticks since the stub began; NULL:
 * nobody. */
typedef void stub_observer(const char *name, uint64_t begin_ticks, uint64_t end_ticks);
EXPORT void ktStubObserve(stub_observer *who);
#endif

#endif
