# Every direction of PoCL at reduced sizes: table, figure and files; what it maps is copied by nobody.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no device here: $(cat devices)"
sizes=65536,262144,1048576,4194304
directions="heap-device heap-shared host-device host-shared device-heap device-host device-device device-shared shared-heap shared-host shared-device shared-shared device-host-map host-device-map"
gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
kerntime copy -d opencl:0 --size $sizes --samples 5..5 --max-time 1ms --json file --csv rows --plot figure.svg -q >table
# shellcheck disable=SC2086 # a list
check_copies file opencl:0 $sizes $directions
check_json file
check_csv file rows
# shellcheck disable=SC2086 # a list
look_at table figure.svg $directions heap-heap-all-cores
sizes=1048576,4194304,16777216,67108864
kerntime copy -d opencl:0 --size $sizes --samples 5..5 --max-time 1ms --direction device-host-map,host-device-map \
    --json file -q >table
check_copies file opencl:0 $sizes device-host-map host-device-map
rm file rows devices table figure.svg
