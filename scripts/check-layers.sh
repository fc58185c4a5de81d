#!/bin/sh
# Who may know whom (docs/architecture.md), read from the #include lines.
#
#   scripts/check-layers.sh [FOLDER]      checks the project (or another tree of the same layout)
#   scripts/check-layers.sh --self-test   plants one offence of each kind and sees each one found
#
# Prints `file:line: sentence` for each offence; exit 1 if there is any.
set -u

# The rules. First matching line counts:  WHO ; WHICH FILES ; WHAT THEY MAY INCLUDE
# Files, and project headers, are regular expressions over paths from the root of the project.
# A header in <> is matched with its brackets. Words: own = the header of the same name,
# folder = any header beside or below the file, std = the C standard library, any = everything.
ROOMS='
the statistics      ; src/(stats|interval|pattern)\.[ch] ; own src/(interval|pattern)\.h <kerntime/.*> std
the transfers       ; src/transfer\.c ; own src/(interval|pattern|ratio)\.h <kerntime/.*> std
the comparing       ; src/(compare|sides|witnesses)\.[ch] ; own src/(common|core|interval|moderation|ranks|ratio|sides|witnesses)\.h <kerntime/.*> std
the calibration     ; src/(calibrate|track|period)\.[ch] ; own src/(track|ticks)\.h <kerntime/.*> std
a pure file         ; src/(ticks|step|stopping|trials|warmup|ratio|moderation|ranks|common)\.[ch] ; own src/interval\.h <kerntime/.*> src/error\.h std
a backend           ; src/backends/level_zero/.* ; src/backend\.h src/error\.h src/support/.* folder <kerntime/.*> std <level_zero/.*>
a backend           ; src/backends/opencl/.*   ; src/backend\.h src/error\.h src/support/.* folder <kerntime/.*> std <CL/.*>
a backend           ; src/backends/vulkan/.*   ; src/backend\.h src/error\.h src/support/.* folder <kerntime/.*> std <vulkan/.*>
a backend           ; src/backends/cpu/.*      ; src/backend\.h src/error\.h src/support/.* folder <kerntime/.*> std <omp\.h>
a backend           ; src/backends/[^/]+/.*    ; src/backend\.h src/error\.h src/support/.* folder <kerntime/.*> std
the support folder  ; src/support/.*           ; any
a results file      ; src/results/.*           ; folder src/error\.h src/support/alloc\.h <kerntime/.*> std
the core            ; src/.*                   ; src/.* <kerntime/.*> std
a public header     ; include/kerntime/.*      ; <kerntime/.*> std
the terminal        ; cli/terminal\.[ch]       ; any
other programs      ; cli/process\.[ch]        ; any
the doctor          ; cli/doctor/.*            ; folder cli/(options|output|progress|parse)\.h workloads/.* <kerntime/.*> std
the command line    ; cli/.*                   ; folder workloads/.* <kerntime/.*> std <getopt\.h> <jansson\.h>
the dialect         ; workloads/kernel\.h     ; <metal_stdlib>
a workload          ; workloads/.*             ; workloads/.* <kerntime/.*> std <omp\.h>
a workload to copy  ; examples/own_workload/.* ; folder examples/workload\.h <kerntime/.*> std
a program to time   ; examples/vulkan_timer\.c ; folder <kerntime/.*> std <vulkan/.*>
a program to time   ; examples/level_zero_timer\.c ; <kerntime/.*> std <level_zero/.*>
a program to time   ; examples/webgpu_timer\.c ; <kerntime/.*> std <webgpu/.*>
a program to time   ; examples/cuda_(runtime_)?timer\.c ; <kerntime/.*> std <cuda\.h> <cuda_runtime_api\.h>
a program to time   ; examples/(opencl_timer|plugin)\.c ; <kerntime/.*> std <CL/.*>
an example          ; examples/.*              ; folder <kerntime/.*> std
a benchmark         ; bench/.*                 ; any
a test              ; tests/.*                 ; any
'

# Headers of a backend are for its own folder; these few readers are let in:  FILES ; HEADER
GUESTS='
tests/(unit|fuzz)/.* ; src/backends/sim/scenario\.h
tests/(unit|fuzz)/.* ; src/backends/vulkan/spirv\.h
tests/unit/.* ; src/backends/level_zero/stamps\.h
tests/unit/.* ; src/backends/metal/pairs\.h
tests/(unit|fuzz)/.* ; src/backends/webgpu/wgsl\.h
tests/unit/fault_calls\.c ; src/backends/vulkan/api\.h
(tests|bench)/.* ; src/backends/webgpu/webgpu\.h
(tests|bench)/.* ; src/backends/cuda_hip/(api|types)\.h
tests/.* ; src/backends/level_zero/api\.h
tests/.* ; src/backends/metal/api\.h
tests/shape/apple_headers\.c ; src/backends/metal/objc\.h
tests/shape/metal_messages\.c ; src/backends/metal/api\.h
'

# What the library leaves to the program that uses it:  FUNCTION... ; WHERE IT IS ALLOWED
CALLS='
printf vprintf fprintf vfprintf puts perror exit _exit _Exit quick_exit abort ; none
getenv secure_getenv ; src/support/.*
'

# Only these files may ask which system they are compiled for, or include its headers.
SYSTEMS='__linux__ __linux _WIN32 _WIN64 __APPLE__ __unix__ __unix __FreeBSD__ __ANDROID__ _POSIX_VERSION'
SYSTEM_FILES='src/support/.*|cli/terminal\.c|cli/process\.c|tests/.*'

STANDARD='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
    time uchar wchar wctype'

# Where the compiler looks for "name.h" after the includer's own folder.
SEARCH='src include cli workloads bench tests .'

FOLDERS='include src cli workloads bench examples tests'

check() { # FOLDER
    cd "$1" || return 2
    # shellcheck disable=SC2046,SC2086 # words; the project's own names hold no spaces
    set -- $(find $FOLDERS -type f \( -name '*.[ch]' -o -name '*.inc' -o -name '*.def' \
        -o -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null | sort)
    if [ $# -eq 0 ]; then
        echo "check-layers: no source file found" >&2
        return 2
    fi
    export ROOMS GUESTS CALLS SYSTEMS SYSTEM_FILES STANDARD SEARCH
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
    function allowed(key, room,   i, n, word, base) {
        n = split(room_may[room], word, " ")
        for (i = 1; i <= n; i++) {
            if (word[i] == "any") return 1
            if (word[i] == "std") {
                if (key in standard) return 1
            } else if (word[i] == "folder") {
                if (substr(key, 1, 1) != "<" && index(key, folder) == 1) return 1
            } else if (word[i] == "own") {
                base = FILENAME
                sub(/.*\//, "", base)
                sub(/\.[^.]*$/, "", base)
                if (key == folder base ".h" || key == "<kerntime/" base ".h>") return 1
            } else if (full(key, word[i])) return 1
        }
        return 0
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
        if (match(key, /(^|[<\/])backends\/[^\/]+\//)) {
            owner = substr(key, 1, RSTART + RLENGTH - 1)
            if (index(FILENAME, owner) != 1) {
                if (!guest(key)) offence("nobody but the backend itself may include " spelled)
                return
            }
        }
        if (!room) return
        if (!allowed(key, room)) offence(room_name[room] " may not include " spelled)
    }
    function check_words(   i, n, word, calls) {
        if (bare ~ /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)/ && !full(FILENAME, system_files)) {
            n = split(systems, word, " ")
            for (i = 1; i <= n; i++)
                if ((" " bare " ") ~ ("[^A-Za-z0-9_]" word[i] "[^A-Za-z0-9_]"))
                    offence("what depends on the system (" word[i] ") belongs in src/support/")
        }
        if (FILENAME !~ /^src\//) return
        for (i = 1; i <= ncalls; i++)
            if (!full(FILENAME, call_files[i]) \
                && (" " bare) ~ ("[^A-Za-z0-9_.>]" call_name[i] "[ \t]*\\("))
                offence("the library never calls " call_name[i] (call_files[i] == "none" ? "" : " here"))
    }
    BEGIN {
        n = split(ENVIRON["ROOMS"], line, "\n")
        for (i = 1; i <= n; i++)
            if (split(line[i], cell, ";") == 3) {
                room_name[++nrooms] = trim(cell[1])
                room_files[nrooms] = trim(cell[2])
                room_may[nrooms] = trim(cell[3])
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
        nsearch = split(ENVIRON["SEARCH"], search, " ")
        systems = ENVIRON["SYSTEMS"]
        system_files = ENVIRON["SYSTEM_FILES"]
        for (i = 1; i < ARGC; i++) known[ARGV[i]]
    }
    FNR == 1 {
        in_comment = 0
        folder = FILENAME
        sub(/[^\/]*$/, "", folder)
        for (room = 1; room <= nrooms && !full(FILENAME, room_files[room]); room++);
        if (room > nrooms) {
            room = 0
            offence("no rule covers this file: give its folder a line in scripts/check-layers.sh")
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
    put src/backend.h '#include <kerntime/status.h>'
    put src/error.h '#include <kerntime/status.h>' '#include <stdarg.h>' \
        '__attribute__((format(printf, 1, 2)))' 'void kt_error(const char *text, ...);'
    put src/ticks.h '#include <stdint.h>'
    put src/ticks.c '#include "ticks.h"' '#include "error.h"' '#include <math.h>'
    put src/stats.c '#include <kerntime/stats.h>' '#include <kerntime/status.h>'
    put src/measure.c '#include "backend.h"' '#include "ticks.h"' '#include "support/host_clock.h"' \
        '/* printf("x"); exit(1);' '   abort(); */' '// getenv("HOME")' \
        'int n = snprintf(b, 9, "abort(%d) /* puts(1)", my_exit(table->exit(2)));' \
        '#if defined(__GNUC__) /* not __linux__ */' '#endif'
    put src/support/host_clock.h '#include <stdint.h>'
    put src/support/host_clock.c '#include "host_clock.h"' '#include <time.h>' '#include <unistd.h>' \
        '#ifdef __linux__' '#endif' 'char *v = getenv("KERNTIME_BACKENDS");'
    put src/support/alloc.h '#include <stddef.h>'
    put src/results/grid.h '#include <stddef.h>'
    put src/results/table.c '#include "grid.h"' '#include "results/grid.h"' '#include "../error.h"' \
        '#include "../support/alloc.h"' '#include <kerntime/result.h>' '#include <stdio.h>'
    put src/backends/opencl/api.h '#include <CL/cl.h>'
    put src/backends/opencl/opencl.c '#include "api.h"' '#include "../../backend.h"' \
        '#include "support/alloc.h"' '#include "backends/opencl/api.h"'
    put src/backends/sim/scenario.h '#include <stdbool.h>'
    put src/backends/sim/sim.c '# include "scenario.h" /* its own */' '#include "made_by_the_build.h"'
    put include/kerntime/status.h '#include <stdint.h>'
    put include/kerntime/stats.h '#include <kerntime/status.h>'
    put workloads/workload.h '#include <kerntime/job.h>'
    put workloads/matmul/matmul.c '#include "../workload.h"' '#include <omp.h>'
    put cli/options.h '#include <stdbool.h>'
    put cli/main.c '#include "options.h"' '#include "workloads/workload.h"' '#include <getopt.h>' \
        '#include <kerntime/kerntime.h>' 'printf("hello");'
    put cli/process.c '#include <spawn.h>' '#include <sys/wait.h>' '#ifdef __APPLE__' '#endif'
    put examples/first.c '#include <kerntime/kerntime.h>' 'exit(0);'
    put examples/opencl_timer.c '#include <CL/cl.h>' '#include <kerntime/native/opencl.h>'
    put examples/webgpu_timer.c '#include <kerntime/native/webgpu.h>' '#include <webgpu/webgpu.h>'
    put examples/vulkan_timer.c '#include <vulkan/vulkan.h>' '#include "vulkan_timer.inc"'
    put bench/bench.c '#include <CL/cl.h>' '#include <dlfcn.h>'
    put tests/unit/test_scenario.c '#include "backends/sim/scenario.h"' '#include <cmocka.h>' \
        '#include <unistd.h>' '#ifdef __linux__'
}

plant_offences() {
    : >expected
    # Pure files
    plant src/stopping.c '#include "backend.h"'
    plant src/calibrate.c '#include "stopping.h"'
    plant src/warmup.c '#include "core.h"'
    # Backends
    plant src/backends/sim/a.c '#include "ticks.h"'
    plant src/backends/sim/b.c '#include "../opencl/api.h"'
    plant src/backends/sim/c.c '#include <CL/cl.h>'
    plant src/backends/sim/d.c '#include <pthread.h>'
    plant src/backends/opencl/e.c '#include "../../measure.h"'
    # Whoever reads a backend's folder
    plant src/device.c '#include "backends/sim/scenario.h"'
    plant src/registry.c '#include "backends/not_there/x.h"'
    plant cli/a.c '#include "../src/backends/opencl/api.h"'
    plant tests/conformance/a.c '#include "backends/sim/scenario.h"'
    plant tests/unit/b.c '#include "backends/opencl/api.h"'
    # Customers of the library
    plant cli/b.c '#include "error.h"'
    plant cli/c.c '#include "../src/ticks.h"'
    plant cli/d.c '#include <omp.h>'
    plant cli/f.c '#include <spawn.h>'
    plant workloads/empty/a.c '#include "support/alloc.h"'
    plant workloads/empty/b.c '#include "../../cli/options.h"'
    plant workloads/empty/c.c '#include <getopt.h>'
    plant examples/a.c '#include "workloads/workload.h"'
    plant examples/b.c '#include <CL/cl.h>'
    plant examples/plugin.c '#include <vulkan/vulkan.h>'
    # Results
    plant src/results/a.c '#include "backend.h"'
    plant src/results/b.c '#include "support/host_clock.h"'
    # The system
    plant src/a.c '#ifdef __linux__'
    plant src/b.c '#  if defined(_WIN32) && X'
    plant include/kerntime/c.h '#elif __APPLE__'
    plant cli/e.c '#ifndef __unix__'
    plant src/d.c '#include <unistd.h>'
    plant src/e.c '#include <sys/mman.h>'
    plant workloads/empty/d.c '#include <windows.h>'
    # Public headers
    plant include/kerntime/a.h '#include "error.h"'
    plant include/kerntime/b.h '#include <CL/cl.h>'
    # What the library never does
    for call in 'printf("x")' 'fprintf (f, "x")' '(void)puts("x")' 'x ? exit(1) : f()' 'abort()' \
        '/* a */ getenv("X")' '"a"; perror("b")'; do
        calls=$((${calls:-0} + 1))
        plant "src/call$calls.c" "$call;"
    done
    plant src/backends/sim/getenv.c 'secure_getenv("X");'
    # What would escape the rules
    plant src/macro.c '#include HEADER'
    put include/other/a.h ''
    echo 'include/other/a.h:1:' >>expected
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
    echo "check-layers: self-test: $(wc -l <wanted) planted offences, all found"
}

case ${1:-} in
--self-test) self_test ;;
*) check "${1:-$(dirname -- "$0")/..}" ;;
esac
