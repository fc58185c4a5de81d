/* SPDX-License-Identifier: MIT */
/*
 * counter.c - reads the CPU's counter, and what is known about it.
 *
 * Comparison of two cores: thread A on the first core reads t1, thread B on the other core reads t,
 * A reads t2, each after it saw the reading before. So B's counter is ahead of A's by t - t2 at
 * least and by t - t1 at most. Of many exchanges the narrowest bounds count: about as wide as a
 * cache line takes to the other core and back. A system clock between the readings could not tell
 * that, since it is often made of the same counter.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "support/counter.h"

#include "support/dl.h"
#include "support/host_clock.h"
#include "support/host_state.h"
#include "support/thread.h"

#include <kerntime/cycles.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#define HAVE_COUNTER 1
#else
#define HAVE_COUNTER 0
#endif

void kt_core_distance_add(kt_core_distance *distance, uint64_t before, uint64_t there,
                          uint64_t after)
{
    int64_t least = (int64_t)(there - after), most = (int64_t)(there - before);
    distance->least = least > distance->least ? least : distance->least;
    distance->most = most < distance->most ? most : distance->most;
}

#if HAVE_COUNTER

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* ---- what CPU and kernel say ---- */

#define SOURCES "/sys/devices/system/clocksource/clocksource0/"

/* A word in a list that is separated by spaces. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A sandbox may let a reading end the process. arm64 has that since Linux 6.12. */
static bool is_readable(void)
{
    int mode = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
}

#if defined(__x86_64__)
#define COUNTER_NAME "tsc"
#define KERNEL_NAME  "tsc"

static bool is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

/* Leaf 0x15: the ratio of counter and crystal, and the crystal's frequency. Leaf 0x16 has the
 * frequency of the core, which the counter's often is not. */
static double read_reported_hz(void)
{
    unsigned denominator, numerator, crystal_hz, d;
    if (!__get_cpuid(0x15, &denominator, &numerator, &crystal_hz, &d) || denominator == 0 ||
        numerator == 0 || crystal_hz == 0)
        return NAN;
    return (double)crystal_hz * numerator / denominator;
}
#else
#define COUNTER_NAME "cntvct"
#define KERNEL_NAME  "arch_sys_counter"

/* The architecture promises one rate for all cores. */
static bool is_invariant(void)
{
    return true;
}

static double read_reported_hz(void)
{
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz ? (double)hz : NAN;
}
#endif

void kt_counter_read_facts(kt_counter_facts *out)
{
    char offered[256];
    *out = (kt_counter_facts){.name = is_readable() ? COUNTER_NAME : NULL,
                              .kernel_name = KERNEL_NAME,
                              .invariant = is_invariant(),
                              .reported_hz = read_reported_hz(),
                              .asked = kt_environment("KERNTIME_CLOCK")};
    kt_read_line(SOURCES "current_clocksource", out->kernel_source, sizeof out->kernel_source);
    kt_read_line(SOURCES "available_clocksource", offered, sizeof offered);
    out->offered = has_word(offered, KERNEL_NAME);
}

/* ---- readings ---- */

uint64_t kt_counter_read(bool ordered)
{
    return ordered ? kt_cycles_read_ordered_() : kt_cycles_read_();
}

bool kt_counter_pair(void *user, kt_clock_pair *out)
{
    (void)user;
    bool found = false;
    for (int i = 0; i < KT_PAIR_TRIES; i++) {
        kt_clock_pair pair = {.host_before_ns = kt_host_now_ns()};
        pair.ticks = kt_cycles_read_ordered_();
        pair.host_after_ns = kt_host_now_ns();
        kt_keep_narrower(out, &found, &pair);
    }
    return found;
}

/* ---- agreement of the cores ---- */

#define EXCHANGES     64   /* exchanges per core */
#define EXCHANGES_MIN 16   /* fewer may all be wide: the thread waited for its core in each */
#define SPINS         2000 /* tries until a thread yields, in case both share a core */
#define NO_TICKS      0

typedef struct comparison {
    cpu_set_t usable;
    int64_t deadline_ns;
    _Atomic(int) core;        /* core that thread B shall be on; below 0: it shall end */
    _Atomic(uint32_t) asked;  /* number of the newest question of A, ... */
    _Atomic(uint32_t) answer; /* ... and of B's newest answer: */
    _Atomic(uint64_t) ticks;  /* NO_TICKS: B may not go to that core, which went offline */
    kt_core_agreement *out;
} comparison;

static bool stay_on(int core)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

/* Waits until a number is `wanted`. False: the time is over. */
static bool wait_for(const comparison *c, _Atomic(uint32_t) *number, uint32_t wanted)
{
    for (uint32_t spins = 1;; spins++) {
        if (atomic_load_explicit(number, memory_order_acquire) == wanted)
            return true;
        if (spins % SPINS != 0)
            continue;
        if (kt_host_now_ns() > c->deadline_ns)
            return false;
        sched_yield();
    }
}

static void answer(void *user)
{
    comparison *c = user;
    int here = -1;
    for (uint32_t number = 1;; number++) {
        if (!wait_for(c, &c->asked, number))
            return;
        int core = atomic_load_explicit(&c->core, memory_order_relaxed);
        if (core < 0)
            return;
        if (core != here)
            here = stay_on(core) ? core : -1;
        uint64_t ticks = here == core ? kt_cycles_read_ordered_() : NO_TICKS;
        atomic_store_explicit(&c->ticks, ticks, memory_order_relaxed);
        atomic_store_explicit(&c->answer, number, memory_order_release);
    }
}

/* Adds one exchange. False: the time is over, or the other core cannot be reached. */
static bool exchange(comparison *c, uint32_t number, kt_core_distance *distance)
{
    uint64_t before = kt_cycles_read_ordered_();
    atomic_store_explicit(&c->asked, number, memory_order_release);
    if (!wait_for(c, &c->answer, number))
        return false;
    uint64_t there = atomic_load_explicit(&c->ticks, memory_order_relaxed);
    uint64_t after = kt_cycles_read_ordered_();
    if (there != NO_TICKS)
        kt_core_distance_add(distance, before, there, after);
    return there != NO_TICKS;
}

static uint64_t farthest(const kt_core_distance *distance)
{
    uint64_t behind = distance->least < 0 ? 0 - (uint64_t)distance->least : 0;
    uint64_t ahead = distance->most > 0 ? (uint64_t)distance->most : 0;
    return behind > ahead ? behind : ahead;
}

/* Any two cores are at most as far apart as both are from the first. */
static void note(kt_core_agreement *out, const kt_core_distance *distance)
{
    uint64_t apart = farthest(distance);
    out->checked++;
    out->in_step = out->in_step && distance->least <= 0 && distance->most >= 0;
    out->apart_ticks = apart > out->apart_ticks ? apart : out->apart_ticks;
}

static void ask(void *user)
{
    comparison *c = user;
    int first = 0;
    uint32_t number = 0;
    while (!CPU_ISSET(first, &c->usable))
        first++;
    bool is_there = stay_on(first);
    c->out->checked = is_there;
    for (int core = first + 1; core < CPU_SETSIZE && is_there; core++) {
        if (!CPU_ISSET(core, &c->usable))
            continue;
        kt_core_distance distance = KT_NO_DISTANCE;
        atomic_store_explicit(&c->core, core, memory_order_relaxed);
        int done = 0;
        while (done < EXCHANGES && exchange(c, ++number, &distance))
            done++;
        if (done >= EXCHANGES_MIN)
            note(c->out, &distance);
    }
    if (c->out->checked > 2)
        c->out->apart_ticks *= 2; /* by way of the first core */
    atomic_store_explicit(&c->core, -1, memory_order_relaxed);
    atomic_store_explicit(&c->asked, number + 1, memory_order_release);
}

/* Cores of this thread and of the first one, either of which may be bound to few. */
static bool find_usable(cpu_set_t *usable)
{
    cpu_set_t first;
    if (sched_getaffinity(0, sizeof *usable, usable) != 0)
        return false;
    if (sched_getaffinity(getpid(), sizeof first, &first) == 0)
        CPU_OR(usable, usable, &first);
    return true;
}

void kt_counter_compare_cores(int64_t limit_ns, kt_core_agreement *out)
{
    kt_thread *asking = NULL, *answering = NULL;
    comparison c = {.deadline_ns = kt_host_now_ns() + limit_ns, .out = out};
    *out = (kt_core_agreement){.in_step = true};
    if (!find_usable(&c.usable))
        return;
    out->cores = (uint32_t)CPU_COUNT(&c.usable);
    if (out->cores < 2) { /* both threads may be bound to it, and others not */
        out->checked = sysconf(_SC_NPROCESSORS_ONLN) == 1;
        return;
    }
    /* The caller holds the library's mutex, so no signal handler may run on the two threads. */
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    if (kt_thread_start(answer, &c, &answering) == KT_OK)
        if (kt_thread_start(ask, &c, &asking) != KT_OK)
            atomic_store(&c.core, -1), atomic_store(&c.asked, 1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    kt_thread_join(asking);
    kt_thread_join(answering);
}

#else

void kt_counter_read_facts(kt_counter_facts *out)
{
    *out = (kt_counter_facts){.reported_hz = NAN, .asked = kt_environment("KERNTIME_CLOCK")};
}

uint64_t kt_counter_read(bool ordered)
{
    (void)ordered;
    return 0;
}

bool kt_counter_pair(void *user, kt_clock_pair *out)
{
    (void)user, (void)out;
    return false;
}

void kt_counter_compare_cores(int64_t limit_ns, kt_core_agreement *out)
{
    (void)limit_ns;
    *out = (kt_core_agreement){.in_step = true};
}

#endif
