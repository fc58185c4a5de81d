/* SPDX-License-Identifier: MIT */
/*
 * sysman.c - reads the state of Intel's GPUs from Sysman, the management part of Level Zero.
 *
 * - Only for devices of the backend level_zero, whose user has opened that driver anyway. Devices of
 *   other APIs have the kernel's files (intel.c), which also come first here.
 * - zesInit() is of loaders of API 1.5 and later; without it Sysman would need a variable set before
 *   the process begins. Debian 12's header does not declare it.
 */
#include "state/state.h"

#if !KT_HAVE_LEVEL_ZERO

static bool open_sysman(void *source, const kt_device_info *info, const char *root)
{
    (void)source, (void)info, (void)root;
    return false;
}

const kt_state_source kt_state_sysman = {.name = "Sysman", .size = 1, .open = open_sysman};

#else

#include "support/dl.h"
#include "support/fault.h"

#include <level_zero/zes_api.h>
#include <stdio.h>
#include <string.h>

#define DRIVERS 8
#define DEVICES 32
#define PARTS   16 /* of a kind, such as frequency domains */

/* X(name without zes, parameters) */
#define SYSMAN_FUNCTIONS(X)                                                                 \
    X(Init, (uint32_t))                                                                     \
    X(DriverGet, (uint32_t *, zes_driver_handle_t *))                                       \
    X(DeviceGet, (zes_driver_handle_t, uint32_t *, zes_device_handle_t *))                  \
    X(DevicePciGetProperties, (zes_device_handle_t, zes_pci_properties_t *))                \
    X(DeviceEnumFrequencyDomains, (zes_device_handle_t, uint32_t *, zes_freq_handle_t *))   \
    X(FrequencyGetProperties, (zes_freq_handle_t, zes_freq_properties_t *))                 \
    X(FrequencyGetState, (zes_freq_handle_t, zes_freq_state_t *))                           \
    X(DeviceEnumTemperatureSensors, (zes_device_handle_t, uint32_t *, zes_temp_handle_t *)) \
    X(TemperatureGetProperties, (zes_temp_handle_t, zes_temp_properties_t *))               \
    X(TemperatureGetState, (zes_temp_handle_t, double *))                                   \
    X(DeviceEnumPowerDomains, (zes_device_handle_t, uint32_t *, zes_pwr_handle_t *))        \
    X(PowerGetProperties, (zes_pwr_handle_t, zes_power_properties_t *))                     \
    X(PowerGetEnergyCounter, (zes_pwr_handle_t, zes_power_energy_counter_t *))

typedef struct sysman_api {
#define POINTER(name, parameters) ze_result_t(*zes##name) parameters;
    SYSMAN_FUNCTIONS(POINTER)
#undef POINTER
} sysman_api;

#define NAME(name, parameters) KT_DL_NAME("zes" #name)
static const char names[] = SYSMAN_FUNCTIONS(NAME);
#undef NAME

KT_DL_NAMES(library_names, "sysman", "Reading clocks and energy of Intel's GPUs",
            "libze_loader.so.1");

typedef struct sysman_source {
    sysman_api api;
    /* Parts of the whole device; NULL: it has none. */
    zes_freq_handle_t core, memory;
    zes_temp_handle_t temperature;
    zes_pwr_handle_t power;
    double core_max_mhz;
} sysman_source;

#define ASK(s, name, ...) KT_CALL(&(s)->api, zes##name, ZE_RESULT_ERROR_UNKNOWN, __VA_ARGS__)

static bool is_at(sysman_source *s, zes_device_handle_t device, const char *pci_address)
{
    zes_pci_properties_t pci = {.stype = ZES_STRUCTURE_TYPE_PCI_PROPERTIES};
    char text[48];
    if (ASK(s, DevicePciGetProperties, device, &pci) != ZE_RESULT_SUCCESS)
        return false;
    snprintf(text, sizeof text, "%04x:%02x:%02x.%x", pci.address.domain, pci.address.bus,
             pci.address.device, pci.address.function);
    return strcmp(text, pci_address) == 0;
}

static zes_device_handle_t find_device(sysman_source *s, const char *pci_address)
{
    zes_driver_handle_t drivers[DRIVERS];
    uint32_t driver_count = DRIVERS;
    if (ASK(s, Init, 0) != ZE_RESULT_SUCCESS ||
        ASK(s, DriverGet, &driver_count, drivers) != ZE_RESULT_SUCCESS)
        return NULL;
    for (uint32_t d = 0; d < driver_count && d < DRIVERS; d++) {
        zes_device_handle_t devices[DEVICES];
        uint32_t count = DEVICES;
        if (ASK(s, DeviceGet, drivers[d], &count, devices) != ZE_RESULT_SUCCESS)
            continue;
        for (uint32_t i = 0; i < count && i < DEVICES; i++)
            if (is_at(s, devices[i], pci_address))
                return devices[i];
    }
    return NULL;
}

static void find_clocks(sysman_source *s, zes_device_handle_t device)
{
    zes_freq_handle_t all[PARTS];
    uint32_t count = PARTS;
    if (ASK(s, DeviceEnumFrequencyDomains, device, &count, all) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t i = 0; i < count && i < PARTS; i++) {
        zes_freq_properties_t about = {.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES};
        if (ASK(s, FrequencyGetProperties, all[i], &about) != ZE_RESULT_SUCCESS)
            continue;
        if (about.type == ZES_FREQ_DOMAIN_GPU && !s->core) {
            s->core = all[i];
            s->core_max_mhz = about.max;
        } else if (about.type == ZES_FREQ_DOMAIN_MEMORY && !s->memory) {
            s->memory = all[i];
        }
    }
}

static void find_temperature(sysman_source *s, zes_device_handle_t device)
{
    zes_temp_handle_t all[PARTS];
    uint32_t count = PARTS;
    if (ASK(s, DeviceEnumTemperatureSensors, device, &count, all) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t i = 0; i < count && i < PARTS && !s->temperature; i++) {
        zes_temp_properties_t about = {.stype = ZES_STRUCTURE_TYPE_TEMP_PROPERTIES};
        if (ASK(s, TemperatureGetProperties, all[i], &about) == ZE_RESULT_SUCCESS &&
            about.type == ZES_TEMP_SENSORS_GPU)
            s->temperature = all[i];
    }
}

static void find_power(sysman_source *s, zes_device_handle_t device)
{
    zes_pwr_handle_t all[PARTS];
    uint32_t count = PARTS;
    if (ASK(s, DeviceEnumPowerDomains, device, &count, all) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t i = 0; i < count && i < PARTS && !s->power; i++) {
        zes_power_properties_t about = {.stype = ZES_STRUCTURE_TYPE_POWER_PROPERTIES};
        if (ASK(s, PowerGetProperties, all[i], &about) == ZE_RESULT_SUCCESS && !about.onSubdevice)
            s->power = all[i];
    }
}

static bool open_sysman(void *source, const kt_device_info *info, const char *root)
{
    (void)root;
    sysman_source *s = source;
    void *library = NULL;
    if (strcmp(info->backend, "level_zero") != 0 || !info->pci_address[0] ||
        kt_dl_open("KERNTIME_LIB_LEVEL_ZERO", library_names, &library) != KT_OK ||
        kt_dl_load(library, names, &s->api) != KT_OK)
        return false;
    zes_device_handle_t device = find_device(s, info->pci_address);
    if (!device)
        return false;
    find_clocks(s, device);
    find_temperature(s, device);
    find_power(s, device);
    return true;
}

static kt_reading reading_of(ze_result_t result)
{
    switch (result) {
    case ZE_RESULT_SUCCESS: return KT_READING_OK;
    case ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: return KT_READING_UNSUPPORTED;
    case ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS: return KT_READING_DENIED;
    default: return KT_READING_FAILED;
    }
}

static void put(kt_device_state *out, kt_state_value value, ze_result_t result, double number)
{
    kt_state_put(out, value, reading_of(result), number);
}

static uint32_t throttle_of(zes_freq_throttle_reason_flags_t reasons)
{
    static const struct {
        uint32_t flags;
        kt_throttle throttle;
    } known[] = {
        {ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP | ZES_FREQ_THROTTLE_REASON_FLAG_BURST_PWR_CAP,
         KT_THROTTLE_POWER_CAP},
        {ZES_FREQ_THROTTLE_REASON_FLAG_CURRENT_LIMIT, KT_THROTTLE_CURRENT},
        {ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT, KT_THROTTLE_THERMAL},
        {ZES_FREQ_THROTTLE_REASON_FLAG_PSU_ALERT, KT_THROTTLE_HARDWARE},
        {ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE, KT_THROTTLE_SETTING},
    };
    uint32_t mask = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (reasons & known[i].flags)
            mask |= known[i].throttle;
        reasons &= ~known[i].flags;
    }
    return reasons ? mask | KT_THROTTLE_OTHER : mask;
}

/* A clock that is not known is negative, and so out of range. */
static void read_clocks(sysman_source *s, kt_device_state *out)
{
    zes_freq_state_t state = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};
    if (s->core) {
        ze_result_t result = ASK(s, FrequencyGetState, s->core, &state);
        put(out, KT_STATE_CORE_CLOCK, result, state.actual);
        put(out, KT_STATE_THROTTLE, result, throttle_of(state.throttleReasons));
        kt_state_set(out, KT_STATE_CORE_CLOCK_MAX, s->core_max_mhz);
    }
    if (s->memory) {
        ze_result_t result = ASK(s, FrequencyGetState, s->memory, &state);
        put(out, KT_STATE_MEMORY_CLOCK, result, state.actual);
    }
}

static void read_sysman(void *source, bool brief, uint64_t *seen, kt_device_state *out)
{
    (void)seen;
    (void)brief;
    sysman_source *s = source;
    read_clocks(s, out);
    if (s->temperature) {
        double celsius = 0;
        ze_result_t result = ASK(s, TemperatureGetState, s->temperature, &celsius);
        put(out, KT_STATE_TEMPERATURE, result, celsius);
    }
    if (s->power) {
        zes_power_energy_counter_t counter = {0};
        ze_result_t result = ASK(s, PowerGetEnergyCounter, s->power, &counter);
        put(out, KT_STATE_ENERGY, result, (double)counter.energy * 1e-6);
    }
}

const kt_state_source kt_state_sysman = {
    .name = "Sysman", .size = sizeof(sysman_source), .open = open_sysman, .read = read_sysman};

#endif
