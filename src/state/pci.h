/* SPDX-License-Identifier: MIT */
/* pci.h - files of a PCI device below /sys, which the sources of GPUs share. */
#ifndef KT_STATE_PCI_H
#define KT_STATE_PCI_H

#include "state/state.h"
#include "support/sysfs.h"

typedef struct kt_pci_device {
    char folder[KT_SYSFS_PATH_BYTES - 160]; /* of the device; room for a name behind it */
    char hwmon[sizeof "hwmon/hwmon" + 8];   /* folder of its sensors in that; empty: none */
} kt_pci_device;

/* Finds the device at the address of `info`. False: it is not here, or of another vendor. */
bool kt_pci_open(kt_pci_device *pci, const kt_device_info *info, const char *root, uint32_t vendor);
/* Finds its sensors, if the driver `driver` made them. */
bool kt_pci_has_hwmon(kt_pci_device *pci, const char *driver);
/* True if the device sleeps, which most readings would end: all values are then marked so. */
bool kt_pci_is_asleep(const kt_pci_device *pci, kt_device_state *out);
/* Reads a file of the sensors into a value, times `unit`. */
void kt_pci_read(const kt_pci_device *pci, kt_device_state *out, kt_state_value value,
                 const char *file, double unit);

#endif
