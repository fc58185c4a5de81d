# SPDX-License-Identifier: MIT
# A device whose clock runs 5000 ppm fast believes its 100000 ns to be 100500 and its empty step of 200 ns to be 201.
# The host's clock does not drift.
kerntime bench matmul --size 32 -d sim:0:drift_ppm=5000,min_span_ns=200
