# SPDX-License-Identifier: MIT
# A driver call that fails, first or later, costs its own row and no other.
kerntime bench matmul --size 32 -d sim:0:fail=1 -d sim:1:fail=3 -d sim:2 -q
# A device that could not be opened is not tried again, and its row says so.
kerntime bench matmul --size 32,64 -d sim:0:fail=1 -q
