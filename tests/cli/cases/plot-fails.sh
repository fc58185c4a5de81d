# SPDX-License-Identifier: MIT
# gnuplot answers before the work and fails after it: everything else is written and printed, exit 4.
mkdir bin
echo old >figure.svg
# draw COMMAND: what gnuplot does with the script of a figure
draw()
{
    cat >bin/gnuplot <<END
#!/bin/sh
case \$(cat) in
"set print"*) printf '5.4\n svg \n' ;;
*) $1 ;;
esac
END
    chmod +x bin/gnuplot
    try kerntime bench matmul -d sim:0 -s 32 -q --json result.json --plot "${2:-figure.svg}"
    check_json result.json
    rm result.json
}
PATH=$PWD/bin:$PATH
draw 'echo half; echo >&2; echo "   line 0: no such thing" >&2; echo more >&2; exit 3'
draw 'true'
draw 'echo half; kill -9 $$'
draw 'rm bin/gnuplot; exit 1'
mkdir there
draw 'rmdir there; echo picture' there/figure.svg
cat figure.svg
draw 'echo picture'
cat figure.svg
rm -r bin figure.svg
