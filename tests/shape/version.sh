#!/bin/sh
# SPDX-License-Identifier: MIT
# version.sh HEADER VERSION KERNTIME CONSUMER LIBRARY MANUAL: one version everywhere. The header's, read
# here by other means than CMake's, is the one that the others are held against.
set -u

header=$1 project=$2 kerntime=$3 consumer=$4 library=$5 manual=$6
root=${header%/include/kerntime/kerntime.h} failed=0

number() { # PART
    awk -v name="KT_VERSION_$1" '$1 == "#define" && $2 == name { print $3 }' "$header"
}

version=$(number MAJOR).$(number MINOR).$(number PATCH)
same() { # WHAT FOUND
    if [ "$2" != "$version" ]; then
        echo "$1 is '$2', the header says $version"
        failed=1
    fi
}

echo "version $version"
printf '%s\n' "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || failed=1
same "the project's version" "$project"
# The commit behind it is commit.sh's.
same "what kerntime --version prints" \
    "$("$kerntime" --version | sed -E 's/^kerntime //; s/ \([0-9a-f]{10}(-dirty)?\)$//')"
same "kt_version() in the shared library" "$("$consumer")"
real=$(readlink -f "$library")
same "the library's file name" "${real##*/libkerntime.so.}"
same "the man page's version" "$("$manual" man /dev/stdout | sed -n 's/^\.Os kerntime //p')"
for shell in bash zsh fish; do
    same "the version of the completion for $shell" \
        "$("$manual" $shell /dev/stdout | sed -n 's/^# Completion of kerntime \([^ ]*\).*/\1/p')"
done
same "the version in web/package.json" "$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' "$root/web/package.json")"
same "the upstream version in debian/changelog" "$(sed -n '1s/.*(\(.*\)-.*).*/\1/p' "$root/debian/changelog")"
same "the tarball in docs/getting-started.md" "$(grep -o 'kerntime-[0-9.]*-linux' "$root/docs/getting-started.md" | sed 's/kerntime-//; s/-linux//')"
grep -q "^## $version - " "$root/CHANGELOG.md" || {
    echo "CHANGELOG.md has no section of $version"
    failed=1
}
exit "$failed"
