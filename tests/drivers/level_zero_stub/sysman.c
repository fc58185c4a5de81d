/* SPDX-License-Identifier: MIT */
/*
 * sysman.c - Sysman's functions of the loader: two devices, of which the second one is that of
 * zeDevicePciGetPropertiesExt(). KT_STUB_SYSMAN is how they answer, read at each call: none (the
 * default: there is no Sysman), absurd, denied, or another word: good.
 */
#include <level_zero/zes_api.h>
#include <stdlib.h>
#include <string.h>

#if STUB_LOADER
#define EXPORT __attribute__((visibility("default")))

#define HANDLE(type, number) ((type)(uintptr_t)(number))

enum { OTHER = 1, OURS, CORE, MEMORY, SENSOR, BOARD, TILE };

static int is(const char *mood)
{
    const char *chosen = getenv("KT_STUB_SYSMAN");
    return strcmp(chosen ? chosen : "none", mood) == 0;
}

/* Fills in `all` from the last handle to the first, so that the order matters. */
static ze_result_t list(uint32_t *count, void *all, uintptr_t first, uintptr_t last)
{
    void **handles = all;
    if (*count < last - first + 1)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *count = (uint32_t)(last - first + 1);
    for (uint32_t i = 0; i < *count; i++)
        handles[i] = HANDLE(void *, last - i);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t answer(void)
{
    return is("denied") ? ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS : ZE_RESULT_SUCCESS;
}

EXPORT ze_result_t zesInit(uint32_t flags);
EXPORT ze_result_t zesDriverGet(uint32_t *count, zes_driver_handle_t *drivers);
EXPORT ze_result_t zesDeviceGet(zes_driver_handle_t driver, uint32_t *count,
                                zes_device_handle_t *devices);

ze_result_t zesInit(uint32_t flags)
{
    if (is("none"))
        return ZE_RESULT_ERROR_UNINITIALIZED;
    return flags ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_SUCCESS;
}

ze_result_t zesDriverGet(uint32_t *count, zes_driver_handle_t *drivers)
{
    return list(count, drivers, 1, 1);
}

ze_result_t zesDeviceGet(zes_driver_handle_t driver, uint32_t *count, zes_device_handle_t *devices)
{
    (void)driver;
    return list(count, devices, OTHER, OURS);
}

EXPORT ze_result_t zesDevicePciGetProperties(zes_device_handle_t device, zes_pci_properties_t *out)
{
    out->address = (zes_pci_address_t){
        .bus = device == HANDLE(zes_device_handle_t, OURS) ? 0x9a : 0x17, .device = 2};
    return ZE_RESULT_SUCCESS;
}

EXPORT ze_result_t zesDeviceEnumFrequencyDomains(zes_device_handle_t device, uint32_t *count,
                                                 zes_freq_handle_t *all)
{
    (void)device;
    return list(count, all, CORE, MEMORY);
}

EXPORT ze_result_t zesFrequencyGetProperties(zes_freq_handle_t domain, zes_freq_properties_t *out)
{
    int core = domain == HANDLE(zes_freq_handle_t, CORE);
    out->type = core ? ZES_FREQ_DOMAIN_GPU : ZES_FREQ_DOMAIN_MEMORY;
    out->max = core ? 2400 : 1100;
    return ZE_RESULT_SUCCESS;
}

EXPORT ze_result_t zesFrequencyGetState(zes_freq_handle_t domain, zes_freq_state_t *out)
{
    int core = domain == HANDLE(zes_freq_handle_t, CORE);
    out->actual = is("absurd") ? -1 : core ? 1750 : 1050;
    out->throttleReasons = core ? ZES_FREQ_THROTTLE_REASON_FLAG_BURST_PWR_CAP |
                                      ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT
                                : 0;
    return answer();
}

EXPORT ze_result_t zesDeviceEnumTemperatureSensors(zes_device_handle_t device, uint32_t *count,
                                                   zes_temp_handle_t *all)
{
    (void)device;
    return list(count, all, SENSOR, SENSOR);
}

EXPORT ze_result_t zesTemperatureGetProperties(zes_temp_handle_t sensor, zes_temp_properties_t *out)
{
    (void)sensor;
    out->type = ZES_TEMP_SENSORS_GPU;
    return ZE_RESULT_SUCCESS;
}

EXPORT ze_result_t zesTemperatureGetState(zes_temp_handle_t sensor, double *celsius)
{
    (void)sensor;
    *celsius = is("absurd") ? 1e9 : 61.5;
    return answer();
}

EXPORT ze_result_t zesDeviceEnumPowerDomains(zes_device_handle_t device, uint32_t *count,
                                             zes_pwr_handle_t *all)
{
    (void)device;
    return list(count, all, BOARD, TILE);
}

EXPORT ze_result_t zesPowerGetProperties(zes_pwr_handle_t domain, zes_power_properties_t *out)
{
    out->onSubdevice = domain == HANDLE(zes_pwr_handle_t, TILE);
    return ZE_RESULT_SUCCESS;
}

EXPORT ze_result_t zesPowerGetEnergyCounter(zes_pwr_handle_t domain,
                                            zes_power_energy_counter_t *out)
{
    static uint64_t readings;
    (void)domain;
    readings++;
    out->energy = 5000000 + 10 * readings;
    return answer();
}
#endif
