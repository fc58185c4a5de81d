# Found before work starts: nothing on standard output, and the sentence comes before the plan.
mkdir bin folder.svg
echo kept >file.svg
bench="kerntime bench matmul -s 32 -d sim:0 --plot"
for path in - figure .svg figure.pdf figure.svg.gz '' missing/figure.svg folder.svg file.svg/figure.png; do
    try $bench "$path"
done

# There is nothing but kerntime itself, then a gnuplot that cannot do what is needed.
path=$PATH
PATH=${PATH%%:*}
try $bench file.svg
PATH=$PWD/bin:$path
answer()
{
    printf '#!/bin/sh\ncat >/dev/null\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
    try $bench file.svg
}
answer 'printf "4.6\n png svg \n"'
answer 'printf "5.4\n png svga xsvg \n"'
answer 'echo 5.4'
answer 'echo svg'
answer 'echo; echo "  no library" >&2; echo "second line" >&2; exit 127'
answer 'exit 0'
answer 'kill -9 $$'
echo text >bin/gnuplot
try $bench file.svg
cat file.svg
rm -r bin folder.svg file.svg
