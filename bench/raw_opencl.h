/* raw_opencl.h - the loop that people write by hand to time an empty kernel, as a fair
 * yardstick. */
#ifndef BENCH_RAW_OPENCL_H
#define BENCH_RAW_OPENCL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct raw_opencl raw_opencl;

/* Opens a driver library and its first device, and builds the kernel. NULL after a sentence on
 * standard error. */
raw_opencl *raw_opencl_open(const char *library);
void raw_opencl_close(raw_opencl *raw);

/* Dispatches the empty kernel `count` times, each waited for; if profiled its start and end are
 * asked for, too. ns of the host's clock per dispatch, or NaN if the driver fails. */
double raw_opencl_dispatch_ns(raw_opencl *raw, bool profiled, size_t count);

#endif
