/* SPDX-License-Identifier: MIT */
/*
 * counter.h - the CPU's own counter of time: what CPU and kernel say about it, and whether the
 * counters of all cores agree. Which of it makes a counter fit is decided in clock/host_counter.c.
 */
#ifndef KT_SUPPORT_COUNTER_H
#define KT_SUPPORT_COUNTER_H

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stdint.h>

/* Longest comparison of all cores, but for the wait of its threads for a core: at the first reading
 * of a program, and when somebody asks for the result. */
#define KT_COUNTER_FIRST_NS INT64_C(10000000)
#define KT_COUNTER_ASKED_NS INT64_C(200000000)

typedef struct kt_counter_facts {
    const char *name;        /* "tsc"; NULL: there is no counter that kerntime reads */
    const char *kernel_name; /* the kernel's name for it as a clock source */
    bool invariant;         /* the CPU promises one rate, whatever the cores' frequency and sleep */
    char kernel_source[32]; /* clock source of the kernel; empty: unknown */
    bool offered;           /* the kernel lists the counter as a clock source: it is not unstable */
    double reported_hz;     /* NaN: not reported */
    const char *asked;      /* KERNTIME_CLOCK; NULL: not set */
} kt_counter_facts;

void kt_counter_read_facts(kt_counter_facts *out);

/* Reads the counter that the facts name. */
uint64_t kt_counter_read(bool ordered);

/* Reads the system's clock, the counter and again the system's clock; the narrowest of several
 * tries. A kt_counter_pair_reader of host_counter.h. */
bool kt_counter_pair(void *user, kt_clock_pair *out);

/* ---- agreement of the cores ---- */

/* How far the counter of one core may be ahead of another's, in ticks. Begin with KT_NO_DISTANCE.
 */
typedef struct kt_core_distance {
    int64_t least, most;
} kt_core_distance;

#define KT_NO_DISTANCE       \
    {                        \
        INT64_MIN, INT64_MAX \
    }

/* A core read `there` after `before` and before `after` of the other core. */
void kt_core_distance_add(kt_core_distance *distance, uint64_t before, uint64_t there,
                          uint64_t after);

typedef struct kt_core_agreement {
    uint32_t cores;       /* cores that the process may use; 0: unknown */
    uint32_t checked;     /* cores compared with the first one, and that one */
    bool in_step;         /* no compared counter is surely ahead of or behind the first one */
    uint64_t apart_ticks; /* largest possible distance between any two compared counters */
} kt_core_agreement;

/*
 * Compares the counter of each usable core with that of the first one, by two threads of its own
 * that exchange readings. Changes no affinity of the program's threads. Stops after `limit_ns`.
 */
void kt_counter_compare_cores(int64_t limit_ns, kt_core_agreement *out);

#endif
