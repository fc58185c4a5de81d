#!/bin/sh
# SPDX-License-Identifier: MIT
# Which commit does ./dev gate compare with? Prints it, or nothing where there is none, and says on stderr why that one.
#
#   scripts/gate-base.sh [REVISION]
#
# The first of these that there is: REVISION; KT_GATE_BASE; HEAD, if files that git knows are changed; where this branch
# left the main branch of origin; the commit before. Exit code 2: what was named is not here, or git cannot read this.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 2

say() {
    printf 'gate: %s\n' "$*" >&2
}

# Where .git may not be written to, and whoever owns it.
read_git() {
    GIT_OPTIONAL_LOCKS=0 git -c safe.directory="$root" -C "$root" "$@" 2>/dev/null
}

choose() { # REVISION WHY
    commit=$(read_git rev-parse -q --verify --end-of-options "$1^{commit}") || return
    say "compared with $(read_git log -1 --format='%h "%s"' "$commit"): $2"
    echo "$commit"
    exit 0
}

named=${1:-${KT_GATE_BASE:-}}
if [ -n "$named" ]; then
    choose "$named" "$([ -n "${1:-}" ] || echo KT_GATE_BASE=)$named"
    say "there is no revision '$named' here; in a shallow clone: git fetch origin $named"
    exit 2
fi

# A tarball has no git. A repository that cannot be read must not look like one.
head=$(read_git rev-parse -q --verify 'HEAD^{commit}') || {
    [ ! -e "$root/.git" ] && exit 0
    say "git cannot read $root, or it has no commit"
    exit 2
}
[ -z "$(read_git status --porcelain --untracked-files=no)" ] || choose HEAD "changes that are not committed"
for branch in HEAD main master; do
    fork=$(read_git merge-base HEAD "refs/remotes/origin/$branch") || continue
    [ "$fork" = "$head" ] || choose "$fork" "where this branch left origin's main branch"
    break
done
choose HEAD~1 "the commit before"
exit 0
