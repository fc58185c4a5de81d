/* host.h - the host itself: its memory, and what else it was doing. */
#ifndef KERNTIME_HOST_H
#define KERNTIME_HOST_H

#include <kerntime/api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The host at one moment. What the system does not tell is NaN, 0 cores, or an empty text. */
typedef struct kt_host_state {
    int64_t at_ns;  /**< host clock */
    double load;    /**< load average of the last minute */
    double busy_ns; /**< time that all cores have spent on work since the system started */
    double own_ns;  /**< the part of it that this process has spent, all its threads and those of
                                  its children that it has waited for */
    uint32_t cores; /**< that busy_ns is about: those of the machine */
    double frequency_hz; /**< of the fastest core: the one that has just worked */
    char governor[32];   /**< who sets the frequency: "performance", "powersave" */
} kt_host_state;

/** Reads it; takes some us to some ms, so not within a measurement. Any thread. */
KT_API void kt_host_state_read(kt_host_state *out);

/** How many cores were busy with the work of others between two readings, on average. NaN: not
 * known, or the readings are less than 0.5 s apart, which the system's counters are too coarse
 * for. */
KT_API double kt_host_others(const kt_host_state *before, const kt_host_state *after);

/** Bytes of memory that this process may use: those of the host, or what a container is limited to;
 * 0: unknown. Any thread. */
KT_API uint64_t kt_host_memory_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
