/* SPDX-License-Identifier: MIT */
/* What the driver and NVML tell of a device's clocks, so that a report says at which the times were
 * had. */
#include "bench/by_hand/raw_cuda.h"
#include "bench/hw/hw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

/* X(name, (parameters)); each answers a code, of which 0 is success. */
#define NVML_FUNCTIONS(X)                                        \
    X(nvmlInit_v2, (void))                                       \
    X(nvmlShutdown, (void))                                      \
    X(nvmlSystemGetDriverVersion, (char *, unsigned))            \
    X(nvmlDeviceGetHandleByPciBusId_v2, (const char *, void **)) \
    X(nvmlDeviceGetClockInfo, (void *, int, unsigned *))

static bool load(void *library, const char *symbol, void *to)
{
    void *address = dlsym(library, symbol);
    memcpy(to, &address, sizeof address);
    return address != NULL;
}

static void ask_nvml(hw_device *d, const char *bus)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *device;
    unsigned mhz;
    if (!library)
        return;
#define LOAD(name, parameters) \
    int(*name) parameters;     \
    bool has_##name = load(library, #name, (void *)&name);
    NVML_FUNCTIONS(LOAD)
#undef LOAD
#define HAS(name, parameters) &&has_##name
    if (!(true NVML_FUNCTIONS(HAS)) || nvmlInit_v2() != 0)
        return;
#undef HAS
    if (nvmlSystemGetDriverVersion(d->kernel_driver, sizeof d->kernel_driver) != 0)
        d->kernel_driver[0] = '\0';
    if (nvmlDeviceGetHandleByPciBusId_v2(bus, &device) == 0) {
        if (nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &mhz) == 0)
            d->clock_now_mhz = (int)mhz;
        if (nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEMORY, &mhz) == 0)
            d->memory_now_mhz = (int)mhz;
    }
    nvmlShutdown();
}

void hw_ask_clocks(hw_device *d)
{
    char bus[64];
    void *raw =
        d->is_hip ? raw_hip_open(hw_library(d), d->index) : raw_cuda_open(hw_library(d), d->index);
    if (!raw)
        return;
    raw_cuda_clocks(raw, &d->clock_khz, &d->memory_khz);
    if (d->is_cuda && raw_cuda_bus(raw, bus, sizeof bus))
        ask_nvml(d, bus);
    raw_cuda.close(raw);
}
