# SPDX-License-Identifier: MIT
# As read-again.sh, of a driver that tells when a command was queued and submitted, and of one that lies.
again()
{
    KT_STUB_OPENCL=clock=host$1 kerntime bench empty --size 5 -d opencl --samples 10..10 -q --raw --json file >/dev/null
    "$KT_REWRITE" file | cmp - file && grep -c queued_ticks file
    rm file
}

again ''
again ,timestamps=fake
again ,timestamps=backwards
