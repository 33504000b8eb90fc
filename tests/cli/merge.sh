#!/bin/sh
# Shards of a bench run and joining their databases.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

bench() {
    "$MEMPLAN" bench one.csv patent/figure4 --policy flat --planners naive,large_first,short_first \
        --run one "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr"
    echo "exit $?: $(grep -o '^[0-9]* jobs*' "$SCRATCH/stderr")"
}

write_figure4 one.csv
for shard in 1 2 3 4; do
    bench --db "shard $shard.db" --shard "$shard/4"
done
memplan merge 'shard 1.db' 'shard 2.db' 'shard 3.db' 'shard 4.db' -o all.db
memplan merge 'shard 1.db' 'shard 4.db' -o all.db
memplan runs --db all.db --format csv | cut -d, -f1-5

# The whole is the union: the jobs of the run are all there.
bench --db all.db --resume
grep -o '[0-9]* already there' "$SCRATCH/stderr"

# Others measured the same jobs under the same label.
bench --db other.db
memplan merge other.db -o all.db | sed "s/: run 'one'.*/: .../"
memplan merge other.db -o all.db --newest

# Wrong usage and bad input write nothing.
memplan merge one.csv -o new.db
memplan merge missing.db -o new.db
memplan merge other.db -o missing/new.db
memplan merge other.db -o other.db
memplan merge other.db
memplan_errors merge -o new.db
memplan_errors bench one.csv --shard 0/4
memplan_errors bench one.csv --shard 5/4
memplan_errors bench one.csv --shard 4
ls | grep -v -e -shm -e -wal
