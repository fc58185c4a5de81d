/* Counts of calls, and what is leaked. */
#include "stub.h"

static long long infos;

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_) {.name = #name_},
    ALL_ENTRIES(ENTRY_NAME)
#undef ENTRY_NAME
};

const struct report_of report_of = {"webgpu_stub", "KT_STUB_WEBGPU_COUNTS", entries, ENTRY_COUNT};

void report_infos(int change)
{
    infos += change;
}

/* Ended as far as the program is concerned is what it has no refs of any more. */
void report_own(FILE *file)
{
    static const char *const names[KIND_COUNT] = {"instance",      "adapter",  "device",
                                                  "queue",         "buffer",   "query set",
                                                  "shader",        "pipeline", "bind group layout",
                                                  "bind group",    "encoder",  "pass",
                                                  "command buffer"};
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        unsigned long long alive = 0;
        for (const struct object *o = NULL; (o = object_next((enum kind)kind, (void *)o)) != NULL;)
            alive += o->refs > 0;
        report_leak(file, names[kind], alive);
    }
    if (infos)
        fprintf(file, "leak adapter info %lld\n", infos);
    for (const struct WGPUDeviceImpl *d = NULL; (d = object_next(KIND_DEVICE, (void *)d)) != NULL;)
        if (d->scopes)
            fprintf(file, "leak error scope 1\n");
}
