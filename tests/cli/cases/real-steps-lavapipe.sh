# SPDX-License-Identifier: MIT
# As real-steps-pocl.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
kerntime devices -d vulkan >devices 2>&1 || skip "no device here: $(cat devices)"
kerntime bench reduce scan sort --size 65536 -d vulkan:0 \
    --samples 5..5 --max-time 1ms --baseline-samples 0 --json file -q >/dev/null
check_steps file reduce scan sort
check_json file
rm file devices
