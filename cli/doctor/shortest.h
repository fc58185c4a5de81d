/* shortest.h - from the noise of a device's rulers to the shortest kernel that they can rank. Pure. */
#ifndef CLI_DOCTOR_SHORTEST_H
#define CLI_DOCTOR_SHORTEST_H

#include <kerntime/device.h>

/* By which of its rulers a device is ranked, or why it cannot be. */
typedef enum shortest_by {
    SHORTEST_BY_STAMPS,  /* ten times the clock's step and the jitter of an empty step */
    SHORTEST_BY_FLOOR,   /* that is less than an empty step takes */
    SHORTEST_BY_HOST,    /* there is no device time: ten times the jitter of an empty submission */
    SHORTEST_NO_JITTER,  /* stamps are believed, but their noise is not known */
    SHORTEST_NO_MEASURE, /* neither stamps nor the wall time could be measured */
} shortest_by;

typedef struct doctor_shortest {
    shortest_by by;
    double ns; /* NaN: it is not known */
} doctor_shortest;

/*
 * The least T so that kernels of T and of 1.1 T are told apart by their medians of 30 samples: the tenth of T between them is one step of
 * the clock, by which both ends of it may be rounded, and the half of the interval of a median in which nothing is measured but the
 * ruler itself. `ruler`: NULL, it could not be measured; `jitter_ns`: halves of the intervals of the median span of an empty step,
 * and of the median wall time of an empty submission; NaN: not known.
 */
doctor_shortest doctor_judge_shortest(const kt_ruler *ruler, double empty_jitter_ns,
                                      double wall_jitter_ns);

#endif
