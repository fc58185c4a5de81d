# SPDX-License-Identifier: MIT
# Found before work starts: nothing on standard output, and the sentence comes before the plan.
mkdir bin folder.svg
echo kept >file.svg
bench="kerntime bench matmul -s 32 -d sim:0 --plot"
for path in - figure .svg figure.eps figure.svg.gz '' missing/figure.svg folder.svg file.svg/figure.png; do
    try $bench "$path"
done

# What the figure should be like.
for width in 3 3mm 2m 85mm,2 wide; do
    try $bench file.svg --plot-width "$width"
done
try $bench file.svg --plot-what flops
try $bench file.svg --plot-what speedup
try $bench file.svg --plot-what speedup-best -d cpu:0 --baseline-samples 0
try kerntime bench matmul fill -s 32 -d sim:0 --plot file.svg --plot-what gflops
try kerntime bench empty -d sim:0 --plot file.svg --plot-what gbs
try kerntime bench empty -d cpu:0 --plot file.svg --plot-what speedup
for option in "--plot-what time" "--plot-width 85mm" --plot-plain --plot-data; do
    try kerntime bench matmul -s 32 -d sim:0 $option
done
try kerntime copy -d sim:0 --plot file.svg --plot-what time
mkdir folder.gp
try $bench folder.svg.svg --plot-data --csv folder.svg.csv
try $bench folder.png --plot-data
rmdir folder.gp

# There is nothing but kerntime itself, then a gnuplot that cannot do what is needed.
path=$PATH
PATH=${PATH%%:*}
try $bench file.svg
PATH=$PWD/bin:$path
answer()
{
    printf '#!/bin/sh\ncat >/dev/null\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
    try $bench ${file-file.svg}
}
answer 'printf "4.6\n png svg \n"'
answer 'printf "5.4\n png svga xsvg \n"'
file=file.pdf answer 'printf "5.4\n png svg \n"'
answer 'echo 5.4'
answer 'echo svg'
answer 'echo; echo "  no library" >&2; echo "second line" >&2; exit 127'
answer 'exit 0'
answer 'kill -9 $$'
echo text >bin/gnuplot
try $bench file.svg
cat file.svg
rm -r bin folder.svg file.svg
