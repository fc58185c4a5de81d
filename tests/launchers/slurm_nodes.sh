# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# slurm_nodes.sh - sourced: Slurm with four nodes n1 to n4 on this machine, in the folder $slurm, with a munged of its own.

slurm_processes=

# 0, or a reason on standard output.
slurm_refuses() {
    [ "$(id -u)" = 0 ] || { echo "slurmd needs root"; return; }
    for program in munged mungekey slurmctld slurmd srun scontrol sinfo; do
        command -v "$program" >/dev/null || { echo "there is no $program"; return; }
    done
}

slurm_configure() { # LINE...
    slurm=$1
    shift
    host=$(hostname)
    base=$((20000 + $$ % 12000)) # below the ports that the system gives away
    mkdir -p "$slurm/state" "$slurm/munge" || return
    chmod 755 "$slurm" "$slurm/munge"
    cat >"$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/munge.sock
CredType=cred/munge
TaskPlugin=task/none
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
MessageTimeout=100
ReturnToService=1
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
NodeName=n[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 4))] CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    for line; do echo "$line" >>"$slurm/slurm.conf"; done
    export SLURM_CONF="$slurm/slurm.conf"
}

slurm_start() {
    mungekey -c -k "$slurm/munge/key" || return
    munged -F -f -S "$slurm/munge/munge.sock" --key-file="$slurm/munge/key" --pid-file="$slurm/munge/pid" \
        --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" >"$slurm/munge.out" 2>&1 &
    slurm_processes=$!
    slurm_wait "[ -S '$slurm/munge/munge.sock' ]" || return
    slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
    slurm_processes="$! $slurm_processes"
    for node in n1 n2 n3 n4; do
        mkdir -p "$slurm/spool.$node"
        slurmd -D -N $node >"$slurm/slurmd.$node.out" 2>&1 &
        slurm_processes="$! $slurm_processes"
    done
    slurm_wait '[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ]'
}

slurm_wait() { # CONDITION: for five minutes at most
    tries=0
    until eval "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || { echo "not in time: $1"; return 1; }
        sleep 0.1
    done
}

slurm_stop() {
    # shellcheck disable=SC2086 # a list
    [ -z "$slurm_processes" ] || kill $slurm_processes 2>/dev/null
    wait
}
