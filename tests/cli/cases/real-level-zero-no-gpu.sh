# SPDX-License-Identifier: MIT
# The real loader where no driver finds a GPU: what is missing, at once, and what to install.
unset KERNTIME_LIB_LEVEL_ZERO
export KERNTIME_BACKENDS=level_zero
kerntime devices >found 2>&1
grep -q 'cannot open shared object\|was built without' found && skip "the loader is not installed: $(grep level_zero found)"
grep -q '^level_zero:0' found && skip "there is a device: $(grep '^level_zero' found)"
grep level_zero found
rm found
try kerntime bench fill --size 64 -d level_zero:0
true
