# SPDX-License-Identifier: MIT
# Tables as text and as Markdown, but for what differs from run to run.
same()
{
    sed 's/fake_traced: [0-9.]* [mun]*s\( to [0-9.]* [mun]*s\)\{0,1\},/fake_traced: T,/;
        s/runs of [0-9.]* [mun]*s to [0-9.]* [mun]*s/runs/; s/cost: .* a call, \(.* calls\{0,1\}\),.*/cost: C a call, \1/; s/in process [0-9]*/in process P/' "$@"
}
trace()
{
    kerntime trace -o table "$@"
    same table
    echo
}
# Kernels, copies by direction, fills, and maps, whose time is no share of anything.
set -- device opencl:0 'Some GPU' 1 idle 2000 slower 3 kernel gemm 100 20000 kernel relu 300 3000 \
    copy host-to-device 30 10000 4194304 copy device-to-host 20 10000 4194304 fill zero 5 1000 map map 10 100000
trace -- "$KT_FAKE_TRACED" "$@"
kerntime trace -q --markdown table -- "$KT_FAKE_TRACED" "$@"
same table
# The others in one row; a row for each size.
trace --top 1 -- "$KT_FAKE_TRACED" "$@"
trace --by-size -- "$KT_FAKE_TRACED" device opencl:0 G 1 sized gemm '64x64 / 8x8' 20 1000 sized gemm '128x128 / 8x8' 20 8000
# Two devices; what has no time, is in flight, is not traced, or overlaps.
trace -- "$KT_FAKE_TRACED" device opencl:0 'Some GPU' 1 kernel a 10 2000 untimed a 0 7 untimed never 2 3 flying 4 \
    gap 'clFoo is not traced' 5 gap 'clBar is not traced' 0 device opencl:1 'Other GPU' 1 overlapped kernel a 10 1000 \
    stop 'the disk is full'
# Devices of one id in two processes; what has few bytes.
trace -- "$KT_FAKE_TRACED" device opencl:0 'GPU A' 1 kernel a 10 2000 fork device opencl:0 'GPU B' 1 kernel a 10 3000 copy up 1 100 200000
# Options that leave all out.
trace --kernels zzz --skip 100 -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 kernel a 10 2000
trace --follow no -- sh -c '"$@"; :' sh "$KT_FAKE_TRACED" device opencl:0 GPU 1 kernel a 10 2000 | sed 's/^sh: [^,]*/sh: T/'
# Another trace in it; it has the calls.
trace -- kerntime trace -q -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 kernel a 10 2000 | sed 's/^[^ ]*: [^,]*, 0/kerntime: T, 0/'
# Nothing at all, nothing that ended, and a program that fails.
trace -- "$KT_FAKE_TRACED" api opencl
trace -- "$KT_FAKE_TRACED" device opencl:0 GPU 1 flying 10
trace -- "$KT_FAKE_TRACED" device opencl:0 'Some GPU' 1 kernel a 1 2000 exit 3
echo "exit code $?"
# Runs: six give an interval. Calls without a time are a mean where CALLS are.
trace --runs 6 -- "$KT_FAKE_TRACED" device opencl:0 'Some GPU' 1 kernel a 10 2000
trace --runs 2 -- "$KT_FAKE_TRACED" device opencl:0 'Some GPU' 1 kernel a 10 2000 untimed a 0 3 flying 1
rm table
