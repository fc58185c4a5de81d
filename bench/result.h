/* result.h - the samples behind figures of what kerntime costs, as a result file: what `kerntime compare` takes. */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <kerntime/device.h>
#include <stddef.h>

/* Parts add series from now on, and take fewer rounds: of a comparison it is several runs that tell, not long ones.
 * 0, or 1 after a sentence on standard error. */
int result_begin(void);

/* `all`, or the part of it that a result file takes. */
int result_rounds(int all);

#define RESULT_BY_HAND \
    "by-hand" /* what kerntime is no part of: whoever reads the file sees the machine by it */
#define RESULT_KERNTIME "kerntime"

/* Nothing, unless there is a result file. `device`: that it ran on; NULL: the host alone, which is cpu:0.
 * 0, or 1 after a sentence. */
int result_series(const char *name, const char *variant, const kt_device_info *device,
                  const double *samples_ns, size_t n);

/* 0, or 1 after a sentence. */
int result_end(const char *path);

#endif
