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
exit 0
