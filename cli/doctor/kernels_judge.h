/* kernels_judge.h - what the checks that run kernels make of what they saw. Pure: numbers in, a
 * finding out. */
#ifndef CLI_DOCTOR_KERNELS_JUDGE_H
#define CLI_DOCTOR_KERNELS_JUDGE_H

#include "cli/doctor/judge.h"

/* Of submissions whose results were looked at. */
doctor_finding judge_results(const doctor_kernels *kernels);

/* A long loop. */
typedef struct loops_seen {
    /* of the longest that was tried, or of the first that did not end by itself */
    uint32_t iterations;
    uint32_t results, right;     /* of that one */
    uint32_t cut;                /* results of fewer iterations, ... */
    uint32_t done_min, done_max; /* ... of which there were so many */
    double most_ns;              /* that a first one may take */
    const char *quirk;           /* what is known of the driver, else empty */
} loops_seen;

doctor_finding judge_loops(const loops_seen *seen);

/* The first run of a new kernel, and those after it. All in ns; NaN: not known. */
typedef struct first_use_seen {
    double wall_ns, steady_wall_ns;
    double device_ns, steady_device_ns; /* of the step */
    double grid_ns;                     /* of the device's clock */
    double build_ns;                    /* before the first run */
    bool compiles;                      /* the driver is given a text, not a function */
    bool known;                         /* it has run before: no new one could be made */
} first_use_seen;

/* Whether the first run took longer, so that it is worth to be looked for again. */
bool first_use_is_longer(const first_use_seen *seen);
bool first_use_is_stamped(const first_use_seen *seen);
doctor_finding judge_first_use(const first_use_seen *seen);

/* Submissions of one kind. Of them that whose wall time was least disturbed. */
typedef struct agreement_spans {
    uint32_t count;
    double device_ns, wall_ns;
} agreement_spans;

/* A length of kernel. */
typedef struct agreement_rung {
    double device_ns; /* by its stamps; NaN: none could be used */
    double wall_ns;   /* around them */
    /* What these were chosen from: spans that fit into the wall time, and those that were refused
     * as longer than it. */
    agreement_spans usable, refused;
    uint32_t unusable,
        ambiguous;        /* stamps, if none could be used, and how many of them were that */
    kt_stamp_state state; /* of the last of them */
    bool has_ticks;       /* else its clock tells distances */
} agreement_rung;

#define AGREEMENT_RUNGS_MAX 12

typedef struct agreement_seen {
    agreement_rung rungs[AGREEMENT_RUNGS_MAX]; /* from short to long */
    uint32_t count;
    double shortest_ns; /* that a kernel can be, about */
    double grid_ns;     /* of the device's clock */
} agreement_seen;

/* Adds what was seen of kernels of that length to it. `series` has its raw stamps; `clock`: theirs,
 * NULL: not known. */
void agreement_look(agreement_rung *rung, const kt_clock_info *clock, const kt_series *series);
/* Device over wall time of a length. */
double agreement_ratio(const agreement_rung *rung);
/* Whether they are far enough from each other to look again. */
bool agreement_is_doubtful(const agreement_seen *seen);
doctor_finding judge_agreement(const agreement_seen *seen);

/* The same kernel again and again. */
typedef struct steady_seen {
    /* of its time, from the first tenth to the last, over the first; NaN: cannot be told */
    double change;
    double under_ns; /* how long it was run for */
    double kernel_ns;
    uint32_t groups; /* that ran at once */
    double step;     /* of the clock, over the time of the kernel */
    bool of_device;  /* not of wall times */
} steady_seen;

#define STEADY_UNDER_NS    INT64_C(500000000) /* of work, where a kernel is not too long for that */
#define STEADY_SAMPLES_MIN 30                 /* of fewer nothing is told */

/* The load is on all units of a device, if it tells how many it has. */
uint32_t steady_groups(const kt_device_info *info);
/* How often a kernel is run at least that takes so long: what fills the time, but a slow device is
 * not waited for. */
uint32_t steady_samples(double kernel_ns);
/* From the first tenth of samples in the order taken to the last three, by the shortest of each:
 * others who disturb the device now and then make some times longer, a lower clock makes all. Of
 * the three the one that changed least; 0 where the first is within them. NaN: too few samples. */
double steady_change(const double *samples_ns, size_t n);
/* Of two looks the smaller change; 0 if it went to and fro, for then it is not the work that makes
 * it. */
double steady_combine(double before, double again);
/* Whether a change is worth to be looked for again. */
bool steady_is_doubtful(const steady_seen *seen);
doctor_finding judge_steady(const steady_seen *seen);

#endif
