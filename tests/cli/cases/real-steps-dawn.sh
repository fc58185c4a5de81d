# SPDX-License-Identifier: MIT
# As real-steps-pocl, but fewer keys: SwiftShader takes long at barriers (5.0).
# shellcheck disable=SC2086,SC2163 # assignments
for dawn in "${KT_ON_DAWN_EARLY:?}" "${KT_ON_DAWN_TODAY:?}"; do
    (
        export $dawn
        export XDG_RUNTIME_DIR="$PWD" # Vulkan's loader complains where there is none
        kerntime devices -d webgpu >devices 2>&1 || skip "no device here: $(cat devices)"
        kerntime bench reduce scan --size 65536 -d webgpu:0 \
            --samples 5..5 --max-time 1ms --baseline-samples 0 --json file -q >/dev/null
        kerntime bench sort --size 256 -d webgpu:0 \
            --samples 3..3 --max-time 1ms --baseline-samples 0 --json sorted -q >/dev/null
        check_steps file reduce scan
        check_steps sorted sort
        check_json file sorted
        rm file sorted devices
    ) || exit
done
