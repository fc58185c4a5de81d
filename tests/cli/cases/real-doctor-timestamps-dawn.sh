# SPDX-License-Identifier: MIT
# Two versions of Dawn that quantise timestamps regardless of their toggle: the doctor says so, and that it is all that is wrong with them.
# shellcheck disable=SC2086,SC2163 # assignments
for dawn in "${KT_ON_QUANTIZED_DAWN_EARLY:?}" "${KT_ON_QUANTIZED_DAWN_TODAY:?}"; do
    (
        export $dawn
        export XDG_RUNTIME_DIR="$PWD" # Vulkan's loader complains where there is none
        [ -n "${KT_DAWN_QUANTIZED:-}" ] || skip "built without libelf"
        kerntime devices -d webgpu >devices 2>&1 || skip "no device here: $(cat devices)"
        kerntime doctor -d webgpu:0 --timeout 2min -q --json file >/dev/null
        check_json file
        json_value file '[(f["severity"], f["seen"], "timestamp_quantization" in f["advice"]) for f in j["diagnostics"] if f["check"] == "resolution"]' \
            '[f["severity"] for check in ("states", "order", "width", "placement", "rate") for f in j["diagnostics"] if f["check"] == check]'
        rm file devices
    ) || exit
done
