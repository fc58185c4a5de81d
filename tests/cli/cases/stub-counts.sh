# SPDX-License-Identifier: MIT
# What is made (context, queue, memory, program, kernel) is released, each. `devices` opens a device to look for its clock;
# `bench` makes some of each.
count()
{
    sed -n "s/^$1 //p" counts
}
KT_STUB_OPENCL_COUNTS=$PWD/counts
export KT_STUB_OPENCL_COUNTS
check_counts()
{
    for made in "$@"; do
        creates=$(sed -n "s/^clCreate$made[A-Za-z]* //p" counts | awk '{n += $1} END {print n + 0}')
        [ $made != MemObject ] || creates=$(count clCreateBuffer)
        [ "$creates" -gt 0 ] && [ "$creates" = "$(count "clRelease$made")" ] || echo "$made: $creates made"
    done
    grep -E "^(leak|misuse)" counts
}
kerntime devices -d opencl >/dev/null
check_counts Context CommandQueue
[ "$(count clGetDeviceInfo)" -gt 0 ] || echo "devices asked nothing"
kerntime bench matmul --size 8 -d opencl:0 --baseline-samples 0 --samples 10..10 -q --json result >/dev/null
json_value result 'j["series"][1]["n"]'
check_counts Context CommandQueue MemObject Program Kernel
rm counts result
