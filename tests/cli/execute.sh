#!/bin/sh
# Execution over the paths of branches and the turns of loops; a graph is needed.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_graph small.json
prepare plan small.json -o plan.csv
memplan execute small.json plan.csv
memplan execute small.json plan.csv --json
memplan execute small.json plan.csv --seed 3
for planner in naive sequential short_first; do
    prepare plan luna/denoise --policy recursive --planner $planner -o plan.json
    prepare execute luna/denoise plan.json
    prepare verify luna/denoise plan.json
done
memplan execute luna/denoise plan.json

# Each tensor in turn is moved over the features, which all the others need, or over the image, which
# only the features need; execution never says yes to what verify refuses.
prepare plan small.json --planner naive -o plan.csv
cat plan.csv
for offset in 4096 0; do
    for tensor in image features sharp smooth partial next; do
        sed "s/^\($tensor,.*\),[0-9]*$/\1,$offset/" plan.csv >moved.csv
        "$MEMPLAN" verify small.json moved.csv >/dev/null 2>&1
        verified=$?
        "$MEMPLAN" execute small.json moved.csv >/dev/null 2>&1
        executed=$?
        echo "$tensor at $offset: verify $verified, execute $executed"
    done
done

write_figure4 figure4.csv
prepare plan figure4.csv -o figure4.plan.csv
memplan execute figure4.csv figure4.plan.csv
memplan execute small.json figure4.plan.csv
memplan execute small.json
memplan execute small.json plan.csv --seed x
