# SPDX-License-Identifier: MIT
try kerntime bench matmul --nothing
try kerntime bench matmul --nothing=3
try kerntime bench matmul -x
try kerntime bench -xs # not the word it stands in
try kerntime bench matmul --raw=yes
try kerntime bench matmul --size
try kerntime bench matmul -qs
try kerntime bench matmul -d
try kerntime bench matmul --json
try kerntime devices --size 32
# A misspelt one, of this command's alone.
try kerntime bench matmul --smaples=30
try kerntime copy --smaples=30 --baseline-sample 3
try kerntime copy --baseline-sample 3
exit 0
