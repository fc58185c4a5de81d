/* SPDX-License-Identifier: MIT */
/* copy.c - how long do copies to a device take, and at what bandwidth?  copy [DEVICE] */
#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 5, SMALLEST = 16 << 10, LARGEST = 4 << 20 };
static unsigned char pattern[LARGEST + 256], arrived[LARGEST];

typedef struct transfer {
    kt_memory *src, *dst;
    size_t bytes;
    unsigned char submission;
} transfer;

static void must(kt_status status)
{
    if (status != KT_OK) {
        fprintf(stderr, "copy: %s\n", kt_error_text());
        exit(1);
    }
}

/* Before every submission, untimed: other bytes each time, or a copy left out would look right. */
static kt_status write_anew(void *of, char *reason, size_t reason_bytes)
{
    transfer *t = of;
    (void)reason, (void)reason_bytes;
    return kt_memory_write(t->src, 0, pattern + ++t->submission, t->bytes);
}

/* After every submission, untimed as well. */
static kt_status check(void *of, char *reason, size_t reason_bytes)
{
    const transfer *t = of;
    kt_status status = kt_memory_read(t->dst, 0, arrived, t->bytes);
    if (status == KT_OK && memcmp(arrived, pattern + t->submission, t->bytes) != 0) {
        snprintf(reason, reason_bytes, "not all of %zu bytes have arrived", t->bytes);
        status = KT_WRONG_RESULT;
    }
    return status;
}

static kt_transfer_point measure(kt_device *device, size_t bytes)
{
    transfer t = {.bytes = bytes};
    must(kt_memory_create(device, KT_MEMORY_HEAP, bytes, &t.src));
    must(kt_memory_create(device, KT_MEMORY_DEVICE, bytes, &t.dst));
    kt_step step = {.kind = KT_STEP_COPY, .src = t.src, .dst = t.dst, .copy_bytes = bytes};
    kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    desc.trials_max = 1; /* else only the last of several copies would be checked */
    desc.reset = write_anew;
    desc.verify = check;
    desc.user = &t;
    kt_job *job;
    must(kt_job_create(device, &desc, &job));

    kt_measure_options options = {.size = sizeof options, .max_time_ns = 40 * 1000 * 1000};
    kt_result *result;
    must(kt_measure(job, &options, &result));
    const kt_series *time = kt_result_find(result, "copy");
    static double scratch[KT_SAMPLES_MAX_DEFAULT];
    kt_transfer_point point =
        kt_transfer_point_of((double)bytes, time->samples_ns, time->summary.n, scratch);

    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&t.dst);
    kt_memory_destroy(&t.src);
    return point;
}

/* Unless one is named, the first real device that copies from the process's memory to its own. */
static kt_device *open_device(kt_context *context, const char *named)
{
    const char *const ids[] = {"opencl:0", "vulkan:0", "webgpu:0", named ? named : "sim:0"};
    kt_device *device = NULL;
    for (int i = named ? 3 : 0; i < 3; i++) {
        if (kt_device_open(context, ids[i], &device) != KT_OK)
            continue;
        if (kt_device_get_info(device)->copies[KT_MEMORY_HEAP] & 1u << KT_MEMORY_DEVICE)
            return device;
        kt_device_close(&device);
    }
    must(kt_device_open(context, ids[3], &device));
    return device;
}

int main(int argc, char **argv)
{
    kt_context *context;
    must(kt_context_create(&context, NULL));
    kt_device *device = open_device(context, argc > 1 ? argv[1] : NULL);

    printf("from the heap to %s:\n", kt_device_get_info(device)->id);
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)(i + i / 256);
    kt_transfer_point points[SIZES];
    char text[32], low[32], high[32];
    for (int i = 0; i < SIZES; i++) {
        points[i] = measure(device, (size_t)SMALLEST << 2 * i);
        printf("%8.0f bytes take %s\n", points[i].bytes,
               kt_format_ns(text, sizeof text, points[i].time_ns));
    }
    kt_transfer_model model;
    kt_transfer_fit(points, SIZES, NAN, &model);
    if (model.state == KT_TRANSFER_OK)
        printf("latency %s, 95%% interval %s to %s; %.2f GB/s, 95%% interval %.2f to %.2f\n",
               kt_format_ns(text, sizeof text, model.latency_ns),
               kt_format_ns(low, sizeof low, model.latency_low_ns),
               kt_format_ns(high, sizeof high, model.latency_high_ns), model.gb_per_s,
               model.gb_per_s_low, model.gb_per_s_high);
    else
        printf("no latency and bandwidth: %s\n", kt_transfer_state_name(model.state));

    kt_device_close(&device);
    kt_context_destroy(&context);
    return 0;
}
