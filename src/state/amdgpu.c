/* SPDX-License-Identifier: MIT */
/*
 * amdgpu.c - reads the state of AMD's GPUs from the files of Linux's driver amdgpu.
 *
 * - hwmon and runtime power: Documentation/gpu/amdgpu/thermal.rst.
 * - pp_dpm_sclk, power_dpm_force_performance_level: the same page, "GPU sysfs Power State
 *   Interfaces".
 *
 * Reasons for throttling are in gpu_metrics alone, whose layout differs by GPU, so they stay
 * unsupported: a lower core clock is seen as such.
 */
#include "state/pci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VENDOR_AMD 0x1002

static bool open_amdgpu(void *source, const kt_device_info *info, const char *root)
{
    return kt_pci_open(source, info, root, VENDOR_AMD) && kt_pci_has_hwmon(source, "amdgpu");
}

/* The last line of pp_dpm_sclk, "2: 2475Mhz *", is the highest clock. */
static void read_highest(const kt_pci_device *pci, kt_device_state *out)
{
    char text[1024];
    kt_reading reading = kt_sysfs_text(text, sizeof text, "%s/pp_dpm_sclk", pci->folder);
    const char *line = strrchr(text, '\n');
    line = strchr(line ? line : text, ':');
    double mhz = line ? (double)strtol(line + 1, NULL, 10) : 0;
    kt_state_put(out, KT_STATE_CORE_CLOCK_MAX, reading, mhz);
}

/* Levels "low", "high" and "profile_..." fix the clocks; with "manual" and others they may move. */
static void read_level(const kt_pci_device *pci, kt_device_state *out)
{
    char level[32];
    kt_reading reading =
        kt_sysfs_text(level, sizeof level, "%s/power_dpm_force_performance_level", pci->folder);
    bool fixed = strcmp(level, "low") == 0 || strcmp(level, "high") == 0 ||
                 strncmp(level, "profile_", 8) == 0;
    kt_state_put(out, KT_STATE_CLOCKS_LOCKED, reading, fixed);
}

static void read_amdgpu(void *source, bool brief, uint64_t *seen, kt_device_state *out)
{
    (void)seen;
    const kt_pci_device *pci = source;
    if (kt_pci_is_asleep(pci, out))
        return;
    kt_pci_read(pci, out, KT_STATE_CORE_CLOCK, "freq1_input", 1e-6);
    kt_pci_read(pci, out, KT_STATE_MEMORY_CLOCK, "freq2_input", 1e-6);
    kt_pci_read(pci, out, KT_STATE_TEMPERATURE, "temp1_input", 1e-3);
    kt_pci_read(pci, out, KT_STATE_POWER, "power1_average", 1e-6);
    kt_pci_read(pci, out, KT_STATE_POWER, "power1_input", 1e-6); /* of newer kernels */
    kt_pci_read(pci, out, KT_STATE_ENERGY, "energy1_input", 1e-6);
    if (brief)
        return;
    kt_pci_read(pci, out, KT_STATE_POWER_LIMIT, "power1_cap", 1e-6);
    kt_pci_read(pci, out, KT_STATE_POWER_LIMIT_DEFAULT, "power1_cap_default", 1e-6);
    read_highest(pci, out);
    read_level(pci, out);
}

const kt_state_source kt_state_amdgpu = {
    .name = "amdgpu", .size = sizeof(kt_pci_device), .open = open_amdgpu, .read = read_amdgpu};
