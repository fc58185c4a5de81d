/* SPDX-License-Identifier: MIT */
/*
 * nvml.c - reads the state of NVIDIA's GPUs from NVML, the management library of the driver.
 *
 * The power is an average over 1 s on Ampere (except GA100) and later GPUs, else that of the moment
 * (nvml.h 13.3.29). In MIG mode all values are those of the whole GPU.
 *
 * KT_STATE_CLOCKS_LOCKED stays unsupported. NVML sets locked clocks (nvmlDeviceSetGpuLockedClocks)
 * without a function that reads them back, and the reason ApplicationsClocksSetting is also set by
 * default application clocks below the maximum; nvml.h 13 calls it no longer used.
 */
#include "state/nvml_api.h"
#include "state/state.h"
#include "support/dl.h"
#include "support/fault.h"
#include "support/thread.h"

#include <string.h>

#define VENDOR_NVIDIA 0x10de

#define NVML_NEEDED(X)                                  \
    X(nvmlInitWithFlags, nvmlInitWithFlags, (unsigned)) \
    X(nvmlShutdown, nvmlShutdown, (void))               \
    NVML_FIND(X)

typedef struct nvml_api {
#define NVML_POINTER(name, symbol, parameters) nvml_code(*name) parameters;
    NVML_NEEDED(NVML_POINTER)
    NVML_DEVICE_FUNCTIONS(NVML_POINTER)
#undef NVML_POINTER
} nvml_api;

#define NVML_NAME(name, symbol, parameters) KT_DL_NAME(#symbol)
#define NVML_MAY(name, symbol, parameters)  KT_DL_OPTIONAL(#symbol)
static const char names[] = NVML_NEEDED(NVML_NAME) NVML_DEVICE_FUNCTIONS(NVML_MAY);

KT_DL_NAMES(nvml_names, "nvml", "Reading clocks and power of NVIDIA's GPUs", "libnvidia-ml.so.1");

typedef struct nvml_source {
    nvml_api api;
    nvml_device device;
    bool is_open;   /* nvmlShutdown is due */
    bool is_denied; /* the driver lets this user read nothing */
    bool computes;  /* this process has a compute context on the device */
} nvml_source;

/* Calls a function that the driver may lack. */
#define ASK(source, function, ...)                                                        \
    ((source)->api.function                                                               \
         ? KT_CALL(&(source)->api, function, NVML_UNKNOWN, (source)->device, __VA_ARGS__) \
         : NVML_FUNCTION_NOT_FOUND)

static kt_reading reading_of(nvml_code code)
{
    switch (code) {
    case NVML_SUCCESS: return KT_READING_OK;
    case NVML_NOT_SUPPORTED:
    case NVML_FUNCTION_NOT_FOUND: return KT_READING_UNSUPPORTED;
    case NVML_NO_PERMISSION: return KT_READING_DENIED;
    default: return KT_READING_FAILED;
    }
}

static nvml_code find(nvml_source *s, const char *pci_address)
{
    nvml_code code = KT_CALL(&s->api, nvmlInitWithFlags, NVML_UNKNOWN, 0);
    if (code != NVML_SUCCESS)
        return code;
    s->is_open = true;
    return KT_CALL(&s->api, nvmlDeviceGetHandleByPciBusId_v2, NVML_UNKNOWN, pci_address,
                   &s->device);
}

static bool open_nvml(void *source, const kt_device_info *info, const char *root)
{
    (void)root;
    nvml_source *s = source;
    void *library = NULL;
    bool may_be = info->vendor_id == VENDOR_NVIDIA || info->vendor_id == 0;
    if (!may_be || !info->pci_address[0] || info->type == KT_DEVICE_CPU ||
        kt_dl_open("KERNTIME_LIB_NVML", nvml_names, &library) != KT_OK ||
        kt_dl_load(library, names, &s->api) != KT_OK)
        return false;
    s->computes = strcmp(info->backend, "cuda") == 0 || strcmp(info->backend, "opencl") == 0;
    nvml_code code = find(s, info->pci_address);
    s->is_denied = code == NVML_NO_PERMISSION;
    return code == NVML_SUCCESS || s->is_denied;
}

static void close_nvml(void *source)
{
    nvml_source *s = source;
    if (s->is_open)
        s->api.nvmlShutdown();
}

static void put(kt_device_state *out, kt_state_value value, nvml_code code, double number)
{
    kt_state_put(out, value, reading_of(code), number);
}

static uint32_t throttle_of(unsigned long long reasons)
{
    static const struct {
        unsigned long long bits;
        kt_throttle throttle;
    } known[] = {
        {NVML_REASON_IDLE, KT_THROTTLE_IDLE},
        {NVML_REASON_APPLICATIONS_CLOCKS | NVML_REASON_DISPLAY_CLOCK, KT_THROTTLE_SETTING},
        {NVML_REASON_SW_POWER_CAP, KT_THROTTLE_POWER_CAP},
        {NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL, KT_THROTTLE_THERMAL},
        {NVML_REASON_HW_SLOWDOWN | NVML_REASON_HW_POWER_BRAKE, KT_THROTTLE_HARDWARE},
    };
    uint32_t mask = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (reasons & known[i].bits)
            mask |= known[i].throttle;
        reasons &= ~known[i].bits;
    }
    return reasons ? mask | KT_THROTTLE_OTHER : mask; /* sync boost, and later drivers' reasons */
}

static void read_throttle(nvml_source *s, kt_device_state *out)
{
    unsigned long long reasons = 0;
    nvml_code code = s->api.nvmlDeviceGetCurrentClocksEventReasons
                         ? ASK(s, nvmlDeviceGetCurrentClocksEventReasons, &reasons)
                         : ASK(s, nvmlDeviceGetCurrentClocksThrottleReasons, &reasons);
    bool is_absurd = reasons == ~0ULL;
    put(out, KT_STATE_THROTTLE, code, is_absurd ? -1.0 : throttle_of(reasons));
}

static void read_energy(nvml_source *s, kt_device_state *out)
{
    unsigned long long energy_mj = 0;
    nvml_code code = ASK(s, nvmlDeviceGetTotalEnergyConsumption, &energy_mj);
    put(out, KT_STATE_ENERGY, code, energy_mj == ~0ULL ? -1 : (double)energy_mj * 1e-3);
}

/*
 * Counts processes besides this one. The driver lists those of the caller's PID namespace; earlier
 * drivers list all, by the PIDs of the host. A process with a context that is missing from the list
 * may be in it under another PID, or behind MPS, so the count is then unknown.
 */
static void read_others(nvml_source *s, kt_device_state *out)
{
    nvml_process list[128];
    unsigned count = sizeof list / sizeof list[0], others = 0;
    nvml_code code = s->api.nvmlDeviceGetComputeRunningProcesses_v2
                         ? ASK(s, nvmlDeviceGetComputeRunningProcesses_v2, &count, list)
                         : ASK(s, nvmlDeviceGetComputeRunningProcesses_v3, &count, list);
    if (code == NVML_SUCCESS && count > sizeof list / sizeof list[0])
        code = NVML_UNKNOWN;
    for (unsigned i = 0; code == NVML_SUCCESS && i < count; i++)
        others += (long)list[i].pid != kt_process_id();
    if (code == NVML_SUCCESS && others == count && s->computes)
        code = NVML_NOT_SUPPORTED;
    put(out, KT_STATE_OTHERS, code, others);
}

static void read_settings(nvml_source *s, kt_device_state *out)
{
    unsigned core_max_mhz = 0, limit_mw = 0, default_mw = 0;
    int persistence = 0;
    nvml_code code = ASK(s, nvmlDeviceGetMaxClockInfo, NVML_CLOCK_SM, &core_max_mhz);
    put(out, KT_STATE_CORE_CLOCK_MAX, code, core_max_mhz);
    code = ASK(s, nvmlDeviceGetEnforcedPowerLimit, &limit_mw);
    put(out, KT_STATE_POWER_LIMIT, code, limit_mw * 1e-3);
    code = ASK(s, nvmlDeviceGetPowerManagementDefaultLimit, &default_mw);
    put(out, KT_STATE_POWER_LIMIT_DEFAULT, code, default_mw * 1e-3);
    code = ASK(s, nvmlDeviceGetPersistenceMode, &persistence);
    put(out, KT_STATE_PERSISTENCE, code, persistence);
    read_others(s, out);
}

/* The ranges of kt_state_set() exclude 0 MHz and ~0 of 32 bits in every unit. */
static void read_nvml(void *source, bool brief, uint64_t *seen, kt_device_state *out)
{
    (void)seen;
    nvml_source *s = source;
    unsigned core_mhz = 0, memory_mhz = 0, temperature_c = 0, power_mw = 0;
    for (int i = 0; s->is_denied && i < KT_STATE_VALUE_COUNT; i++)
        kt_state_miss(out, i, KT_READING_DENIED);
    if (s->is_denied)
        return;
    nvml_code code = ASK(s, nvmlDeviceGetClockInfo, NVML_CLOCK_SM, &core_mhz);
    put(out, KT_STATE_CORE_CLOCK, code, core_mhz);
    code = ASK(s, nvmlDeviceGetClockInfo, NVML_CLOCK_MEM, &memory_mhz);
    put(out, KT_STATE_MEMORY_CLOCK, code, memory_mhz);
    code = ASK(s, nvmlDeviceGetTemperature, NVML_TEMPERATURE_GPU, &temperature_c);
    put(out, KT_STATE_TEMPERATURE, code, temperature_c);
    code = ASK(s, nvmlDeviceGetPowerUsage, &power_mw);
    put(out, KT_STATE_POWER, code, power_mw * 1e-3);
    read_energy(s, out);
    read_throttle(s, out);
    if (!brief)
        read_settings(s, out);
}

const kt_state_source kt_state_nvml = {.name = "NVML",
                                       .size = sizeof(nvml_source),
                                       .open = open_nvml,
                                       .close = close_nvml,
                                       .read = read_nvml};
