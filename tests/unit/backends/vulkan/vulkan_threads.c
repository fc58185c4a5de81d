/* SPDX-License-Identifier: MIT */
/* One device on several threads: a queue is for one thread at a time, and what the backend shares
 * must bear it. */
#include "tests/unit/backends/vulkan/vulkan.h"

#include <pthread.h>
#include <stdatomic.h>

#define COUNT   40
#define WORKERS 3
/* the stub copies while it is given the commands: others come meanwhile */
#define BYTES (1 << 20)

typedef struct worker {
    kt_job *job;
    int cold;
    kt_status status;
    kt_result *result;
} worker;

static atomic_bool measuring;

static void *measure(void *user)
{
    worker *w = user;
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = COUNT,
                                        .samples_max = COUNT,
                                        .trials = w->cold ? 1 : 16,
                                        .cold = w->cold};
    w->status = kt_measure(w->job, &options, &w->result);
    return NULL;
}

/* Pairs are taken while all measure, and what makes sure of them is submitted to the same queue. */
static void *take_pairs(void *user)
{
    kt_status *status = user;
    *status = KT_OK;
    do {
        kt_clock_pair pair;
        *status = kt_device_clock_pair(device, 0, &pair);
    } while (*status == KT_OK && atomic_load(&measuring));
    return NULL;
}

static void several_threads(void **state)
{
    pthread_t measures[WORKERS], pairs;
    kt_memory *memories[2 * WORKERS];
    worker workers[WORKERS] = {{.cold = 0}, {.cold = 0}, {.cold = 1}};
    kt_status taken = KT_NOT_READY;
    for (int i = 0; i < 2 * WORKERS; i++)
        memories[i] = make_memory(KT_MEMORY_DEFAULT, BYTES);
    for (size_t i = 0; i < WORKERS; i++)
        workers[i].job = make_copy(memories[2 * i], memories[2 * i + 1], BYTES);
    atomic_store(&measuring, true);
    assert_int_equal(pthread_create(&pairs, NULL, take_pairs, &taken), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&measures[i], NULL, measure, &workers[i]), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(measures[i], NULL), 0);
    atomic_store(&measuring, false);
    assert_int_equal(pthread_join(pairs, NULL), 0);
    EXPECT_OK(taken);
    for (int i = 0; i < WORKERS; i++) {
        EXPECT_OK(workers[i].status);
        assert_int_equal(series_of(workers[i].result, "copy")->summary.n, COUNT);
        kt_result_destroy(&workers[i].result);
        kt_job_destroy(&workers[i].job);
    }
    for (int i = 0; i < 2 * WORKERS; i++)
        kt_memory_destroy(&memories[i]);
}

const struct CMUnitTest vulkan_thread_tests[] = {
    MOOD(several_threads),
    MOODS_END,
};
