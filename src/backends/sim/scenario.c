/* SPDX-License-Identifier: MIT */
#include "backends/sim/scenario.h"

#include "support/error.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES   24
#define VALUE_BYTES 40

typedef enum key_type { REAL, WHOLE } key_type;

static const struct {
    const char *name;
    key_type type;
    size_t offset;
    double least, most; /* range of the key's value; whole numbers are also limited to 64 bits */
    double standard;
} keys[] = {
#define REAL_KEY(name, field, least, most, standard)                        \
    {                                                                       \
        name, REAL, offsetof(kt_sim_scenario, field), least, most, standard \
    }
#define WHOLE_KEY(name, field, least, most, standard)                        \
    {                                                                        \
        name, WHOLE, offsetof(kt_sim_scenario, field), least, most, standard \
    }
    REAL_KEY("period_ns", period_ns, 1e-3, 1e9, 1),
    WHOLE_KEY("bits", bits, 8, 64, 64),
    WHOLE_KEY("start", start, 0, 0x1p64, 0),
    REAL_KEY("drift_ppm", drift_ppm, -1e5, 1e5, 0),
    REAL_KEY("resolution_ns", resolution_ns, 0, 1e9, 0),
    REAL_KEY("host_resolution_ns", host_resolution_ns, 1, 1e9, 1),
    REAL_KEY("min_span_ns", min_span_ns, 0, 1e9, 100),
    REAL_KEY("kernel_ns", kernel_ns, 0, 1e13, 100000),
    REAL_KEY("gap_ns", gap_ns, -1e9, 1e9, 503),
    REAL_KEY("copy_gbs", copy_gbs, 1e-6, 1e6, 10),
    REAL_KEY("latency_ns", latency_ns, 0, 1e9, 1000),
    REAL_KEY("jitter_ns", jitter_ns, 0, 1e12, 0),
    REAL_KEY("jitter_share", jitter_share, 0, 1, 0),
    REAL_KEY("calibration_jitter_ns", calibration_jitter_ns, 0, 1e9, 200),
    REAL_KEY("calibration_place", calibration_place, 0, 1, NAN),
    REAL_KEY("zero", zero, 0, 1, 0),
    REAL_KEY("negative", negative, 0, 1, 0),
    REAL_KEY("lost", lost, 0, 1, 0),
    REAL_KEY("clock_mhz", clock_mhz, 0, 1e5, 0),
    REAL_KEY("throttled", throttled, 0, 1, 0),
    REAL_KEY("power_w", power_w, 0, 1e5, 0),
    REAL_KEY("energy_step_ms", energy_step_ms, 0, 1e6, 0),
    REAL_KEY("reset", reset_ms, 0, 1e9, 0),
    WHOLE_KEY("fail", fail, 0, 0x1p64, 0),
    WHOLE_KEY("hang", hang, 0, 0x1p64, 0),
    WHOLE_KEY("wrong", wrong, 0, 0x1p64, 0),
    WHOLE_KEY("period_reported", period_reported, 0, 1, 1),
    WHOLE_KEY("bits_reported", bits_reported, 0, 1, 1),
    WHOLE_KEY("calibrated_timestamps", pairs, 0, 1, 1),
    WHOLE_KEY("seed", seed, 0, 0x1p64, 1),
    WHOLE_KEY("uuid", uuid, 0, 0x1p64, 0),
    WHOLE_KEY("pci", pci, 0, 255, KT_SIM_PCI_BY_INDEX),
#undef REAL_KEY
#undef WHOLE_KEY
};

#define KEY_COUNT (sizeof keys / sizeof keys[0])

static void *field(kt_sim_scenario *scenario, size_t key)
{
    return (char *)scenario + keys[key].offset;
}

static void set_standard(kt_sim_scenario *scenario)
{
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (keys[i].type == REAL)
            *(double *)field(scenario, i) = keys[i].standard;
        else
            *(uint64_t *)field(scenario, i) = (uint64_t)keys[i].standard;
    }
}

static bool parse_real(const char *text, double *value)
{
    /* strtod alone would accept "nan", "0x1p3" and leading blanks. */
    if (!*text || text[strspn(text, "0123456789.eE+-")])
        return false;
    /* strtod() takes the decimal point of the program's locale. */
    const char *dot = strchr(text, '.'), *point = localeconv()->decimal_point;
    char local[VALUE_BYTES + 8], *end;
    snprintf(local, sizeof local, "%.*s%s%s", (int)(dot ? dot - text : VALUE_BYTES), text,
             dot ? point : "", dot ? dot + 1 : "");
    *value = strtod(local, &end);
    return *end == '\0' && isfinite(*value);
}

static bool parse_whole(const char *text, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

static kt_status out_of_range(size_t key, const char *value)
{
    if (keys[key].type == WHOLE && keys[key].most > 1e18)
        return kt_fail(KT_INVALID, "scenario: %s takes a whole number from 0 on, not \"%s\"",
                       keys[key].name, value);
    return kt_fail(KT_INVALID, "scenario: %s takes a %s from %g to %g, not \"%s\"", keys[key].name,
                   keys[key].type == WHOLE ? "whole number" : "number", keys[key].least,
                   keys[key].most, value);
}

static kt_status set_key(kt_sim_scenario *scenario, size_t key, const char *value)
{
    if (keys[key].type == REAL) {
        double real;
        if (!parse_real(value, &real) || real < keys[key].least || real > keys[key].most)
            return out_of_range(key, value);
        *(double *)field(scenario, key) = real;
    } else {
        uint64_t whole;
        if (!parse_whole(value, &whole) || (double)whole < keys[key].least ||
            (double)whole > keys[key].most)
            return out_of_range(key, value);
        *(uint64_t *)field(scenario, key) = whole;
    }
    return KT_OK;
}

static kt_status unknown_key(const char *name)
{
    char names[512];
    size_t used = 0;
    for (size_t i = 0; i < KEY_COUNT && used < sizeof names; i++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "", keys[i].name);
    return kt_fail(KT_INVALID, "scenario: there is no key \"%s\"; the keys are %s", name, names);
}

/* Parses one "key=value" of `length` characters. */
static kt_status parse_item(const char *item, size_t length, kt_sim_scenario *out)
{
    char name[KEY_BYTES], value[VALUE_BYTES];
    const char *equals = memchr(item, '=', length);
    size_t name_length = equals ? (size_t)(equals - item) : length;
    if (name_length >= sizeof name)
        return unknown_key("(too long)");
    memcpy(name, item, name_length);
    name[name_length] = '\0';
    if (!equals)
        return kt_fail(KT_INVALID, "scenario: \"%s\" is not of the form key=value", name);
    size_t value_length = length - name_length - 1;
    if (value_length >= sizeof value)
        return kt_fail(KT_INVALID, "scenario: the value of %s is too long", name);
    memcpy(value, equals + 1, value_length);
    value[value_length] = '\0';
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return set_key(out, i, value);
    return unknown_key(name);
}

kt_status kt_sim_scenario_parse(const char *text, kt_sim_scenario *out)
{
    set_standard(out);
    while (text && *text) {
        size_t length = strcspn(text, ",");
        kt_status status = parse_item(text, length, out);
        if (status != KT_OK)
            return status;
        text += length;
        if (*text == ',' && !*++text)
            return kt_fail(KT_INVALID, "scenario: nothing follows the last comma");
    }
    return KT_OK;
}
