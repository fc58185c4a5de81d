/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "stub.h"
#include "tests/drivers/frame/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct script script = {SCRIPT_KEYS(SCRIPT_VALUE)};

static void read_drift(char *text)
{
    char *end = NULL;
    script.drift_ppm = strtod(text, &end);
    if (end == text || *end != '\0' || !(fabs(script.drift_ppm) <= 1e4))
        script_refuse("not a number of that range", text);
}

static void read_name(char *text)
{
    script.name = strdup(text);
    if (!script.name)
        abort();
}

/* Each time the key stands there; a class, or a selector in all classes. */
static void read_missing(char *text)
{
    size_t at = 0;
    while (at < MISSING_MAX && script.missing[at])
        at++;
    if (!class_is_known(text))
        report_read_entry(text);
    if (at == MISSING_MAX || !(script.missing[at] = strdup(text)))
        script_refuse("list too long", text);
}

static const struct script_key keys[] = {
    SCRIPT_KEYS(SCRIPT_ROW){"clock", &device_clock.kind, "simulated host", 0, 0, NULL},
    {"name", NULL, NULL, 0, 0, read_name},
    {"drift_ppm", NULL, NULL, 0, 0, read_drift},
    {"missing", NULL, NULL, 0, 0, read_missing},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"strict", &report_strict, NULL, 0, 1, NULL},
};

/* What the script leaves open is as GPUs of that maker have it. */
static void fill_in(void)
{
    bool apple = script.sampling == SAMPLING_APPLE || script.sampling == SAMPLING_NONE;
    if (script.timebase == AS_SAMPLING)
        script.timebase = apple ? TIMEBASE_125_3 : TIMEBASE_1_1;
    script.ns_per_tick = script.sampling == SAMPLING_INTEL ? 83.333 : 1;
    if (script.start == AS_SAMPLING)
        script.start = apple ? START_AS_HOST : UINT64_C(5000000011);
    if (script.device_threads == AS_SAMPLING)
        script.device_threads = script.sampling == SAMPLING_INTEL ? 256 : 1024;
    if (script.copy_ns == AS_SAMPLING)
        script.copy_ns = script.kernel_ns;
}

void script_read(void)
{
    script_keys_read("metal_stub", "KT_STUB_METAL", keys, sizeof keys / sizeof keys[0]);
    fill_in();
    clock_begin();
}
