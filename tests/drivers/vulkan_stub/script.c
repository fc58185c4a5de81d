/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "stub.h"

#include <stdlib.h>

struct script script = {
    SCRIPT_KEYS(SCRIPT_VALUE) //
        .families = {{FAMILY_ALL}, 1},
    .bits = {{64}, 1},
    .domains = {{DOMAIN_DEVICE, DOMAIN_MONOTONIC}, 2},
    .missing = ENTRY_COUNT,
};

static void read_families(char *text)
{
    script_read_list(&script.families, text, "all compute transfer graphics", 0);
}

static void read_bits(char *text)
{
    script_read_list(&script.bits, text, NULL, 64);
}

static void read_domains(char *text)
{
    script_read_list(&script.domains, text, "device monotonic raw unknown", 0);
}

static void read_period(char *text)
{
    char *end = NULL;
    device_clock.period = strtod(text, &end);
    if (end == text || *end != '\0' || !(device_clock.period > 0 && device_clock.period < 1e9))
        script_refuse("no period", text);
}

static void read_missing(char *text)
{
    script.missing = report_read_entry(text);
}

static const struct script_key keys[] = {
    SCRIPT_KEYS(SCRIPT_ROW) //
    {"families", NULL, NULL, 0, 0, read_families},
    {"bits", NULL, NULL, 0, 0, read_bits},
    {"domains", NULL, NULL, 0, 0, read_domains},
    {"period", NULL, NULL, 0, 0, read_period},
    {"clock", &device_clock.kind, CLOCK_CHOICES, 0, 0, NULL},
    {"start", &device_clock.start, NULL, 0, UINT64_MAX, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"missing", NULL, NULL, 0, 0, read_missing},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
};

void script_read(void)
{
    device_clock.host = CLOCK_MONOTONIC;
    script_keys_read("vulkan_stub", "KT_STUB_VULKAN", keys, sizeof keys / sizeof keys[0]);
}
