#!/bin/sh
# SPDX-License-Identifier: MIT
# mpi.sh KERNTIME MPIRUN: a rank each of Open MPI's or MPICH's mpirun measures its own device and writes its own file, with its
# place in it; they start together; and the exit code is that of kerntime. 77: there is no such mpirun.
# Ranks keep what they say and their exit codes in files: a launcher may lose the last lines of ranks that end early.
set -u

kerntime=$1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck disable=SC1091
. "$here/guide.sh"
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
export KERNTIME_BACKENDS=sim OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HYDRA_LAUNCHER=fork

case $2 in
openmpi) mpirun=mpirun.openmpi options=--oversubscribe variable=OMPI_COMM_WORLD_RANK heading='Open MPI' ;;
mpich) mpirun=mpirun.mpich options= variable=PMI_RANK heading='MPICH, Intel MPI' ;;
esac
command -v $mpirun >/dev/null || {
    echo "skipped: there is no $mpirun"
    exit 77
}

ranks() { # COUNT ARGUMENT...: standard error to err.RANK, exit codes to code.RANK
    count=$1
    shift
    rm -f err.* code.*
    # shellcheck disable=SC2086 # a list
    $mpirun $options -n "$count" sh -c "\"\$0\" \"\$@\" 2>err.\$$variable; echo \$? >code.\$$variable" "$kerntime" "$@" >table 2>launcher
}

codes() { # COUNT CODE: so many ranks ended with this code
    [ "$(cat code.* | sort | uniq -c | tr -d '\n ')" = "$1$2" ] && return
    echo "not $1 ranks with exit code $2: $(head code.* err.* launcher)"
    exit 1
}

mkdir out
ranks 6 bench saxpy --size 1024 -q --local-device sim --start-together out --start-limit 10min --json 'out/%r.json'
codes 6 0
/usr/bin/python3 "$here/check_ranks.py" 6 $variable out/*.json || exit 1
[ "$(ls -A out | wc -l)" = 6 ] || { ls -A out; exit 1; }
# sim has four devices.
[ "$(cat err.* | grep -c '^kerntime: local ranks [01] and [45] both use sim:[01]; start at most 4 ranks on a node$')" = 2 ] || { cat err.*; exit 1; }

# The command of the guide, on one node.
mkdir guide && cd guide && mkdir out || exit 1
guide_block "$here/../../docs/launchers.md" "$heading" | sed "s/^mpirun /$mpirun /" >script
PATH="$(dirname "$kerntime"):$PATH" OMPI_MCA_rmaps_base_oversubscribe=1 sh script >../table 2>../launcher && guide_files 8 || { cat ../launcher; exit 1; }
cd ..

# Of several quiet ranks with files none prints a table, nor colours, though Open MPI gives each a terminal.
[ ! -s table ] || { cat table; exit 1; }
TERM=xterm ranks 2 bench saxpy --size 1024 -d sim:0
codes 2 0
[ "$(grep -c '^saxpy' table)" = 2 ] && ! grep -q "$(printf '\033')" table err.* || { cat table err.*; exit 1; }

# A file of all ranks is refused before work starts, and a wrong result is told.
ranks 2 bench saxpy --size 1024 -q -d sim:0 --json all.json
codes 2 2
[ ! -e all.json ] || { echo "one file of all: $(cat err.*)"; exit 1; }
ranks 2 bench saxpy --size 1024 -q -d sim:0:wrong=1 --json 'out/wrong.%r.json'
codes 2 4
[ -e out/wrong.0.json ] && [ -e out/wrong.1.json ] || { echo "a wrong result: $(cat err.*)"; exit 1; }

# Each rank of the inner launcher is one of one: it takes itself for the only one.
if [ "$2" = mpich ] && command -v mpirun.openmpi >/dev/null; then
    rm -f err.*
    # shellcheck disable=SC2016 # PMI_RANK is the rank's
    $mpirun -n 2 mpirun.openmpi --oversubscribe -n 1 sh -c '"$0" devices --local-device sim 2>err.$PMI_RANK' "$kerntime" >table 2>launcher || exit 1
    [ "$(cat err.* | grep -c 'OMPI_COMM_WORLD_RANK says rank 0 of 1, but PMI_SIZE is 2: use one launcher')" = 2 ] || { head err.* launcher; exit 1; }
fi
