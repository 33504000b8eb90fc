#!/bin/sh
# Capacities too small: exit code 1, and why.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Over it at a section, which is named; nothing is written.
memplan plan -p large_first patent/figure4 --capacity 40M -o plan.csv
memplan_errors plan -p large_first patent/figure4 --capacity 42999999 -f json
memplan_errors plan -p large_first patent/figure4 --capacity 0
write_figure4 figure4.csv
memplan_errors plan -p large_first figure4.csv --capacity 40MiB -o plan.svg

# The load fits, this plan does not: another text.
memplan_errors plan -p large_first patent/figure4 --capacity 43M -o plan.json
memplan_errors plan -p large_first figure4.csv --capacity 45M

# Many buffers at once: the first are named.
{
    echo id,lower,upper,size
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        echo "b$i,0,9,10"
    done
} >many.csv
memplan_errors plan -p large_first many.csv --capacity 119

# Under a policy that changes lifetimes the load is that policy's.
memplan_errors plan -p large_first luna/denoise --policy flat --capacity 96767
memplan_errors plan -p large_first luna/denoise --policy recursive --capacity 95231
memplan_errors plan -p large_first luna/denoise --policy recursive --capacity 95232
memplan_errors plan -p large_first luna/denoise --policy recursive --capacity 98304

# The capacity is above the load, but fixed buffers overlap.
printf 'id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,5\n' >fixed.csv
memplan_errors plan -p large_first fixed.csv --capacity 1k
find . | sort

# All that is in the way, and what would fit.
explain() {
    "$MEMPLAN" plan -p large_first "$@" --explain 2>/dev/null | sed -n '/^time/,$p' | sed 1d
}
explain patent/figure4 --capacity 42M
printf 'id,lower,upper,size\na,0,2,2\nb,1,3,3\nc,2,4,2\nd,0,1,3\ne,3,4,3\nalone,5,6,4\n' >five.csv
explain five.csv --planner exact --capacity 4
explain luna/denoise --policy path --capacity 95000
explain luna/denoise --policy hoist --capacity 95000
memplan_errors plan -p large_first patent/figure4 --explain
