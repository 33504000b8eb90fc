#!/bin/sh
# Plans of the patent's figure, of a file, of control flow; alignment.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

for planner in naive sequential large_first short_first; do
    memplan plan patent/figure4 --planner $planner
done
memplan plan patent/figure4 -p large_first -f json
write_figure4 figure4.csv
memplan plan figure4.csv
memplan plan figure4.csv -p large_first -f json

# What a planner with shared objects says itself, and one whose rule is unsafe.
memplan plan figure4.csv -p 'executorch_greedy?alignment=1'
memplan plan figure4.csv -p 'executorch_greedy?alignment=1' -f json
memplan_results plan figure4.csv -p ge_pool_published

# A branch and a loop, under both policies, all paths of them.
write_graph small.json
memplan plan small.json --policy flat
memplan plan small.json --policy recursive

# Every offset is a multiple; units; a capacity that is just enough.
memplan plan figure4.csv -p large_first --alignment 64KiB -o aligned.csv
sed 1d aligned.csv | while IFS=, read -r id lower upper size rest; do
    offset=${rest##*,}
    echo "$id [$lower, $upper) $size: $offset, rest $((offset % 65536))"
done
memplan verify figure4.csv aligned.csv
memplan plan patent/figure4 -p large_first --alignment 64KiB -o aligned.json
grep options aligned.json
memplan_results plan figure4.csv --capacity 46M
memplan_results plan figure4.csv --capacity 46000k --seed 7 --time-limit 50

# Fixed offsets are kept, unless told otherwise.
printf 'id,lower,upper,size,offset\na,0,2,10,100\nb,1,3,20,\n' >fixed.csv
memplan plan fixed.csv -o out.csv
cat out.csv
memplan plan fixed.csv --ignore-offsets -o out.csv
cat out.csv
memplan plan fixed.csv --alignment 64
