#!/bin/sh
# SPDX-License-Identifier: MIT
# offline.sh SOURCE WORK CMAKE: ./dev hw-check goes on with what is there, without root or without a network, and says what is left
# out; other commands ask for what they need. Packages, builds and programs are stand-ins.
set -u

source=$1 work=$2 cmake=$3
failed=0
rm -rf "$work" && mkdir -p "$work/root/scripts" "$work/bin" || exit 1
cp "$source/dev" "$work/root/dev"
for tool in sh sed tr grep cat mkdir printf getconf dirname env rm cut head find uname ls date chmod; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool" 2>/dev/null
done
tool() { # NAME TEXT
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"
}
tool gcc 'exit 0'
tool cc 'read -r line; case $line in *stdio.h*) exit 0 ;; esac; exit 1'
tool ninja 'exit 0'
tool dpkg-query 'exit 1'
tool sleep 'exit 0'
tool apt-get 'echo "no network"; exit 100'
tool apt-cache 'exit 1'
# shellcheck disable=SC2016 # expanded by the stand-in
tool cmake 'case "$*" in
--version) echo "cmake version 3.25.1" ;;
*--build*) mkdir -p build/release && printf "#!/bin/sh\necho ran: \"\$*\"\n" >build/release/kerntime-hw-check &&
    chmod +x build/release/kerntime-hw-check ;;
esac'

expect() { # TEXT
    printf '%s\n' "$said" | grep -qF -- "$1" || {
        printf '%s\n' "$said"
        echo "wrong: not said ($who): $1"
        failed=1
    }
}

for who in 1000 0; do
    tool id "echo $who"
    said=$(cd "$work/root" && PATH=$work/bin sh ./dev hw-check --samples 6 2>&1)
    expect "opencl-headers is not here: what needs it is left out"
    expect "ran: --no-conformance"
    expect "--samples 6"
    said=$(cd "$work/root" && PATH=$work/bin sh ./dev demo 2>&1) && {
        echo "wrong: demo goes on ($who)"
        failed=1
    }
done
who=0
rm "$work/bin/ninja"
said=$(cd "$work/root" && PATH=$work/bin sh ./dev hw-check 2>&1)
expect "please install first (these are Debian's names): ninja-build"

# What is left out is not the program itself.
"$cmake" -S "$source" -B "$work/build" -G Ninja -DKT_OPENCL_HEADERS=OFF -DKT_CLANG=OFF -DKT_GLSLC=OFF \
    >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; failed=1; }
ninja -C "$work/build" -t query kerntime-hw-check >"$work/ninja.log" 2>&1 || {
    cat "$work/ninja.log"
    echo "wrong: there is no kerntime-hw-check without OpenCL's headers"
    failed=1
}
exit "$failed"
