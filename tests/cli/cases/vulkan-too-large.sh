# SPDX-License-Identifier: MIT
# The device has 1 GiB, and its kernels take memories of 4000 bytes: 1000 floats, 31 * 31. More is refused before
# anything is made for it, and says what would fit: an answer within a sweep (exit 0), a wrong question alone (exit 2).
[ -n "${KT_STUB_VULKAN_LIB:-}" ] || skip "built without headers for Vulkan"
export KERNTIME_LIB_VULKAN="$KT_STUB_VULKAN_LIB" KT_STUB_VULKAN=max_range=4000 KT_STUB_VULKAN_COUNTS="$PWD/counts"
kerntime devices -d vulkan:0 --json file | grep '^    memory'
check_json file
json_value file '[j["devices"][0][key] for key in ("memory_bytes", "max_memory_bytes", "max_argument_bytes")]'
"$KT_REWRITE" file | cmp - file
KT_STUB_VULKAN=max_alloc=4000 kerntime devices -d vulkan:0 | grep '^    memory'
try kerntime bench saxpy --size 1000,1001,268435456 -d vulkan:0 --timing wall --samples 6..6 --baseline-samples 0 -q \
    --json file >/dev/null
check_json file
json_value file '[(s["name"], s["step"], s["status"], s["n"]) for s in j["series"]]'
grep '^vkCreateDevice ' counts
rm file

# refused MAX_RANGE WORKLOAD SIZE: without opening a device, or running a baseline, which would be in the table.
refused()
{
    KT_STUB_VULKAN=max_range=$1 try kerntime bench "$2" --size "$3" -d vulkan:0 -q
    grep '^vkCreateDevice ' counts >&2
}
refused 4000 saxpy 268435456
refused 4000 matmul 32 >/dev/null
# Where both are as many MiB, they are told in bytes; and where nothing fits, no size is.
refused 134217727 saxpy 33554432 >/dev/null
refused 3 saxpy 1 >/dev/null
rm counts
