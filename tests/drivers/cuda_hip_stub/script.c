/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "stub.h"

struct script script = {SCRIPT_KEYS(SCRIPT_VALUE)};

static const struct script_key keys[] = {
    SCRIPT_KEYS(SCRIPT_ROW) //
    {"clock", &device_clock.kind, "simulated host", 0, 0, NULL},
    {"start", &device_clock.start, NULL, 0, LONGEST_NS, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
};

void script_read(void)
{
    script_keys_read("cuda_hip_stub", STUB_HIP ? "KT_STUB_HIP" : "KT_STUB_CUDA", keys,
                     sizeof keys / sizeof keys[0]);
    if (script.empty_ns == AS_KERNEL_NS)
        script.empty_ns = script.kernel_ns;
    if (script.copy_ns == AS_KERNEL_NS)
        script.copy_ns = script.kernel_ns;
    if (script.free_bytes > script.total_bytes)
        script.free_bytes = script.total_bytes;
}
