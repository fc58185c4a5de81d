/* SPDX-License-Identifier: MIT */
#include "state/pci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kt_pci_open(kt_pci_device *pci, const kt_device_info *info, const char *root, uint32_t vendor)
{
    char text[16];
    int length =
        snprintf(pci->folder, sizeof pci->folder, "%s/bus/pci/devices/%s", root, info->pci_address);
    return info->pci_address[0] && info->type != KT_DEVICE_CPU &&
           length < (int)sizeof pci->folder &&
           kt_sysfs_text(text, sizeof text, "%s/vendor", pci->folder) == KT_READING_OK &&
           strtoul(text, NULL, 16) == vendor;
}

bool kt_pci_has_hwmon(kt_pci_device *pci, const char *driver)
{
    char folder[KT_SYSFS_PATH_BYTES], name[16], text[32];
    snprintf(folder, sizeof folder, "%s/hwmon", pci->folder);
    for (size_t i = 0; kt_sysfs_find(folder, "hwmon", i, name, sizeof name); i++) {
        snprintf(pci->hwmon, sizeof pci->hwmon, "hwmon/%.13s", name);
        if (kt_sysfs_text(text, sizeof text, "%s/%s/name", pci->folder, pci->hwmon) ==
                KT_READING_OK &&
            strcmp(text, driver) == 0)
            return true;
    }
    pci->hwmon[0] = '\0';
    return false;
}

/* Documentation/power/runtime_pm.rst: "suspended" is a device that is off until it is used. */
bool kt_pci_is_asleep(const kt_pci_device *pci, kt_device_state *out)
{
    char status[16];
    if (kt_sysfs_text(status, sizeof status, "%s/power/runtime_status", pci->folder) !=
            KT_READING_OK ||
        strcmp(status, "suspended") != 0)
        return false;
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++)
        kt_state_miss(out, (kt_state_value)i, KT_READING_ASLEEP);
    return true;
}

void kt_pci_read(const kt_pci_device *pci, kt_device_state *out, kt_state_value value,
                 const char *file, double unit)
{
    double number = 0;
    kt_reading reading = pci->hwmon[0]
                             ? kt_sysfs_number(&number, "%s/%s/%s", pci->folder, pci->hwmon, file)
                             : KT_READING_UNSUPPORTED;
    kt_state_put(out, value, reading, number * unit);
}
