#include "script.h"

#include "stub.h"
#include "tests/drivers/script_keys.h"

struct script script = {
    .adapters = {ADAPTER_GPU},
    .adapter_count = 1,
    .timestamp_query = 1,
    .timed_wait = 1,
    .max_buffer = UINT64_C(1) << 30,
    .max_binding = UINT64_C(1) << 27,
    .max_groups = 65535,
    .max_group_size = 1024,
    .max_invocations = 1024,
    .max_storage_buffers = 10,
    .memory = UINT64_MAX,
    .quantum = 65536,
    .resolution = 1,
    .start = 1000000007,
    .kernel_ns = 1000,
    .empty_ns = 1,
    .every = 1,
    .done = STUB_EARLY ? DONE_PLAIN : DONE_MESSAGE,
    .scopes = STUB_EARLY ? SCOPES_OF_DEVICE : SCOPES_OF_THREAD,
};

#define BYTES_MAX  (UINT64_C(1) << 40)
#define NUMBER_MAX UINT32_MAX

/* gpu+cpu, or none */
static void read_adapters(char *text)
{
    script.adapter_count = 0;
    for (char *next; text; text = next) {
        next = script_cut(text, '+');
        if (script.adapter_count == ADAPTERS_MAX)
            script_refuse("list too long", text);
        uint64_t kind = script_choice("gpu integrated cpu null none", text);
        if (kind != ADAPTER_NONE)
            script.adapters[script.adapter_count++] = kind;
    }
}

static const struct script_key keys[] = {
    {"adapters", NULL, NULL, 0, 0, read_adapters},
    {"timestamp_query", &script.timestamp_query, NULL, 0, 1, NULL},
    {"synchronises", &script.synchronises, NULL, 0, 1, NULL},
    {"timed_wait", &script.timed_wait, NULL, 0, 1, NULL},
    {"max_buffer", &script.max_buffer, NULL, 1, BYTES_MAX, NULL},
    {"max_binding", &script.max_binding, NULL, 1, BYTES_MAX, NULL},
    {"max_groups", &script.max_groups, NULL, 1, NUMBER_MAX, NULL},
    {"max_group_size", &script.max_group_size, NULL, 1, NUMBER_MAX, NULL},
    {"max_invocations", &script.max_invocations, NULL, 1, NUMBER_MAX, NULL},
    {"max_storage_buffers", &script.max_storage_buffers, NULL, 1, BINDINGS_MAX - 1, NULL},
    {"memory", &script.memory, NULL, 1, UINT64_MAX, NULL},
    {"toggle", &script.toggle, "heeded ignored", 0, 0, NULL},
    {"quantum", &script.quantum, NULL, 1, BYTES_MAX, NULL},
    {"resolution", &script.resolution, NULL, 1, BYTES_MAX, NULL},
    {"clock", &script.clock, "simulated host own", 0, 0, NULL},
    {"start", &script.start, NULL, 1, UINT64_MAX, NULL},
    {"kernel_ns", &script.kernel_ns, NULL, 0, BYTES_MAX, NULL},
    {"empty_ns", &script.empty_ns, NULL, 0, BYTES_MAX, NULL},
    {"timestamps", &script.timestamps, "good zero backwards zero_begin zero_end", 0, 0, NULL},
    {"every", &script.every, NULL, 1, NUMBER_MAX, NULL},
    {"commands", &script.commands, "at_once held", 0, 0, NULL},
    {"late", &script.late, NULL, 0, NUMBER_MAX, NULL},
    {"ready_ns", &script.ready_ns, NULL, 0, BYTES_MAX, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"lost", &script.lost, NULL, 0, UINT64_MAX, NULL},
    {"lost_done", &script.lost_done, "success error", 0, 0, NULL},
    {"done", &script.done, "plain message", 0, 0, NULL},
    {"scopes", &script.scopes, "device thread", 0, 0, NULL},
    {"threads", &script.threads, "calls waits any", 0, 0, NULL},
    {"build", &script.build, "good fail", 0, 0, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"lax", &script.lax, NULL, 0, 1, NULL},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"error", &script.error, "validation out_of_memory internal null", 0, 0, NULL},
};

void script_read(void)
{
    script_keys_read("webgpu_stub", "KT_STUB_WEBGPU", keys, sizeof keys / sizeof keys[0]);
}
