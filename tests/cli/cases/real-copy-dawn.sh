# SPDX-License-Identifier: MIT
# As real-copy-pocl.
# shellcheck disable=SC2086,SC2163 # assignments
for dawn in "${KT_ON_DAWN_EARLY:?}" "${KT_ON_DAWN_TODAY:?}"; do
    (
        export $dawn
        export XDG_RUNTIME_DIR="$PWD" # Vulkan's loader complains where there is none
        real_copies webgpu "heap-device device-heap device-device"
    ) || exit
done
