/* SPDX-License-Identifier: MIT */
#include "stub.h"

struct script script = {SCRIPT_KEYS(SCRIPT_VALUE).adapters = {{ADAPTER_GPU}, 1}};

/* gpu+cpu, or none */
static void read_adapters(char *text)
{
    script_read_list(&script.adapters, text, "gpu integrated cpu null none", 0);
    if (script.adapters.items[0] == ADAPTER_NONE)
        script.adapters.count = 0;
}

void script_read(void)
{
    static const struct script_key keys[] = {
        SCRIPT_KEYS(SCRIPT_ROW){"adapters", NULL, NULL, 0, 0, read_adapters},
        {"clock", &device_clock.kind, CLOCK_CHOICES, 0, 0, NULL},
        {"start", &device_clock.start, NULL, 1, UINT64_MAX, NULL},
        {"strict", &report_strict, NULL, 0, 1, NULL},
        {"fail", NULL, NULL, 0, 0, report_read_fail},
    };
    device_clock.host = CLOCK_MONOTONIC;
    script_keys_read("webgpu_stub", "KT_STUB_WEBGPU", keys, sizeof keys / sizeof keys[0]);
}
