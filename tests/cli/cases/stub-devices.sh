# SPDX-License-Identifier: MIT
# A driver's clock of its own, related by its pairs or by commands; one that has the host's; and drivers that fail or
# hang: they are listed with the reason, after 5 s at most.
# On a machine that was just started both monotonic clocks may be the same so far: then none is claimed, rightly.
only_one='import sys, time
raw, steered = (time.clock_gettime_ns(c) for c in (time.CLOCK_MONOTONIC_RAW, time.CLOCK_MONOTONIC))
sys.exit(abs(raw - steered) < 1000000)'
python3 -c "$only_one" || skip "CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW agree within a ms"

list()
{
    KT_STUB_OPENCL=$1 kerntime devices -d opencl:0 | sed -n 's/^    clock    //p;s/^             //p'
    echo "exit $?"
}
list clock=own
list clock=own,timer=none
list clock=host
list clock=host,timer=none
list clock=host,timer=fail
list clock=host,timer=none,build=fail
list clock=host,timer=none,timestamps=fake
list clock=host,timer=none,hang=1
