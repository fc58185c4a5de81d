/* SPDX-License-Identifier: MIT */
/* Entering and leaving calls, making objects, and what is leaked. */
#include "stub.h"

const char *const kind_names[] = {
    "instance", "adapter",           "device",     "queue",   "buffer", "query set",      "shader",
    "pipeline", "bind group layout", "bind group", "encoder", "pass",   "command buffer", NULL};

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_) {.name = #name_},
    ALL_ENTRIES(ENTRY_NAME)
#undef ENTRY_NAME
};

const struct report_of report_of = {"webgpu_stub", "KT_STUB_WEBGPU_COUNTS", entries, ENTRY_COUNT};

static long long infos;

/* ---- calls ---- */

/* Calls on a device, or what is part of it, must not meet. */
bool stub_enter(enum entry entry, const void *on)
{
    report_begin(); /* reads the script */
    WGPUDevice device = on ? ((const struct base *)on)->device : NULL;
    bool alone = device && !device->synchronised && script.threads != THREADS_ANY, met = false;
    bool fails = call_enter_alone((int)entry, alone ? device : NULL, &met);
    EXPECT_USE(!met, "another thread is in a call on the same device");
    return fails;
}

void stub_leave(const bool *fails)
{
    (void)fails;
    struct event *due = events_take_due();
    call_leave();
    events_call(due);
}

/* ---- objects ---- */

void *create(enum kind kind, size_t bytes, WGPUDevice device, bool fails, void (*end)(void *))
{
    if (fails)
        device_forced(device);
    if (fails && script.error == ERROR_NULL)
        return NULL;
    struct base *base = counted_create(kind, bytes, device);
    base->counted.object.end = end;
    base->device = device;
    base->invalid = fails;
    return base;
}

/* ---- the report ---- */

void report_infos(int change)
{
    infos += change;
}

void report_own(FILE *file)
{
    objects_report(file);
    report_leak(file, "adapter info", (unsigned long long)infos);
    for (const struct WGPUDeviceImpl *d = NULL; (d = object_next(KIND_DEVICE, d)) != NULL;)
        report_leak(file, "error scope", d->scopes != NULL);
}
