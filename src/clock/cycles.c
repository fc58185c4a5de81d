/* SPDX-License-Identifier: MIT */
/*
 * cycles.c - the one clock of the process that kt_cycles_now() reads.
 *
 * It is chosen at the first reading, by who takes that: loading the library costs nothing. Cores
 * are compared then only if that decides; else when somebody asks (kt_cycles_get_info()).
 *
 * After the counter was lost, the system's clock takes over for good. Durations in ticks that were
 * kept have the counter's last period from then on.
 */
#include "clock/cycles.h"

#include "statistics/histogram.h"
#include "support/error.h"
#include "support/host_clock.h"
#include "support/options.h"
#include "support/thread.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#define NOT_A_NUMBER UINT64_C(0x7ff8000000000000)

int kt_cycles_counter;

kt_cycles_calls kt_cycles_sources = {.read_facts = kt_counter_read_facts,
                                     .pair = kt_counter_pair,
                                     .compare_cores = kt_counter_compare_cores};

/* Guarded by the library's mutex. */
static struct {
    kt_counter_facts facts;
    kt_core_agreement cores;
    int64_t compared_for_ns; /* longest comparison of the cores that was tried */
    char reason[KT_COUNTER_REASON_BYTES];
    kt_host_counter counter;
} cycles;

/* Known to all threads, as bits of doubles: period of the counter, its uncertainty, the length of
 * its steps, and the distance of the cores in ticks; NaN: unknown. Who reads them after an
 * acquiring load of a kt_cycles_counter that was not 0 knows the first three. */
static _Atomic(uint64_t) period = NOT_A_NUMBER, period_uncertainty = NOT_A_NUMBER,
                         step_length = NOT_A_NUMBER, cores_apart = NOT_A_NUMBER;

static atomic_bool chosen;
static _Atomic(int64_t) next_ns; /* when the next pair is due */

static uint64_t read_system(void)
{
    return (uint64_t)kt_host_now_ns() | KT_CYCLES_SYSTEM;
}

static void set(_Atomic(uint64_t) *to, double value)
{
    atomic_store_explicit(to, kt_bits_of(value), memory_order_relaxed);
}

static double get(_Atomic(uint64_t) *from)
{
    return kt_of_bits(atomic_load_explicit(from, memory_order_relaxed));
}

static bool all_cores_compared(void)
{
    return cycles.cores.cores > 0 && cycles.cores.checked == cycles.cores.cores;
}

/* Compares the cores unless that was done, or tried for as long. */
static void compare_cores(int64_t limit_ns)
{
    if (all_cores_compared() || limit_ns <= cycles.compared_for_ns || !cycles.facts.name)
        return;
    cycles.compared_for_ns = limit_ns;
    kt_cycles_sources.compare_cores(limit_ns, &cycles.cores);
    if (all_cores_compared() || cycles.cores.checked > 1)
        set(&cores_apart, (double)cycles.cores.apart_ticks);
}

/* Shows all threads what the newest pair has taught. */
static void publish(void)
{
    set(&period, cycles.counter.period_ns);
    set(&period_uncertainty, cycles.counter.period_uncertainty_ns);
    set(&step_length, kt_host_counter_step_ns(&cycles.counter));
    atomic_store_explicit(&next_ns, cycles.counter.next_ns, memory_order_relaxed);
}

double kt_cycles_period_ns(void)
{
    double ns = get(&period);
    return isnan(ns) ? 1 : ns;
}

double kt_cycles_period_uncertainty_ns(void)
{
    double ns = get(&period_uncertainty);
    return isnan(ns) ? 0 : ns;
}

static bool is_counter_used(void)
{
    return __atomic_load_n(&kt_cycles_counter, __ATOMIC_ACQUIRE);
}

static void choose(void)
{
    kt_cycles_sources.read_facts(&cycles.facts);
    kt_counter_fitness fitness = kt_counter_judge(&cycles.facts, cycles.reason);
    bool fit = fitness == KT_COUNTER_FIT;
    if (fitness == KT_COUNTER_FIT_IF_IN_STEP) {
        compare_cores(KT_COUNTER_FIRST_NS);
        fit = kt_counter_judge_cores(&cycles.cores, true, cycles.reason);
    }
    if (fit &&
        !kt_host_counter_begin(&cycles.counter, kt_cycles_sources.pair, kt_cycles_sources.user)) {
        fit = false;
        snprintf(cycles.reason, sizeof cycles.reason, "%s", cycles.counter.reason);
    }
    if (fit) {
        publish();
        __atomic_store_n(&kt_cycles_counter, 1, __ATOMIC_RELEASE);
    }
    atomic_store_explicit(&chosen, true, memory_order_release);
}

/* The library's mutex is held. */
static void choose_once(void)
{
    if (!atomic_load_explicit(&chosen, memory_order_relaxed))
        choose();
}

uint64_t kt_cycles_read(int ordered)
{
    if (!atomic_load_explicit(&chosen, memory_order_acquire)) {
        if (!kt_lock_library())
            return read_system(); /* a signal handler interrupted this thread in the library */
        choose_once();
        kt_mutex_unlock(kt_mutex_of_library());
    }
    if (!is_counter_used())
        return read_system();
    return kt_counter_read(ordered);
}

/* ---- following ---- */

static void follow(void)
{
    kt_host_counter_follow(&cycles.counter);
    publish();
    if (!cycles.counter.lost)
        return;
    snprintf(cycles.reason, sizeof cycles.reason, "%s", cycles.counter.reason);
    __atomic_store_n(&kt_cycles_counter, 0, __ATOMIC_RELEASE);
}

static bool is_due(void)
{
    return is_counter_used() &&
           kt_host_now_ns() >= atomic_load_explicit(&next_ns, memory_order_relaxed);
}

void kt_cycles_update(void)
{
    if (!is_due() || !kt_mutex_try_lock(kt_mutex_of_library()))
        return;
    if (is_due())
        follow();
    kt_mutex_unlock(kt_mutex_of_library());
}

/* ---- readings ---- */

static kt_status lock(void)
{
    if (!kt_lock_library())
        return kt_fail(KT_NOT_READY, "a signal handler interrupted this thread in the library");
    choose_once();
    return KT_OK;
}

static double cores_apart_ns(void)
{
    return get(&cores_apart) * get(&period);
}

double kt_cycles_span_ns(uint64_t begin, uint64_t end, double *uncertainty_ns)
{
    bool of_system = end >= KT_CYCLES_SYSTEM, known = (begin ^ end) < KT_CYCLES_SYSTEM;
    double ticks = (double)(int64_t)(end - begin), span_ns = ticks, doubt_ns = 1;
    if (!of_system) {
        is_counter_used(); /* what was published is seen from here on */
        span_ns = ticks * get(&period);
        doubt_ns =
            fabs(ticks) * get(&period_uncertainty) + get(&step_length) + fmax(cores_apart_ns(), 0);
    }
    if (uncertainty_ns)
        *uncertainty_ns = known ? doubt_ns : NAN;
    return known ? span_ns : NAN;
}

kt_status kt_cycles_to_host(uint64_t reading, int64_t *host_ns, double *uncertainty_ns)
{
    KT_NEED(host_ns);
    if (reading >= KT_CYCLES_SYSTEM) {
        *host_ns = (int64_t)(reading & ~KT_CYCLES_SYSTEM);
        if (uncertainty_ns)
            *uncertainty_ns = 1;
        return KT_OK;
    }
    kt_status status = lock();
    if (status != KT_OK)
        return status;
    if (is_due())
        follow();
    double doubt_ns = NAN;
    bool placed = kt_host_counter_place(&cycles.counter, reading, host_ns, &doubt_ns);
    if (placed && uncertainty_ns)
        *uncertainty_ns = doubt_ns + fmax(cores_apart_ns(), 0);
    status = placed ? KT_OK : kt_fail(KT_NOT_READY, "the reading has no place: %s", cycles.reason);
    kt_mutex_unlock(kt_mutex_of_library());
    return status;
}

/* ---- description ---- */

static void describe_counter(kt_cycles_info *out)
{
    kt_clock_state state;
    kt_calibration_get_state(&cycles.counter.calibration, &state);
    snprintf(out->name, sizeof out->name, "%s", cycles.facts.name);
    out->counter = 1;
    out->period_ns = cycles.counter.period_ns;
    out->period_uncertainty_ns = cycles.counter.period_uncertainty_ns;
    out->uncertainty_ns = state.uncertainty_ns;
    out->pairs = state.pairs;
}

static void describe_system(kt_cycles_info *out)
{
    snprintf(out->name, sizeof out->name, "%s", kt_system_clock_name());
    out->period_ns = 1;
    out->period_uncertainty_ns = out->uncertainty_ns = 0;
}

kt_status kt_cycles_get_info(kt_cycles_info *out)
{
    KT_NEED(out);
    kt_status status = lock();
    if (status != KT_OK)
        return status;
    if (is_counter_used()) {
        compare_cores(KT_COUNTER_ASKED_NS);
        if (!kt_counter_is_forced(&cycles.facts) &&
            !kt_counter_judge_cores(&cycles.cores, false, cycles.reason))
            kt_host_counter_give_up(&cycles.counter, cycles.reason);
        if (cycles.counter.lost || is_due())
            follow();
    }
    *out = (kt_cycles_info){.reported_hz = cycles.facts.reported_hz,
                            .cores = cycles.cores.cores,
                            .cores_checked = cycles.cores.checked,
                            .cores_apart_ns = cores_apart_ns()};
    if (is_counter_used())
        describe_counter(out);
    else
        describe_system(out);
    snprintf(out->reason, sizeof out->reason, "%s", cycles.reason);
    kt_mutex_unlock(kt_mutex_of_library());
    return KT_OK;
}
