#!/bin/sh
# SPDX-License-Identifier: MIT
# A figure full of hostile texts in a real gnuplot: nothing is run, and the SVG is well-formed.
#
# usage: figure_gnuplot.sh UNIT-FIGURE GNUPLOT PYTHON3
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$1" --print >"$folder/script" || exit 1
cd "$folder" || exit 1
{
    sed 1q script
    echo 'set terminal svg size width, height'
    sed 1d script
} | "$2" -d >figure.svg 2>said || {
    cat said
    exit 1
}
# Where the system has no UTF-8, gnuplot misses a sign that no figure uses; and says so.
grep -v -e 'iconv failed to convert degree sign' said >more
grep -q '[^ ]' more || : >said
rm more
if [ "$(echo *)" != "figure.svg said script" ] || [ -s said ]; then
    echo "gnuplot did more than drawing:" *
    cat said
    exit 1
fi
"$3" -c '
import sys, xml.etree.ElementTree
texts = ["".join(e.itertext()).strip() for e in xml.etree.ElementTree.parse("figure.svg").iter()]
shown = [text for text in texts if "touch" in text]
print(len(shown), "hostile texts are shown")
sys.exit(0 if len(shown) >= 8 else "they should be there")
'
