/* SPDX-License-Identifier: MIT */
/* shortest.h - derives the shortest kernel with a detectable 10 % difference from the timer limits
 * and their noise. Pure. */
#ifndef CLI_DOCTOR_SHORTEST_H
#define CLI_DOCTOR_SHORTEST_H

#include <kerntime/device.h>
#include <stdbool.h>

/* What the shortest kernel was derived from, or why it is unknown. */
typedef enum shortest_by {
    SHORTEST_BY_TIMESTAMPS, /* shortest span, resolution and jitter of an empty step */
    /* no reliable device times: wall time of an empty submission */
    SHORTEST_BY_HOST,
    SHORTEST_NO_JITTER,  /* timestamps are trusted, but their noise is unknown */
    SHORTEST_NO_MEASURE, /* neither timestamps nor wall time could be measured */
} shortest_by;

typedef struct doctor_shortest {
    shortest_by by;
    double ns; /* shortest kernel time that can be ranked; NaN: unknown */
} doctor_shortest;

/* Resolution of the host clock, in ns. */
#define SHORTEST_HOST_STEP_NS 1
/* Share by which the wall time of an empty submission differs between processes. */
#define SHORTEST_HOST_SHARE 0.01

/*
 * The least T such that medians of 30 samples distinguish kernels of T and 1.1 T. A tenth of T must
 * cover one resolution step, which may round both, and half of each median's interval, with no
 * other noise than that of the timer limits. The time of an empty step is added: a kernel whose
 * interval reaches it looks empty.
 *
 * `limits`: NULL, not measured. `timestamps_fail`: timestamps are unreliable, whatever the limits
 * say. `empty_jitter_ns`, `wall_jitter_ns`: half the interval of the median span of an empty step,
 * and of the median wall time of an empty submission; NaN: unknown.
 */
doctor_shortest doctor_judge_shortest(const kt_timer_limits *limits, bool timestamps_fail,
                                      double empty_jitter_ns, double wall_jitter_ns);

/* Formats a time such as "4.8 us": two digits, rounded up since the next run varies. Returns
 * `text`. */
char *doctor_format_shortest(char text[32], double ns);

#endif
