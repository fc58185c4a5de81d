#!/bin/sh
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

find_commit() { # REVISION
    read_git rev-parse -q --verify --end-of-options "$1^{commit}"
}

# Nothing on the main branch itself, and where that branch is not known here.
left_main() {
    for branch in HEAD main master; do
        tip=$(find_commit "refs/remotes/origin/$branch") || continue
        fork=$(read_git merge-base HEAD "$tip")
        [ "$fork" = "$head" ] || printf '%s' "$fork"
        return
    done
}

choose() { # COMMIT WHY
    say "compared with $(read_git log -1 --format='%h "%s"' "$1"): $2"
    echo "$1"
    exit 0
}

named=${1:-${KT_GATE_BASE:-}}
if [ -n "$named" ]; then
    commit=$(find_commit "$named") || {
        say "there is no revision '$named' here; in a shallow clone: git fetch origin $named"
        exit 2
    }
    choose "$commit" "$([ -n "${1:-}" ] || echo KT_GATE_BASE=)$named"
fi

# A tarball has no git. Where there is one, not to be able to read it must not look like having no past.
head=$(find_commit HEAD) || {
    [ ! -e "$root/.git" ] && exit 0
    say "git cannot read $root, or it has no commit"
    exit 2
}
[ -z "$(read_git status --porcelain --untracked-files=no)" ] || choose "$head" "changes that are not committed"
fork=$(left_main)
[ -z "$fork" ] || choose "$fork" "where this branch left origin's main branch"
before=$(find_commit HEAD~1) || exit 0
choose "$before" "the commit before"
