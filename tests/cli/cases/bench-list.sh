# SPDX-License-Identifier: MIT
# Workloads, a line of at most 80 columns each; nothing is measured.
kerntime bench --list
kerntime bench matmul --list --size 8 --json file
kerntime bench --list | awk 'length > 80'
