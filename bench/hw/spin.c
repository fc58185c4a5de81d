/* SPDX-License-Identifier: MIT */
#include "bench/hw/spin.h"

#include "spin.ptx.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BESIDE_BYTES 64

const char *spin_text(void)
{
    return spin_ptx;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

double spin_log_add(spin_log *log, const spin_timestamp *timestamps, size_t threads,
                    uint64_t duration_ns)
{
    uint64_t first = UINT64_MAX, last = 0, step_ns = log->step_ns;
    bool complete = threads > 0;
    for (size_t i = 0; i < threads; i++) {
        uint64_t begin = timestamps[i].begin_ns, end = timestamps[i].end_ns;
        complete &= begin != 0 && end >= begin && end - begin >= duration_ns;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    for (size_t i = 0; complete && i < threads; i++) {
        step_ns = divisor(timestamps[i].begin_ns - first, step_ns);
        step_ns = divisor(timestamps[i].end_ns - first, step_ns);
    }
    log->step_ns = step_ns;
    double truth_ns = complete ? (double)(last - first) : NAN;
    log->truths_ns[log->runs++ % SPIN_KEPT] = truth_ns;
    return truth_ns;
}

double spin_log_back(const spin_log *log, uint64_t runs_back)
{
    return log->runs > runs_back ? log->truths_ns[(log->runs - 1 - runs_back) % SPIN_KEPT] : NAN;
}

/* What the run before has written must not be taken for this one's. */
static kt_status clear(void *user, char *reason, size_t reason_bytes)
{
    const spin *s = user;
    (void)reason;
    (void)reason_bytes;
    return kt_memory_write(s->memory, 0, s->zeros, s->threads * sizeof *s->zeros);
}

static kt_status check(void *user, char *reason, size_t reason_bytes)
{
    spin *s = user;
    kt_status status =
        kt_memory_read(s->memory, 0, s->timestamps, s->threads * sizeof *s->timestamps);
    if (status != KT_OK)
        return status;
    if (!isnan(spin_log_add(s->log, s->timestamps, s->threads, s->duration_ns)))
        return KT_OK;
    snprintf(reason, reason_bytes, "a thread did not spin for %" PRIu64 " ns", s->duration_ns);
    return KT_WRONG_RESULT;
}

kt_status spin_open(spin *s, kt_device *device, spin_log *log)
{
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_PTX, .entry = SPIN_ENTRY, .source = spin_ptx};
    uint32_t units = kt_device_get_info(device)->compute_units;
    *s = (spin){.device = device, .groups = units ? units : 1, .log = log};
    s->threads = (size_t)s->groups * SPIN_GROUP_SIZE;
    s->timestamps = calloc(s->threads, sizeof *s->timestamps);
    s->zeros = calloc(s->threads, sizeof *s->zeros);
    if (!s->timestamps || !s->zeros)
        return KT_NO_MEMORY;
    kt_status status = kt_program_create(device, &desc, &s->program);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_DEFAULT, s->threads * sizeof *s->timestamps,
                                  &s->memory);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_HEAP, BESIDE_BYTES, &s->heap);
    if (status == KT_OK)
        status = kt_memory_create(device, KT_MEMORY_DEFAULT, BESIDE_BYTES, &s->beside);
    return status;
}

void spin_close(spin *s)
{
    kt_job_destroy(&s->job);
    kt_memory_destroy(&s->beside);
    kt_memory_destroy(&s->heap);
    kt_memory_destroy(&s->memory);
    kt_program_destroy(&s->program);
    free(s->timestamps);
    free(s->zeros);
    *s = (spin){0};
}

kt_status spin_set(spin *s, uint64_t duration_ns, bool beside_copy)
{
    const kt_arg args[] = {{.memory = s->memory},
                           {.value = &duration_ns, .value_bytes = sizeof duration_ns}};
    const kt_step steps[] = {{.name = "spin",
                              .kind = KT_STEP_DISPATCH,
                              .program = s->program,
                              .args = args,
                              .arg_count = 2,
                              .groups = {s->groups},
                              .group_size = {SPIN_GROUP_SIZE}},
                             {.name = "beside",
                              .kind = KT_STEP_COPY,
                              .src = s->heap,
                              .dst = s->beside,
                              .copy_bytes = BESIDE_BYTES}};
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "spin",
                              .steps = steps,
                              .step_count = beside_copy ? 2 : 1,
                              .trials_max = 1,
                              .reset = clear,
                              .verify = check,
                              .user = s};
    kt_job_destroy(&s->job);
    s->duration_ns = duration_ns;
    return kt_job_create(s->device, &desc, &s->job);
}
