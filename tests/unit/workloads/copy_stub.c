/* SPDX-License-Identifier: MIT */
/* copy_stub DIRECTION SIZE: copies on opencl:0, of which a script leaves out one, or does it by
 * half. Says what came of it. */
#include "workloads/copy/copy.h"

#include <stdio.h>
#include <stdlib.h>

static kt_status measure(kt_device *device, const char *direction, uint64_t size)
{
    const kt_param param = {"size", (int64_t)size};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "copy",
                        .variant = direction,
                        .params = &param,
                        .param_count = 1};
    /* The first use, a round of warm-up, and samples: of two submissions each. */
    const kt_measure_options few = {
        .size = sizeof few, .samples_min = 4, .samples_max = 4, .max_time_ns = 1, .trials = 1};
    workload_run run = {0};
    kt_result *result = NULL;
    kt_status status = workload_open(&run, &workload_copy, NULL, device, size, &desc);
    if (status == KT_OK)
        status = kt_measure(run.job, &few, &result);
    const kt_series *copy = kt_result_find(result, "copy");
    /* So few bytes may take no longer than nothing. */
    bool timed = copy && (copy->status == KT_SERIES_OK || copy->status == KT_SERIES_BELOW_MIN_SPAN);
    printf("%s, %s, %s%s%s\n", kt_status_name(status),
           timed  ? "timed"
           : copy ? kt_series_status_name(copy->status)
                  : "no series",
           copy && copy->verified ? "verified" : "not verified", status == KT_OK ? "" : ": ",
           status == KT_OK ? "" : kt_error_text());
    kt_result_destroy(&result);
    workload_close(&run);
    return status;
}

int main(int argc, char **argv)
{
    kt_context *context = NULL;
    kt_device *device = NULL;
    if (argc != 3 || kt_context_create(&context, NULL) != KT_OK)
        return 2;
    kt_status status = kt_device_open(context, "opencl:0", &device);
    if (status == KT_OK)
        measure(device, argv[1], strtoull(argv[2], NULL, 10));
    else
        puts(kt_error_text());
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status == KT_OK ? 0 : 1;
}
