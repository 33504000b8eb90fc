#!/bin/sh
# A matrix of two files and a built-in graph: rows, resuming, workers, formats.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 one.csv
printf 'id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n' >two.csv
without_time() { sed 's/,[0-9.]*$/,T/'; }

memplan bench one.csv two.csv paper/figure1 --planners naive,large_first,short_first \
    --policy flat,recursive --format csv | without_time
find . | sort

# The same command with --resume runs nothing again.
"$MEMPLAN" bench one.csv two.csv paper/figure1 --planners naive,large_first,short_first --resume \
    --policy flat,recursive --format csv >"$SCRATCH/again" 2>"$SCRATCH/stderr" || echo "exit $?"
sed -n 's|.* \([0-9]*\) already there.*|\1|p' "$SCRATCH/stderr"
normalise <"$SCRATCH/stderr" | tail -n 1
"$MEMPLAN" table summary --format csv | cmp - "$SCRATCH/again"

# One planner more: only its rows are new.
"$MEMPLAN" bench one.csv two.csv --planners naive,large_first,sequential --resume --format csv \
    >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || echo "exit $?"
normalise <"$SCRATCH/stderr"

# Two workers find the same.
"$MEMPLAN" bench one.csv two.csv paper/figure1 --planners naive,large_first,short_first --jobs 2 \
    --policy flat,recursive --format csv --db two.db 2>"$SCRATCH/stderr" | without_time >"$SCRATCH/two"
without_time <"$SCRATCH/again" | diff - "$SCRATCH/two"
normalise <"$SCRATCH/stderr" | sed 's/^\[[0-9]*/[N/' | sort

# Another run in the same database, by its label; a policy by name.
memplan bench paper/figure1 --planners large_first --policy recursive --run other --format csv |
    without_time
"$MEMPLAN" table summary --run other --format csv | without_time

# Other formats have the same rows.
for format in md tex html; do
    "$MEMPLAN" bench two.csv --planners naive --format $format --db format.db 2>/dev/null \
        >"$SCRATCH/$format" || echo "exit $?"
    echo "$format: $(grep -c 'naive.*valid' "$SCRATCH/$format")"
done

# A suite and more.
"$MEMPLAN" bench --suite zoo two.csv --planners naive --db suite.db --format csv 2>/dev/null |
    cut -d, -f1-3 | grep -e two -e zoo/resnet50,

# Without --planners and --policy: all planners, and all policies for one stream where there is
# control flow.
"$MEMPLAN" list planners | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' | sort >"$SCRATCH/planners"
"$MEMPLAN" bench two.csv --db all.db --time-limit 1 --format csv 2>/dev/null | sed 1d |
    cut -d, -f3 | sort | diff "$SCRATCH/planners" -
"$MEMPLAN" list policies | grep -v stream | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' | sort >"$SCRATCH/policies"
"$MEMPLAN" bench paper/figure1 -p naive --db all.db --run policies --format csv 2>/dev/null | sed 1d |
    cut -d, -f2 | sort | diff "$SCRATCH/policies" -

# What a job was told is part of its key: another limit is another row, the same is already there.
for limit in 1 5 5; do
    "$MEMPLAN" bench two.csv --planners naive --time-limit $limit --resume --db settings.db 2>&1 >/dev/null |
        sed -n 's/\(already there\).*/\1/p'
done

# Ctrl-C says how the run is taken up again: a planner sends the signal to the program that waits for it.
cat >stop.sh <<'END'
kill -INT "$(cat pid)"
sleep 2
END
# shellcheck disable=SC2016
sh -c 'echo $$ >pid; exec "$MEMPLAN" bench two.csv --planners naive,stop --external "stop=sh stop.sh {in} {out}" --db stop.db' 2>&1 >/dev/null |
    grep '^stopped'

# Seeds go to planners that draw, repetitions to all; a table shows medians.
"$MEMPLAN" bench two.csv --planners naive,vela_hill_climb --seed 1-2,7 --repeat 2 --db seeds.db \
    --format csv 2>"$SCRATCH/stderr" | cut -d, -f1,3,11-13
sed -n 's/ already there.*/ already there/p' "$SCRATCH/stderr"
for seeds in 3-1 1,1 x 1- 0-1000; do
    memplan bench two.csv --planners naive --seed $seeds --db seeds.db
done

# Two files of one name are two instances.
mkdir left right
cp two.csv left/same.csv
sed 's/,20$/,30/' two.csv >right/same.csv
"$MEMPLAN" bench left/same.csv --planners naive --run same --db same.db >/dev/null 2>&1
"$MEMPLAN" bench right/same.csv --planners naive --run same --db same.db --format csv 2>/dev/null | cut -d, -f1
