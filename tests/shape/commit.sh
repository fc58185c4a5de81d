#!/bin/sh
# SPDX-License-Identifier: MIT
# commit.sh CMAKE SOURCE-FOLDER WORK-FOLDER: which commit `kerntime --version` names, in a checkout, in a tarball, and in a folder of
# neither kind.
set -u

cmake=$1 source=$2 work=$3
failed=0
command -v git >/dev/null || { echo "skipped: git is not here"; exit 77; }
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# In a repository of its own, whose folder is as another project's that kerntime is a part of.
rm -rf "$work" && mkdir -p "$work/outer/kerntime/cmake" && cd "$work/outer/kerntime" || exit 1
cp "$source/.gitattributes" . && cp "$source/cmake/commit.cmake" "$source/cmake/commit.txt" cmake || exit 1
# A tarball's commit.txt has been written to.
# shellcheck disable=SC2016 # git's own
echo '$Format:%H$' >cmake/commit.txt

expect() { # WHAT FOLDER TEXT
    "$cmake" -DOUTPUT="$work/commit.h" -P "$2/cmake/commit.cmake" || failed=1
    if [ "$(cat "$work/commit.h")" != "#define KT_COMMIT \"$3\"" ]; then
        echo "$1: '$(cat "$work/commit.h")' instead of '$3'"
        failed=1
    fi
}

repository() {
    git init -q . && git config user.name n && git config user.email e && git config commit.gpgsign false && git add -A &&
        git commit -q -m "$1"
}

(cd .. && repository outer) || exit 1
expect "a part of another repository" . ""
repository own || exit 1
commit=$(git rev-parse HEAD | cut -c 1-10)
expect "a checkout" . " ($commit)"
git tag v0.1.0
expect "a tagged one" . " ($commit)"
echo >>.gitattributes
expect "a changed one" . " ($commit-dirty)"
mkdir "$work/tarball" && git archive HEAD | tar -xf - -C "$work/tarball" || exit 1
expect "a tarball" "$work/tarball" " ($commit)"

# What says the same is not written again: nothing is compiled again.
touch -d 2020-01-01 "$work/commit.h" "$work/old"
expect "a tarball once more" "$work/tarball" " ($commit)"
[ -z "$(find "$work/commit.h" -newer "$work/old")" ] || { echo "the header was written again"; failed=1; }
exit "$failed"
