# SPDX-License-Identifier: MIT
# Alone it prints the short help, which names the first command to try.
kerntime >short || exit
kerntime --help | cmp - short
kerntime -h | cmp - short
kerntime help | cmp - short
cat short
rm short
echo ----
kerntime bench --help
echo ----
kerntime copy --help
echo ----
kerntime devices --help
echo ----
kerntime doctor --help
echo ----
kerntime run --help
echo ----
kerntime compare --help
echo ----
kerntime convert --help
echo ----
kerntime fleet --help
echo ----
kerntime bench -h | sed -n 1p
kerntime bench matmul --size 0 --help | sed -n 1p # the mistake comes first
# A word of the output, also of several.
kerntime help slow in
kerntime help SLOW
kerntime help vs
