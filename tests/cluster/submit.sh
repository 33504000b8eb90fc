#!/bin/sh
# A bench run on a real Slurm with two nodes on this machine: submitted in four shards, one task killed
# in the middle, submitted again, merged, and equal to a run on one machine, row for row but for times.
# MEMPLAN is the path of the binary.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=slurm.sh
. "$here/slurm.sh"

top=$(cd "$(mktemp -d "${TMPDIR:-/tmp}/memplan-cluster.XXXXXX")" && pwd -P) || exit 2
slurm=$top/slurm
finish() {
    stop_slurm "$slurm"
    rm -rf "$top"
}
trap finish EXIT
trap 'exit 2' HUP INT TERM
mkdir "$slurm" "$top/it's \"work\""
cd "$top/it's \"work\"" || exit 2
cluster=$top/its\ shards

fail() {
    echo "failed: $*"
    cat "$slurm"/slurmctld.log "$cluster"/logs/* 2>/dev/null | tail -n 40
    exit 1
}

# expect CODE COMMAND ...: what it prints is in $top/printed.
expect() {
    expected=$1
    shift
    code=0
    "$@" >"$top/printed" 2>&1 || code=$?
    [ "$code" = "$expected" ] || fail "$*: exit $code, expected $expected: $(cat "$top/printed")"
}

expect_line() {
    grep -q -e "$1" "$top/printed" || fail "no line '$1' in: $(cat "$top/printed")"
}

rows() {
    sqlite3 "$1" 'SELECT count(*) FROM result' 2>/dev/null
}

has_a_row() {
    [ "$(rows "$1" || echo 0)" -gt 0 ]
}

no_job_is_left() {
    jobs=$(squeue --noheader) && [ -z "$jobs" ]
}

command -v sqlite3 >/dev/null || {
    echo "skipped: no sqlite3: no bench run is submitted to Slurm"
    exit 0
}
start_slurm "$slurm" >"$top/reason" || {
    echo "skipped: no bench run is submitted to Slurm: $(cat "$top/reason")"
    exit 0
}

# Plans as naive does, when it may, at multiples of 4, which is what tensors of 32 bits need.
GO=$top/go
export GO
cat >'slow one.sh' <<'END'
while [ ! -e "$GO" ]; do sleep 0.05; done
awk -F, 'NR == 1 { print $0 ",offset"; next } { print $0 "," sum + 0; sum += int(($4 + 3) / 4) * 4 }' "$1" >"$2"
END
cat >"a problem's.csv" <<'END'
id,lower,upper,size
a,0,4,5
b,2,8,3
c,5,9,7
END

bench() {
    set -- "$@" --suite luna "a problem's.csv" --policy flat,path --time-limit 600 \
        --planners naive,exact,large_first,slow --external "slow=sh 'slow one.sh' {in} {out}"
    "$@"
}

bench expect 0 "$MEMPLAN" submit --shards 4 --sbatch time=10,mem=100 -o "$cluster" --
expect_line '^52 jobs in 4 shards$'
expect_line '^array job 1 of 4 shards, then job [0-9]* merges'

# Nothing is submitted twice, and no folder is taken twice.
expect 0 "$MEMPLAN" submit --again "$cluster"
expect_line '^nothing to submit'
bench expect 3 "$MEMPLAN" submit --shards 4 -o "$cluster" --

# A task has measured something and waits for the slow planner: it is killed. Which of the two that
# run at first it is depends on whose first job is not slow.
one_has_a_row() {
    for killed in 1 2; do
        has_a_row "$cluster/shard-$killed.db" && return 0
    done
    return 1
}
wait_until 60 one_has_a_row || fail "no task measures anything"
scancel --full --signal=KILL "1_$killed" || fail "task $killed cannot be killed"
touch "$GO"
wait_until 120 no_job_is_left || fail "jobs do not end: $(squeue)"
found=$(rows "$cluster/shard-$killed.db")
[ "$found" -gt 0 ] && [ "$found" -lt 13 ] || fail "task $killed has $found rows, expected some of 13"
expect 1 "$MEMPLAN" submit --status "$cluster" --format csv
expect_line "^$killed,incomplete,$found,0"
expect_line '^memplan: not complete: 1 of 4 shards'
grep -q "not complete: 1 of 4 shards: $killed ($found row" "$cluster/logs/merge.log" ||
    fail "the merge does not say that shard $killed is incomplete"

# Only that one runs again, and goes on.
expect 0 "$MEMPLAN" submit --again "$cluster"
expect_line '^array job [0-9]* of 1 shards, then job [0-9]* merges'
wait_until 120 no_job_is_left || fail "jobs do not end: $(squeue)"
expect 0 "$MEMPLAN" submit --status "$cluster" --format csv
grep -q "13 jobs, $found already there, 0 failed" "$cluster/logs/shard-$killed.log" ||
    fail "task $killed does not go on"

# The same on one machine.
bench expect 0 "$MEMPLAN" bench --db single.db --run single
columns=$(sqlite3 single.db "SELECT group_concat('result.' || name) FROM pragma_table_info('result')
    WHERE name NOT IN ('id', 'run', 'started', 'host', 'wall_ns', 'wall_samples', 'best_ns', 'curve', 'planner_bytes', 'order_ns')")
layout='position, label, lower, upper, bytes_offset, size_bytes, region_group, block'
compare() {
    sqlite3 "$1" "ATTACH '$2' AS other; SELECT count(*) FROM
        (SELECT $columns FROM result EXCEPT SELECT $columns FROM other.result);
        SELECT count(*) FROM (SELECT $columns, $layout FROM rectangle JOIN result ON id = result
        EXCEPT SELECT $columns, $layout FROM other.rectangle JOIN other.result ON id = rectangle.result);"
}
ln -s "$cluster/merged.db" merged.db
[ "$(rows merged.db)" = 52 ] || fail "$(rows merged.db) rows, expected 52"
differ=$(compare merged.db single.db; compare single.db merged.db)
[ "$differ" = "$(printf '0\n0\n0\n0')" ] || fail "rows or layouts differ from a run on one machine:" $differ
[ "$(sqlite3 merged.db "SELECT count(*), ended <> '' FROM run")" = '1|1' ] ||
    fail "the merged run is not one that has ended"
