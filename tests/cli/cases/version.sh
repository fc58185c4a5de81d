# SPDX-License-Identifier: MIT
kerntime --version | sed -E 's/ \([0-9a-f]{10}(-dirty)?\)$//' # the commit
kerntime -V | sed -E 's/ \([0-9a-f]{10}(-dirty)?\)$//'
