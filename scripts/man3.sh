#!/bin/sh
# SPDX-License-Identifier: MIT
# man3.sh DOXYGEN VERSION FOLDER: man pages of the public headers in FOLDER/man3: kerntime_measure.h.3 of each header,
# kt_measure_options.3 of each struct, kt_measure.3 of each function and type, which shows its header's page.
set -u

doxygen=$1 version=$2
mkdir -p "$3" && folder=$(cd "$3" && pwd) && cd "$(dirname -- "$0")/.." || exit 1
pages=$folder/doxygen/man3
rm -rf "$folder/man3" "$folder/doxygen" && mkdir "$folder/man3" || exit 1

# A warning is an error of ./dev docs, not of a build with another Doxygen.
(cat docs/Doxyfile && cat <<SETTINGS
OUTPUT_DIRECTORY       = "$folder"
GENERATE_HTML          = NO
GENERATE_MAN           = YES
MAN_OUTPUT             = doxygen
MAN_LINKS              = YES
SHOW_INCLUDE_FILES     = NO
WARNINGS               = NO
WARN_AS_ERROR          = NO
SETTINGS
) | KT_VERSION=$version "$doxygen" - || exit 1

# kerntime/timer/cuda.h is kerntime_timer_cuda.h.3, as sys/types.h is sys_types.h elsewhere. Doxygen links
# the names of all members, too: these are left out.
# Corrected: names with a slash, which whatis does not take; the day of the build; lines that begin with an apostrophe, which
# are requests; quotes of a text that comes from a table; the font C, which terminals lack; a::b for a.b; Doxygen as the author.
# shellcheck disable=SC2035 # none begins with a dash
cd "$pages" && awk -v folder="$folder/man3" -v version="$version" '
    function title_of(file, line) {
        if (!(file in titles)) {
            getline line <file
            close(file)
            split(line, words, "\"")
            titles[file] = words[2]
        }
        return titles[file]
    }
    function page_of(title) {
        gsub("/", "_", title)
        return title ".3"
    }
    FNR == 1 {
        if (out) close(out)
        out = part = ""
        skipped = 0
    }
    FNR == 1 && /^\.so / {
        sub("^.so man3/", "")
        out = folder "/" FILENAME
        print ".so man3/" page_of(title_of($0)) >out
        nextfile
    }
    FNR == 1 {
        split($0, words, "\"")
        title = words[2]
        page = page_of(title)
        name = substr(page, 1, length(page) - 2)
        out = folder "/" page
        $0 = ".TH \"" name "\" 3 \"\" \"kerntime " version "\" \"kerntime\""
    }
    /^\.SH / { part = $2 }
    part ~ /Author/ { nextfile }
    part == "NAME" && / \\- / { sub("^[^ ]* ", name " ") }
    /^\.SS / { sub("::", ".") }
    skipped > 0 && skipped-- { next }
    /^\.RI "\047.*\047 $/ {
        sub("\"\047", "\"")
        sub("\047 $", "\"")
        skipped = 2
    }
    /^\047.*\047 $/ { $0 = substr($0, 2, length($0) - 3) }
    {
        sub("^\047", "\\\\\\&\047")
        gsub(/\\fC/, "\\fB")
        print >out
    }
    /^\.SH SYNOPSIS/ && title ~ /\.h$/ { print ".PP\n\\fB#include <" title ">\\fP" >out }
' kt_*.3 *.h.3 && rm -rf "$folder/doxygen"
