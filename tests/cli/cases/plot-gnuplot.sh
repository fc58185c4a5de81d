# The real gnuplot: both kinds of file, each curve with its points, nobody's start-up file.
gnuplot --version >/dev/null 2>&1 || skip "gnuplot is not here"
export XDG_CACHE_HOME=$PWD/cache
echo 'set title "mine"; set key off; set terminal dumb' >"$HOME/.gnuplot"
devices="-d sim:0 -d sim:0:wrong=1,kernel_ns=5000"
kerntime bench matmul empty $devices -s 8,16,32 --samples 6..6 -q --plot figure.svg >/dev/null 2>&1
GNUTERM=none kerntime bench matmul $devices -s 8 -q --plot figure.png >/dev/null 2>&1
rm "$HOME/.gnuplot"
/usr/bin/python3 - <<'END'
import struct
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
root = ElementTree.parse("figure.svg").getroot()
print(root.tag == SVG + "svg", root.get("width"), root.get("height"))
for curve in root.iter(SVG + "g"):
    title = curve.find(SVG + "title")
    if (curve.get("id") or "").startswith("gnuplot_plot") and " time" in title.text:
        places = {point.get("transform").split()[0] for point in curve.iter(SVG + "use")}
        print(title.text, "points:", len(places) - 1)  # one is in the legend
for text in root.iter(SVG + "text"):
    if "by" in "".join(text.itertext()).split():
        print("".join(text.itertext()))
data = open("figure.png", "rb").read()
print(data[:4], struct.unpack(">II", data[16:24]), data[-8:-4])
END
rm -rf figure.svg figure.png cache
