# What gnuplot is given: the script of a figure whose times are the same everywhere. Neither the user's
# start-up file nor a favourite terminal takes part.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
[ "$*" = -d ] || exit 9
[ -z "${GNUTERM+set}" ] || exit 8
cat >given
case $(cat given) in
"set print"*) printf '5.4\n pngcairo svg \n' ;;
*) mv given script && echo a picture ;;
esac
END
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
export GNUTERM=x11
kerntime bench matmul empty -d sim:0:kernel_ns=30000,jitter_ns=400,seed=7 -d sim:0:lost=1 -s 16,64,256 --samples 6..6 \
    -q --plot figure.svg >table
cat figure.svg script
kerntime bench matmul -d sim:0 -s 32 -q --plot figure.png >table
grep 'set terminal' script
rm -r bin table figure.svg figure.png script
