# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A Slurm cluster on the loopback, behind lib.sh: munge with a key of its own, a controller, nodes
# n1, n2, ... of two processors, in the test's folder and on ports that are free. Each node is a
# process namespace, so that it can be killed as a machine dies: whole.
#   cluster_start NODES     cluster_kill NODE     cluster_stop (also at the end of the test)
# The nodes' names are what SLURMD_NODENAME and `sinfo` say.

cluster=$here/cluster
cluster_pids=()

cluster_needs() {
  local tool
  PATH=$PATH:/usr/sbin:/sbin
  for tool in munged slurmctld slurmd sbatch squeue unshare; do
    command -v $tool >/dev/null || skip "there is no $tool; the packages are slurmctld, slurmd, slurm-client and munge"
  done
  unshare --pid --fork --mount-proc true 2>/dev/null ||
    skip 'this user cannot make process namespaces, which are the nodes'
}

free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 12000))
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo $port
}

cluster_configure() {
  local host user i
  host=$(hostname -s) user=$(id -un)
  cat >"$cluster/slurm.conf" <<END
ClusterName=lockstack
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge.sock
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=4
KillWait=1
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
END
  for ((i = 1; i <= $1; i++)); do
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=2 State=UNKNOWN"
  done >>"$cluster/slurm.conf"
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$cluster/slurm.conf"
}

cluster_node() {
  mkdir -p "$cluster/spool.$1"
  unshare --pid --fork --kill-child --mount-proc slurmd -f "$cluster/slurm.conf" -N "$1" -D >"$cluster/$1.out" \
    2>&1 </dev/null &
  echo $! >"$cluster/$1.unshare"
  cluster_pids+=($!)
}

cluster_wait() { # cluster_wait SECONDS COMMAND: until it holds
  local i
  for ((i = 0; i < $1 * 10; i++)); do
    "${@:2}" && return
    sleep 0.1
  done
  return 1
}
nodes_idle() { [ "$(sinfo -h -N -o '%T' 2>/dev/null | grep -c '^idle$')" -eq "$1" ]; }

cluster_start() {
  local i
  cluster_needs
  mkdir -p "$cluster/state"
  chmod 755 "$here" "$cluster"
  (umask 077; head -c 1024 /dev/urandom >"$cluster/munge.key")
  export SLURM_CONF=$cluster/slurm.conf
  cluster_configure "$1"
  trap 'cluster_stop; finish' EXIT
  munged --foreground --force --key-file="$cluster/munge.key" --socket="$cluster/munge.sock" \
    --pid-file="$cluster/munged.pid" \
    --log-file="$cluster/munged.log" --seed-file="$cluster/munged.seed" >"$cluster/munged.out" 2>&1 </dev/null &
  cluster_pids+=($!)
  cluster_wait 10 test -S "$cluster/munge.sock" || skip "munged does not start: $(tail -n 1 "$cluster/munged.out")"
  slurmctld -f "$SLURM_CONF" -i -D >"$cluster/slurmctld.out" 2>&1 </dev/null &
  cluster_pids+=($!)
  for ((i = 1; i <= $1; i++)); do cluster_node "n$i"; done
  cluster_wait 30 nodes_idle "$1" || skip "the cluster does not start: $(tail -n 1 "$cluster/slurmctld.log" \
    "$cluster"/slurmd.*.log | tr '\n' ' ')"
}

cluster_kill() {
  local pid
  pid=$(cat "$cluster/$1.unshare")
  disown "$pid"                                                       # bash need not say that it was killed
  kill -9 "$pid"
}

cluster_stop() {
  local i
  kill -9 "${cluster_pids[@]}" 2>/dev/null
  wait "${cluster_pids[@]}" 2>/dev/null
  for ((i = 0; i < 50; i++)); do
    grep -qlz "^SLURM_CONF=$cluster/" /proc/[0-9]*/environ 2>/dev/null || break
    sleep 0.1
  done
  cluster_pids=()
}
