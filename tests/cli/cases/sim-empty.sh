# SPDX-License-Identifier: MIT
# The size of `empty` is the number of dispatches between two timestamps. 1: the launch, wall 100000 + 7015 ns. 1000: the
# same a dispatch on the device, and the wall time (100000000 + 7015) / 1000 ns: the overhead spreads over all.
kerntime bench empty -d sim:0
