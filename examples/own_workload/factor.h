/* factor.h - the s of triad, in all languages. A small whole number makes every result exact, so
 * that it can be compared bit by bit. */
#ifndef WORKLOAD_TRIAD_FACTOR_H
#define WORKLOAD_TRIAD_FACTOR_H

#define TRIAD_S 3.0f

#endif
