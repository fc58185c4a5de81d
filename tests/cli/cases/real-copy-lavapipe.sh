# SPDX-License-Identifier: MIT
# As real-copy-pocl.
unset KERNTIME_LIB_VULKAN
# shellcheck disable=SC2086,SC2163 # assignments
export ${KT_LAVAPIPE:?}
real_copies vulkan "heap-heap heap-shared shared-heap shared-shared"
