#!/bin/sh
# SPDX-License-Identifier: MIT
# ssh.sh KERNTIME: the loop of docs/launchers.md, with a stand-in for ssh, which runs the command here.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck disable=SC1091
. "$here/guide.sh"
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
export KERNTIME_BACKENDS=sim PATH="$work:$(dirname "$1"):$PATH"
cat >ssh <<'SSH'
#!/bin/sh
[ "$1" = -n ] && [ "$2" != "$PWD" ] && exec env -i KERNTIME_BACKENDS=sim PATH="$PATH" sh -c "$3"
SSH
chmod +x ssh
mkdir out
printf 'n1\nn2' >nodes # a last line without an end counts
guide_block "$here/../../docs/launchers.md" ssh >script
grep -q 'kerntime bench' script && sh script >table 2>err || { cat err; exit 1; }
guide_files 8 && [ ! -s err ] || { cat err; exit 1; }
[ ! -s table ] || { cat table; exit 1; }
for device in 0 1 2 3; do
    [ "$(grep -l "\"id\": \"sim:$device\"" out/*.json | wc -l)" = 2 ] || { echo "sim:$device is not measured twice"; exit 1; }
done
