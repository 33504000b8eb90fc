#!/bin/sh
# What submit writes for Slurm, run here without it; tests/cluster/submit.sh has a Slurm.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

normalise() {
    sed -e "s|$PWD|FOLDER|g; s|$MEMPLAN|MEMPLAN|g" -e 's/--run [-0-9T:]*/--run NOW/'
}

run_task() {
    SLURM_ARRAY_TASK_ID=$1 sh "$2/array.sh" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr"
    echo "task $1: exit $?"
}

write_figure4 "one's.csv"
memplan submit --shards 2 --sbatch partition=a,b,time=1:00:00,mem=4G --sbatch cpus-per-task=2,array-limit=1 \
    -o 'two shards' --dry-run -- "one's.csv" --planners naive,large_first
ls 'two shards'

# Tasks and merge by hand: only one shard is there, then both.
run_task 2 'two shards'
memplan submit --status 'two shards'
memplan merge 'two shards' -o all.db
run_task 1 'two shards'
run_task 2 'two shards'
grep -o '^1 job, 1 already there' "$SCRATCH/stderr"
memplan submit --status 'two shards' --format csv
memplan merge 'two shards' -o all.db
sh 'two shards/merge.sh' >/dev/null && ls 'two shards' | grep -v -e -shm -e -wal

# Without an sbatch that works.
memplan submit --again 'two shards'
PATH=/nowhere "$MEMPLAN" submit --shards 1 -o other -- "one's.csv" --planners naive 2>&1
PATH=/nowhere "$MEMPLAN" submit --again other 2>&1

# What bench would refuse, and what submit does.
memplan_errors submit --shards 2 -- missing.csv
memplan_errors submit --shards 2 -- "one's.csv" --db other.db
memplan_errors submit --shards 2 -- "one's.csv" --planners nobody
memplan_errors submit --shards 2 -- "one's.csv" --planners naive
for options in 'mem=4 G' mem 'time=1:00:00,mem=' =4G array=3 array-limit=0; do
    memplan_errors submit --shards 2 --sbatch "$options" -- "one's.csv"
done
memplan_errors submit -- "one's.csv"
memplan_errors submit --shards 2
memplan_errors submit --shards 1 -o 'two shards' -- "one's.csv" --planners naive
memplan_errors submit --status missing
memplan_errors submit --again .
memplan_errors submit --again 'two shards' --status 'two shards'
memplan bench "one's.csv" --planners naive,large_first --shard 2/2 --dry-run --db no.db
ls
