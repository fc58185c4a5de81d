# `devices` asks, and makes nothing: no context, queue, memory, program or kernel. That the counts are of this library
# is shown by `bench`, which makes them, and releases each.
count()
{
    sed -n "s/^$1 //p" counts
}
KT_STUB_OPENCL_COUNTS=$PWD/counts
export KT_STUB_OPENCL_COUNTS
kerntime devices >/dev/null
grep -E 'Create|Build|Enqueue|Flush|Finish|Event' counts && echo "devices made something"
[ "$(count clGetDeviceInfo)" -gt 0 ] || echo "devices asked nothing"
kerntime bench matmul --size 8 -d opencl:0 --baseline-samples 0 --samples 10..10 -q --json result >/dev/null
json_value result 'j["series"][1]["n"]'
for made in Context CommandQueue MemObject Program Kernel; do
    creates=$(sed -n "s/^clCreate$made[A-Za-z]* //p" counts | awk '{n += $1} END {print n + 0}')
    [ $made != MemObject ] || creates=$(count clCreateBuffer)
    [ "$creates" -gt 0 ] && [ "$creates" = "$(count "clRelease$made")" ] || echo "$made: $creates made"
done
grep -E "^(leak|misuse)" counts
rm counts result
