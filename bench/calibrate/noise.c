/* SPDX-License-Identifier: MIT */
#include "bench/calibrate/noise.h"

#include <math.h>

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t random_bits(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double noise_share(uint64_t *random)
{
    return ((double)(random_bits(random) >> 11) + 0.5) * 0x1p-53;
}

/* e^x: by its series near 0, then squared. */
static double plain_exp(double x)
{
    double term = 1, sum = 1;
    for (int i = 1; i <= 12; i++) {
        term *= x / 1024 / i;
        sum += term;
    }
    for (int i = 0; i < 10; i++)
        sum *= sum;
    return sum;
}

/* ln x for 0 < x <= 1, by Newton's method. */
static double plain_log(double x)
{
    double y = 0;
    while (x < 0.5) {
        x *= 2;
        y -= 0.6931471805599453;
    }
    double z = x - 1;
    for (int i = 0; i < 5; i++)
        z += x / plain_exp(z) - 1;
    return y + z;
}

/* The polar method (Marsaglia and Bray 1964); the second number of each pair is left. */
double noise_normal(uint64_t *random)
{
    for (;;) {
        double u = 2 * noise_share(random) - 1, v = 2 * noise_share(random) - 1;
        double s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * plain_log(s) / s);
    }
}

double noise_exponential(uint64_t *random)
{
    return -plain_log(noise_share(random));
}

double noise_log_uniform(uint64_t *random, double low, double high)
{
    return high * plain_exp(noise_share(random) * plain_log(low / high));
}

/* The normal law's distribution function, by the series of its integral. */
static double normal_below(double z)
{
    if (fabs(z) > 8)
        return z > 0;
    double term = z, sum = z;
    for (int i = 1; i < 200; i++) {
        term *= -z * z / 2 / i;
        sum += term / (2 * i + 1);
    }
    return 0.5 + sum * 0.3989422804014327;
}

static double draw(const noise *of, uint64_t *random)
{
    double u;
    switch (of->shape) {
    case NOISE_NORMAL: return noise_normal(random);
    case NOISE_UNIFORM: return (noise_share(random) - 0.5) * 3.4641016151377544;
    case NOISE_LOGNORMAL: return plain_exp(noise_normal(random)) - 1;
    case NOISE_PARETO: return 1 / sqrt(noise_share(random)) - 1.4142135623730951;
    case NOISE_STUDENT: u = noise_share(random); return (2 * u - 1) / sqrt(2 * u * (1 - u));
    }
    return 0;
}

noise_run noise_begin(const noise *of, uint64_t seed)
{
    noise_run run = {.of = of, .random = seed * UINT64_C(0x2545f4914f6cdd1d), .value = of->value};
    for (int i = 0; i < 4; i++)
        random_bits(&run.random);
    run.resolution = of->resolution * of->value;
    run.value += run.resolution * noise_share(&run.random);
    run.previous = noise_normal(&run.random);
    run.high = noise_share(&run.random) < of->level_share;
    return run;
}

/* Drawn anew each time, or after stays whose mean lengths keep to the shares. */
static void switch_level(noise_run *run)
{
    const noise *of = run->of;
    double leave = 1;
    if (of->level_dwell > 0)
        leave = 1 / of->level_dwell;
    if (noise_share(&run->random) < leave)
        run->high = noise_share(&run->random) < of->level_share;
}

double noise_mean(const noise_run *run)
{
    const noise *of = run->of;
    double mean = 0;
    if (of->shape == NOISE_LOGNORMAL)
        mean = 0.6487212707001282; /* sqrt(e) - 1 */
    if (of->shape == NOISE_PARETO)
        mean = 0.5857864376269049; /* 2 - sqrt(2) */
    return run->value * (1 + of->spread * mean + of->level * of->level_share);
}

double noise_next(noise_run *run)
{
    const noise *of = run->of;
    double e = draw(of, &run->random), rho = of->correlation;
    if (rho > 0)
        e = run->previous = rho * run->previous + sqrt(1 - rho * rho) * e;
    if (of->level > 0)
        switch_level(run);
    double factor = 1 + of->spread * e + (run->high ? of->level : 0);
    if (of->drift_samples > 0)
        factor += of->drift * (double)run->taken / of->drift_samples;
    run->taken++;
    double x = run->value * factor;
    /* Between two timestamps, the first of which falls anywhere within a step. */
    return run->resolution > 0
               ? floor(x / run->resolution + noise_share(&run->random)) * run->resolution
               : x;
}

double noise_median(const noise_run *run)
{
    const noise *of = run->of;
    if (!(of->level > 0))
        return run->value;
    double low = -8 * of->spread, high = of->level + 8 * of->spread;
    for (int i = 0; i < 100; i++) {
        double x = (low + high) / 2;
        double below = (1 - of->level_share) * normal_below(x / of->spread) +
                       of->level_share * normal_below((x - of->level) / of->spread);
        if (below < 0.5)
            low = x;
        else
            high = x;
    }
    return run->value * (1 + (low + high) / 2);
}
