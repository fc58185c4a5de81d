# guide.sh - for tests that do what a guide in docs/ tells its reader to, literally and nothing else. Sourced, with
# $work set to a folder of its own.

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
files() {
    git -c safe.directory="$1" ls-files -co --exclude-standard 2>/dev/null ||
        find . -path ./build -prune -o -type f -print
}

# A new $work, with a copy of the project in $work/tree.
copy_tree() { # SOURCE-FOLDER
    rm -rf "$work"
    mkdir -p "$work/tree" || exit 1
    (cd "$1" && files "$1" | while IFS= read -r file; do
        if [ -f "$file" ]; then printf '%s\n' "$file"; fi
    done | tar -cf - -T -) | tar -xf - -C "$work/tree" || die "the source tree could not be copied"
}

blocks() { # GUIDE KIND: what the guide shows in fences of that kind
    awk -v fence="\`\`\`$2" '$0 == "```" { inside = 0 } inside; $0 == fence { inside = 1 }' "$1"
}

add_line() { # GUIDE FILE: the one line that the guide adds to it, below the line that the guide shows
    blocks "$1" diff | awk -v file="$2" '
        /^[+][+][+] / { inside = $2 == file; next }
        inside && /^[+]/ { print substr(before, 2); print substr($0, 2); exit }
        { before = $0 }' >"$work/two"
    [ "$(wc -l <"$work/two")" -eq 2 ] || die "the guide adds no line to $2"
    awk 'NR == FNR { line[FNR] = $0; next } { print } $0 == line[1] { print line[2]; n++ }
        END { exit n != 1 }' "$work/two" "$2" >"$work/edited" ||
        die "$2 has not one line like the guide's: $(head -n 1 "$work/two")"
    cp "$work/edited" "$2"
}
