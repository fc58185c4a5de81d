#include "script.h"

#include "stub.h"
#include "tests/drivers/frame/script.h"

#include <stdlib.h>

struct script script = {
    .devices = 1,
    .api = 3,
    .heap = UINT64_C(1) << 30,
    .max_alloc = UINT64_C(1) << 30,
    .host_pointers = 1,
    .host_alignment = 4096,
    .host_types = 15,
    .families = {{FAMILY_ALL}, 1},
    .bits = {{64}, 1},
    .period = 1,
    .start = 1000000007,
    .kernel_ticks = 1000,
    .empty_ticks = 1,
    .every = 1,
    .domains = {{DOMAIN_DEVICE, DOMAIN_MONOTONIC}, 2},
    .deviation = 1,
    .max_range = UINT64_C(1) << 27,
    .max_groups = 65535,
    .max_group_size = 1024,
    .max_invocations = 1024,
    .max_push = 128,
    .missing = ENTRY_COUNT,
};

#define BYTES_MAX  (UINT64_C(1) << 40)
#define NUMBER_MAX UINT32_MAX

/* choices NULL: numbers */
static void read_list(struct list *list, char *text, const char *choices, uint64_t max)
{
    list->count = 0;
    for (char *next; text; text = next) {
        next = script_cut(text, '+');
        if (list->count == LIST_MAX)
            script_refuse("list too long", text);
        list->items[list->count++] =
            choices ? script_choice(choices, text) : script_number(text, 0, max);
    }
}

static void read_families(char *text)
{
    read_list(&script.families, text, "all compute transfer graphics", 0);
}

static void read_bits(char *text)
{
    read_list(&script.bits, text, NULL, 64);
}

static void read_domains(char *text)
{
    read_list(&script.domains, text, "device monotonic raw unknown", 0);
}

static void read_period(char *text)
{
    char *end = NULL;
    script.period = strtod(text, &end);
    if (end == text || *end != '\0' || !(script.period > 0 && script.period < 1e9))
        script_refuse("no period", text);
}

static void read_missing(char *text)
{
    script.missing = report_read_entry(text);
}

static const struct script_key keys[] = {
    {"devices", &script.devices, NULL, 0, DEVICES_MAX, NULL},
    {"type", &script.type, "gpu cpu", 0, 0, NULL},
    {"api", &script.api, "1.0 1.1 1.2 1.3", 0, 0, NULL},
    {"memory", &script.memory, "unified discrete bar noncoherent", 0, 0, NULL},
    {"heap", &script.heap, NULL, 1, BYTES_MAX, NULL},
    {"max_alloc", &script.max_alloc, NULL, 1, BYTES_MAX, NULL},
    {"host_pointers", &script.host_pointers, NULL, 0, 1, NULL},
    {"host_alignment", &script.host_alignment, NULL, 1, NUMBER_MAX, NULL},
    {"host_types", &script.host_types, NULL, 0, NUMBER_MAX, NULL},
    {"families", NULL, NULL, 0, 0, read_families},
    {"bits", NULL, NULL, 0, 0, read_bits},
    {"period", NULL, NULL, 0, 0, read_period},
    {"clock", &script.clock, "simulated host own", 0, 0, NULL},
    {"start", &script.start, NULL, 0, UINT64_MAX, NULL},
    {"kernel_ticks", &script.kernel_ticks, NULL, 0, BYTES_MAX, NULL},
    {"empty_ticks", &script.empty_ticks, NULL, 0, BYTES_MAX, NULL},
    {"availability", &script.availability, "1 2 never", 0, 0, NULL},
    {"undefined", &script.undefined, "unavailable garbage", 0, 0, NULL},
    {"writing", &script.writing, "hidden shown", 0, 0, NULL},
    {"late", &script.late, NULL, 0, NUMBER_MAX, NULL},
    {"timestamps", &script.timestamps, "good zero backwards", 0, 0, NULL},
    {"every", &script.every, NULL, 1, NUMBER_MAX, NULL},
    {"calibrated", &script.calibrated, "none ext khr both", 0, 0, NULL},
    {"domains", NULL, NULL, 0, 0, read_domains},
    {"deviation", &script.deviation, NULL, 0, BYTES_MAX, NULL},
    {"deviation_grows", &script.deviation_grows, NULL, 0, 1, NULL},
    {"device_values", &script.device_values, "true epoch rate", 0, 0, NULL},
    {"max_range", &script.max_range, NULL, 1, NUMBER_MAX, NULL},
    {"max_groups", &script.max_groups, NULL, 1, NUMBER_MAX, NULL},
    {"max_group_size", &script.max_group_size, NULL, 1, NUMBER_MAX, NULL},
    {"max_invocations", &script.max_invocations, NULL, 1, NUMBER_MAX, NULL},
    {"max_push", &script.max_push, NULL, 4, PUSH_MAX, NULL},
    {"commands", &script.commands, "at_once held", 0, 0, NULL},
    {"progress", &script.progress, NULL, 0, NUMBER_MAX, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"lost", &script.lost, NULL, 0, UINT64_MAX, NULL},
    {"late_fence", &script.late_fence, NULL, 0, NUMBER_MAX, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"missing", NULL, NULL, 0, 0, read_missing},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"error", &script.error, "host_memory device_memory lost initialization", 0, 0, NULL},
};

void script_read(void)
{
    script_keys_read("vulkan_stub", "KT_STUB_VULKAN", keys, sizeof keys / sizeof keys[0]);
}
