# SPDX-License-Identifier: MIT
# On a terminal each row is redrawn in its place while it is measured, and stays, once, when it is finished; so it is
# when there are more rows than lines. What is on the terminal before the table: up to the first blank line.
rows()
{
    python3 "$here/terminal.py" raw kerntime bench fill "$@" >screen
    echo "exit $?"
    sed '/^$/,$d;/^[0-9]* sizes\{0,1\} on /d' screen
}
rows --size 8,1024 -d sim:0 -d sim:1:kernel_ns=7000
rows --size 8..131072 -d sim:0 -d sim:1:kernel_ns=7000 | sed 's/.*  //' | sort | uniq -c
# A device that fails has a message, and no row.
rows --size 8 -d sim:0 -d sim:2:fail=1 --runs 2
# While it is measured, for 300 ms or longer:
rows --size 1024 -d cpu:0 --baseline-samples 0 --rel-err 0.0001% --samples 10..1000000 --max-time 300ms | sed 's/  [0-9.]* .s.*//'
grep -q 'fill/1024  cpu:0  [0-9.]* .s.*, so far' raw && echo "and so far"
rm screen raw
