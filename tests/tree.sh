# SPDX-License-Identifier: MIT
# For tests that build something of their own: read by them with `.`; `work` is their folder.

die() {
    echo "$@"
    exit 1
}

quietly() {
    "$@" >"$work/log" 2>&1 && return
    cat "$work/log"
    die "failed: $*"
}

# All of the project as it is now; a tarball has no git to ask.
tree_files() {
    git -c safe.directory="$1" ls-files -co --exclude-standard 2>/dev/null ||
        find . -path ./build -prune -o -type f -print
}

copy_tree() { # FROM TO
    mkdir -p "$2" || exit 1
    (cd "$1" && tree_files "$1" | while IFS= read -r file; do
        if [ -f "$file" ]; then printf '%s\n' "$file"; fi
    done | tar -cf - -T -) | tar -xf - -C "$2" || die "the source tree could not be copied"
}
