# SPDX-License-Identifier: MIT
# What gnuplot is given, and the points beside the figure; a name with a quote and with markup is no command, nor a formula.
mkdir bin out
cat >bin/gnuplot <<'END'
#!/bin/sh
cat >given
case $(cat given) in
"set print"*) printf '5.4\n pngcairo pdfcairo svg \n' ;;
*) mv given script && echo a picture ;;
esac
END
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
rank=0
for node in a b "it's %&#1" "$(printf '=c,"\177')"; do
    SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=4 SLURMD_NODENAME=$node kerntime bench fill --size 4096 --samples 20..20 --runs 3 -q \
        -d "sim:$rank:jitter_ns=80,kernel_ns=$((60000 + rank % 3 / 2 * 3000))" --json out/%r.json >/dev/null
    rank=$((rank + 1))
done
kerntime fleet out -q --plot figure.svg --plot-data >table
cat figure.svg script figure.csv
rm figure.gp
kerntime fleet out -q --plot figure.pdf --plot-plain --plot-width 85mm >table
sed -n 1,2p script
grep -c 'set title' script
# Names of slow devices of one height do not overlap, and have no domain that all share. A wrong one has no point, nor has one
# without a time. The last line tells how many have no name. A long interval does not flatten the points.
rm out/*
for rank in 0 1 2 3 4 5 6 7 8 9 10 11; do
    wrong=
    [ $rank = 3 ] && wrong=,wrong=40
    [ $rank = 4 ] && wrong=,zero=1
    [ $rank = 5 ] && wrong=,jitter_ns=10000
    SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=13 SLURMD_NODENAME=n$rank.a.example kerntime bench fill --size 4096 --samples 20..20 --runs 3 -q --timing device \
        -d "sim:0:uuid=$((rank + 1)),jitter_ns=80,kernel_ns=$((60000 + rank / 8 * 3000))$wrong" --json out/%r.json >/dev/null 2>&1
done
kerntime fleet out -q --plot figure.pdf --plot-width 40mm --plot-data >table
grep '^set \(title\|label\|arrow\|yrange\)' script
grep -o "title '[0-9]* interval.*'" script
tail -n 1 figure.csv
rm figure.gp
try kerntime fleet out --plot-data
try kerntime fleet out --plot figure.gif
rm -r bin out figure.svg figure.csv figure.pdf script table
