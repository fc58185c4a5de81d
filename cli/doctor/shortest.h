/* shortest.h - from the noise of a device's rulers to the shortest kernel that they can rank.
 * Pure. */
#ifndef CLI_DOCTOR_SHORTEST_H
#define CLI_DOCTOR_SHORTEST_H

#include <kerntime/device.h>
#include <stdbool.h>

/* By which of its rulers a device is ranked, or why it cannot be. */
typedef enum shortest_by {
    SHORTEST_BY_STAMPS, /* floor, step and the jitter of an empty step */
    /* there is no device time, or none to rely on: the wall time of an empty submission */
    SHORTEST_BY_HOST,
    SHORTEST_NO_JITTER,  /* stamps are believed, but their noise is not known */
    SHORTEST_NO_MEASURE, /* neither stamps nor the wall time could be measured */
} shortest_by;

typedef struct doctor_shortest {
    shortest_by by;
    double ns; /* NaN: it is not known */
} doctor_shortest;

/* The host's clock tells nothing shorter. */
#define SHORTEST_HOST_STEP_NS 1
/* Of an empty submission, by which its wall time may differ from one process to the next. */
#define SHORTEST_HOST_SHARE 0.01

/*
 * The least T so that kernels of T and of 1.1 T are told apart by their medians of 30 samples: the
 * tenth of T between them is one step of the clock, by which both may be rounded, and the halves of
 * the intervals of both medians, in which nothing is measured but the ruler itself. What an empty
 * step takes comes on top: a kernel whose interval reaches down to that is taken for nothing.
 * `ruler`: NULL, it could not be measured; `stamps_fail`: they are not to be relied on, whatever
 * the ruler says; `jitter_ns`: halves of the intervals of the median span of an empty step, and of
 * the median wall time of an empty submission; NaN: not known.
 */
doctor_shortest doctor_judge_shortest(const kt_ruler *ruler, bool stamps_fail,
                                      double empty_jitter_ns, double wall_jitter_ns);

/* "4.8 us": two digits, rounded up, since the next run finds others. Returns `text`. */
char *doctor_format_shortest(char text[32], double ns);

#endif
