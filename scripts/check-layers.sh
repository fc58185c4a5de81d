#!/bin/sh
# SPDX-License-Identifier: MIT
# Who may know whom (docs/architecture.md): by #include lines, and by what the linker is asked for.
#
#   scripts/check-layers.sh [FOLDER]         checks the includes of the project (or another tree of the same layout)
#   scripts/check-layers.sh --links OBJECTS  checks the links of the library's objects, in a folder of the same rooms
#   scripts/check-layers.sh --self-test      plants one offence of each kind and sees each one found
#
# Prints `file:line: sentence` for each offence; exit 1 if there is any.
set -u

# The rooms of the library, and which of them each may know, stand in cmake/rooms. What some of them may include besides:
# ROOM OR FOLDER ; SYSTEM HEADERS
SYSTEM_HEADERS='
support                ; any
state                  ; <level_zero/.*>
backends/level_zero    ; <level_zero/.*>
backends/opencl        ; <CL/.*>
backends/vulkan        ; <vulkan/.*>
backends/cpu           ; <omp\.h>
'

# Whoever stands around the library. First matching line counts:  WHO ; WHICH FILES ; WHAT THEY MAY INCLUDE
# Files, and project headers, are regular expressions over paths from the root of the project.
# A header in <> is matched with its brackets. Words: folder = any header beside or below the file,
# std = the C standard library, posix = that of POSIX and Linux, any = everything.
CUSTOMERS='
a public header     ; include/kerntime/.*      ; <kerntime/.*> std
the terminal        ; cli/terminal/.*          ; any
the doctor          ; cli/doctor/.*            ; cli/(doctor|options|terminal)/.* workloads/.* <kerntime/.*> std
the command trace   ; cli/trace/.*             ; cli/.* tracers/common/(collect|filter|process_file|settings)\.h <kerntime/.*> std
the command line    ; cli/.*                   ; cli/.* workloads/.* tracers/common/names\.h <kerntime/.*> std <getopt\.h> <jansson\.h> <spirv_cross_c\.h>
the dialect         ; workloads/kernel\.h     ; <metal_stdlib>
a workload          ; workloads/.*             ; workloads/.* <kerntime/.*> std <omp\.h>
a workload to copy  ; examples/own_workload/.* ; folder examples/workload\.h <kerntime/.*> std
a program to time   ; examples/vulkan_timer\.c ; folder <kerntime/.*> std <vulkan/.*>
a program to time   ; examples/level_zero_timer\.c ; <kerntime/.*> std <level_zero/.*>
a program to time   ; examples/webgpu_timer\.c ; <kerntime/.*> std <webgpu/.*>
a program to time   ; examples/cuda_(runtime_)?timer\.c ; <kerntime/.*> std <cuda\.h> <cuda_runtime_api\.h>
a program to time   ; examples/(opencl_timer|plugin)\.c ; <kerntime/.*> std <CL/.*>
a program to time   ; examples/cpp_timer\.cpp ; <kerntime/.*> std <cstdio> <vector>
an example          ; examples/.*              ; folder <kerntime/.*> std
tracers/common      ; tracers/common/.*        ; folder src/(statistics|support)/.* <kerntime/.*> std posix
the OpenCL tracer   ; tracers/opencl/.*        ; TRACER <CL/.*>
the Vulkan tracer   ; tracers/vulkan/.*        ; TRACER <vulkan/.*>
the tracer of Level Zero ; tracers/level_zero/.* ; TRACER <level_zero/.*> src/backends/level_zero/timestamps\.h
records of drivers  ; tracers/records/.*       ; TRACER
a tracer            ; tracers/(cuda|hip)/.*    ; TRACER tracers/records/.*
the module for JavaScript ; web/module/.*      ; folder src/support/wasi/imports\.h src/backends/webgpu/webgpu\.h <kerntime/.*> std
a benchmark         ; bench/.*                 ; any
a test              ; tests/.*                 ; any
'

CUSTOMERS=$(printf '%s' "$CUSTOMERS" | sed 's,TRACER,folder tracers/common/(pin|tracer)\\.h src/(statistics|support)/.* src/clock/ticks\\.h <kerntime/.*> std posix,')

# Headers of a backend are for its own folder; these few readers are let in:  FILES ; HEADER
GUESTS='
tests/(unit|fuzz)/.* ; src/backends/sim/scenario\.h
tests/(unit|fuzz)/.* ; src/backends/vulkan/spirv\.h
tests/unit/.* ; src/backends/level_zero/timestamps\.h
tests/unit/.* ; src/backends/metal/pairs\.h
tests/(unit|fuzz)/.* ; src/backends/webgpu/wgsl\.h
tracers/level_zero/.* ; src/backends/level_zero/timestamps\.h
tests/unit/faults/fault_calls\.c ; src/backends/vulkan/api\.h
(tests|bench)/.* ; src/backends/webgpu/webgpu\.h
(tests|bench)/.* ; src/backends/cuda_hip/(api|types)\.h
tests/.* ; src/backends/level_zero/api\.h
tests/.* ; src/backends/metal/api\.h
tests/shape/apple_headers\.c ; src/backends/metal/objc\.h
tests/shape/metal_messages\.c ; src/backends/metal/api\.h
'

# What the library and tracers leave to the program that they are in:  FUNCTION... ; WHERE IT IS ALLOWED
CALLS='
printf vprintf fprintf vfprintf puts perror exit _exit _Exit quick_exit abort ; none
getenv secure_getenv ; src/support/.*|tracers/.*
'

# Only these files may ask which system they are compiled for, or include its headers.
SYSTEMS='__linux__ __linux _WIN32 _WIN64 __APPLE__ __unix__ __unix __FreeBSD__ __ANDROID__ _POSIX_VERSION'
SYSTEM_FILES='src/support/.*|cli/terminal/.*|tests/.*'

STANDARD='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
    time uchar wchar wctype'

POSIX='<(sys/.*|dirent\.h|dlfcn\.h|fcntl\.h|fnmatch\.h|link\.h|pthread\.h|unistd\.h)>'

# Where the compiler looks for "name.h" after the includer's own folder.
SEARCH='src include workloads .'

FOLDERS='include src tracers cli workloads bench examples tests'

check() { # FOLDER
    cd "$1" || return 2
    # shellcheck disable=SC2046,SC2086 # words; the project's own names hold no spaces
    set -- $(find $FOLDERS -type f \( -name '*.[ch]' -o -name '*.inc' -o -name '*.def' \
        -o -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null | sort)
    if [ $# -eq 0 ]; then
        echo "check-layers: no source file found" >&2
        return 2
    fi
    export SYSTEM_HEADERS CUSTOMERS GUESTS CALLS SYSTEMS SYSTEM_FILES STANDARD POSIX SEARCH
    awk '
    function trim(s) {
        gsub(/^[ \t]+|[ \t]+$/, "", s)
        return s
    }
    function full(text, pattern) {
        return text ~ ("^(" pattern ")$")
    }
    function offence(sentence) {
        printf "%s:%d: %s\n", FILENAME, FNR, sentence
        found = 1
    }
    # a/b/../c/./d.h -> a/c/d.h
    function tidy(path,   part, n, i, stack, top, out) {
        n = split(path, part, "/")
        top = 0
        for (i = 1; i <= n; i++) {
            if (part[i] == "." || part[i] == "") continue
            if (part[i] == ".." && top > 0 && stack[top] != "..") top--
            else stack[++top] = part[i]
        }
        out = stack[1]
        for (i = 2; i <= top; i++) out = out "/" stack[i]
        return out
    }
    # The project file that "name" means. One that is not there (made by the build) is taken to be
    # beside its includer.
    function resolve(name,   i, path) {
        path = tidy(folder name)
        if (path in known) return path
        for (i = 1; i <= nsearch; i++)
            if (tidy(search[i] "/" name) in known) return tidy(search[i] "/" name)
        return path
    }
    # Sets `code` to the line without comments and `bare` to it without strings too.
    function strip(line,   at, c, rest, close_at) {
        code = bare = ""
        while (line != "") {
            if (in_comment) {
                at = index(line, "*/")
                if (!at) return
                line = substr(line, at + 2)
                in_comment = 0
                continue
            }
            if (!match(line, /["\047]|\/\*|\/\//)) {
                code = code line
                bare = bare line
                return
            }
            code = code substr(line, 1, RSTART - 1)
            bare = bare substr(line, 1, RSTART - 1)
            c = substr(line, RSTART, 1)
            if (c == "/") {
                if (substr(line, RSTART + 1, 1) == "/") return
                in_comment = 1
                line = substr(line, RSTART + 2)
                continue
            }
            rest = substr(line, RSTART + 1)
            if (c == "\"") close_at = match(rest, /^([^"\\]|\\.)*"/) ? RLENGTH : length(rest)
            else close_at = match(rest, /^([^\047\\]|\\.)*\047/) ? RLENGTH : length(rest)
            code = code c substr(rest, 1, close_at)
            bare = bare c c
            line = substr(rest, close_at + 1)
        }
    }
    function guest(key,   i) {
        for (i = 1; i <= nguests; i++)
            if (full(FILENAME, guest_files[i]) && full(key, guest_header[i])) return 1
        return 0
    }
    # A word of a rule: is it this header?
    function fits(key, word) {
        if (word == "any") return 1
        if (word == "std") return key in standard
        if (word == "posix") return full(key, posix)
        if (word == "folder") return substr(key, 1, 1) != "<" && index(key, folder) == 1
        return full(key, word)
    }
    function any_fits(key, words,   i, n, word) {
        n = split(words, word, " ")
        for (i = 1; i <= n; i++)
            if (fits(key, word[i])) return 1
        return 0
    }
    # The room of a file of src/; the contract belongs to the backends, and the port to WebAssembly to support/.
    function room_of(path) {
        if (path == "src/backend.h" || path ~ /^src\/backends\//) return "backends"
        if (path ~ /^src\/support\/wasi\//) return "support"
        sub(/^src\//, "", path)
        sub(/\/?[^\/]*$/, "", path)
        return path
    }
    function check_room(key, spelled,   i, name) {
        if (key in standard || full(key, "<kerntime/.*>")) return
        for (i = 1; i <= nsystem; i++)
            if (substr(key, 1, 1) == "<" && index(FILENAME, "src/" system_place[i] "/") == 1 && any_fits(key, system_words[i]))
                return
        if (substr(key, 1, 1) == "<") {
            offence(room " may not include " spelled)
            return
        }
        if (key != "src/" substr(spelled, 2, length(spelled) - 2) && key in known) {
            offence("includes are spelled from src/: \"" substr(key, 5) "\"")
            return
        }
        name = room_of(key)
        if (name != room && !((room, name) in may)) offence(room " may not include " spelled)
    }
    function check_include(   spelled, key, owner) {
        spelled = code
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", spelled)
        spelled = trim(spelled)
        if (spelled ~ /^<[^>]*>/) {
            sub(/>.*/, ">", spelled)
            key = spelled
        } else if (spelled ~ /^"[^"]*"/) {
            match(spelled, /^"[^"]*"/)
            spelled = substr(spelled, 1, RLENGTH)
            key = resolve(substr(spelled, 2, RLENGTH - 2))
        } else {
            offence("an include through a macro hides who knows whom")
            return
        }
        if (match(key, /^(src\/|.*\/src\/)?backends\/[^\/]+\//)) {
            owner = substr(key, 1, RSTART + RLENGTH - 1)
            if (index(FILENAME, owner) != 1) {
                if (!guest(key)) offence("nobody but the backend itself may include " spelled)
                return
            }
        }
        if (!room) return
        if (FILENAME ~ /^src\//) check_room(key, spelled)
        else if (!any_fits(key, customer_may[room])) offence(customer_name[room] " may not include " spelled)
    }
    function check_words(   i, n, word, calls) {
        if (bare ~ /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)/ && !full(FILENAME, system_files)) {
            n = split(systems, word, " ")
            for (i = 1; i <= n; i++)
                if ((" " bare " ") ~ ("[^A-Za-z0-9_]" word[i] "[^A-Za-z0-9_]"))
                    offence("what depends on the system (" word[i] ") belongs in src/support/")
        }
        if (FILENAME !~ /^(src|tracers)\//) return
        for (i = 1; i <= ncalls; i++)
            if (!full(FILENAME, call_files[i]) \
                && (" " bare) ~ ("[^A-Za-z0-9_.>]" call_name[i] "[ \t]*\\("))
                offence((FILENAME ~ /^src/ ? "the library" : "a tracer") " never calls " call_name[i] (call_files[i] == "none" ? "" : " here"))
    }
    BEGIN {
        while ((getline row < "cmake/rooms") > 0) {
            line_number++
            if (row !~ /^[a-z]/) continue
            n = split(row, word, " ")
            is_room[word[1]]
            for (i = 3; i <= n; i++) {
                if (!(word[i] in is_room)) {
                    printf "cmake/rooms:%d: %s may know %s, which does not stand above it\n", line_number, word[1], word[i]
                    found = 1
                } else may[word[1], word[i]]
            }
        }
        n = split(ENVIRON["SYSTEM_HEADERS"], line, "\n")
        for (i = 1; i <= n; i++)
            if (split(line[i], cell, ";") == 2) {
                system_place[++nsystem] = trim(cell[1])
                system_words[nsystem] = trim(cell[2])
            }
        n = split(ENVIRON["CUSTOMERS"], line, "\n")
        for (i = 1; i <= n; i++)
            if (split(line[i], cell, ";") == 3) {
                customer_name[++ncustomers] = trim(cell[1])
                customer_files[ncustomers] = trim(cell[2])
                customer_may[ncustomers] = trim(cell[3])
            }
        n = split(ENVIRON["GUESTS"], line, "\n")
        for (i = 1; i <= n; i++)
            if (split(line[i], cell, ";") == 2) {
                guest_files[++nguests] = trim(cell[1])
                guest_header[nguests] = trim(cell[2])
            }
        n = split(ENVIRON["CALLS"], line, "\n")
        for (i = 1; i <= n; i++)
            if (split(line[i], cell, ";") == 2) {
                m = split(trim(cell[1]), word, " ")
                for (j = 1; j <= m; j++) {
                    call_name[++ncalls] = word[j]
                    call_files[ncalls] = trim(cell[2])
                }
            }
        n = split(ENVIRON["STANDARD"], word, /[ \t\n]+/)
        for (i = 1; i <= n; i++) standard["<" word[i] ".h>"]
        posix = ENVIRON["POSIX"]
        nsearch = split(ENVIRON["SEARCH"], search, " ")
        systems = ENVIRON["SYSTEMS"]
        system_files = ENVIRON["SYSTEM_FILES"]
        for (i = 1; i < ARGC; i++) known[ARGV[i]]
    }
    FNR == 1 {
        in_comment = 0
        folder = FILENAME
        sub(/[^\/]*$/, "", folder)
        if (FILENAME ~ /^src\//) {
            room = room_of(FILENAME)
            if (!(room in is_room)) {
                room = 0
                offence("this folder is no room: give it a line in cmake/rooms")
            }
        } else {
            for (room = 1; room <= ncustomers && !full(FILENAME, customer_files[room]); room++);
            if (room > ncustomers) {
                room = 0
                offence("no rule covers this file: give its folder a line in scripts/check-layers.sh")
            }
        }
    }
    {
        strip($0)
        if (code ~ /^[ \t]*#[ \t]*include/) check_include()
        else check_words()
    }
    END { exit found }
    ' "$@"
}

# docs/architecture.md shows the rooms as they are.
check_document() { # FOLDER
    shown=$(sed -n '/^```rooms$/,/^```$/p' "$1/docs/architecture.md" | grep -v '^```')
    [ "$shown" = "$(grep '^[a-z]' "$1/cmake/rooms")" ] && return
    echo "docs/architecture.md: its list of rooms is not that of cmake/rooms"
    return 1
}

# The main header of each room says what it may know.
check_heads() { # FOLDER
    rc=0
    while read -r room _ may; do
        case $room in
        '' | '#'*) continue ;;
        backends) where="$1/src/backend.h" ;;
        *) where=$(find "$1/src/$room" -maxdepth 1 -name '*.[ch]') ;;
        esac
        says="May know: $(printf '%s' "$may" | sed 's/ /, /g')."
        [ "$may" ] || says='Knows no other room.'
        # shellcheck disable=SC2086 # a list of files
        grep -qF "$says" $where && continue
        echo "src/$room: its main header does not say \"$says\""
        rc=1
    done <"$1/cmake/rooms"
    return "$rc"
}

# --- Links -----------------------------------------------------------------------------------------

# What a room calls of one above it, with the reason beside the declaration:  ROOM SYMBOL
LINKS_UP='registry kt_registry_report'

# What an object takes from another room, by the symbols that it leaves to the linker.
check_links() { # OBJECTS
    root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || return 2
    cd "$1" || return 2
    # shellcheck disable=SC2046 # words; the project's own names hold no spaces
    set -- $(find . -type f -name '*.o' | sort)
    if [ $# -eq 0 ]; then
        echo "check-layers: no object file found" >&2
        return 2
    fi
    nm -A "$@" | awk -v rooms="${ROOMS:-$root/cmake/rooms}" -v up="$LINKS_UP" '
    function room_of(path) {
        sub(/^\.\//, "", path)
        if (path ~ /^backends\//) return "backends"
        sub(/\/[^\/]*$/, "", path)
        return path
    }
    BEGIN {
        while ((getline row < rooms) > 0) {
            if (row !~ /^[a-z]/) continue
            n = split(row, word, " ")
            for (i = 3; i <= n; i++) may[word[1], word[i]]
        }
    }
    {
        object = $1
        sub(/:.*/, "", object)
        type = $(NF - 1)
        if (type == "U") wants[++count] = object " " $NF
        else if (type ~ /^[TDBRCVW]$/) home[$NF] = object
    }
    END {
        for (i = 1; i <= count; i++) {
            split(wants[i], word, " ")
            if (!(word[2] in home)) continue
            from = room_of(word[1])
            to = room_of(home[word[2]])
            if (from == to || (from, to) in may || from " " word[2] == up) continue
            printf "%s:1: %s may not call %s of %s\n", substr(word[1], 3), from, word[2], to
            found = 1
        }
        exit found
    }'
}

# --- A check that cannot fail is worth nothing ---------------------------------------------------

# Writes FILE with the given line as its second one, and expects an offence there.
plant() { # FILE LINE
    put "$1" '/* planted */' "$2"
    echo "$1:2:" >>expected
}

put() { # FILE LINE...
    mkdir -p "$(dirname "$1")"
    path=$1
    shift
    printf '%s\n' "$@" >"$path"
}

# What is right must pass, also where it looks like an offence.
plant_good_files() {
    put cmake/rooms '# rooms' 'support  hot' 'statistics  once  support' 'backends  hot  support' 'device  once  support backends' \
        'measure  once  support statistics device' 'output  once  support' 'output/table  once  support output'
    put src/backend.h '#include "support/error.h"' '#include <kerntime/status.h>'
    put src/support/error.h '#include <kerntime/status.h>' '#include <stdarg.h>' \
        '__attribute__((format(printf, 1, 2)))' 'void kt_error(const char *text, ...);'
    put src/statistics/stats.h '#include <stdint.h>'
    put src/statistics/stats.c '#include "statistics/stats.h"' '#include "support/error.h"' '#include <kerntime/stats.h>' '#include <math.h>'
    put src/device/device.h '#include "backend.h"'
    put src/measure/measure.h '#include <stdint.h>'
    put src/measure/measure.c '#include "device/device.h"' '#include "statistics/stats.h"' '#include "support/host_clock.h"' \
        '/* printf("x"); exit(1);' '   abort(); */' '// getenv("HOME")' \
        'int n = snprintf(b, 9, "abort(%d) /* puts(1)", my_exit(table->exit(2)));' \
        '#if defined(__GNUC__) /* not __linux__ */' '#endif'
    put src/support/host_clock.h '#include <stdint.h>'
    put src/support/host_clock.c '#include "support/host_clock.h"' '#include <time.h>' '#include <unistd.h>' \
        '#ifdef __linux__' '#endif' 'char *v = getenv("KERNTIME_BACKENDS");'
    put src/output/grid.h '#include <stddef.h>'
    put src/output/table/table.c '#include "output/grid.h"' '#include <kerntime/result.h>' '#include <stdio.h>'
    put src/backends/opencl/api.h '#include <CL/cl.h>'
    put src/backends/opencl/opencl.c '#include "backend.h"' '#include "backends/opencl/api.h"' '#include "support/error.h"'
    put src/backends/sim/scenario.h '#include <stdbool.h>'
    put src/backends/sim/sim.c '# include "backends/sim/scenario.h" /* its own */' '#include "made_by_the_build.h"'
    put include/kerntime/status.h '#include <stdint.h>'
    put include/kerntime/stats.h '#include <kerntime/status.h>'
    put workloads/workload.h '#include <kerntime/job.h>'
    put workloads/matmul/matmul.c '#include "../workload.h"' '#include <omp.h>'
    put cli/options/options.h '#include <stdbool.h>'
    put cli/main.c '#include "cli/options/options.h"' '#include "workloads/workload.h"' '#include <getopt.h>' \
        '#include <kerntime/kerntime.h>' 'printf("hello");'
    put cli/terminal/process.c '#include <spawn.h>' '#include <sys/wait.h>' '#ifdef __APPLE__' '#endif'
    put tracers/common/tracer.h '#include "statistics/stats.h"'
    put tracers/common/tracer.c '#include "tracers/common/tracer.h"' '#include <sys/mman.h>' 'getenv("X");'
    put tracers/common/collect.h '#include <stdint.h>'
    put tracers/opencl/layer.c '#include "tracers/common/tracer.h"' '#include <CL/cl.h>' '#include "support/error.h"'
    put tracers/records/records.h '#include "tracers/common/tracer.h"'
    put tracers/cuda/cuda.c '#include "tracers/records/records.h"' '#include <dlfcn.h>'
    put cli/trace/trace.c '#include "tracers/common/collect.h"' '#include "cli/options/options.h"'
    put examples/first.c '#include <kerntime/kerntime.h>' 'exit(0);'
    put examples/opencl_timer.c '#include <CL/cl.h>' '#include <kerntime/timer/opencl.h>'
    put examples/webgpu_timer.c '#include <kerntime/timer/webgpu.h>' '#include <webgpu/webgpu.h>'
    put examples/vulkan_timer.c '#include <vulkan/vulkan.h>' '#include "vulkan_timer.inc"'
    put bench/bench.c '#include <CL/cl.h>' '#include <dlfcn.h>'
    put tests/unit/scenario.c '#include "backends/sim/scenario.h"' '#include <cmocka.h>' \
        '#include <unistd.h>' '#ifdef __linux__'
}

plant_offences() {
    : >expected
    # Rooms
    plant src/statistics/a.c '#include "backend.h"'
    plant src/statistics/b.c '#include "device/device.h"'
    plant src/device/a.c '#include "measure/measure.h"'
    plant src/output/a.c '#include "output/table/tables.h"'
    plant src/output/b.c '#include "device/device.h"'
    plant src/support/a.c '#include "statistics/stats.h"'
    plant src/measure/a.c '#include "../support/error.h"'
    plant src/output/table/b.c '#include "../grid.h"'
    put src/attic/a.c ''
    echo 'src/attic/a.c:1:' >>expected
    put src/loose.c ''
    echo 'src/loose.c:1:' >>expected
    put cmake/rooms 'support  hot  statistics' 'statistics  once  support' 'backends  hot  support' 'device  once  support backends' \
        'measure  once  support statistics device' 'output  once  support' 'output/table  once  support output'
    echo 'cmake/rooms:1:' >>expected
    # Backends
    plant src/backends/sim/a.c '#include "device/device.h"'
    plant src/backends/sim/b.c '#include "backends/opencl/api.h"'
    plant src/backends/sim/c.c '#include <CL/cl.h>'
    plant src/backends/sim/d.c '#include <pthread.h>'
    plant src/backends/opencl/e.c '#include "measure/measure.h"'
    # Whoever reads a backend's folder
    plant src/device/b.c '#include "backends/sim/scenario.h"'
    plant src/device/c.c '#include "backends/not_there/x.h"'
    plant cli/a.c '#include "../src/backends/opencl/api.h"'
    plant tests/conformance/a.c '#include "backends/sim/scenario.h"'
    plant tests/unit/b.c '#include "backends/opencl/api.h"'
    # Customers of the library
    plant cli/b.c '#include "support/error.h"'
    plant cli/c.c '#include "../src/statistics/stats.h"'
    plant cli/d.c '#include <omp.h>'
    plant cli/f.c '#include <spawn.h>'
    plant workloads/empty/a.c '#include "support/error.h"'
    plant workloads/empty/b.c '#include "cli/options/options.h"'
    plant workloads/empty/c.c '#include <getopt.h>'
    plant examples/a.c '#include "workloads/workload.h"'
    plant examples/b.c '#include <CL/cl.h>'
    plant examples/plugin.c '#include <vulkan/vulkan.h>'
    # Tracers
    plant tracers/common/b.c '#include "measure/measure.h"'
    plant tracers/common/c.c '#include <CL/cl.h>'
    plant tracers/opencl/b.c '#include <vulkan/vulkan.h>'
    plant tracers/opencl/c.c '#include "tracers/common/collect.h"'
    plant tracers/opencl/d.c '#include "tracers/records/records.h"'
    plant tracers/opencl/e.c '#include "device/device.h"'
    plant tracers/opencl/f.c 'fprintf(stderr, "x");'
    plant cli/trace/b.c '#include "tracers/common/tracer.h"'
    plant cli/g.c '#include "tracers/common/collect.h"'
    # The system
    plant src/measure/b.c '#ifdef __linux__'
    plant src/measure/c.c '#  if defined(_WIN32) && X'
    plant include/kerntime/c.h '#elif __APPLE__'
    plant cli/e.c '#ifndef __unix__'
    plant src/measure/d.c '#include <unistd.h>'
    plant src/measure/e.c '#include <sys/mman.h>'
    plant workloads/empty/d.c '#include <windows.h>'
    # Public headers
    plant include/kerntime/a.h '#include "support/error.h"'
    plant include/kerntime/b.h '#include <CL/cl.h>'
    # What the library never does
    for call in 'printf("x")' 'fprintf (f, "x")' '(void)puts("x")' 'x ? exit(1) : f()' 'abort()' \
        '/* a */ getenv("X")' '"a"; perror("b")'; do
        calls=$((${calls:-0} + 1))
        plant "src/measure/call$calls.c" "$call;"
    done
    plant src/backends/sim/getenv.c 'secure_getenv("X");'
    # What would escape the rules
    plant src/measure/macro.c '#include HEADER'
    put include/other/a.h ''
    echo 'include/other/a.h:1:' >>expected
}

# Objects of two rooms: down is right, up is not.
link_test() {
    mkdir -p objects/support objects/measure
    printf 'support once\nmeasure once support\n' >link_rooms
    printf 'int up(void); int down(void) { return up(); }\n' | cc -x c -c -o objects/support/a.o - || return 1
    printf 'int down(void); int up(void) { return down(); }\n' | cc -x c -c -o objects/measure/b.o - || return 1
    found=$(ROOMS=$tree/link_rooms check_links objects)
    [ "$found" = "support/a.o:1: support may not call up of measure" ] && return
    printf 'check-layers: the self-test of links: "%s"\n' "$found" >&2
    return 1
}

self_test() {
    tree=$(mktemp -d) || return 2
    trap 'rm -rf "$tree"' EXIT
    trap 'exit 1' HUP INT TERM
    cd "$tree" || return 2

    plant_good_files
    if ! reported=$(check .); then
        printf 'check-layers: the self-test: these are no offences:\n%s\n' "$reported" >&2
        return 1
    fi

    plant_offences
    check . >reported && {
        echo "check-layers: the self-test: offences, and exit 0" >&2
        return 1
    }
    sed 's/^\([^:]*:[0-9]*:\).*/\1/' reported | sort >found
    sort expected >wanted
    if ! difference=$(diff wanted found); then
        printf 'check-layers: the self-test (< not found, > not planted):\n%s\n' "$difference" >&2
        return 1
    fi
    (link_test) || return 1
    echo "check-layers: self-test: $(wc -l <wanted) planted offences and a link, all found"
}

case ${1:-} in
--self-test) self_test ;;
--links) check_links "$2" ;;
*)
    folder=${1:-$(dirname -- "$0")/..}
    rc=0
    check_document "$folder" || rc=1
    check_heads "$folder" || rc=1
    (check "$folder") || rc=1
    exit "$rc"
    ;;
esac
