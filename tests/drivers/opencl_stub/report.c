/* SPDX-License-Identifier: MIT */
/* Counts of calls, and what is leaked. */
#include "stub.h"

#include <unistd.h>

const char *const kind_names[] = {"context", "queue",  "buffer", "svm",
                                  "program", "kernel", "event",  NULL};

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_) {.name = #name_},
    ENTRY_POINTS(ENTRY_NAME)
#undef ENTRY_NAME
};

const struct report_of report_of = {"opencl_stub", "KT_STUB_OPENCL_COUNTS", entries, ENTRY_COUNT};

void stub_sleep_forever(void)
{
    call_unlock();
    for (;;)
        pause();
}

/* Nothing is freed: a thread that waits for a hung command may still be inside. */
void report_own(FILE *file)
{
    call_lock();
    objects_report(file);
    report_leak(file, "map", maps_alive());
    report_caller = "exit";
    memory_check_all();
    call_unlock();
}
