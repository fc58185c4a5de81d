#!/bin/sh
# SPDX-License-Identifier: MIT
# gate_base.sh GATE-BASE WORK-FOLDER: which commit ./dev gate compares with, in clones as people and CI have them.
set -u

script=$1 work=$2
failed=0

command -v git >/dev/null || exit 77
rm -rf "$work"
mkdir -p "$work/origin/scripts" "$work/home" || exit 1
cd "$work" || exit 1
export HOME="$work/home" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GIT_DIR GIT_WORK_TREE KT_GATE_BASE
cp "$script" origin/scripts/gate-base.sh || exit 1

expect() { # WHAT FOLDER EXIT-CODE COMMIT WHY [REVISION]
    what=$1 folder=$2 wanted=$3 commit=$4 why=$5
    shift 5
    printed=$("$folder/scripts/gate-base.sh" "$@" 2>err)
    code=$?
    wanted_commit=${commit:+$(git -C origin rev-parse "$commit")}
    said=$(cat err)
    case $said in
    *"$why"*) [ "$code" = "$wanted" ] && [ "$printed" = "$wanted_commit" ] && return ;;
    esac
    echo "$what: exit code $code, \"$printed\" instead of $wanted, \"$wanted_commit\" ($why)"
    echo "$said"
    failed=1
}

save() { # FOLDER MESSAGE
    echo "$2" >"$1/file" && git -C "$1" add . && git -C "$1" commit -qm "$2"
}

git -c init.defaultBranch=main init -q origin 2>err && git -C origin add . && git -C origin commit -qm first || exit 1
expect 'a first commit' origin 0 '' ''
save origin second && save origin third
expect 'without an origin' origin 0 main~1 'the commit before'

git clone -q "file://$work/origin" 'a clone'
expect 'the main branch' 'a clone' 0 main~1 'the commit before'
touch 'a clone/untracked'
expect 'a file that git does not know' 'a clone' 0 main~1 'the commit before'
git -C 'a clone' checkout -qb branch
save 'a clone' fourth && save 'a clone' fifth
expect 'a branch' 'a clone' 0 main "where this branch left origin's main branch"
git -C 'a clone' remote set-head origin -d
expect 'a branch, by the name of main' 'a clone' 0 main "where this branch left origin's main branch"
echo changed >'a clone/file'
git -C origin fetch -q '../a clone' branch:branch
expect 'a change' 'a clone' 0 branch 'not committed'
expect 'a revision' 'a clone' 0 main~2 'HEAD~4' HEAD~4
expect 'no such revision' 'a clone' 2 '' "there is no revision 'HEAD~9'" HEAD~9
export KT_GATE_BASE=main~1
expect 'a variable' 'a clone' 0 main~1 'KT_GATE_BASE=main~1'
expect 'an argument beside it' 'a clone' 0 main~2 'HEAD~4' HEAD~4
KT_GATE_BASE=nothing
expect 'a variable that is wrong' 'a clone' 2 '' "there is no revision 'nothing'"
unset KT_GATE_BASE

git clone -q --depth 1 "file://$work/origin" shallow
expect 'a shallow clone' shallow 0 '' ''
mkdir -p tarball/scripts && cp "$script" tarball/scripts/gate-base.sh
# This may lie within a repository.
GIT_CEILING_DIRECTORIES=$work
export GIT_CEILING_DIRECTORIES
expect 'no git' tarball 0 '' ''
git clone -q "file://$work/origin" broken
rm broken/.git/HEAD
expect 'a repository that is broken' broken 2 '' 'git cannot read'
exit "$failed"
