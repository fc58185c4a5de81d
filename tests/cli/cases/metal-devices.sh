# SPDX-License-Identifier: MIT
# What is known of each kind of GPU that Macs have; and of one whose samples are none, which only opening it shows.
export KERNTIME_BACKENDS=metal KERNTIME_LIB_OBJC="$KT_STUB_METAL_LIB" KERNTIME_LIB_METAL="$KT_STUB_METAL_LIB"
for script in sampling=apple,start=5000000011 sampling=intel sampling=amd,devices=2 sampling=none timestamps=zero timestamps=error,sampling=amd pairs_percent=110; do
    echo "$script"
    KT_STUB_METAL=clock=host,$script kerntime devices | grep -v '^host: \|not here\|^$'
done
