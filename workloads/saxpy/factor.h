/* factor.h - the a of saxpy, in all languages. */
#ifndef WORKLOAD_SAXPY_FACTOR_H
#define WORKLOAD_SAXPY_FACTOR_H

#define SAXPY_A 3

#endif
