/*
 * track.h - where a clock that runs nearly evenly is, and how fast it runs, from brackets: each says that at some
 * moment it was somewhere between two limits. Pure. How it works is told in track.c.
 */
#ifndef KT_TRACK_H
#define KT_TRACK_H

#include <stdbool.h>

#define KT_TRACK_MODELS 5

/* What one degree of unrest makes of the brackets so far: a normal law of offset and rate. */
typedef struct kt_track_model {
    double weight;       /* how likely it is; the sum of all is 1 */
    double offset, rate; /* ns, ns per s */
    double oo, or, rr;   /* their variances and covariance */
} kt_track_model;

typedef struct kt_track {
    kt_track_model models[KT_TRACK_MODELS];
    double below,
        above;   /* ns: the truth was not seen to be further off than that, on either side */
    double blur; /* ns: by how much limits are missed */
} kt_track;

/* An estimate, and its standard deviation. */
typedef struct kt_estimate {
    double value, sd;
} kt_estimate;

/* The clock is somewhere in low..high, all places alike, and its rate is about so much. */
void kt_track_start(kt_track *t, double low, double high, kt_estimate rate);

/* The same from two brackets `seconds` apart, of which the second is here, and nothing else. */
void kt_track_start_pair(kt_track *t, double width_then, double low, double high, double seconds);

/* Goes on in time. */
void kt_track_advance(kt_track *t, double seconds);

/* Moves the zero of offsets up by so many ns. */
void kt_track_shift(kt_track *t, double ns);

/* It is, here and now, in low..high; `grain` is the standard deviation of what blurs these limits, and
 * `reach` how far it reaches. */
void kt_track_observe(kt_track *t, double low, double high, double grain, double reach);

/* The offset that many seconds from here, earlier or later. */
kt_estimate kt_track_offset(const kt_track *t, double seconds);

kt_estimate kt_track_rate(const kt_track *t);

/* How far off the truth may be there, at 99 %. */
double kt_track_bound(const kt_track *t, double seconds);

#endif
