/* SPDX-License-Identifier: MIT */
/**
 * @file
 * State of the host: load, frequency and memory.
 */
#ifndef KERNTIME_HOST_H
#define KERNTIME_HOST_H

#include <kerntime/api.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The host at one moment. What the system does not report is NaN, 0 cores, or an empty string. */
typedef struct kt_host_state {
    int64_t at_ns;       /**< moment of the reading, on the host clock */
    double load;         /**< load average of the last minute */
    double busy_ns;      /**< time that all cores have worked since the system started */
    double own_ns;       /**< part of busy_ns used by this process, with all its threads, and of its
                         children that it has waited for */
    uint32_t cores;      /**< cores of the machine, which busy_ns covers */
    double frequency_hz; /**< frequency of the fastest core, the one that has just worked */
    char governor[32];   /**< frequency governor: "performance", "powersave" */
} kt_host_state;

/**
 * Reads the state of the host.
 *
 * - Cost: some us to some ms, so do not call it within a measurement.
 * - Threads: any.
 *
 * @param[out] out state; owned by the caller
 */
KT_API void kt_host_state_read(kt_host_state *out);

/**
 * Average number of cores that were busy with other processes' work between two readings.
 *
 * @param before earlier reading
 * @param after later reading
 * @return cores, or NaN if unknown or if the readings are less than 0.5 s apart, for which the
 * system's counters are too coarse
 */
KT_API double kt_host_others(const kt_host_state *before, const kt_host_state *after);

/**
 * Memory that this process may use: that of the host, or the limit of its container.
 *
 * Threads: any.
 *
 * @return bytes, or 0 if unknown
 */
KT_API uint64_t kt_host_memory_bytes(void);

/** A number of kt_launch that is not known. */
#define KT_LAUNCH_UNKNOWN UINT32_MAX

/** Place of a process among those that a launcher (mpirun, srun, flux) started together. */
typedef struct kt_launch {
    uint32_t rank;       /**< number of the process, from 0 */
    uint32_t size;       /**< number of processes; KT_LAUNCH_UNKNOWN */
    uint32_t local_rank; /**< number among the processes of its node, from 0; KT_LAUNCH_UNKNOWN */
    uint32_t local_size; /**< number of processes of its node; KT_LAUNCH_UNKNOWN */
    char job[64];        /**< the launcher's name of the job; empty: unknown */
    char node[256];      /**< the launcher's name of the node; empty: it has none */
    char variable[64];   /**< variable of the environment that had the rank */
    char larger[64];     /**< if `size` is 1: size variable of a launcher with more; or empty */
} kt_launch;

/**
 * Reads the variables by which launchers tell a process its rank.
 *
 * Threads: any that may read the environment.
 *
 * @param rank_variable variable that has the rank, instead of all known ones; NULL: those
 * @param[out] out place of this process; owned by the caller
 * @return
 * - #KT_OK
 * - #KT_UNAVAILABLE: no launcher has started this process
 * - #KT_INVALID: rank_variable is not set or is no rank, RANK is not below WORLD_SIZE, or no out
 *   pointer
 */
KT_API kt_status kt_launch_read(const char *rank_variable, kt_launch *out);

#ifdef __cplusplus
}
#endif

#endif
