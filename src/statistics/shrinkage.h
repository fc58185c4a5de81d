/* SPDX-License-Identifier: MIT */
/*
 * shrinkage.h - variance shrinkage over many rows, Student's t and the F distribution. Pure
 * functions.
 *
 * The prior is a scaled F distribution, fitted by the mean and variance of the logarithms of the
 * rows' variances: Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004),
 * article 3, section 6.2.
 */
#ifndef KT_STATISTICS_SHRINKAGE_H
#define KT_STATISTICS_SHRINKAGE_H

#include <stddef.h>

/* Prior for the variance of one row, learned from all rows: a variance worth `degrees` degrees of
 * freedom. */
typedef struct kt_prior {
    double variance, degrees; /* degrees 0: no prior; INFINITY: all rows have one variance */
} kt_prior;

/* Fits the prior to the variances and degrees of freedom (all above 0) of n rows. Fewer than 3 rows
 * give no prior. */
kt_prior kt_fit_prior(const double *variances, const double *degrees, size_t n);

/* Shrinks a row's variance towards the prior, weighted by degrees of freedom, and adds the prior's
 * degrees of freedom, up to `total`, those of all rows. */
void kt_shrink_variance(const kt_prior *prior, double total, double *variance, double *degrees);

/* P(Student's t > t). `degrees` > 0; INFINITY means the normal distribution. */
double kt_student_above(double t, double degrees);

/* P(F > f) of the ratio of two variances with such degrees of freedom, > 0 and finite. */
double kt_f_above(double f, double degrees, double of_divisor);

/* Critical value of Student's t for upper-tail probability p, 0 < p <= 0.5, rounded up. */
double kt_student_at(double p, double degrees);

#endif
