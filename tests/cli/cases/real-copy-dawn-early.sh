# As real-copy-pocl.
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_ON_DAWN_EARLY:?}
export XDG_RUNTIME_DIR="$PWD" # Vulkan's loader complains where there is none
kerntime devices -d webgpu >devices 2>&1 || skip "no device here: $(cat devices)"
sizes=65536,262144,1048576,4194304
directions="heap-device device-heap device-device"
gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
kerntime copy -d webgpu:0 --size $sizes --samples 5..5 --max-time 1ms --json file --csv rows --plot figure.svg -q >table
# shellcheck disable=SC2086 # a list
check_copies file webgpu:0 $sizes $directions
check_json file
check_csv file rows
# shellcheck disable=SC2086 # a list
look_at table figure.svg $directions heap-heap-all-cores
rm file rows devices table figure.svg
