/* SPDX-License-Identifier: MIT */
/* Timestamps, as coarse as the device's are. */
#include "stub.h"

/* What Dawn cuts timestamps to. */
enum { QUANTUM_NS = 65536 };

/* The API's timestamps are ns, whatever the device counts by. */
uint64_t device_timestamp(const struct WGPUDeviceImpl *device)
{
    uint64_t ns = clock_ticks();
    ns -= ns % script.resolution;
    return device->quantised ? ns - ns % QUANTUM_NS : ns;
}

void wgpuStubAdvance(uint64_t ns)
{
    clock_advance((int64_t)ns);
}
