#!/usr/bin/env bash
# Run a command in a SLURM cluster of two nodes on this machine, which ends with it. To be started by root as
#     unshare --mount --pid --fork --kill-child --mount-proc slurm.sh FOLDER COMMAND...
# FOLDER takes configuration, state and logs.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"/{etc,state,spool}

head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 0400 "$folder/munge.key"
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"

cat >"$folder/etc/slurm.conf" <<CONF
ClusterName=two
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=1,sched_interval=2
MinJobAge=600
SlurmdTimeout=10
ReturnToService=2
MpiDefault=none
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=27001 CPUs=2 RealMemory=8000
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=27002 CPUs=2 RealMemory=8000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
mkdir -p /etc/slurm
mount --bind "$folder/etc" /etc/slurm

slurmctld
for node in n1 n2; do
    unshare --pid --fork --kill-child --mount-proc --uts slurmd -D -N "$node" &
done
for _ in $(seq 120); do
    [ "$(sinfo --noheader --Node --format=%t 2>/dev/null | grep -c idle)" = 2 ] && break
    sleep 0.5
done
sinfo --Node
"$@"
