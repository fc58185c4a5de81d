/* SPDX-License-Identifier: MIT */
/* copies.h - series of copies whose times are known. */
#ifndef TESTS_UNIT_COPIES_H
#define TESTS_UNIT_COPIES_H

#include "tests/unit/documents.h"

#include <stdio.h>

#define KIB 1024.0
#define MIB (1024 * KIB)

#define SERIES_MAX 96

static kt_series series[SERIES_MAX];
static uint32_t count;
static char names[SERIES_MAX][32];
static kt_param params[SERIES_MAX];
static double samples[SERIES_MAX][8];
static kt_document_device devices[3];

/* Eight samples, their median 8 * a and their mean the same. */
static inline kt_series *add(const char *device, const char *direction, double bytes, double ns,
                             bool wall)
{
    static const double around[8] = {-2, -1, -1, 0, 0, 1, 1, 2};
    double scratch[8];
    assert_true(count < SERIES_MAX);
    kt_series *s = &series[count];
    snprintf(names[count], sizeof names[count], "copy/%.0f", bytes);
    params[count] = (kt_param){"size", (int64_t)bytes};
    *s = make_series(names[count], device, NAN);
    s->workload = "copy";
    s->variant = direction;
    s->params = &params[count];
    s->kind = wall ? KT_SERIES_WALL : KT_SERIES_COPY;
    s->step = wall ? "wall" : "copy";
    s->bytes = bytes;
    for (int i = 0; i < 8; i++)
        samples[count][i] = ns * (1 + 0.001 * around[i]);
    s->samples_ns = samples[count];
    kt_summarize(samples[count], 8, 0, scratch, &s->summary);
    s->summary.warnings = 0;
    count++;
    return s;
}

/* Of a line, in ns and bytes a ns, from `first` on by factors of two. */
static inline void add_line(const char *device, const char *direction, double first, int sizes,
                            double latency_ns, double rate, bool wall)
{
    for (int i = 0; i < sizes; i++, first *= 2)
        add(device, direction, first, latency_ns + first / rate, wall);
}

static inline kt_document make_copies(void)
{
    kt_document document = make_document(series, count);
    devices[0] = make_device("cpu:0", "cores");
    devices[0].info.type = KT_DEVICE_CPU;
    devices[1] = make_device("opencl:0", "a card");
    devices[1].info.type = KT_DEVICE_GPU;
    devices[2] = make_device("pocl:0", "cores, too");
    devices[2].info.type = KT_DEVICE_CPU;
    document.devices = devices;
    document.device_count = 2;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(series[i].device, devices[2].info.id) == 0)
            document.device_count = 3;
    return document;
}

static inline int empty(void **state)
{
    count = 0;
    return 0;
}

#endif
