/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "stub.h"

struct script script = {SCRIPT_KEYS(SCRIPT_VALUE)};

static const struct script_key keys[] = {
    SCRIPT_KEYS(SCRIPT_ROW){"clock", &device_clock.kind, "simulated host", 0, 0, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
};

void script_read(void)
{
    script_keys_read("level_zero_stub", "KT_STUB_LEVEL_ZERO", keys, sizeof keys / sizeof keys[0]);
    if (script.copy_ns == AS_OTHER)
        script.copy_ns = script.kernel_ns;
    if (script.max_alloc == AS_OTHER)
        script.max_alloc = script.total_bytes;
    counters_begin();
}
