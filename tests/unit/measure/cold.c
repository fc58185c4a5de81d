/* SPDX-License-Identifier: MIT */
/*
 * cold DEVICE: copies with the caches flushed before each, and prints how that ended and how many
 * were done. Enqueues of a copy and of the flushing kernel differ, so that a stub driver's counts
 * tell the one from the other.
 */
#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>

#define BYTES 4096

int main(int argc, char **argv)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 10,
                                        .samples_max = 10,
                                        .max_time_ns = 1, /* a warm-up of one */
                                        .timeout_ns = time_limit_ns(),
                                        .timing = KT_TIMING_WALL,
                                        .cold = 1};
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_memory *from = NULL, *to = NULL;
    kt_job *job = NULL;
    kt_result *result = NULL;
    if (argc < 2 || kt_context_create(&context, NULL) != KT_OK ||
        kt_device_open(context, argv[1], &device) != KT_OK ||
        kt_memory_create(device, KT_MEMORY_HEAP, BYTES, &from) != KT_OK ||
        kt_memory_create(device, KT_MEMORY_DEVICE, BYTES, &to) != KT_OK)
        return 1;
    const kt_step step = {.kind = KT_STEP_COPY, .src = from, .dst = to, .copy_bytes = BYTES};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    if (kt_job_create(device, &desc, &job) != KT_OK)
        return 1;
    kt_status status = kt_measure(job, &options, &result);
    const kt_series *wall = result ? kt_result_find(result, "wall") : NULL;
    if (!wall)
        return 1;
    printf("%s after %u\n", kt_status_name(status),
           !isnan(wall->first_use_ns) + wall->warmup_n + (unsigned)wall->summary.n);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&to);
    kt_memory_destroy(&from);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return 0;
}
