/*
 * track.h - where a clock that runs nearly evenly is, and how fast it runs, by brackets: each says
 * that at some moment it was somewhere between two limits. Pure; how it works is told in track.c.
 */
#ifndef KT_CLOCK_TRACK_H
#define KT_CLOCK_TRACK_H

/* What is followed: where the clock is (ns), how fast it runs (ns per s), and how its rate bends
 * (ns per s^2). */
enum { KT_TRACK_OFFSET, KT_TRACK_RATE, KT_TRACK_BEND, KT_TRACK_STATES };

/* A normal law of these. */
typedef struct kt_track_law {
    double mean[KT_TRACK_STATES];
    double covariance[KT_TRACK_STATES][KT_TRACK_STATES]; /* [i][j], j <= i: it is symmetrical */
} kt_track_law;

#define KT_TRACK_MODELS 6

typedef struct kt_track {
    /* What is to be thought of the clock if its manner is such, from the calmest on, ... */
    kt_track_law models[KT_TRACK_MODELS];
    double weights[KT_TRACK_MODELS]; /* ... and how likely that is; the sum is 1 */
    kt_track_law all;                /* what to think of it altogether */
    double below, above; /* ns: by the brackets themselves, it is no further off to either side */
    double newest;       /* ns: nor, by the newest one alone, to any side */
    double under, over;  /* ns: by how much they were missed on either side, lately */
} kt_track;

/* A number that is not sure, by its mean and its standard deviation. */
typedef struct kt_estimate {
    double mean, sd;
} kt_estimate;

/* Begins with a clock that is somewhere in low..high, all places alike. Of its rate something was
 * known. */
void kt_track_start(kt_track *t, double low, double high, kt_estimate rate);

/* What was known of the rate may also be wrong, by this standard deviation: then that of the most
 * restless model, which gives way as soon as brackets agree with what was known. */
void kt_track_doubt_rate(kt_track *t, double sd);

/* Begins with two brackets so many seconds apart, when their offsets were to be 0 in the middle.
 * The second one is here. */
void kt_track_start_pair(kt_track *t, double width_then, double width, double seconds);

/* Goes on in time, and moves the zero of offsets up by so many ns. */
void kt_track_advance(kt_track *t, double seconds, double shift_ns);

/* It is, here and now, in low..high, if these limits are taken for sure; they are blurred by noise
 * of that standard deviation, and wrong by no more than `reach`. */
void kt_track_observe(kt_track *t, double low, double high, double grain, double reach);

/* Its offset so many seconds from here, earlier or later. */
kt_estimate kt_track_offset(const kt_track *t, double seconds);

kt_estimate kt_track_rate(const kt_track *t);

/* How far from that offset the truth may be, in 99 of 100 cases. */
double kt_track_bound(const kt_track *t, double seconds);

#endif
