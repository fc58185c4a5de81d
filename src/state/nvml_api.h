/* SPDX-License-Identifier: MIT */
/*
 * nvml_api.h - lists each function of NVML that nvml.c calls for a device, once. The list generates
 * the table of pointers, the loader's symbols and the stub's exports.
 *
 * Signatures and numbers are those of nvml.h 12.2.140 and 13.3.29 (in github.com/NVIDIA/go-nvml).
 */
#ifndef KT_STATE_NVML_API_H
#define KT_STATE_NVML_API_H

typedef int nvml_code; /* an enum in nvml.h */
typedef struct nvml_device_opaque *nvml_device;

enum {
    NVML_SUCCESS = 0,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_NOT_FOUND = 6,
    NVML_INSUFFICIENT_SIZE = 7,
    NVML_FUNCTION_NOT_FOUND = 13,
    NVML_GPU_IS_LOST = 15,
    NVML_UNKNOWN = 999
};

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };
enum { NVML_TEMPERATURE_GPU = 0 };

/* Reasons for a lower clock, bits of an unsigned long long. */
enum {
    NVML_REASON_IDLE = 0x1,
    NVML_REASON_APPLICATIONS_CLOCKS = 0x2,
    NVML_REASON_SW_POWER_CAP = 0x4,
    NVML_REASON_HW_SLOWDOWN = 0x8, /* comes with one of the two HW reasons below if it is known */
    NVML_REASON_SYNC_BOOST = 0x10, /* slowed to the slowest GPU of a group */
    NVML_REASON_SW_THERMAL = 0x20,
    NVML_REASON_HW_THERMAL = 0x40,
    NVML_REASON_HW_POWER_BRAKE = 0x80,
    NVML_REASON_DISPLAY_CLOCK = 0x100
};

/* nvmlProcessInfo_v2_t, which is nvmlProcessInfo_t of the third function, too. */
typedef struct nvml_process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;

/* X(name, symbol, (parameters)). Power is in mW, energy in mJ, a clock in MHz, a temperature in degrees
 * Celsius. Drivers before 535 name the reasons ThrottleReasons, those before 460 lack the process
 * lists, and GPUs before Volta the energy. */
#define NVML_DEVICE_FUNCTIONS(X)                                                                   \
    X(nvmlDeviceGetClockInfo, nvmlDeviceGetClockInfo, (nvml_device, int, unsigned *))              \
    X(nvmlDeviceGetMaxClockInfo, nvmlDeviceGetMaxClockInfo, (nvml_device, int, unsigned *))        \
    X(nvmlDeviceGetTemperature, nvmlDeviceGetTemperature, (nvml_device, int, unsigned *))          \
    X(nvmlDeviceGetPowerUsage, nvmlDeviceGetPowerUsage, (nvml_device, unsigned *))                 \
    X(nvmlDeviceGetEnforcedPowerLimit, nvmlDeviceGetEnforcedPowerLimit, (nvml_device, unsigned *)) \
    X(nvmlDeviceGetPowerManagementDefaultLimit, nvmlDeviceGetPowerManagementDefaultLimit,          \
      (nvml_device, unsigned *))                                                                   \
    X(nvmlDeviceGetTotalEnergyConsumption, nvmlDeviceGetTotalEnergyConsumption,                    \
      (nvml_device, unsigned long long *))                                                         \
    X(nvmlDeviceGetCurrentClocksEventReasons, nvmlDeviceGetCurrentClocksEventReasons,              \
      (nvml_device, unsigned long long *))                                                         \
    X(nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDeviceGetCurrentClocksThrottleReasons,        \
      (nvml_device, unsigned long long *))                                                         \
    X(nvmlDeviceGetComputeRunningProcesses_v2, nvmlDeviceGetComputeRunningProcesses_v2,            \
      (nvml_device, unsigned *, nvml_process *))                                                   \
    X(nvmlDeviceGetComputeRunningProcesses_v3, nvmlDeviceGetComputeRunningProcesses_v3,            \
      (nvml_device, unsigned *, nvml_process *))                                                   \
    X(nvmlDeviceGetPersistenceMode, nvmlDeviceGetPersistenceMode, (nvml_device, int *))

/* Finds a GPU by "domain:bus:device.function". */
#define NVML_FIND(X)                                                      \
    X(nvmlDeviceGetHandleByPciBusId_v2, nvmlDeviceGetHandleByPciBusId_v2, \
      (const char *, nvml_device *))

#endif
