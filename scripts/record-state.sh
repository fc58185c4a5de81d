#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the files that kerntime reads of a device's state on this machine, as tests/unit/state/machines/*.tree has them.
#
#   scripts/record-state.sh [FOLDER] >NAME.tree    FOLDER in place of /sys
set -u

root=${1:-/sys}
if [ ! -d "$root" ]; then
    echo "record-state.sh: there is no folder $root" >&2
    exit 2
fi

# Prints each file of these names, without the folder, lines joined by \n.
record() {
    for file in "$@"; do
        [ -f "$file" ] || continue
        value=$(cat "$file" 2>/dev/null) || continue
        printf '%s: %s\n' "${file#"$root"/}" "$(printf '%s' "$value" | awk '{printf "%s%s", (NR > 1 ? "\\n" : ""), $0}')"
    done
}

echo "# Recorded by scripts/record-state.sh, Linux $(uname -r)"
for cpu in "$root"/devices/system/cpu/cpufreq/policy* "$root"/devices/system/cpu/cpu[0-9]*/cpufreq; do
    record "$cpu"/scaling_cur_freq "$cpu"/cpuinfo_max_freq "$cpu"/scaling_min_freq "$cpu"/scaling_max_freq \
        "$cpu"/scaling_governor
done
for cpu in "$root"/devices/system/cpu/cpu[0-9]*; do
    record "$cpu"/topology/physical_package_id "$cpu"/thermal_throttle/*
done
record "$root"/class/hwmon/hwmon*/name "$root"/class/hwmon/hwmon*/temp1_input
for zone in "$root"/class/powercap/intel-rapl:*; do
    record "$zone"/name "$zone"/energy_uj "$zone"/max_energy_range_uj "$zone"/constraint_0_*
done
for device in "$root"/bus/pci/devices/*; do
    case $(cat "$device"/class 2>/dev/null):$(cat "$device"/vendor 2>/dev/null) in
    0x03*:* | 0x12*:* | :0x*) ;; # displays and accelerators; a tree has no class
    *) continue ;;
    esac
    record "$device"/vendor "$device"/power/runtime_status "$device"/pp_dpm_sclk \
        "$device"/power_dpm_force_performance_level "$device"/tile0/gt0/freq0/* "$device"/tile0/gt0/freq0/throttle/* \
        "$device"/drm/card*/gt_*_freq_mhz "$device"/drm/card*/gt/gt0/*
    for sensors in "$device"/hwmon/hwmon*; do
        record "$sensors"/name "$sensors"/freq[12]_input "$sensors"/temp[12]_input "$sensors"/power1_* \
            "$sensors"/energy1_input
    done
done
