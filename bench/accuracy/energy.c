/* SPDX-License-Identifier: MIT */
/*
 * energy.c - how exact the energy of a dispatch is, over simulated devices whose energy is known:
 * kerntime beside what people do by hand, who read the counter, run for as long, and read it again.
 */
#include "bench/bench.h"
#include "workloads/workload.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>

#define SEEDS 20
#define WATTS 300.0
/* Pauses between submissions take energy, too: at most 7 us at a quarter of the power beside 1.5 ms
 * of work. */
#define PAUSE_SHARE 0.0012

static const double kernels_ns[] = {20e3, 300e3, 5e6}, updates_ms[] = {1, 20, 100};

typedef struct tally {
    double squares, by_hand_squares;
    uint32_t covered, count;
} tally;

/* Energy by hand: all dispatches between two readings, warm-up included, share the difference. */
static kt_status by_hand(kt_device *device, kt_job *job, uint32_t dispatches, double *dispatch_j)
{
    kt_device_state before, after;
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_WALL,
                                        .trials = 1,
                                        .samples_min = dispatches,
                                        .samples_max = dispatches,
                                        .max_time_ns = INT64_MAX};
    kt_result *result = NULL;
    kt_status status = kt_device_get_state(device, &before);
    if (status == KT_OK)
        status = kt_measure(job, &options, &result);
    if (status == KT_OK)
        status = kt_device_get_state(device, &after);
    if (status == KT_OK) {
        const kt_series *wall = kt_result_find(result, "wall");
        *dispatch_j = (after.value[KT_STATE_ENERGY] - before.value[KT_STATE_ENERGY]) /
                      (double)(1 + wall->warmup_n + wall->summary.n);
    }
    kt_result_destroy(&result);
    return status;
}

static kt_status add_run(kt_device *device, kt_job *job, double kernel_ns, tally *sums)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 10,
                                        .samples_max = 10,
                                        .max_time_ns = INT64_C(4000000000),
                                        .energy = 1};
    kt_result *result = NULL;
    double true_j = WATTS * kernel_ns * 1e-9, by_hand_j = NAN;
    kt_status status = kt_measure(job, &options, &result);
    const kt_energy *energy = result ? kt_result_series(result, 0)->energy : NULL;
    if (status == KT_OK && (!energy || energy->reason)) {
        fprintf(stderr, "%s: no energy: %s\n", bench_name, energy ? energy->reason : "?");
        status = KT_UNSUPPORTED;
    }
    if (status == KT_OK)
        status = by_hand(device, job, (uint32_t)(energy->duration_s * 1e9 / kernel_ns), &by_hand_j);
    if (status == KT_OK) {
        double error = energy->dispatch_j / true_j - 1, by_hand_error = by_hand_j / true_j - 1;
        sums->squares += error * error;
        sums->by_hand_squares += by_hand_error * by_hand_error;
        sums->covered +=
            energy->ci95_low_j <= true_j * (1 + PAUSE_SHARE) && true_j <= energy->ci95_high_j;
        sums->count++;
    }
    kt_result_destroy(&result);
    return status;
}

static int add_device(double kernel_ns, double update_ms, int seed, tally *sums)
{
    char id[160];
    kt_context *context = NULL;
    kt_device *device = NULL;
    workload_run run = {0};
    const workload *fill = workload_find("fill");
    void *problem = NULL;
    kt_job_desc desc = {.size = sizeof desc, .name = "fill"};
    snprintf(id, sizeof id,
             "sim:0:kernel_ns=%.0f,jitter_share=0.02,power_w=%.0f,energy_step_ms=%.0f,seed=%d",
             kernel_ns, WATTS, update_ms, seed);
    kt_status status = kt_context_create(&context, NULL);
    if (status == KT_OK)
        status = kt_device_open(context, id, &device);
    if (status == KT_OK)
        status = fill->problem_create(64, &problem);
    if (status == KT_OK)
        status = workload_open(&run, fill, problem, device, 64, &desc);
    if (status == KT_OK)
        status = add_run(device, run.job, kernel_ns, sums);
    if (status != KT_OK)
        fprintf(stderr, "%s: %s: %s\n", bench_name, id, kt_error_text());
    workload_close(&run);
    fill->problem_destroy(problem);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return status != KT_OK;
}

int bench_energy(void)
{
    int failed = 0;
    for (size_t u = 0; u < sizeof updates_ms / sizeof updates_ms[0]; u++)
        for (size_t k = 0; k < sizeof kernels_ns / sizeof kernels_ns[0]; k++) {
            tally sums = {0};
            char name[64];
            for (int seed = 1; seed <= SEEDS && !failed; seed++)
                failed |= add_device(kernels_ns[k], updates_ms[u], seed, &sums);
            if (failed)
                return 1;
            double error = sqrt(sums.squares / sums.count);
            double by_hand_error = sqrt(sums.by_hand_squares / sums.count);
            snprintf(name, sizeof name, "energy/%.0fus-by-%.0fms", kernels_ns[k] * 1e-3,
                     updates_ms[u]);
            char row[96];
#define ROW(what, value, unit)                          \
    do {                                                \
        snprintf(row, sizeof row, "%s/%s", name, what); \
        bench_report(row, value, unit);                 \
    } while (0)
            ROW("error", 100 * error, "%");
            ROW("error-by-hand", 100 * by_hand_error, "%");
            ROW("by-hand-over-kerntime", by_hand_error / error, "times");
            ROW("covered", 100.0 * sums.covered / sums.count, "% of runs");
#undef ROW
        }
    return 0;
}
