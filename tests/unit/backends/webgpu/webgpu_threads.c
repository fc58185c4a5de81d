/* SPDX-License-Identifier: MIT */
/* One device on several threads: its calls are for one thread at a time, and what the backend
 * shares must bear it. */
#include "tests/unit/backends/webgpu/webgpu.h"

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
                                        .trials = w->cold ? 1 : 4,
                                        .cold = w->cold};
    w->status = kt_measure(w->job, &options, &w->result);
    return NULL;
}

/* Programs and memories come and go while all measure. */
static void *come_and_go(void *user)
{
    kt_status *status = user;
    char bytes[64] = "";
    do {
        kt_memory *memory = NULL;
        kt_program *program = make_fill();
        *status = kt_memory_create(device, KT_MEMORY_DEVICE, sizeof bytes, &memory);
        if (*status == KT_OK)
            *status = kt_memory_read(memory, 0, bytes, sizeof bytes);
        kt_memory_destroy(&memory);
        kt_program_destroy(&program);
    } while (*status == KT_OK && atomic_load(&measuring));
    return NULL;
}

/* A copy, which is another one for each worker. */
static kt_job *make_copy(kt_memory *src, kt_memory *dst)
{
    const kt_step copy = {
        .name = "copy", .kind = KT_STEP_COPY, .src = src, .dst = dst, .copy_bytes = BYTES};
    return make_job(&copy, 1);
}

static void several_threads(void **state)
{
    pthread_t measures[WORKERS], other;
    kt_memory *memories[2 * WORKERS];
    worker workers[WORKERS] = {{.cold = 0}, {.cold = 0}, {.cold = 1}};
    kt_status came = KT_NOT_READY;
    for (int i = 0; i < 2 * WORKERS; i++)
        memories[i] = make_memory(KT_MEMORY_DEVICE, BYTES);
    for (size_t i = 0; i < WORKERS; i++)
        workers[i].job = make_copy(memories[2 * i], memories[2 * i + 1]);
    atomic_store(&measuring, true);
    assert_int_equal(pthread_create(&other, NULL, come_and_go, &came), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&measures[i], NULL, measure, &workers[i]), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(measures[i], NULL), 0);
    atomic_store(&measuring, false);
    assert_int_equal(pthread_join(other, NULL), 0);
    EXPECT_OK(came);
    for (int i = 0; i < WORKERS; i++) {
        EXPECT_OK(workers[i].status);
        assert_int_equal(series_of(workers[i].result, "copy")->summary.n, COUNT);
        kt_result_destroy(&workers[i].result);
        kt_job_destroy(&workers[i].job);
    }
    for (int i = 0; i < 2 * WORKERS; i++)
        kt_memory_destroy(&memories[i]);
}

const struct CMUnitTest webgpu_thread_tests[] = {MOOD(several_threads), MOODS_END};
