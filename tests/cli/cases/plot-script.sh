# SPDX-License-Identifier: MIT
# What gnuplot is given: the script of a figure whose times are the same everywhere. Neither the user's
# start-up file nor a favourite terminal takes part.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
[ "$*" = -d ] || exit 9
[ -z "${GNUTERM+set}" ] || exit 8
cat >given
case $(cat given) in
"set print"*) printf '5.4\n pngcairo pdfcairo svg \n' ;;
*) mv given script && echo a picture ;;
esac
END
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
export GNUTERM=x11
kerntime bench matmul empty -d sim:0:kernel_ns=30000,jitter_ns=400,seed=7 -d sim:0:lost=1 -s 16,64,256 --samples 6..6 \
    -q --plot figure.svg >table
cat figure.svg script
# For print, and what the terminal is told for each kind of file.
kerntime bench fill -d sim:0:kernel_ns=30000 -s 4096,65536,1048576 --samples 6..6 -q --plot figure.pdf --plot-width 85mm --plot-plain >table
cat script
for kind in svg png; do
    kerntime bench matmul saxpy -d sim:0 -s 32 --samples 2..2 -q --plot figure.$kind --plot-width 3.5in --plot-what time >table
    sed -n 1,2p script
    grep 'ylabel .t' script
    kerntime bench matmul -d sim:0 -s 32 --samples 2..2 -q --plot figure.$kind >table
    sed -n 1,2p script
done
# Script and points beside the figure: what gnuplot was given, but for where it goes.
mkdir "it's"
kerntime copy -d sim:0:kernel_ns=30000 --direction host-device -s 8KiB,16KiB,32KiB --samples 6..6 -q --plot "it's/a.b.pdf" --plot-data >table
ls "it's"
diff script "it's/a.b.gp"
cat "it's/a.b.csv"
rm -r bin table figure.* script "it's"
