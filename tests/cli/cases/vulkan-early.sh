# SPDX-License-Identifier: MIT
# Timestamps at the end that do not wait for the kernel: a note says that the time is not to be believed.
[ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for Vulkan"
export KERNTIME_BACKENDS=vulkan KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB"
for timestamps in good early; do
    KT_STUB_VULKAN=clock=host,timestamps=$timestamps,strict=1 kerntime bench matmul --size 128 -d vulkan:0 --samples 5..5 \
        --max-time 1ms --baseline-samples 0 -q | grep "may not wait"
done
exit 0
