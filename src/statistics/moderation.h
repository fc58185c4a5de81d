/* moderation.h - what the variances of many rows say of each one, and Student's law. Pure. */
#ifndef KT_STATISTICS_MODERATION_H
#define KT_STATISTICS_MODERATION_H

#include <stddef.h>

/* What rows like these have, before one of them was looked at: their variance, worth so many
 * degrees of freedom. */
typedef struct kt_prior {
    double variance,
        degrees; /* degrees 0: nothing is known; INFINITY: all rows have the same one */
} kt_prior;

/*
 * From the variances (all above 0) of n rows with `degrees` of freedom each (above 0): they are
 * taken to be those of a scaled F, whose logarithms' mean and variance are matched (Smyth,
 * Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3, section 6.2).
 * Fewer than 3 rows tell nothing.
 */
kt_prior kt_fit_prior(const double *variances, const double *degrees, size_t n);

/* A row's variance and its degrees of freedom, moderated by what the others have: the mean of both,
 * weighted by degrees. At most `total` degrees: all that was seen. */
void kt_moderate(const kt_prior *prior, double total, double *variance, double *degrees);

/* Probability that Student's t is above t; degrees > 0, INFINITY: the normal law. */
double kt_student_above(double t, double degrees);

/* The t that Student's is above with probability p, 0 < p <= 0.5, or a little more. */
double kt_student_at(double p, double degrees);

#endif
