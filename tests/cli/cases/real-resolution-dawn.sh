# SPDX-License-Identifier: MIT
# Two versions of Dawn that quantise timestamps regardless of their toggle: the resolution is found, and every timestamp is a multiple of it.
# shellcheck disable=SC2086,SC2163 # assignments
for dawn in "${KT_ON_QUANTIZED_DAWN_EARLY:?}" "${KT_ON_QUANTIZED_DAWN_TODAY:?}"; do
    (
        export $dawn
        export XDG_RUNTIME_DIR="$PWD" # Vulkan's loader complains where there is none
        [ -n "${KT_DAWN_QUANTIZED:-}" ] || skip "built without libelf"
        kerntime devices -d webgpu >devices 2>&1 || skip "no device here: $(cat devices)"
        kerntime bench matmul --size 64 -d webgpu:0 --samples 10..10 --max-time 1ms --baseline-samples 0 --raw --json file -q >/dev/null
        json_value file 'j["devices"][0]["resolution_ns"]' \
            '{int(raw[end]) % 65536 for s in j["series"] if s["kind"] == "kernel" for raw in s["raw"] for end in ("start_ticks", "end_ticks")}'
        check_json file
        rm file devices
    ) || exit
done
