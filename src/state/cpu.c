/* SPDX-License-Identifier: MIT */
/*
 * The state of the CPU by files of Linux.
 *
 * - Clocks: cpufreq (Documentation/admin-guide/pm/cpufreq.rst). A machine may have hundreds of cores,
 *   and some drivers take ms to read one. So POLICIES policies at most are read, and always the
 *   core of the calling thread, which has just worked.
 * - Throttling: thermal_throttle (Documentation/ABI/testing/sysfs-devices-system-cpu). A count rises
 *   when the hardware begins to lower the clock, a time when it ends. Both are since the boot, so
 *   the first reading only keeps them.
 * - Energy and power limits: powercap (Documentation/power/powercap/powercap.rst). It has no power.
 * - Temperature: hwmon (Documentation/hwmon/coretemp.rst, k10temp.rst).
 */
#include "state/state.h"

#include "support/core.h"
#include "support/sysfs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLICIES 32
#define PACKAGES 16
#define CORES    1024 /* searched for the first core of each package */
#define GAP      64   /* cores that may be missing in a row */

#define CPU_FOLDER "%s/devices/system/cpu"
#define RAPL       "%s/class/powercap/intel-rapl:%d/"
#define HWMON      "%s/class/hwmon/hwmon%d/"

/* Numbers of folders. */
typedef struct folders {
    size_t count;
    int number[POLICIES];
} folders;

/* A number that only rises, as it was in the last reading. */
typedef struct counter {
    bool known;
    double last;
} counter;

#define THROTTLE_FILES 4
static const char *const throttle_files[THROTTLE_FILES] = {
    "package_throttle_count", "package_throttle_total_time_ms", "core_throttle_count",
    "core_throttle_total_time_ms"};

typedef struct cpu_source {
    char root[KT_SYSFS_PATH_BYTES];
    folders policies, sensors, packages; /* of cpufreq, hwmon, powercap */
    folders cores;                       /* the first one of each package */
    counter throttled[PACKAGES][THROTTLE_FILES];
    uint64_t rises;           /* readings in which one of these had risen */
    counter energy[PACKAGES]; /* uJ */
    double wrap_uj[PACKAGES]; /* NaN: unknown */
    double energy_uj;         /* of all packages, without wraps */
} cpu_source;

/* Finds the folders of a name with a number. `wanted`: NULL, or whether to take one. */
static void find_folders(const cpu_source *cpu, const char *below, const char *prefix, size_t most,
                         bool (*wanted)(const cpu_source *, int), folders *out)
{
    char folder[KT_SYSFS_PATH_BYTES + 64], name[64];
    snprintf(folder, sizeof folder, "%s/%s", cpu->root, below);
    for (size_t i = 0; out->count < most; i++) {
        char *end;
        if (!kt_sysfs_find(folder, prefix, i, name, sizeof name))
            return;
        long number = strtol(name + strlen(prefix), &end, 10);
        if (end != name + strlen(prefix) && !*end && (!wanted || wanted(cpu, (int)number)))
            out->number[out->count++] = (int)number;
    }
}

static bool is_sensor(const cpu_source *cpu, int number)
{
    char name[32];
    return kt_sysfs_text(name, sizeof name, HWMON "name", cpu->root, number) == KT_READING_OK &&
           (strcmp(name, "coretemp") == 0 || strcmp(name, "k10temp") == 0 ||
            strcmp(name, "zenpower") == 0);
}

/* Not "psys", which counts the packages once more. */
static bool is_package(const cpu_source *cpu, int number)
{
    char name[32];
    return kt_sysfs_text(name, sizeof name, RAPL "name", cpu->root, number) == KT_READING_OK &&
           strncmp(name, "package-", 8) == 0;
}

static void find_cores(cpu_source *cpu)
{
    double seen[PACKAGES] = {0}, package = 0;
    int missing = 0;
    for (int core = 0; core < CORES && cpu->cores.count < PACKAGES && missing < GAP; core++) {
        size_t i = 0;
        missing++;
        if (kt_sysfs_number(&package, CPU_FOLDER "/cpu%d/topology/physical_package_id", cpu->root,
                            core) != KT_READING_OK)
            continue;
        missing = 0;
        while (i < cpu->cores.count && seen[i] != package)
            i++;
        if (i == cpu->cores.count) {
            seen[i] = package;
            cpu->cores.number[cpu->cores.count++] = core;
        }
    }
}

static bool open_cpu(void *source, const kt_device_info *info, const char *root)
{
    cpu_source *cpu = source;
    if (info->type != KT_DEVICE_CPU ||
        snprintf(cpu->root, sizeof cpu->root, "%s", root) >= (int)sizeof cpu->root)
        return false;
    find_folders(cpu, "devices/system/cpu/cpufreq", "policy", POLICIES, NULL, &cpu->policies);
    find_folders(cpu, "class/hwmon", "hwmon", PACKAGES, is_sensor, &cpu->sensors);
    find_folders(cpu, "class/powercap", "intel-rapl:", PACKAGES, is_package, &cpu->packages);
    find_cores(cpu);
    for (size_t i = 0; i < cpu->packages.count; i++) {
        double *wrap_uj = &cpu->wrap_uj[i];
        if (kt_sysfs_number(wrap_uj, RAPL "max_energy_range_uj", cpu->root,
                            cpu->packages.number[i]) != KT_READING_OK)
            *wrap_uj = NAN;
    }
    return true;
}

/* Largest number of several files. The reading is OK if one is, else that of the last file that is
 * there. */
typedef struct largest {
    double number;
    kt_reading reading;
} largest;

static void include(largest *all, kt_reading reading, double number)
{
    if (reading == KT_READING_OK && (all->reading != KT_READING_OK || number > all->number))
        *all = (largest){number, reading};
    else if (all->reading != KT_READING_OK && reading != KT_READING_UNSUPPORTED)
        all->reading = reading;
}

static void set_largest(kt_device_state *out, kt_state_value value, largest all, double unit)
{
    kt_state_put(out, value, all.reading, all.number * unit);
}

static void read_clock(const cpu_source *cpu, kt_device_state *out)
{
    largest clock = {0};
    double number = 0;
    int core = kt_core_now();
    if (core >= 0) {
        kt_reading reading =
            kt_sysfs_number(&number, CPU_FOLDER "/cpu%d/cpufreq/scaling_cur_freq", cpu->root, core);
        include(&clock, reading, number);
    }
    for (size_t i = 0; i < cpu->policies.count; i++) {
        kt_reading reading =
            kt_sysfs_number(&number, CPU_FOLDER "/cpufreq/policy%d/scaling_cur_freq", cpu->root,
                            cpu->policies.number[i]);
        include(&clock, reading, number);
    }
    set_largest(out, KT_STATE_CORE_CLOCK, clock, 1e-3);
}

/* Whether the clock of a policy cannot change by itself: one rate is allowed, or a user sets it. */
static kt_reading is_locked(const cpu_source *cpu, int policy, bool *locked)
{
    double least = 0, most = 0;
    char governor[32];
    kt_reading reading =
        kt_sysfs_number(&least, CPU_FOLDER "/cpufreq/policy%d/scaling_min_freq", cpu->root, policy);
    if (reading == KT_READING_OK)
        reading = kt_sysfs_number(&most, CPU_FOLDER "/cpufreq/policy%d/scaling_max_freq", cpu->root,
                                  policy);
    *locked = least == most || (kt_sysfs_text(governor, sizeof governor,
                                              CPU_FOLDER "/cpufreq/policy%d/scaling_governor",
                                              cpu->root, policy) == KT_READING_OK &&
                                strcmp(governor, "userspace") == 0);
    return reading;
}

static void read_settings(const cpu_source *cpu, kt_device_state *out)
{
    largest most = {0}, unlocked = {0};
    for (size_t i = 0; i < cpu->policies.count; i++) {
        int policy = cpu->policies.number[i];
        double number = 0;
        bool locked = false;
        kt_reading reading = kt_sysfs_number(
            &number, CPU_FOLDER "/cpufreq/policy%d/cpuinfo_max_freq", cpu->root, policy);
        include(&most, reading, number);
        reading = is_locked(cpu, policy, &locked);
        include(&unlocked, reading, !locked);
    }
    set_largest(out, KT_STATE_CORE_CLOCK_MAX, most, 1e-3);
    unlocked.number = 1 - unlocked.number;
    set_largest(out, KT_STATE_CLOCKS_LOCKED, unlocked, 1);
}

static void read_temperature(const cpu_source *cpu, kt_device_state *out)
{
    largest temperature = {0};
    for (size_t i = 0; i < cpu->sensors.count; i++) {
        double number = 0;
        kt_reading reading =
            kt_sysfs_number(&number, HWMON "temp1_input", cpu->root, cpu->sensors.number[i]);
        include(&temperature, reading, number);
    }
    set_largest(out, KT_STATE_TEMPERATURE, temperature, 1e-3);
}

/* CPUs without a sensor of the package have files of the core only. Several measurements read the
 * same counters: `seen` is how many rises the caller knows of, plus 1. */
static void read_throttling(cpu_source *cpu, uint64_t *seen, kt_device_state *out)
{
    bool any = false, rose = false;
    for (size_t i = 0; i < cpu->cores.count; i++)
        for (size_t file = 0; file < THROTTLE_FILES; file++) {
            counter *kept = &cpu->throttled[i][file];
            double number = 0;
            kt_reading reading =
                kt_sysfs_number(&number, CPU_FOLDER "/cpu%d/thermal_throttle/%s", cpu->root,
                                cpu->cores.number[i], throttle_files[file]);
            if (reading != KT_READING_OK) {
                kt_state_miss(out, KT_STATE_THROTTLE, reading);
                continue;
            }
            any = true;
            rose |= kept->known && number > kept->last;
            kept->known = true;
            kept->last = number;
        }
    cpu->rises += rose;
    if (any && *seen)
        kt_state_set(out, KT_STATE_THROTTLE, *seen <= cpu->rises ? KT_THROTTLE_THERMAL : 0);
    if (any)
        *seen = cpu->rises + 1;
}

/* Adds what a package took since its last reading. A counter that went back has wrapped once. */
static kt_reading add_energy(cpu_source *cpu, size_t package)
{
    counter *kept = &cpu->energy[package];
    double number = 0, wrap_uj = cpu->wrap_uj[package];
    kt_reading reading =
        kt_sysfs_number(&number, RAPL "energy_uj", cpu->root, cpu->packages.number[package]);
    if (reading != KT_READING_OK)
        return reading;
    if (number < 0 || number > wrap_uj)
        return KT_READING_INVALID;
    double step_uj = kept->known ? number - kept->last : number;
    if (step_uj < 0)
        step_uj += wrap_uj + 1;
    kept->known = true;
    kept->last = number;
    if (!(step_uj >= 0))
        return KT_READING_INVALID;
    cpu->energy_uj += step_uj;
    return KT_READING_OK;
}

/* A sum without one of the packages would be wrong. */
static void read_energy(cpu_source *cpu, kt_device_state *out)
{
    kt_reading all = cpu->packages.count ? KT_READING_OK : KT_READING_UNSUPPORTED;
    for (size_t i = 0; i < cpu->packages.count; i++) {
        kt_reading reading = add_energy(cpu, i);
        if (reading != KT_READING_OK)
            all = reading;
    }
    kt_state_put(out, KT_STATE_ENERGY, all, cpu->energy_uj * 1e-6);
}

/* Constraint 0 is the long-term one. Its max_power_uw is the most that may be set, and no default. */
static void read_limit(const cpu_source *cpu, kt_device_state *out)
{
    kt_reading all = cpu->packages.count ? KT_READING_OK : KT_READING_UNSUPPORTED;
    double sum_uw = 0;
    for (size_t i = 0; i < cpu->packages.count; i++) {
        double number = 0;
        kt_reading reading = kt_sysfs_number(&number, RAPL "constraint_0_power_limit_uw", cpu->root,
                                             cpu->packages.number[i]);
        if (reading != KT_READING_OK)
            all = reading;
        sum_uw += number;
    }
    kt_state_put(out, KT_STATE_POWER_LIMIT, all, sum_uw * 1e-6);
}

static void read_cpu(void *source, bool brief, uint64_t *seen, kt_device_state *out)
{
    cpu_source *cpu = source;
    read_clock(cpu, out);
    read_temperature(cpu, out);
    read_energy(cpu, out);
    read_throttling(cpu, seen, out);
    if (brief)
        return;
    read_settings(cpu, out);
    read_limit(cpu, out);
}

const kt_state_source kt_state_cpu = {
    .name = "cpufreq, powercap", .size = sizeof(cpu_source), .open = open_cpu, .read = read_cpu};
