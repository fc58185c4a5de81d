# SPDX-License-Identifier: MIT
# What a device of Level Zero says of its timer, in each unit that drivers tell it in, and of its groups of queues.
export KERNTIME_BACKENDS=level_zero KERNTIME_LIB_LEVEL_ZERO="$KT_STUB_LEVEL_ZERO_LIB"
for script in hz=19200000 hz=12000048,unit=old,groups=pvc hz=12000000,unit=refused,kernel_bits=64,bits=64,groups=dg2,integrated=1 unit=zero; do
    echo "$script"
    KT_STUB_LEVEL_ZERO=clock=host,$script kerntime devices | grep -v '^host: \|not here\|^$'
done
