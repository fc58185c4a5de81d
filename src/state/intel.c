/* SPDX-License-Identifier: MIT */
/*
 * intel.c - reads the state of Intel's GPUs from the files of Linux's drivers i915 and xe.
 *
 * - i915: drm/card0/gt/gt0/, and drm/card0/ of kernels before 5.18
 *   (drivers/gpu/drm/i915/gt/intel_gt_sysfs_pm.c, i915_sysfs.c).
 * - xe: tile0/gt0/freq0/ and its throttle/ (drivers/gpu/drm/xe/xe_gt_freq.c, xe_gt_throttle.c).
 * - Sensors: Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon, sysfs-driver-intel-xe-hwmon.
 *
 * A device with several tiles is known by its first one. A clock of 0 MHz is that of a GT which
 * sleeps (RC6).
 */
#include "state/pci.h"

#include <stdio.h>
#include <string.h>

#define VENDOR_INTEL 0x8086

/* Files of one driver, in a folder below the device's. */
typedef struct layout {
    const char *folder;
    const char *clock, *highest, *lowest_allowed, *highest_allowed;
    const char *throttle; /* what the names of the reasons begin with */
} layout;

/* In `folder`, "card" stands for the card's own name. */
static const layout layouts[] = {
    {"tile0/gt0/freq0", "act_freq", "rp0_freq", "min_freq", "max_freq", "throttle/"},
    {"drm/card/gt/gt0", "rps_act_freq_mhz", "rps_RP0_freq_mhz", "rps_min_freq_mhz",
     "rps_max_freq_mhz", "throttle_"},
    {"drm/card", "gt_act_freq_mhz", "gt_RP0_freq_mhz", "gt_min_freq_mhz", "gt_max_freq_mhz", NULL},
};

#define LAYOUTS (sizeof layouts / sizeof layouts[0])

typedef struct intel_source {
    kt_pci_device pci;
    const layout *files; /* NULL: none of them is here */
    char folder[KT_SYSFS_PATH_BYTES - 80];
} intel_source;

/* Reads no file of a clock: xe would wake a device that sleeps. */
static void find_files(intel_source *s)
{
    char card[16] = "", name[32], folder[KT_SYSFS_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/drm", s->pci.folder);
    kt_sysfs_find(folder, "card", 0, card, sizeof card);
    for (size_t i = 0; i < LAYOUTS && !s->files; i++) {
        const char *below = layouts[i].folder, *of_card = strstr(below, "card");
        snprintf(s->folder, sizeof s->folder, "%s/%.*s%s%s", s->pci.folder,
                 (int)(of_card ? of_card - below : 0), below, of_card ? card : "",
                 of_card ? of_card + strlen("card") : below);
        if (kt_sysfs_find(s->folder, layouts[i].clock, 0, name, sizeof name))
            s->files = &layouts[i];
    }
}

static bool open_intel(void *source, const kt_device_info *info, const char *root)
{
    intel_source *s = source;
    if (!kt_pci_open(&s->pci, info, root, VENDOR_INTEL))
        return false;
    bool sensors = kt_pci_has_hwmon(&s->pci, "i915") || kt_pci_has_hwmon(&s->pci, "xe");
    find_files(s);
    return sensors || s->files;
}

static kt_reading read_number(const intel_source *s, const char *file, double *number)
{
    return kt_sysfs_number(number, "%s/%s", s->folder, file);
}

static void read_clock(const intel_source *s, kt_device_state *out, kt_state_value value,
                       const char *file)
{
    double mhz = 0;
    kt_reading reading = read_number(s, file, &mhz);
    if (reading == KT_READING_OK && mhz == 0 && value == KT_STATE_CORE_CLOCK)
        reading = KT_READING_ASLEEP;
    kt_state_put(out, value, reading, mhz);
}

/* "status" is 1 if any reason is. */
static void read_throttle(const intel_source *s, kt_device_state *out)
{
    static const struct {
        const char *name;
        kt_throttle throttle;
    } reasons[] = {
        {"reason_pl1", KT_THROTTLE_POWER_CAP},    {"reason_pl2", KT_THROTTLE_POWER_CAP},
        {"reason_pl4", KT_THROTTLE_CURRENT},      {"reason_thermal", KT_THROTTLE_THERMAL},
        {"reason_prochot", KT_THROTTLE_HARDWARE}, {"reason_ratl", KT_THROTTLE_THERMAL},
        {"reason_vr_tdc", KT_THROTTLE_CURRENT},   {"reason_vr_thermalert", KT_THROTTLE_THERMAL},
    };
    const char *before = s->files->throttle;
    double any = 0, is = 0;
    uint32_t mask = 0;
    /* i915: throttle_reason_status; xe: throttle/status. */
    kt_reading reading =
        kt_sysfs_number(&any, "%s/%s%s", s->folder, before,
                        strcmp(before, "throttle/") == 0 ? "status" : "reason_status");
    if (reading != KT_READING_OK) {
        kt_state_miss(out, KT_STATE_THROTTLE, reading);
        return;
    }
    for (size_t i = 0; any > 0 && i < sizeof reasons / sizeof reasons[0]; i++)
        if (kt_sysfs_number(&is, "%s/%s%s", s->folder, before, reasons[i].name) == KT_READING_OK &&
            is > 0)
            mask |= reasons[i].throttle;
    kt_state_set(out, KT_STATE_THROTTLE, any > 0 && !mask ? KT_THROTTLE_OTHER : mask);
}

/* xe takes a maximum at or below the minimum as a request for one rate. */
static void read_locked(const intel_source *s, kt_device_state *out)
{
    double least = 0, most = 0;
    kt_reading reading = read_number(s, s->files->lowest_allowed, &least);
    if (reading == KT_READING_OK)
        reading = read_number(s, s->files->highest_allowed, &most);
    kt_state_put(out, KT_STATE_CLOCKS_LOCKED, reading, most <= least);
}

static void read_intel(void *source, bool brief, uint64_t *seen, kt_device_state *out)
{
    (void)seen;
    intel_source *s = source;
    if (kt_pci_is_asleep(&s->pci, out))
        return;
    if (s->files)
        read_clock(s, out, KT_STATE_CORE_CLOCK, s->files->clock);
    if (s->files && s->files->throttle)
        read_throttle(s, out);
    kt_pci_read(&s->pci, out, KT_STATE_TEMPERATURE, "temp1_input", 1e-3);
    kt_pci_read(&s->pci, out, KT_STATE_TEMPERATURE, "temp2_input", 1e-3); /* xe: of the package */
    kt_pci_read(&s->pci, out, KT_STATE_ENERGY, "energy1_input", 1e-6);
    if (brief)
        return;
    if (s->files) {
        read_clock(s, out, KT_STATE_CORE_CLOCK_MAX, s->files->highest);
        read_locked(s, out);
    }
    kt_pci_read(&s->pci, out, KT_STATE_POWER_LIMIT, "power1_max", 1e-6);
    kt_pci_read(&s->pci, out, KT_STATE_POWER_LIMIT_DEFAULT, "power1_rated_max", 1e-6);
}

const kt_state_source kt_state_intel = {
    .name = "i915 or xe", .size = sizeof(intel_source), .open = open_intel, .read = read_intel};
