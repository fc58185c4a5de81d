#!/bin/sh
# prolog.sh: what examples/slurm/prolog.sh makes of what kerntime can do, by stand-ins. Only what the node itself shows drains it:
# not a disk that is full. A kerntime that does not end when it is asked to is killed.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
cp "$here/../../examples/slurm/prolog.sh" .
for name in logger scontrol; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/said"\n' $name "$work" >$name
done
printf 'kerntime=%s/kerntime scontrol=%s/scontrol limit=1 patience=1\n' "$work" "$work" >prolog.conf
export PATH="$work:$PATH" SLURMD_NODENAME=n1

# judge CODE SENTENCE: kerntime is standard input
judge() {
    { echo '#!/bin/sh'; echo '[ "$1" != compare ] || exit 0'; echo 'for result; do :; done'; cat; } >kerntime
    chmod +x kerntime logger scontrol
    : >said
    sh prolog.sh
    [ $? = "$1" ] && [ "$(cat said)" = "$2" ] || { echo "wanted $1: $2; said: $(cat said)"; exit 1; }
}

judge 0 '' <<'PROGRAM'
echo result >"$result"
PROGRAM
judge 1 'scontrol update nodename=n1 state=drain reason=kerntime: a kernel failed' <<'PROGRAM'
echo result >"$result"
echo 'kerntime: a kernel failed' >&2
exit 4
PROGRAM
judge 0 'logger -t kerntime-prolog n1: not measured: kerntime: --json: cannot write: No space left on device' <<'PROGRAM'
echo 'kerntime: --json: cannot write: No space left on device' >&2
exit 4
PROGRAM
judge 1 'scontrol update nodename=n1 state=drain reason=kerntime: no result within 1 s' <<'PROGRAM'
trap '' TERM
while :; do sleep 1; done
PROGRAM
