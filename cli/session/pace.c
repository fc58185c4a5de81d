/* SPDX-License-Identifier: MIT */
#include "cli/session/pace.h"

#include <math.h>

/* No driver compiles a kernel this long: so long a first use shows what a dispatch takes. A shorter
 * one may be compilation, and the first round of warm-up shows it. */
#define LONG_FIRST_USE_NS 5e9
/* A measurement that takes less bothers nobody, however fast the others are. */
#define LONG_MEASUREMENT_NS 5e9
#define TIMES_ANY_OTHER     2
/* Warm-up of steady times, as a share of the sampling time. Longest warm-up. */
#define WARMUP_SHARE  0.125
#define WARMUP_MAX_NS 5e9
/* The stopping rule ends steady times at its second look, and wants a slightly narrower interval. */
#define STEADY_SAMPLES 45
#define NARROWER       1.05

static double or_default(double value, double usual)
{
    return value > 0 ? value : usual;
}

/* Longest time of sampling. */
static double sampling_ns(const pace *p, const kt_measure_options *options)
{
    double least = or_default(options->samples_min, KT_SAMPLES_MIN_DEFAULT);
    double most = or_default(options->samples_max, KT_SAMPLES_MAX_DEFAULT);
    double time_ns = or_default((double)options->max_time_ns, (double)KT_MAX_TIME_DEFAULT_NS);
    return fmax(fmin(least, most) * p->round_ns, fmin(most * p->round_ns, time_ns));
}

static void follow_begin(pace *p, const kt_measure_options *options, int64_t now_ns)
{
    bool pairs = options->timing == KT_TIMING_BOTH;
    double took_ns = (double)(now_ns - p->latest_ns);
    if (p->reports == 0)
        p->begin_ns = now_ns;
    else if (p->reports > 1)
        p->round_ns = took_ns;
    else if (took_ns >= LONG_FIRST_USE_NS)
        p->round_ns = (pairs ? 2 : 1) * took_ns;
    p->latest_ns = now_ns;
    p->reports++;
    p->spent_ns = (double)(now_ns - p->begin_ns);
    if (p->round_ns == 0) {
        p->left_ns = fmax(0, p->planned_ns - p->spent_ns);
        return;
    }
    double sampling = sampling_ns(p, options);
    double warmup_ns = fmax(p->round_ns, fmin(WARMUP_MAX_NS, WARMUP_SHARE * sampling));
    p->left_ns = fmax(0, warmup_ns - p->spent_ns) + sampling;
}

static void follow_samples(pace *p, const kt_measure_options *options, const kt_progress *progress)
{
    double elapsed_ns = (double)progress->elapsed_ns;
    double rel_err = or_default(options->rel_err, KT_REL_ERR_DEFAULT);
    p->round_ns = elapsed_ns / progress->samples;
    double total_ns = sampling_ns(p, options);
    if (!isnan(progress->error)) {
        /* Intervals narrow with the root of the number of samples. */
        double times = NARROWER * progress->error / rel_err;
        double steady_ns = STEADY_SAMPLES * p->round_ns;
        total_ns = fmin(total_ns, fmax(steady_ns, elapsed_ns * times * times));
    }
    p->spent_ns = (double)(p->latest_ns - p->begin_ns) + elapsed_ns;
    p->left_ns = progress->ended ? 0 : fmax(0, total_ns - elapsed_ns);
}

pace pace_of_plan(double planned_ns)
{
    return (pace){.planned_ns = planned_ns, .left_ns = planned_ns};
}

void pace_follow(pace *p, const kt_measure_options *options, const kt_progress *progress,
                 int64_t now_ns)
{
    if (progress->samples)
        follow_samples(p, options, progress);
    else
        follow_begin(p, options, now_ns);
}

double pace_total_ns(const pace *p)
{
    return p->spent_ns + p->left_ns;
}

bool pace_is_too_slow(double own_ns, double sum_ns, double longest_ns)
{
    return sum_ns > 0 && own_ns > LONG_MEASUREMENT_NS && own_ns > sum_ns &&
           own_ns > TIMES_ANY_OTHER * longest_ns;
}
