# As real-copy-pocl.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
sizes=65536,262144,1048576,4194304
directions="heap-heap heap-shared shared-heap shared-shared"
gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
kerntime copy -d vulkan:0 --size $sizes --samples 5..5 --max-time 1ms --json file --csv rows --plot figure.svg -q >table
# shellcheck disable=SC2086 # a list
check_copies file vulkan:0 $sizes $directions
check_json file
check_csv file rows
# shellcheck disable=SC2086 # a list
look_at table figure.svg $directions heap-heap-all-cores
rm file rows devices table figure.svg
