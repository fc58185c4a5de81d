# SPDX-License-Identifier: MIT
# Names of files: what stands for host, rank, process, job and a variable, for all commands and files.
unset SLURM_JOB_ID PMI_JOBID PMIX_NAMESPACE
host=$(uname -n)
export USER_TAG=tag
kerntime bench saxpy --size 64 -d sim:0 -q --json '%{USER_TAG}-%%-%h.json' --trace t-%p >/dev/null
ls | sed "s/$host/HOST/; s/^t-[0-9]*$/t-PROCESS/"
rm ./*
kerntime bench saxpy --size 64 -d sim:0 -q --runs 2 --json j-%p --csv c-%p >/dev/null # one process writes
ls | sed 's/[0-9][0-9]*$/PROCESS/'
cmp ./j-* "j-$(ls c-* | sed 's/c-//')"
rm ./*
# Ranks: of a launcher, or of a variable.
export OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 PMIX_NAMESPACE=job9
kerntime bench saxpy --size 64 -d sim:0 -q --gbench g%r --bmf b%r-%j --action a%r >/dev/null
kerntime copy --direction heap-device --size 4096,8192 -d sim:0 -q --csv c%r >/dev/null
kerntime devices -d sim:0 -q --json d%r >/dev/null
kerntime doctor -d sim:0 -q --markdown o%r >/dev/null
ls
rm ./*
# Ranks never write one file. Standard output is not checked: launchers take care of it.
try kerntime bench saxpy --size 64 -d sim:0 -q --json results.json
try kerntime copy -d sim:0 --csv '%h-%j-%%r.csv'
try kerntime run none.cl --t4 t4.json
try kerntime bench saxpy --size 64 -d sim:0 --plot figure.svg
try kerntime devices -d sim:0 --markdown m
try kerntime doctor -d sim:0 --json j
# What is equal in all ranks, or may be: processes in containers have equal numbers.
for name in '%h' '%j' '%p' '%{USER_TAG}'; do try kerntime devices -d sim:0 --json "$name"; done
kerntime devices -d sim:0 -q --json - >/dev/null
kerntime devices -d sim:0 -q --json /dev/null >/dev/null
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 kerntime devices -d sim:0 -q --json one >/dev/null
# Those that measure nothing write where they are told to.
kerntime convert one --json two >/dev/null
ls
rm ./*
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_NAMESPACE
export MY_RANK=5 # of how many is not known
try kerntime devices -d sim:0 --json file --rank-var MY_RANK
MY_RANK=0 kerntime devices -d sim:0 -q --json file --rank-var MY_RANK >/dev/null
kerntime devices -d sim:0 -q --json file-%r --rank-var MY_RANK >/dev/null
ls
rm ./*
# A variable that is named counts alone.
try kerntime devices -d sim:0 --rank-var NOT_SET
MY_RANK=first try kerntime devices -d sim:0 --rank-var MY_RANK
RANK=9 WORLD_SIZE=8 try kerntime devices -d sim:0
# What is unknown, and a lone %.
for name in 50%.json 100% %r %j '%{' '%{}' '%{NOT_SET}'; do try kerntime devices -d sim:0 --json "$name"; done
try kerntime devices -d sim:0 --rank-var ''
ls
