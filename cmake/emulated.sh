#!/bin/sh
# SPDX-License-Identifier: MIT
# emulated.sh PROGRAM: a script of that name, which runs PROGRAM.arm64 under qemu with the cross compiler's C library.
set -u
cat >"$1" <<'TEXT' && chmod +x "$1"
#!/bin/sh
exec qemu-aarch64 -L /usr/aarch64-linux-gnu "$0.arm64" "$@"
TEXT
