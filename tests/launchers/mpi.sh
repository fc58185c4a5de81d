#!/bin/sh
# mpi.sh KERNTIME MPIRUN: a rank each of Open MPI's or MPICH's mpirun measures its own device and writes its own file, with its
# place in it; they start together; and the exit code is that of kerntime. 77: there is no such mpirun.
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

ranks() { # COUNT ARGUMENT...
    count=$1
    shift
    # shellcheck disable=SC2086 # a list
    $mpirun $options -n "$count" "$kerntime" "$@"
}

mkdir out
ranks 6 bench saxpy --size 1024 -q --local-device sim --start-together out --json 'out/%r.json' >table 2>err || exit 1
/usr/bin/python3 "$here/check_ranks.py" 6 $variable out/*.json || exit 1
[ "$(ls -A out | wc -l)" = 6 ] || { ls -A out; exit 1; }
# sim has four devices.
[ "$(grep -c '^kerntime: local ranks [01] and [45] both use sim:[01]; start at most 4 ranks on a node$' err)" = 2 ] || { cat err; exit 1; }

# The command of the guide, on one node.
mkdir guide && cd guide && mkdir out || exit 1
guide_block "$here/../../docs/launchers.md" "$heading" | sed "s/^mpirun /$mpirun /" >script
PATH="$(dirname "$kerntime"):$PATH" OMPI_MCA_rmaps_base_oversubscribe=1 sh script >../table 2>../err && guide_files 8 || { cat ../err; exit 1; }
cd ..

# Of several quiet ranks with files none prints a table, nor colours, though Open MPI gives each a terminal.
[ ! -s table ] || { cat table; exit 1; }
TERM=xterm ranks 2 bench saxpy --size 1024 -d sim:0 >table 2>err || exit 1
[ "$(grep -c '^saxpy' table)" = 2 ] && ! grep -q "$(printf '\033')" table err || { cat table err; exit 1; }

# A file of all ranks is refused before work starts, and a wrong result is told.
ranks 2 bench saxpy --size 1024 -q -d sim:0 --json all.json >/dev/null 2>err
[ $? = 2 ] && [ ! -e all.json ] || { echo "one file of all: $(cat err)"; exit 1; }
ranks 2 bench saxpy --size 1024 -q -d sim:0:wrong=1 --json 'out/wrong.%r.json' >/dev/null 2>err
[ $? = 4 ] && [ -e out/wrong.0.json ] && [ -e out/wrong.1.json ] || { echo "a wrong result: $(cat err)"; exit 1; }

# Each rank of the inner launcher is one of one: it takes itself for the only one.
if [ "$2" = mpich ] && command -v mpirun.openmpi >/dev/null; then
    # shellcheck disable=SC2086 # a list
    $mpirun -n 2 mpirun.openmpi --oversubscribe -n 1 "$kerntime" devices --local-device sim >/dev/null 2>err || exit 1
    [ "$(grep -c 'OMPI_COMM_WORLD_RANK says rank 0 of 1, but PMI_SIZE is 2: use one launcher' err)" = 2 ] || { cat err; exit 1; }
fi
