/* SPDX-License-Identifier: MIT */
/* hw.h - what is found out about a device, and who finds it out. */
#ifndef BENCH_HW_H
#define BENCH_HW_H

#include "bench/hw/spin.h"

#include <kerntime/kerntime.h>
#include <stdbool.h>
#include <stdio.h>

#define HW_DEVICES_MAX 32
#define HW_LENGTHS     15
#define HW_KERNELS_MAX (3 * HW_LENGTHS)
#define HW_COPIES_MAX  16
#define HW_TEXT_BYTES  256

/* What is asked: a device time within this share plus the largest of shortest span, clock resolution and
 * fixed cost (of which so much is accepted), for kernels of so long and more; and a timed launch at most so
 * many times as dear as by hand, or dearer by so much. docs/measured/README.md says so beforehand. */
#define HW_SHARE          0.01
#define HW_FIXED_MAX_NS   5000
#define HW_JUDGED_NS      20000
#define HW_LAUNCH_RATIO   1.05
#define HW_LAUNCH_MORE_NS 500

typedef enum hw_verdict {
    HW_NOT_JUDGED = 0, /* shown, and nothing is asked of it */
    HW_WITHIN,
    HW_BEYOND /* or it could not be measured */
} hw_verdict;

/* A kernel of one length. Medians; what is not known is NaN. */
typedef struct hw_kernel {
    double nominal_ns;
    bool by_hand;     /* two events by hand, else by kerntime with ... */
    bool beside_copy; /* a copy from the heap follows it */
    kt_method method;
    size_t samples;                               /* with a device time */
    uint32_t discarded[KT_TIMESTAMP_STATE_COUNT]; /* without, by reason */
    double device_ns, wall_ns;                    /* as kerntime gives them, ... */
    double truth_ns;                      /* ... and what the same launches wrote down themselves */
    double difference_ns;                 /* of each launch's device time from its truth */
    double allowed_ns;                    /* as much is asked */
    double cupti_ns, cupti_difference_ns; /* by CUPTI, of launches of their own */
    hw_verdict verdict;
    char error[HW_TEXT_BYTES]; /* why there is no time, or none to be relied on, else empty */
} hw_kernel;

/* A timed launch of an empty kernel: by a timer around it in a queue of the program's own, and as a
 * job that kerntime runs. Not judged is a job in a blocked stream, which is a launch more. Medians of the
 * same rounds. */
enum { HW_BY_TIMER, HW_BY_JOB, HW_LAUNCHES };
typedef struct hw_launch {
    double untimed_ns, by_hand_ns, kerntime_ns;
    double ratio, ratio_low, ratio_high; /* kerntime over by hand */
    kt_method method;                    /* of a job, else none */
    hw_verdict verdict;
    char error[HW_TEXT_BYTES];
} hw_launch;

/* A ratio alone would allow a short launch less than one driver call. */
static inline hw_verdict hw_judge_launch(const hw_launch *l)
{
    bool is_within =
        l->ratio <= HW_LAUNCH_RATIO || l->kerntime_ns - l->by_hand_ns <= HW_LAUNCH_MORE_NS;
    return is_within ? HW_WITHIN : HW_BEYOND;
}

typedef struct hw_copy {
    char direction[32];
    double bytes;
    double by_hand_ns, kerntime_ns;
    double ratio, ratio_low, ratio_high; /* of durations, kerntime over by hand */
    char error[HW_TEXT_BYTES];
} hw_copy;

/* Conformance: the suite of tests/conformance, a process of its own. */
#define HW_SKIPS_MAX 32
typedef struct hw_skip {
    char test[64], reason[HW_TEXT_BYTES];
} hw_skip;

typedef struct hw_conformance {
    bool is_run;
    int exit_code;            /* -1: it could not be run, or was ended by a signal */
    unsigned passed, skipped; /* tests, as its output has them */
    hw_skip skips[HW_SKIPS_MAX];
    hw_verdict verdict;
    char said[HW_TEXT_BYTES]; /* one sentence; if it is not run, why */
} hw_conformance;

typedef struct hw_device {
    kt_device_info info;
    kt_timer_limits limits; /* all zero, and not trusted, unless it was measured */
    bool measured; /* the device was opened and has a timer limits, whose members below are given */
    char error[HW_TEXT_BYTES];

    bool is_cuda, is_hip;               /* else only its conformance is looked at */
    int index;                          /* of its backend */
    char truth_reason[HW_TEXT_BYTES];   /* why no kernel tells the truth here, else empty */
    char by_hand_reason[HW_TEXT_BYTES]; /* why kernels were not timed by hand, else empty */
    char cupti_reason[HW_TEXT_BYTES];   /* why there are no records, else empty */
    uint32_t cupti_version;
    double fixed_ns;  /* of a kernel: what dispatch and drain add to its own time; NaN: not known */
    uint64_t step_ns; /* of %globaltimer, as seen; 0: not seen */

    int clock_khz, memory_khz;         /* the highest as the driver tells them; 0: it does not */
    int clock_now_mhz, memory_now_mhz; /* after all kernels, by NVML; 0: it is not here */
    char kernel_driver[64];            /* version of the kernel's driver, by NVML, else empty */

    hw_conformance conformance;
    hw_kernel kernels[HW_KERNELS_MAX];
    size_t kernel_count;
    hw_launch launches[HW_LAUNCHES];
    bool are_launches_taken;
    hw_copy copies[HW_COPIES_MAX];
    size_t copy_count;
} hw_device;

typedef struct hw_report {
    hw_device devices[HW_DEVICES_MAX];
    size_t device_count;
    const char *const *command; /* as it was typed */
    int command_count;
    const kt_report_origin *origin;
} hw_report;

/* The library that is told for a backend, or NULL: the usual one. */
const char *hw_library(const hw_device *d);

/* The source of the time of a kernel, as in tables and JSON: "event-pair-blocked", "by-hand". */
const char *hw_method_name(const hw_kernel *k);
/* "3 negative, 1 lost"; empty: none was discarded. */
const char *hw_discarded_text(const hw_kernel *k, char *text, size_t bytes);
/* The file of `path`; if that is a folder, one in it that the first device names. */
void hw_name_file(const hw_report *report, const char *path, char *file, size_t bytes);

/* Each fills its part of a device. Failures are in there, as sentences. */
/* Call it before a driver is loaded. */
void hw_keep_environment(void);
void hw_check_conformance(hw_device *d, const char *program, const char *log);
void hw_leave_out_conformance(hw_device *d, const char *reason);
void hw_check_kernels(hw_device *d, kt_device *device, uint32_t samples);
/* Last of all, for whom CUPTI once was begun it stays slower. */
void hw_check_cupti(hw_device *d, kt_device *device, uint32_t samples, const char *library);
void hw_check_launches(hw_device *d);
void hw_check_copies(hw_device *d, size_t bytes, int rounds);
void hw_ask_clocks(hw_device *d);

/* Whether nothing is beyond what is asked; and of a report, whether anything was checked at all. */
bool hw_passes(const hw_device *d);
bool hw_report_passes(const hw_report *report);

/* For people on a sink; for docs/measured; as JSON (docs/measured/README.md says what stands
 * there). */
kt_status hw_write_table(const hw_report *report, const kt_sink *sink);
kt_status hw_write_markdown(const hw_report *report, const kt_sink *sink);
kt_status hw_write_json(const hw_report *report, const kt_sink *sink);

#endif
