# SPDX-License-Identifier: MIT
# An old file is replaced only by a whole new one, in the folder where it is; a link stays a link.
mkdir there
echo old >there/result.json
chmod 640 there/result.json
ln -s there/result.json link
kerntime bench matmul --size 32 -d sim:0:fail=1 -q --json link >/dev/null 2>&1
check_json link && echo "a whole file"
[ -h link ] && echo "still a link"
ls -A there
ls -l there/result.json | cut -c 1-10
rm -r there link
