# SPDX-License-Identifier: MIT
# The real gnuplot: all kinds of file, each curve with its points, nobody's start-up file.
gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
export XDG_CACHE_HOME=$PWD/cache
echo 'set title "mine"; set key off; set terminal dumb' >"$HOME/.gnuplot"
devices="-d sim:0 -d sim:0:wrong=1,kernel_ns=5000"
kerntime bench matmul empty $devices -s 8,16,32 --samples 6..6 -q --plot figure.svg >/dev/null 2>&1
GNUTERM=none kerntime bench matmul $devices -s 8 -q --plot figure.png >/dev/null 2>&1
kerntime bench matmul $devices -s 8 -q --plot figure.pdf --plot-width 85mm --plot-data >/dev/null 2>&1
# Two samples have no interval.
kerntime bench matmul -d sim:0 -s 8,16,32 --samples 2..2 -q --plot few.svg >/dev/null 2>&1
rm "$HOME/.gnuplot"
mkdir again
(cd again && gnuplot ../figure.gp 2>/dev/null)
/usr/bin/python3 - <<'END'
import re, struct
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
root = ElementTree.parse("figure.svg").getroot()
print(root.tag == SVG + "svg", root.get("width"), root.get("height"), root.find(SVG + "title").text)
for curve in root.iter(SVG + "g"):
    title = curve.find(SVG + "title")
    if (curve.get("id") or "").startswith("bench_matmul_empty_plot") and " time" in title.text:
        places = {point.get("transform").split()[0] for point in curve.iter(SVG + "use")}
        print(title.text, "points:", len(places) - 1)  # one is in the legend
for text in root.iter(SVG + "text"):
    if "by" in "".join(text.itertext()).split():
        print("".join(text.itertext()))
data = open("figure.png", "rb").read()
print(data[:4], struct.unpack(">II", data[16:24]), data[-8:-4])

# Points for 85 mm are 240.9; the script beside it draws the same.
page = [open(path, "rb").read() for path in ("figure.pdf", "again/figure.pdf")]
print(page[0][:5], re.findall(rb"/MediaBox \[ 0 0 (\S+)", page[0]), abs(len(page[0]) - len(page[1])) < 100)
bars = [g for g in ElementTree.parse("few.svg").getroot().iter(SVG + "g") if g.get("id") == "bench_matmul_plot_1a"]
print("bars without intervals:", len(bars), sum(path.get("d") is not None for g in bars for path in g.iter(SVG + "path")))
END
rm -rf figure.* few.svg again cache
