# SPDX-License-Identifier: MIT
# What cannot be written is said, and the exit code tells.
[ -w /dev/full ] || skip "there is no /dev/full"
kerntime doctor -d sim:0 -q >/dev/full
echo "exit $?"
