#!/bin/sh
# SPDX-License-Identifier: MIT
# NVML of the stub driver as a source of a device's state: nothing leaked, nothing misused.
#
# usage: nvml.sh PROGRAM STUB EARLY_STUB
set -u
program=$1 stub=$2 early=$3
failed=0
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
export KT_STUB_CUDA_COUNTS="$counts" KERNTIME_LIB_NVML="$stub"

# expect SCRIPT MOOD [MASK]
expect()
{
    export KT_STUB_CUDA="$1"
    : >"$counts"
    shift
    if ! "$program" "$@" || grep -E '^(leak|misuse)' "$counts"; then
        echo "with \"$KT_STUB_CUDA\", $*"
        failed=1
    fi
}

# called YES|NO PATTERN: whether the last mood called such a function
called()
{
    found=NO
    if grep -Eq "^$2 " "$counts"; then
        found=YES
    fi
    if [ $found != "$1" ]; then
        echo "called $2: $found, not $1"
        failed=1
    fi
}

values=sm_mhz=1234,sm_max_mhz=2345,memory_mhz=3456,temperature_c=56,power_mw=78901
expect $values,limit_mw=250500,default_limit_mw=300000,energy_mj=9876543 values
expect persistence=0 without_persistence
expect strict=1 brief
called YES nvmlDeviceGetPowerUsage
called NO 'nvmlDeviceGet(MaxClockInfo|EnforcedPowerLimit|PowerManagementDefaultLimit|PersistenceMode|Compute.*)'

# The bits of nvml.h and those of kt_throttle. 512 is none that nvml.h has.
for pair in 1=32 2=64 4=1 8=4 16=16 32=2 64=2 128=4 256=64 512=16 0=0 5=33 76=7; do
    expect "reasons=${pair%=*}" throttle "${pair#*=}"
done

expect devices=2 by_address
expect devices=2 elsewhere
called YES nvmlInitWithFlags
expect devices=2 not_loaded
called NO nvmlInitWithFlags
expect strict=1 unknown_vendor
KERNTIME_LIB_NVML=/no/nvml expect strict=1 no_library

power=fail=nvmlDeviceGetPowerUsage:0
expect $power,error=3 power_unsupported
expect $power,error=4 power_denied
expect $power,error=15 power_failed
expect fail=nvmlDeviceGetHandleByPciBusId_v2:0,error=4 all_denied
expect fail=nvmlInitWithFlags:0,error=4 all_denied
expect fail=nvmlDeviceGetHandleByPciBusId_v2:0,error=15 elsewhere
expect fail=nvmlInitWithFlags:0,error=9 elsewhere # the driver is not loaded

all=4294967295
rest=temperature_c=$all,power_mw=$all,limit_mw=$all,default_limit_mw=$all,persistence=$all
long=18446744073709551615
expect sm_mhz=0,sm_max_mhz=0,memory_mhz=0,$rest,energy_mj=$long,reasons=$long absurd
expect sm_mhz=$all,sm_max_mhz=$all,memory_mhz=$all,$rest,energy_mj=$long,reasons=$long absurd

expect others=2 two_others
expect others=2,listed=0 hidden
expect listed=0 hidden
expect others=2,listed=0 hidden_vulkan
expect others=500 too_many_others

KERNTIME_LIB_NVML="$early" expect reasons=4 early
exit $failed
