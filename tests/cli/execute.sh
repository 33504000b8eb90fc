#!/bin/sh
# Execution over the paths of branches and the turns of loops; a graph is needed.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_graph small.json
prepare plan small.json -o plan.csv
memplan verify small.json plan.csv --execute
memplan verify small.json plan.csv -f json --execute
memplan verify small.json plan.csv --seed 3 --execute
for planner in naive sequential short_first; do
    prepare plan luna/denoise --policy recursive --planner $planner -o plan.json
    prepare verify luna/denoise plan.json --execute
done
memplan verify luna/denoise plan.json --execute

# Each tensor in turn is moved over the features, which all the others need, or over the image, which
# only the features need; execution never says yes to what verify refuses.
prepare plan small.json --planner naive -o plan.csv
cat plan.csv
for offset in 4096 0; do
    for tensor in image features sharp smooth partial next; do
        sed "s/^\($tensor,.*\),[0-9]*$/\1,$offset/" plan.csv >moved.csv
        "$MEMPLAN" verify small.json moved.csv >/dev/null 2>&1
        verified=$?
        intact=$("$MEMPLAN" verify small.json moved.csv --execute 2>/dev/null | grep -c 'is intact')
        echo "$tensor at $offset: verify $verified, intact $intact"
    done
done

write_figure4 figure4.csv
prepare plan figure4.csv -o figure4.plan.csv
memplan verify figure4.csv figure4.plan.csv --execute
memplan verify small.json figure4.plan.csv --execute
memplan verify small.json --execute
memplan verify small.json plan.csv --seed x --execute
