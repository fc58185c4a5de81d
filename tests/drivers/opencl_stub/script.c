/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "tests/drivers/frame/report.h"

struct script script = {SCRIPT_KEYS(SCRIPT_VALUE)};

void script_read(void)
{
    static const struct script_key keys[] = {SCRIPT_KEYS(SCRIPT_ROW)};
    script_keys_read("opencl_stub", "KT_STUB_OPENCL", keys, sizeof keys / sizeof keys[0]);
    if (script.empty_ns == AS_KERNEL_NS)
        script.empty_ns = script.kernel_ns;
}
