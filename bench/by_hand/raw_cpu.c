/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200112L /* clock_gettime, threads */
#include "bench/by_hand/raw.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A thread that runs what it is handed, so that it can be waited for: an empty function here. */
typedef struct state {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t submitted, completed; /* under the mutex */
    bool ending, timestamped;
    struct timespec start, end; /* of the last one */
    char *from, *to;
    size_t bytes;
} state;

static void empty_kernel(void)
{
    __asm__ volatile("" : : : "memory");
}

static void *run_kernels(void *opened)
{
    state *raw = opened;
    pthread_mutex_lock(&raw->mutex);
    while (!raw->ending) {
        if (raw->completed == raw->submitted) {
            pthread_cond_wait(&raw->changed, &raw->mutex);
            continue;
        }
        pthread_mutex_unlock(&raw->mutex);
        if (raw->timestamped)
            clock_gettime(CLOCK_MONOTONIC, &raw->start);
        empty_kernel();
        if (raw->timestamped)
            clock_gettime(CLOCK_MONOTONIC, &raw->end);
        pthread_mutex_lock(&raw->mutex);
        raw->completed++;
        pthread_cond_broadcast(&raw->changed);
    }
    pthread_mutex_unlock(&raw->mutex);
    return NULL;
}

static void *raw_open(const char *library)
{
    (void)library; /* of the C library alone */
    state *raw = calloc(1, sizeof *raw);
    if (!raw)
        return NULL;
    pthread_mutex_init(&raw->mutex, NULL);
    pthread_cond_init(&raw->changed, NULL);
    if (pthread_create(&raw->thread, NULL, run_kernels, raw) == 0)
        return raw;
    fputs("kerntime-bench: cpu: no second thread\n", stderr);
    free(raw);
    return NULL;
}

static void raw_close(void *opened)
{
    state *raw = opened;
    pthread_mutex_lock(&raw->mutex);
    raw->ending = true;
    pthread_cond_broadcast(&raw->changed);
    pthread_mutex_unlock(&raw->mutex);
    pthread_join(raw->thread, NULL);
    pthread_cond_destroy(&raw->changed);
    pthread_mutex_destroy(&raw->mutex);
    free(raw->from);
    free(raw->to);
    free(raw);
}

static double nanoseconds(struct timespec begin, struct timespec end)
{
    return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

static bool raw_dispatch(void *opened, bool timestamped, uint32_t count)
{
    state *raw = opened;
    bool works = true;
    for (uint32_t i = 0; i < count; i++) {
        pthread_mutex_lock(&raw->mutex);
        raw->timestamped = timestamped;
        raw->submitted++;
        pthread_cond_broadcast(&raw->changed);
        while (raw->completed != raw->submitted)
            pthread_cond_wait(&raw->changed, &raw->mutex);
        pthread_mutex_unlock(&raw->mutex);
        works &= !timestamped || nanoseconds(raw->start, raw->end) >= 0;
    }
    return works;
}

static bool raw_make_copy(void *opened, size_t bytes)
{
    state *raw = opened;
    raw->bytes = bytes;
    raw->from = aligned_alloc(RAW_PAGE_BYTES, bytes);
    raw->to = aligned_alloc(RAW_PAGE_BYTES, bytes);
    if (!raw->from || !raw->to)
        return false;
    memset(raw->from, 1, bytes);
    memset(raw->to, 2, bytes);
    return true;
}

static bool raw_copy(void *opened, double *duration_ns)
{
    state *raw = opened;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    memcpy(raw->to, raw->from, raw->bytes);
    clock_gettime(CLOCK_MONOTONIC, &end);
    *duration_ns = nanoseconds(begin, end);
    return raw->to[raw->bytes - 1] == 1;
}

const raw_api raw_cpu = {raw_open, raw_close, raw_dispatch, raw_make_copy, raw_copy};
