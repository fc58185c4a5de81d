/* SPDX-License-Identifier: MIT */
/*
 * The cost of recording a duration under a name: by kerntime's registry and by the design that
 * comes to mind first (mutex_hash.h), on one thread, and on two at once. Net of a loop that does
 * everything but to record.
 *
 * Also the cost of timing a scope: by KT_SCOPE, and by two readings of a clock, by hand.
 *
 * Each round takes the ways in turn. What other programs do makes costs larger and never smaller: a
 * neighbour on the other half of a core doubles them, and one that wants the core takes it. So of
 * each way the fastest tenth of the rounds counts, and the ratio is that of these costs.
 *
 * Two threads begin together, and the time until both are through counts, so that one that waits
 * for its core is not taken for one that is not in the way.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench/bench.h"
#include "bench/by_hand/mutex_hash.h"
#include "bench/calibrate/noise.h"
#include "bench/cost/result.h"

#include <kerntime/kerntime.h>
#include <kerntime/registry.h>
#include <kerntime/snapshot.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define ROUNDS    2048
#define BLOCK     16   /* rounds that a sample of a result file is made of */
#define SLICE     4096 /* records of a thread in a round */
#define NAMES     8    /* in turn, as in a program's frame */
#define DURATIONS 1024
#define THREADS   2

static kt_site sites[NAMES] = {
    {"gaussian_blur", KT_BACKEND_OPENCL, 0, 0}, {"sobel", KT_BACKEND_OPENCL, 0, 0},
    {"histogram_256", KT_BACKEND_OPENCL, 0, 0}, {"prefix_sum", KT_BACKEND_OPENCL, 0, 0},
    {"matmul_tiled", KT_BACKEND_OPENCL, 0, 0},  {"matmul_tiled", KT_BACKEND_CPU, 0, 0},
    {"normals", KT_BACKEND_CPU, 0, 0},          {"upload_textures", KT_BACKEND_CPU, 0, 0},
};
static double durations_ns[DURATIONS];
static mutex_hash *map, *maps[THREADS]; /* one for all threads, one for each */
static _Thread_local mutex_hash *own;   /* of these */
static int rounds;                      /* of ROUNDS */

static void loop_empty(void)
{
    for (unsigned i = 0; i < SLICE; i++)
        __asm__ volatile("" : : "r"(&sites[i % NAMES]), "m"(durations_ns[i % DURATIONS]));
}

/* Of what is not recorded no address is taken either. */
static void loop_nothing(void)
{
    for (unsigned i = 0; i < SLICE; i++)
        __asm__ volatile("");
}

/* A call into the library that does nothing more: what no other way to record can do without. */
static void loop_call(void)
{
    for (unsigned i = 0; i < SLICE; i++)
        (kt_is_enabled)();
}

static void loop_kerntime(void)
{
    for (unsigned i = 0; i < SLICE; i++)
        kt_record(&sites[i % NAMES], durations_ns[i % DURATIONS]);
}

static void record_to(mutex_hash *to)
{
    for (unsigned i = 0; i < SLICE; i++) {
        const kt_site *site = &sites[i % NAMES];
        mutex_hash_record(to, site->name, site->backend, durations_ns[i % DURATIONS]);
    }
}

static void loop_mutex_hash(void)
{
    record_to(map);
}

/* How long two threads contend for one lock is chance; what changes with the machine alone is a
 * lock for each. */
static void loop_own_hash(void)
{
    record_to(own);
}

static void loop_scope(void)
{
    for (unsigned i = 0; i < SLICE; i++) {
        KT_SCOPE("scope");
    }
}

/* What is kept of a scope that is timed by hand. */
typedef struct kept {
    uint64_t count;
    double sum, least, most;
} kept;

static _Thread_local kept kept_by_hand;

static inline void keep(double duration)
{
    kept_by_hand.count++;
    kept_by_hand.sum += duration;
    kept_by_hand.least = duration < kept_by_hand.least ? duration : kept_by_hand.least;
    kept_by_hand.most = duration > kept_by_hand.most ? duration : kept_by_hand.most;
}

static inline int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void loop_clock_gettime(void)
{
    for (unsigned i = 0; i < SLICE; i++) {
        int64_t begin = clock_now();
        keep((double)(clock_now() - begin));
    }
}

/* Without a counter, and without OpenMP, these are as the loop that does nothing. */
static void loop_counter(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
    for (unsigned i = 0; i < SLICE; i++) {
        uint64_t begin = kt_cycles_read_();
        keep((double)(kt_cycles_read_() - begin));
    }
#else
    loop_nothing();
#endif
}

static void loop_omp(void)
{
#ifdef _OPENMP
    for (unsigned i = 0; i < SLICE; i++) {
        double begin = omp_get_wtime();
        keep(omp_get_wtime() - begin);
    }
#else
    loop_nothing();
#endif
}

/* Up to NOTHING also on two threads. */
enum {
    EMPTY,
    KERNTIME,
    MUTEX_HASH,
    OWN_HASH,
    SCOPE,
    CLOCK_GETTIME,
    COUNTER,
    OMP,
    NOTHING,
    CALL,
    DISABLED,
    SCOPE_DISABLED,
    WAYS
};
static void (*const loops[WAYS])(void) = {
    loop_empty,   loop_kerntime, loop_mutex_hash, loop_own_hash, loop_scope,    loop_clock_gettime,
    loop_counter, loop_omp,      loop_nothing,    loop_call,     loop_kerntime, loop_scope};

static double time_of(int way)
{
    if (way == DISABLED || way == SCOPE_DISABLED)
        kt_disable();
    int64_t begin_ns = kt_host_now_ns();
    loops[way]();
    int64_t end_ns = kt_host_now_ns();
    kt_enable();
    return (double)(end_ns - begin_ns) / SLICE;
}

/* The calling thread on one core, of those it may use the one of that number; -1: on all of them as
 * before. The system would else have both threads take turns on one core when the other one is
 * wanted for something else. */
static void stay_on(int which)
{
#ifdef CPU_SET
    static cpu_set_t all;
    cpu_set_t one;
    if (which < 0) {
        sched_setaffinity(0, sizeof all, &all);
        return;
    }
    if (sched_getaffinity(0, sizeof one, &one) != 0 || CPU_COUNT(&one) <= which)
        return;
    if (which == 0)
        all = one;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &one) && which-- != 0)
            CPU_CLR(core, &one);
    sched_setaffinity(0, sizeof one, &one);
#else
    (void)which;
#endif
}

/* How often threads have come to a line, from which they go on together. */
static atomic_uint arrived;
static int64_t ended_ns[THREADS];

/* Returns in both at once: whoever is late has lost its core to another program, so that core is
 * left to it. */
static void meet(unsigned line)
{
    atomic_fetch_add(&arrived, 1);
    for (unsigned spins = 0; atomic_load(&arrived) < THREADS * line; spins++)
        if (spins > 1000)
            sched_yield();
}

static void run_together(int thread, unsigned line, int way)
{
    meet(line);
    loops[way]();
    ended_ns[thread] = kt_host_now_ns();
    meet(line + 1);
}

static void *other_thread(void *user)
{
    (void)user;
    own = maps[1];
    stay_on(1);
    for (int round = 0, line = 1; round < rounds; round++)
        for (int way = 0; way <= NOTHING; way++, line += 2)
            run_together(1, line, way);
    return NULL;
}

static double time_of_both(unsigned line, int way)
{
    int64_t begin_ns = kt_host_now_ns();
    run_together(0, line, way);
    int64_t end_ns = ended_ns[0] > ended_ns[1] ? ended_ns[0] : ended_ns[1];
    return (double)(end_ns - begin_ns) / SLICE;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* What `share` of the rounds are not above. */
static double quantile(const double *values, int count, double share)
{
    static double sorted[ROUNDS];
    for (int i = 0; i < count; i++)
        sorted[i] = values[i];
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return sorted[(int)(share * (count - 1))];
}

/* The cost of a way beyond its loop's. */
static double net_of(double rounds_ns[WAYS][ROUNDS], int way, int loop)
{
    return quantile(rounds_ns[way], rounds, 0.1) - quantile(rounds_ns[loop], rounds, 0.1);
}

static void report_net(const char *name, double rounds_ns[WAYS][ROUNDS], int way, int loop)
{
    bench_report(name, net_of(rounds_ns, way, loop), "ns");
}

static void report_ratio(const char *name, double rounds_ns[WAYS][ROUNDS])
{
    bench_report(name, net_of(rounds_ns, MUTEX_HASH, EMPTY) / net_of(rounds_ns, KERNTIME, EMPTY),
                 "mutex-hash/kerntime");
}

static void report_scopes(double rounds_ns[WAYS][ROUNDS], const char *threads)
{
    static const struct {
        const char *name;
        int way;
    } scopes[] = {{"scope/kerntime", SCOPE},
                  {"scope/clock_gettime-by-hand", CLOCK_GETTIME},
                  {"scope/rdtsc-by-hand", COUNTER},
                  {"scope/omp_get_wtime-by-hand", OMP}};
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", scopes[i].name, threads);
        report_net(name, rounds_ns, scopes[i].way, NOTHING);
    }
}

/* Of each block again the fastest tenth. With the loop: a difference of two such small times would
 * be all noise. */
static int add_series(const char *name, double rounds_ns[WAYS][ROUNDS], int by_hand)
{
    double by_hand_ns[ROUNDS / BLOCK], kerntime_ns[ROUNDS / BLOCK];
    int count = rounds / BLOCK;
    for (int i = 0; i < count; i++) {
        ptrdiff_t at = (ptrdiff_t)i * BLOCK;
        by_hand_ns[i] = quantile(rounds_ns[by_hand] + at, BLOCK, 0.1);
        kerntime_ns[i] = quantile(rounds_ns[KERNTIME] + at, BLOCK, 0.1);
    }
    return result_series(name, NULL, kerntime_ns, by_hand_ns, (size_t)count);
}

static int bench_one(void)
{
    static double ns[WAYS][ROUNDS];
    for (int round = 0; round < rounds; round++)
        for (int way = 0; way < WAYS; way++)
            ns[way][round] = time_of(way);
    report_net("record/call", ns, CALL, NOTHING);
    report_net("record/kerntime", ns, KERNTIME, EMPTY);
    report_net("record/mutex-hash", ns, MUTEX_HASH, EMPTY);
    report_ratio("record/ratio", ns);
    report_net("record/disabled", ns, DISABLED, NOTHING);
    report_scopes(ns, "");
    report_net("scope/disabled", ns, SCOPE_DISABLED, NOTHING);
    return add_series("record", ns, OWN_HASH);
}

static int bench_two(void)
{
    static double ns[WAYS][ROUNDS];
    pthread_t thread;
    atomic_store(&arrived, 0);
    if (pthread_create(&thread, NULL, other_thread, NULL) != 0) {
        fputs("kerntime-bench: no second thread\n", stderr);
        return 1;
    }
    stay_on(0);
    for (int round = 0, line = 1; round < rounds; round++)
        for (int way = 0; way <= NOTHING; way++, line += 2)
            ns[way][round] = time_of_both(line, way);
    pthread_join(thread, NULL);
    stay_on(-1);
    report_net("record/kerntime-2threads", ns, KERNTIME, EMPTY);
    report_net("record/mutex-hash-2threads", ns, MUTEX_HASH, EMPTY);
    report_ratio("record/ratio-2threads", ns);
    report_scopes(ns, "-2threads");
    return add_series("record/2threads", ns, OWN_HASH);
}

/* Of a comparison in which one side does not do its work nothing is to be learned. */
static int check(void)
{
    kt_snapshot *snapshot = NULL;
    int failed = kt_snapshot_take(&snapshot) != KT_OK;
    for (int i = 0; i < NAMES && !failed; i++) {
        const kt_row *row = kt_snapshot_find(snapshot, sites[i].name, sites[i].backend);
        mutex_hash_row other = mutex_hash_read(map, sites[i].name, sites[i].backend);
        failed = !row || row->count != (uint64_t)rounds * (1 + THREADS) * SLICE / NAMES ||
                 row->count != other.count || row->min_ns != other.min_ns ||
                 row->max_ns != other.max_ns || row->last_ns != other.last_ns ||
                 fabs(row->mean_ns / other.mean_ns - 1) > 1e-9 ||
                 fabs(row->stddev_ns / other.stddev_ns - 1) > 1e-9;
    }
    kt_snapshot_destroy(&snapshot);
    if (failed)
        fputs("kerntime-bench: record: the two ways do not say the same\n", stderr);
    return failed;
}

int bench_record(void)
{
    uint64_t random = 7;
    rounds = result_rounds(ROUNDS);
    for (int i = 0; i < DURATIONS; i++)
        durations_ns[i] = 10000 * (1 + 0.2 * noise_share(&random));
    map = mutex_hash_create();
    maps[0] = own = mutex_hash_create();
    maps[1] = mutex_hash_create();
    int failed = !map || !maps[0] || !maps[1];
    if (failed)
        fputs("kerntime-bench: out of memory\n", stderr);
    kt_reset();
    failed = failed || bench_one() || bench_two() || check();
    kt_reset();
    mutex_hash_destroy(map);
    mutex_hash_destroy(maps[0]);
    mutex_hash_destroy(maps[1]);
    return failed;
}
