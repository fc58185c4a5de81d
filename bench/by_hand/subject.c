/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/subject.h"

#include "bench/bench.h"

#include <stdio.h>

bool subject_fail(subject *s, bool by_hand, const char *reason)
{
    s->failed_by_hand = by_hand;
    snprintf(s->reason, sizeof s->reason, "%s", reason);
    fprintf(stderr, "%s: %s: %s\n", bench_name, s->name, s->reason);
    return false;
}

bool subject_open(subject *s, const char *device, const workload *which, uint64_t size,
                  kt_job_desc *desc)
{
    if (kt_context_create(&s->context, NULL) == KT_OK &&
        kt_device_open(s->context, device, &s->device) == KT_OK &&
        workload_open(&s->run, which, NULL, s->device, size, desc) == KT_OK)
        return true;
    return subject_fail(s, false, kt_error_text());
}

void subject_close(subject *s)
{
    workload_close(&s->run);
    kt_device_close(&s->device);
    kt_context_destroy(&s->context);
    if (s->raw)
        s->api->close(s->raw);
    *s = (subject){0};
}
