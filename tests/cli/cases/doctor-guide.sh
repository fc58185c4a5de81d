# SPDX-License-Identifier: MIT
# What docs/doctor.md shows of a simulated device is what its command prints.
awk '/^## / { inside = $0 == "## Example" }
    !inside { next }
    /^    [$] kerntime doctor -d sim/ { shown = 1; print substr($0, 7) >"command"; next }
    shown && /^    / { print substr($0, 5); next }
    shown { exit }' "${SCHEMA%/*}/doctor.md" >wanted
test "$(wc -l <wanted)" -gt 20 || echo "no example found"
sh command >printed 2>/dev/null
echo "exit $?"
diff wanted printed
rm -f command wanted printed
