/* SPDX-License-Identifier: MIT */
/* tools.h - what the stub tells of what it does: to a CUPTI and a rocprofiler-sdk over it. */
#ifndef CUDA_HIP_STUB_TOOLS_H
#define CUDA_HIP_STUB_TOOLS_H

#include <stdint.h>

#define TOOLS_EXPORT __attribute__((visibility("default")))

/* What ran, and when by the stub's clock. */
enum stub_work_kind { STUB_KERNEL, STUB_COPY, STUB_FILL };
typedef struct stub_work {
    enum stub_work_kind kind;
    const char *name; /* of a kernel */
    int device;
    uint32_t context, stream;          /* numbers */
    uint32_t groups[3], group_size[3]; /* of a kernel */
    uint64_t bytes;                    /* of a copy or a filling */
    int from_device, to_device;        /* of a copy: 1 if it is memory of the device */
    int64_t begin_ns, end_ns;
} stub_work;
/* Is called for each of them; NULL: nobody. Before the first call. */
typedef void stub_observer(const stub_work *work);
TOOLS_EXPORT void ktStubObserve(stub_observer *who);
/* Is called when a context was made (1) or will be ended (0), by the thread that does it, which may
 * call the driver. NULL: nobody. */
typedef void stub_watcher(int is_made);
TOOLS_EXPORT void ktStubWatchContexts(stub_watcher *who);

#endif
