# SPDX-License-Identifier: MIT
# Google Benchmark's own reader: it finds a change of 2 %, and with samples as repetitions how sure that is.
tools=/usr/share/benchmark
[ -e $tools/compare.py ] || skip "no compare.py here: libbenchmark-tools"
/usr/bin/python3 -c 'import scipy.stats' 2>/dev/null || skip "no scipy here, which compare.py needs"
measure()
{
    file=$1 time=$2
    shift 2
    kerntime bench saxpy --size 64 -d sim:0:kernel_ns="$time",jitter_ns=800 --samples 20 -q --gbench "$file" "$@" >/dev/null
}
measure old 250000,seed=1
measure new 255000,seed=2
/usr/bin/python3 $tools/compare.py --no-color benchmarks old new | grep '^saxpy' | tr -s ' '
measure old 250000,seed=1 --gbench-repetitions
measure new 255000,seed=2 --gbench-repetitions
/usr/bin/python3 $tools/compare.py --no-color benchmarks old new | grep '^saxpy.*pvalue' | tr -s ' '
# What failed, in one file or in both, is passed over.
measure old 20
for pair in 'old old' 'old new' 'new old'; do
    # shellcheck disable=SC2086 # words
    /usr/bin/python3 $tools/compare.py --no-color benchmarks $pair | grep '^saxpy.* [0-9]*$' | tr -s ' '
done
rm old new
