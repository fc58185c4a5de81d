/* SPDX-License-Identifier: MIT */
/* As string.h here. */
#ifndef APPLE_MATH_H
#define APPLE_MATH_H
#define NAN      __builtin_nanf("")
#define INFINITY __builtin_inff()
#define isnan(x) __builtin_isnan(x)
double fabs(double x);
double fmax(double x, double y);
double fmin(double x, double y);
double floor(double x);
double round(double x);
long long llround(double x);
#endif
