/* SPDX-License-Identifier: MIT */
/* Entering and leaving messages, and what is leaked. */
#include "stub.h"

static struct report_entry entries[ENTRY_COUNT] = {
#define MESSAGE_NAME(name_, selector, fails) [ENTRY_##name_] = {.name = selector},
#define FUNCTION_NAME(name_, fails)          [ENTRY_##name_] = {.name = #name_},
    MESSAGES(MESSAGE_NAME) FUNCTIONS(FUNCTION_NAME)
#undef MESSAGE_NAME
#undef FUNCTION_NAME
};

static const bool can_fail[ENTRY_COUNT] = {
#define MESSAGE_FAILS(name_, selector, fails) [ENTRY_##name_] = (fails),
#define FUNCTION_FAILS(name_, fails)          [ENTRY_##name_] = (fails),
    MESSAGES(MESSAGE_FAILS) FUNCTIONS(FUNCTION_FAILS)
#undef MESSAGE_FAILS
#undef FUNCTION_FAILS
};

const struct report_of report_of = {"metal_stub", "KT_STUB_METAL_COUNTS", entries, ENTRY_COUNT};

const char *const kind_names[KIND_COUNT + 1] = {
    "device",          "command queue", "command buffer", "encoder",
    "fence",           "buffer",        "library",        "function",
    "pipeline",        "reflection",    "argument",       "compile options",
    "counter set",     "counter",       "sample buffer",  "sample buffer descriptor",
    "pass descriptor", "attachments",   "attachment",     "string",
    "array",           "data",          "error",          "process info"};

bool stub_enter_call(enum entry entry)
{
    bool fails = call_enter((int)entry) && can_fail[entry];
    clock_advance(CALL_NS);
    devices_settle();
    return !fails;
}

void *stub_enter(enum entry entry, id self, enum kind kind)
{
    return stub_enter_call(entry) ? thing_use(self, kind) : NULL;
}

void stub_leave(void *entered)
{
    call_leave();
}

/* A device is nobody's, but what it was retained beyond is somebody's. */
static unsigned long long device_references(void)
{
    unsigned long long all = 0;
    for (const struct thing *t = NULL; (t = object_next(KIND_DEVICE, t)) != NULL;)
        all += (unsigned long long)t->refs - 1;
    return all;
}

void report_own(FILE *file)
{
    call_lock();
    objects_report(file);
    report_leak(file, "device reference", device_references());
    report_leak(file, "autorelease pool", pools_open());
    report_caller = "exit";
    memory_check_all();
    call_unlock();
}
