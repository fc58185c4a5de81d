/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The fastest clock of the host: the CPU's own counter where it is fit, else the system's clock.
 *
 * KT_SCOPE and timers of the CPU read it. docs/host-clock.md has its guarantees.
 */
#ifndef KERNTIME_CYCLES_H
#define KERNTIME_CYCLES_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bit of a reading that was taken from the system's clock: the other bits are its ns. */
#define KT_CYCLES_SYSTEM (UINT64_C(1) << 63)

/** The host's fastest clock, and why it is that one. An unknown `double` is NaN. */
typedef struct kt_cycles_info {
    char name[24];    /**< "tsc", "cntvct", or that of the system's clock */
    int counter;      /**< 1: readings are of the CPU's counter; 0: of the system's clock */
    char reason[192]; /**< why it is that clock, as a sentence without a full stop */
    double period_ns; /**< length of one tick, in ns of the system's clock */
    /** 99 % uncertainty of period_ns; a duration has the same relative uncertainty */
    double period_uncertainty_ns;
    double reported_hz;     /**< frequency as the CPU reports it; kerntime measures its own */
    double uncertainty_ns;  /**< 99 % uncertainty of kt_cycles_to_host() now */
    uint32_t cores;         /**< cores that the process may use; 0: unknown */
    uint32_t cores_checked; /**< cores whose counters were compared, with the first one */
    /** largest possible distance between the counters of two cores that were compared, in ns */
    double cores_apart_ns;
    uint64_t pairs; /**< readings together with the system's clock so far */
} kt_cycles_info;

/**
 * kt_cycles_now() and kt_cycles_now_ordered() as a function, for languages that cannot call inline
 * functions.
 *
 * Threads: any. Not from signal handlers before the first call has returned.
 *
 * @param ordered 0: kt_cycles_now(); else kt_cycles_now_ordered()
 * @return a reading, never 0
 */
KT_API uint64_t kt_cycles_read(int ordered);

#ifndef KT_COMPILED_OUT

/** Not 0 once kt_cycles_now() reads the CPU's counter. Written by the library only. */
extern KT_API int kt_cycles_counter;

/** @cond */
#if defined(__GNUC__) && defined(__x86_64__)
static inline uint64_t kt_cycles_read_(void)
{
    return __builtin_ia32_rdtsc();
}
/* rdtsc between fences: instructions before it have ended, those after it have not begun. */
static inline uint64_t kt_cycles_read_ordered_(void)
{
    uint64_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}
#elif defined(__GNUC__) && defined(__aarch64__)
static inline uint64_t kt_cycles_read_(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}
/* isb does not wait for loads, dsb does. */
static inline uint64_t kt_cycles_read_ordered_(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ishld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}
#endif
/** @endcond */

/**
 * Reads the host's fastest clock: rdtsc on x86-64, cntvct_el0 on arm64, else the system's clock.
 *
 * - Cost: one load, one branch and the instruction. The first call of a process chooses the clock,
 *   which takes up to 1 ms, or 10 ms where the counters of all cores have to be compared first.
 * - The processor may move the reading past instructions nearby, by some ten ns, and the compiler
 *   past computations. Use kt_cycles_now_ordered() for spans below 1 us, and where the reading has
 *   to follow one of another thread.
 * - Two readings make a duration with kt_cycles_span_ns() or kt_record_cycles(). A reading alone
 *   is no time: only kt_cycles_to_host() places it.
 * - Readings are the same clock on all threads and in children of fork().
 * - If the counter becomes unfit (docs/host-clock.md), later readings are of the system's clock.
 * - Threads: any. Not from signal handlers before the first call has returned.
 *
 * @return a reading, never 0
 */
static inline uint64_t kt_cycles_now(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
    if (__builtin_expect(__atomic_load_n(&kt_cycles_counter, __ATOMIC_RELAXED), 1))
        return kt_cycles_read_();
#endif
    return kt_cycles_read(0);
}

/**
 * As kt_cycles_now(), after all instructions before it and before all instructions after it.
 *
 * Cost: 10 to 40 ns more, since the processor waits.
 *
 * @return a reading, never 0
 */
static inline uint64_t kt_cycles_now_ordered(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
    if (__builtin_expect(__atomic_load_n(&kt_cycles_counter, __ATOMIC_RELAXED), 1))
        return kt_cycles_read_ordered_();
#endif
    return kt_cycles_read(1);
}

#endif

/**
 * Time between two readings, by the period known now.
 *
 * Threads: any.
 *
 * @param begin earlier reading
 * @param end later reading
 * @param[out] uncertainty_ns 99 % uncertainty in ns, with the distance of the cores' counters once
 * they were compared (kt_cycles_get_info()); NULL if not needed
 * @return ns, below 0 if `end` is before `begin`; NaN if the clock changed between the readings
 */
KT_API double kt_cycles_span_ns(uint64_t begin, uint64_t end, double *uncertainty_ns);

/**
 * Places a reading on the system's clock, that of kt_host_now_ns().
 *
 * - It takes readings of both clocks, at most every 10 ms, and follows rate and drift by them.
 * - The more often it is called, the less it extrapolates. `uncertainty_ns` says how far.
 * - Threads: any; one at a time, others wait.
 *
 * @param cycles a reading of this process
 * @param[out] host_ns the instant on the system's clock, in ns
 * @param[out] uncertainty_ns distance in ns that contains the truth in 99 of 100 cases; NULL if not
 * needed
 * @return KT_OK, or
 * - KT_INVALID: `host_ns` is NULL
 * - KT_NOT_READY: the reading is of a counter that has become unfit, or a signal handler
 *   interrupted this thread in the library
 */
KT_API kt_status kt_cycles_to_host(uint64_t cycles, int64_t *host_ns, double *uncertainty_ns);

/**
 * Reads the counter together with the system's clock, if 10 ms have passed since the last time, and
 * improves the known period.
 *
 * - kt_snapshot_take(), kt_collect() and kt_cycles_to_host() call it. A program that does none of
 *   them for hours may call it now and then.
 * - It notices a counter that jumped or changed its rate. Later readings are then of the system's
 *   clock.
 * - Cost: about 1 us. Threads: any; it does nothing while another thread does the same.
 */
KT_API void kt_cycles_update(void);

/**
 * Describes the host's fastest clock. Chooses it if no reading was taken yet, and compares the
 * counters of all cores if that was not done yet. That takes 1 ms, and up to 200 ms if other
 * programs use the cores.
 *
 * Threads: any; one at a time, others wait. So do first records, snapshots and fork() meanwhile.
 *
 * @param[out] out the description; owned by the caller
 * @return KT_OK, or
 * - KT_INVALID: `out` is NULL
 * - KT_NOT_READY: a signal handler interrupted this thread in the library
 */
KT_API kt_status kt_cycles_get_info(kt_cycles_info *out);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_CYCLES_
#include <kerntime/compiled_out.h>
#endif

#endif
