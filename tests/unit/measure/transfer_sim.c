/* SPDX-License-Identifier: MIT */
/* Sweeps of copies over simulated devices, through the core: what their scenarios say of latency
 * and bandwidth is found. */
#include "tests/unit/rig.h"

#include <kerntime/transfer.h>
#include <stdio.h>

/* 8 KiB to 32 MiB; what is copied is copied in truth, so larger ones take their time */
#define SIZES       13
#define SAMPLES_MAX 4000

typedef struct way {
    kt_context *context;
    kt_device *device;
    kt_memory *from, *to;
} way;

static void open_way(way *w, const char *device, kt_memory_kind src, kt_memory_kind dst)
{
    EXPECT_OK(kt_context_create(&w->context, NULL));
    EXPECT_OK(kt_device_open(w->context, device, &w->device));
    size_t most = (size_t)8192 << (SIZES - 1);
    EXPECT_OK(kt_memory_create(w->device, src, most, &w->from));
    EXPECT_OK(kt_memory_create(w->device, dst, most, &w->to));
}

static void close_way(way *w)
{
    kt_memory_destroy(&w->from);
    kt_memory_destroy(&w->to);
    kt_device_close(&w->device);
    kt_context_destroy(&w->context);
}

/* By the rules that the command has. */
static kt_transfer_point measure(way *w, kt_step_kind kind, size_t bytes)
{
    const kt_step step = {
        .kind = kind, .name = "copy", .src = w->from, .dst = w->to, .copy_bytes = bytes};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    const kt_measure_options options = {
        .size = sizeof options, .samples_max = SAMPLES_MAX, .timing = KT_TIMING_DEVICE};
    kt_job *job = NULL;
    kt_result *result = NULL;
    EXPECT_OK(kt_job_create(w->device, &desc, &job));
    EXPECT_OK(kt_measure(job, &options, &result));
    const kt_series *series = kt_result_find(result, "copy");
    double scratch[SAMPLES_MAX];
    kt_transfer_point point =
        kt_transfer_point_of((double)bytes, series->samples_ns, series->summary.n, scratch);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    return point;
}

static kt_transfer_model sweep(const char *device, kt_step_kind kind, kt_memory_kind src,
                               kt_memory_kind dst)
{
    way w;
    kt_transfer_point points[SIZES];
    open_way(&w, device, src, dst);
    for (int i = 0; i < SIZES; i++)
        points[i] = measure(&w, kind, (size_t)8192 << i);
    close_way(&w);
    kt_transfer_model model;
    kt_transfer_fit(points, SIZES, 50, &model);
    return model;
}

static void expect_within(const char *device, double latency_ns, double gb_per_s, double share)
{
    kt_transfer_model m = sweep(device, KT_STEP_COPY, KT_MEMORY_HOST, KT_MEMORY_DEVICE);
    assert_string_equal(kt_transfer_state_name(m.state), "ok");
    EXPECT_NEAR(m.latency_ns, latency_ns, share * latency_ns);
    EXPECT_NEAR(m.gb_per_s, gb_per_s, share * gb_per_s);
    EXPECT_NUMBER(m.from_bytes, 8192);
    EXPECT_NUMBER(m.to_bytes, 8192 << (SIZES - 1));
    assert_int_equal(m.points, SIZES);
}

/* To the accuracy of a clock of 1 ps. */
static void without_noise(void **state)
{
    expect_within("sim:0:latency_ns=1000,copy_gbs=10,period_ns=0.001", 1000, 10, 1e-6);
}

/* 5 %: each time is off by so much, and the rules of sampling alone say how often each is
 * measured. */
static void within_one_percent_at_noise_of_five(void **state)
{
    static const struct {
        const char *noise;
        double latency_ns, gb_per_s;
    } rows[] = {
        {"jitter_share=0.05", 10000, 25}, /* a bus of a GPU */
        {"jitter_ns=500", 10000, 25},     /* 5 % of the latency */
        {"jitter_share=0.05", 1000,
         10}, /* of which the smallest size takes little more than half */
        {"jitter_ns=50", 1000, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int seed = 1; seed <= 2; seed++) {
            char device[96];
            snprintf(device, sizeof device, "sim:0:latency_ns=%g,copy_gbs=%g,%s,seed=%d",
                     rows[i].latency_ns, rows[i].gb_per_s, rows[i].noise, seed);
            expect_within(device, rows[i].latency_ns, rows[i].gb_per_s, 0.01);
        }
}

/* A map takes as long for 8 MiB as for 8 KiB: 1 us, in which no memory of 50 GB/s moves so much. */
static void maps_are_zero_copies(void **state)
{
    const char *device = "sim:0:jitter_share=0.05";
    kt_transfer_model m = sweep(device, KT_STEP_MAP, KT_MEMORY_DEVICE, KT_MEMORY_HOST);
    assert_int_equal(m.state, KT_TRANSFER_ZERO_COPY);
    m = sweep(device, KT_STEP_MAP, KT_MEMORY_HOST, KT_MEMORY_SHARED);
    assert_int_equal(m.state, KT_TRANSFER_ZERO_COPY);
    assert_true(isnan(m.gb_per_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise),
        cmocka_unit_test(within_one_percent_at_noise_of_five),
        cmocka_unit_test(maps_are_zero_copies),
    };
    return cmocka_run_group_tests_name("transfer_sim", tests, NULL, NULL);
}
