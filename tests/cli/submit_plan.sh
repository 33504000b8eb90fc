#!/bin/sh
# submit-plan: plans of entries of the collection that are as low as the best known, not so low, wrong, and of no entry.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

"$MEMPLAN" plan minimalloc/A --planner best -o best.json >/dev/null
"$MEMPLAN" plan minimalloc/A --planner large_first -o high.json >/dev/null
"$MEMPLAN" plan "$ROOT/examples/network.csv" -o other.json >/dev/null
sed '0,/"offset": [0-9]*/s//"offset": 1/' high.json >wrong.json
echo '{"format": "memplan-plan/1"}' >none.json
for plan in best high wrong other none; do
    memplan submit-plan $plan.json
done
head -n 1 "$ROOT/results/best_known.csv" >empty.csv
memplan submit-plan high.json --planner 'a rule' --best-known empty.csv
cut -d, -f1-9 submission/best_known.csv
ls submission/best_known
