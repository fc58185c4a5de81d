/* SPDX-License-Identifier: MIT */
/* NVML, the management library: what it tells of devices, found by their PCI addresses. */
#include "stub.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned opened;

unsigned nvml_open_count(void)
{
    return opened;
}

#if !STUB_HIP
/* A handle is the address of its entry. The last device comes first. */
static struct nvml_device_opaque {
    char unused;
} handles[DEVICES_MAX];

cuda_code stub_nvmlInitWithFlags(unsigned flags)
{
    ENTER(nvmlInitWithFlags, NEEDS_NOTHING);
    opened++;
    return CUDA_OK;
}

cuda_code stub_nvmlShutdown(void)
{
    ENTER(nvmlShutdown, NEEDS_NOTHING);
    EXPECT_USE(opened, "NVML is not open");
    opened -= opened > 0;
    return CUDA_OK;
}

cuda_code stub_nvmlSystemGetDriverVersion(char *version, unsigned bytes)
{
    ENTER(nvmlSystemGetDriverVersion, NEEDS_NOTHING);
    snprintf(version, bytes, "550.54.14");
    return CUDA_OK;
}

cuda_code stub_nvmlDeviceGetHandleByPciBusId_v2(const char *address, nvml_device *out)
{
    ENTER(nvmlDeviceGetHandleByPciBusId_v2, NEEDS_NOTHING);
    EXPECT_USE(opened, "NVML is not open");
    for (unsigned device = 0; device < script.devices; device++) {
        char own[16];
        snprintf(own, sizeof own, "0000:%02x:00.0", PCI_BUS + device);
        if (strcmp(address, own) != 0)
            continue;
        *out = &handles[script.devices - 1 - device];
        return CUDA_OK;
    }
    return NVML_NOT_FOUND;
}

/* The number of the device, and whether that is one. */
static bool is_one(nvml_device handle, uint64_t *device)
{
    bool good = opened && handle >= handles && handle < handles + script.devices;
    EXPECT_USE(good, "no device of NVML's");
    *device = good ? script.devices - 1 - (uint64_t)(handle - handles) : 0;
    return good;
}

static cuda_code tell(nvml_device handle, unsigned *out, uint64_t value)
{
    uint64_t device;
    if (!is_one(handle, &device))
        return CUDA_INVALID_VALUE;
    *out = (unsigned)value;
    return CUDA_OK;
}

static cuda_code tell_clock(nvml_device handle, int clock, unsigned *out, uint64_t sm_mhz)
{
    uint64_t device;
    if (!is_one(handle, &device) || (clock != NVML_CLOCK_SM && clock != NVML_CLOCK_MEM))
        return CUDA_INVALID_VALUE;
    *out = (unsigned)(clock == NVML_CLOCK_SM ? sm_mhz + 100 * device : script.memory_mhz);
    return CUDA_OK;
}

cuda_code stub_nvmlDeviceGetClockInfo(nvml_device handle, int clock, unsigned *out)
{
    ENTER(nvmlDeviceGetClockInfo, NEEDS_NOTHING);
    return tell_clock(handle, clock, out, script.sm_mhz);
}

cuda_code stub_nvmlDeviceGetMaxClockInfo(nvml_device handle, int clock, unsigned *out)
{
    ENTER(nvmlDeviceGetMaxClockInfo, NEEDS_NOTHING);
    return tell_clock(handle, clock, out, script.sm_max_mhz);
}

cuda_code stub_nvmlDeviceGetTemperature(nvml_device handle, int sensor, unsigned *out)
{
    ENTER(nvmlDeviceGetTemperature, NEEDS_NOTHING);
    EXPECT_USE(sensor == NVML_TEMPERATURE_GPU, "sensor %d", sensor);
    return tell(handle, out, script.temperature_c);
}

cuda_code stub_nvmlDeviceGetPowerUsage(nvml_device handle, unsigned *out)
{
    ENTER(nvmlDeviceGetPowerUsage, NEEDS_NOTHING);
    return tell(handle, out, script.power_mw);
}

cuda_code stub_nvmlDeviceGetEnforcedPowerLimit(nvml_device handle, unsigned *out)
{
    ENTER(nvmlDeviceGetEnforcedPowerLimit, NEEDS_NOTHING);
    return tell(handle, out, script.limit_mw);
}

cuda_code stub_nvmlDeviceGetPowerManagementDefaultLimit(nvml_device handle, unsigned *out)
{
    ENTER(nvmlDeviceGetPowerManagementDefaultLimit, NEEDS_NOTHING);
    return tell(handle, out, script.default_limit_mw);
}

cuda_code stub_nvmlDeviceGetPersistenceMode(nvml_device handle, int *out)
{
    unsigned mode = 0;
    ENTER(nvmlDeviceGetPersistenceMode, NEEDS_NOTHING);
    cuda_code code = tell(handle, &mode, script.persistence);
    *out = (int)mode;
    return code;
}

static cuda_code tell_long(nvml_device handle, unsigned long long *out, uint64_t value)
{
    uint64_t device;
    if (!is_one(handle, &device))
        return CUDA_INVALID_VALUE;
    *out = value;
    return CUDA_OK;
}

cuda_code stub_nvmlDeviceGetTotalEnergyConsumption(nvml_device handle, unsigned long long *out)
{
    static uint64_t readings;
    ENTER(nvmlDeviceGetTotalEnergyConsumption, NEEDS_NOTHING);
    if (script.energy_mj == UINT64_MAX)
        return tell_long(handle, out, UINT64_MAX);
    uint64_t more_mj = 100 * readings++;
    return tell_long(handle, out, script.energy_mj + more_mj);
}

cuda_code stub_nvmlDeviceGetCurrentClocksEventReasons(nvml_device handle, unsigned long long *out)
{
    ENTER(nvmlDeviceGetCurrentClocksEventReasons, NEEDS_NOTHING);
    return tell_long(handle, out, script.reasons);
}

cuda_code stub_nvmlDeviceGetCurrentClocksThrottleReasons(nvml_device handle,
                                                         unsigned long long *out)
{
    ENTER(nvmlDeviceGetCurrentClocksThrottleReasons, NEEDS_NOTHING);
    return tell_long(handle, out, script.reasons);
}

/* This one is the last of them. */
static cuda_code tell_processes(nvml_device handle, unsigned *count, nvml_process *list)
{
    uint64_t device, all = script.others + script.listed, room = *count;
    if (!is_one(handle, &device))
        return CUDA_INVALID_VALUE;
    *count = (unsigned)all;
    if (all > room)
        return NVML_INSUFFICIENT_SIZE;
    for (uint64_t i = 0; i < all; i++)
        list[i] = (nvml_process){.pid = i < script.others ? (unsigned)(getpid() + 1 + (int)i)
                                                          : (unsigned)getpid()};
    return CUDA_OK;
}

cuda_code stub_nvmlDeviceGetComputeRunningProcesses_v2(nvml_device handle, unsigned *count,
                                                       nvml_process *list)
{
    ENTER(nvmlDeviceGetComputeRunningProcesses_v2, NEEDS_NOTHING);
    return tell_processes(handle, count, list);
}

cuda_code stub_nvmlDeviceGetComputeRunningProcesses_v3(nvml_device handle, unsigned *count,
                                                       nvml_process *list)
{
    ENTER(nvmlDeviceGetComputeRunningProcesses_v3, NEEDS_NOTHING);
    return tell_processes(handle, count, list);
}
#endif
