# shellcheck shell=sh
# A Slurm of one's own on this machine: a controller and two nodes on the loopback address, all of whose
# files are in one folder. start_slurm FOLDER leaves SLURM_CONF set, or fails and says why in one line;
# stop_slurm FOLDER ends what it started.

# The first of ten ports in a row that nobody listens on.
find_ports() {
    port=$((20000 + $$ % 4000 * 10))
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        taken=$(awk -v from="$port" '{ split($2, address, ":"); number = hex(address[2]) }
            function hex(text, i, value) {
                for (i = 1; i <= length(text); i++)
                    value = value * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
                return value
            }
            number >= from && number < from + 10' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
        [ -n "$taken" ] || return 0
        port=$((20000 + (port + attempt * 1000) % 40000))
    done
    return 1
}

write_slurm_conf() {
    host=$(hostname -s)
    user=$(id -un)
    cat >"$1/slurm.conf" <<END
ClusterName=memplan
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$1/munge.socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool.%n
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.%n.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.%n.log
ReturnToService=2
KillWait=2
MinJobAge=2
SchedulerParameters=sched_interval=1,bf_interval=1,defer_batch
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=500 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP OverSubscribe=NO
END
}

start_munge() {
    (umask 077 && head -c 128 /dev/urandom >"$1/munge.key")
    munged --force --key-file="$1/munge.key" --socket="$1/munge.socket" --pid-file="$1/munge.pid" \
        --log-file="$1/munge.log" --seed-file="$1/munge.seed" 2>"$1/munge.errors"
}

# wait_until SECONDS COMMAND ...: until the command succeeds.
wait_until() {
    ticks=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        ticks=$((ticks - 1))
        [ "$ticks" -gt 0 ] || return 1
        sleep 0.1
    done
}

nodes_are_idle() {
    [ "$(sinfo --noheader --format=%D --states=idle)" = 2 ]
}

start_slurm() {
    for program in slurmctld slurmd sbatch munged; do
        command -v "$program" >/dev/null || { echo "no $program"; return 1; }
    done
    find_ports || { echo "no free ports"; return 1; }
    mkdir -p "$1/state" "$1/spool.n1" "$1/spool.n2"
    write_slurm_conf "$1"
    SLURM_CONF=$1/slurm.conf
    export SLURM_CONF
    start_munge "$1" || { echo "munged: $(head -n 1 "$1/munge.errors")"; return 1; }
    slurmctld 2>"$1/errors" || { echo "slurmctld: $(head -n 1 "$1/errors")"; return 1; }
    for node in n1 n2; do
        slurmd -N "$node" 2>"$1/errors" || { echo "slurmd: $(head -n 1 "$1/errors")"; return 1; }
    done
    wait_until 30 nodes_are_idle || { echo "its nodes do not become idle"; return 1; }
}

stop_slurm() {
    for name in slurmd.n1 slurmd.n2 slurmctld munge; do
        [ -s "$1/$name.pid" ] || continue
        pid=$(cat "$1/$name.pid")
        kill "$pid" 2>/dev/null || continue
        wait_until 10 sh -c "! kill -0 $pid" || kill -9 "$pid"
    done
}
