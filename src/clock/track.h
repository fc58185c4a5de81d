/* SPDX-License-Identifier: MIT */
/*
 * track.h - tracks offset, rate and drift rate of a clock from intervals that contain the offset.
 * Pure functions.
 *
 * The filter uses interacting multiple models; track.c has the equations.
 */
#ifndef KT_CLOCK_TRACK_H
#define KT_CLOCK_TRACK_H

/* Members of a clock's state: offset (ns), rate (ns per s) and drift rate (ns per s^2). */
enum { KT_TRACK_OFFSET, KT_TRACK_RATE, KT_TRACK_DRIFT_RATE, KT_TRACK_STATES };

/* Normal distribution of the clock's state. */
typedef struct kt_track_law {
    double mean[KT_TRACK_STATES];
    double covariance[KT_TRACK_STATES][KT_TRACK_STATES]; /* [i][j], j <= i: lower triangle */
} kt_track_law;

#define KT_TRACK_MODELS 6

/* Place of the offset in its intervals, seen in narrow ones. Nothing is known at first. */
typedef struct kt_track_place {
    double narrowest; /* ns: width of the narrowest recent interval */
    double middle;    /* ns: middle of the newest narrow interval, from the estimated offset */
    double spread;    /* variance of the place, 1 if it is uniform over the interval */
    double gain;      /* weight of the next narrow interval in `spread` */
    double unused;    /* ns: the offset is never nearer to either end of an interval */
} kt_track_place;

typedef struct kt_track {
    /* estimate of each motion model, least process noise first */
    kt_track_law models[KT_TRACK_MODELS];
    double weights[KT_TRACK_MODELS]; /* probability of each model; the sum is 1 */
    kt_track_law all;                /* mixture of all models */
    double below, above; /* ns: largest error of the offset on either side, by all intervals */
    double newest;       /* ns: largest error of the offset by the newest interval alone */
    double drifted;      /* ns: standard deviation of the drift since the newest interval */
    double rose, fell;   /* ns: error of interval ends, by intervals above or below all others */
    double untested;     /* ns: error of interval ends that would not have shown yet */
    double doubt;        /* ns: error of interval ends that neither is excluded nor sure */
    double seconds;      /* tracked so far */
    kt_track_place place;
} kt_track;

/* Mean and standard deviation of one member of the state. */
typedef struct kt_estimate {
    double mean, sd;
} kt_estimate;

/* Starts tracking with an offset uniform in low..high and a prior of the rate. */
void kt_track_start(kt_track *t, double low, double high, kt_estimate rate);

/* Sets the standard deviation of the rate for the motion model with the most process noise, in case
 * the prior is wrong. If intervals agree with the prior, that model soon loses its weight. */
void kt_track_doubt_rate(kt_track *t, double sd);

/* Starts tracking from two intervals that contain the clock's offset, `seconds` apart, each centred
 * on 0, of these widths in ns. The tracked state is that at the second interval. */
void kt_track_start_pair(kt_track *t, double width_then, double width, double seconds);

/* Advances the time, and moves the zero of offsets up by shift_ns. */
void kt_track_advance(kt_track *t, double seconds, double shift_ns);

/* Adds an interval low..high that contains the offset now. `grain`: standard deviation of noise on
 * its ends; `reach`: largest error of its ends. */
void kt_track_observe(kt_track *t, double low, double high, double grain, double reach);

/* ns: error of the ends of intervals, as contradictory ones showed. */
double kt_track_slack(const kt_track *t);

/* Estimated offset at `seconds` from the tracked time, past or future. */
kt_estimate kt_track_offset(const kt_track *t, double seconds);

kt_estimate kt_track_rate(const kt_track *t);

/* Error bound of kt_track_offset(): the true offset is within it in 99 of 100 cases. */
double kt_track_bound(const kt_track *t, double seconds);

#endif
