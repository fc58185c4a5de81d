#!/bin/sh
# SPDX-License-Identifier: MIT
# page.sh KERNTIME MANUAL: the man page is clean by the rules of both of its readers, and its examples
# work.
set -u

kerntime=$1 manual=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
page=$work/kerntime.1
failed=0

complain() {
    echo "$@"
    failed=1
}

"$manual" man "$page" || exit 1

# The examples, on a simulated device where they name none.
PATH=$(cd "$(dirname "$kerntime")" && pwd):$PATH
export PATH KERNTIME_BACKENDS=cpu,sim RANK=0 WORLD_SIZE=1 # as of a launcher, for %r
sed -n 's/^\.Dl //p' "$page" | sed 's/\\-/-/g' >"$work/examples"
[ "$(grep -c . "$work/examples")" -ge 5 ] || complain "examples: $(cat "$work/examples")"
cd "$work" || exit 1
while IFS= read -r example; do
    case $example in
    *" -d "*) ;;
    *" bench "* | *" copy "*) example="$example -d sim:0" ;;
    esac
    sh -c "$example" >log 2>&1 </dev/null
    code=$?
    case $code:$example in
    0:* | "5:kerntime fleet "*) ;; # one device has no peers
    *) complain "$example: exit $code" "$(cat log)" ;;
    esac
done <examples

readers=
if command -v mandoc >/dev/null; then
    readers="$readers mandoc"
    mandoc -T lint -W warning "$page" >log 2>&1 || complain "mandoc:" "$(cat log)"
fi
if command -v groff >/dev/null; then
    readers="$readers groff"
    groff -mdoc -ww -T utf8 "$page" >rendered 2>log || complain "groff: exit $?"
    [ ! -s log ] || complain "groff:" "$(cat log)"
    [ "$(wc -l <rendered)" -ge 100 ] || complain "groff: $(wc -l <rendered) lines are too few"
fi
[ "$failed" = 0 ] || exit 1
[ -n "$readers" ] || {
    echo "skipped: the examples work, but there is neither mandoc nor groff to read the page"
    exit 77
}
echo "read by$readers; $(grep -c . examples) examples"
