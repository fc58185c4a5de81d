# For tests that do what a guide in docs/ tells its reader to, literally and nothing else: read by them with `.`, after
# tests/tree.sh.

# CMake's own choice is make; where there is none the reader would have said so.
command -v make >/dev/null || export CMAKE_GENERATOR=Ninja

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

check_quotes() { # GUIDE: what it shows of whole files is what they hold
    awk '$1 ~ /^```/ && $1 != "```diff" && NF == 2 && $2 ~ /\// { print $2 }' "$1" >"$work/quoted"
    [ -s "$work/quoted" ] || die "the guide quotes no file"
    while read -r file; do
        awk -v file="$file" '$0 == "```" { inside = 0 } inside; $1 ~ /^```/ && $2 == file { inside = 1 }' \
            "$1" | cmp - "$file" || die "$1 does not show $file as it is"
    done <"$work/quoted"
}

# A file that is shown in parts, as what becomes of another one: fences of diff that name it.
parts() { # GUIDE FILE before|after
    awk -v file="$2" -v gone="$([ "$3" = before ] && echo + || echo -)" '
        $0 == "```" { inside = 0 }
        inside && substr($0, 1, 1) != gone { print substr($0, 2) }
        $1 == "```diff" && $2 == file { inside = 1 }' "$1"
}
