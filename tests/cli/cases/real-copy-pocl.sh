# SPDX-License-Identifier: MIT
# Every direction of PoCL at reduced sizes: table, figure and files; what it maps is copied by nobody.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
real_copies opencl "heap-device heap-shared host-device host-shared device-heap device-host device-device device-shared shared-heap shared-host shared-device shared-shared device-host-map host-device-map"
# Where no noise hides it.
sizes=1048576,4194304,16777216,67108864
kerntime copy -d opencl:0 --size "$sizes" --samples 5..5 --max-time 1ms --direction device-host-map,host-device-map \
    --json file -q >table
check_copies file opencl:0 "$sizes" device-host-map host-device-map
rm file table
