# SPDX-License-Identifier: MIT
# What docs/comparing.md shows of a comparison is what its commands print.
awk '/^## / { inside = $0 == "## Example" }
    !inside { next }
    /^    / { if (blank && lines) print ""; blank = 0; lines++; print substr($0, 5); next }
    /^$/ { blank = 1; next }
    lines { exit }' "${SCHEMA%/*}/comparing.md" >shown
awk '/^[$] / { command = 1; sub(/^[$] /, "") } command { print; command = /\\$/ }' shown >commands
awk '/^[$] / { command = 1 } !command { print } command { command = /\\$/ }' shown >wanted
test "$(wc -l <commands)" -gt 4 && test "$(wc -l <wanted)" -gt 12 || echo "no example found"
sh commands >printed 2>said
echo "exit $?"
diff wanted printed
grep -qxF "    $(tail -n 1 said)" "${SCHEMA%/*}/comparing.md" || cat said
rm -f shown commands wanted printed said base.json base.txt new.json new.txt
