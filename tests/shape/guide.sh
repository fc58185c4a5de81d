# SPDX-License-Identifier: MIT
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

check_excerpts() { # GUIDE: the lines that it shows of a file, in a fence "c excerpt FILE", stand there in that order
    python3 - "$1" <<'PYTHON' || die "$1 shows lines that are not in the file"
import pathlib, re, sys
excerpts = re.findall(r"^```\w+ excerpt (\S+)\n(.*?)^```$", pathlib.Path(sys.argv[1]).read_text(), re.M | re.S)
wrong = [file for file, text in excerpts if text not in pathlib.Path(file).read_text()]
sys.exit(f"{len(excerpts)} excerpts, not in their files: {wrong}" if wrong or not excerpts else 0)
PYTHON
}
