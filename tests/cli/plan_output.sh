#!/bin/sh
# What plan writes is read back by verify and execute; failures leave nothing behind.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan -p large_first patent/figure4 -o plan.csv
cat plan.csv
memplan_errors plan -p large_first patent/figure4 -o plan.json
normalise <plan.json
if have python3; then
    python3 -m json.tool plan.json >/dev/null || echo "plan.json: no JSON"
else
    skip "no python3: plan.json is not parsed"
fi
for plan in plan.csv plan.json; do
    memplan verify patent/figure4 $plan
    memplan verify patent/figure4 $plan --execute
done
memplan verify patent/figure4 plan.csv -f json
memplan verify patent/figure4 plan.csv -f json --execute

# Storage ids of a planner that shares objects, also where outputs are in place.
prepare plan nnvm/walk --planner nnvm --inplace nnvm -o ids.csv
cat ids.csv
prepare plan nnvm/walk --planner nnvm --inplace nnvm -o ids.json
sed -n '/storages/,$p' ids.json
memplan verify nnvm/walk ids.json
memplan verify nnvm/walk ids.csv --inplace nnvm
# The graph with its places is still the same graph.
prepare plan nnvm/walk --planner nnvm --inplace nnvm -o ids.graph.json
grep '"planned"' ids.graph.json
memplan info nnvm/walk -f json | grep digest >digest
memplan info ids.graph.json -f json | grep digest | diff digest -
sed 's/"storage_id": 3/"id": 3/' ids.graph.json >bad.graph.json
memplan info bad.graph.json
prepare convert patent/figure4 problem.csv --policy flat
memplan_errors plan -p large_first problem.csv -o no.graph.json
rm ids.csv ids.json ids.graph.json bad.graph.json problem.csv digest

# A graph that needs no arena: its peak of 0 is an answer too.
printf '%s' '{"format": "memplan-graph/1", "name": "empty", "tensors": [
{"name": "a", "bytes": 8, "memory": "external"}, {"name": "b", "bytes": 8, "memory": "external"}],
"inputs": ["a"], "outputs": ["b"], "ops": [{"name": "o", "type": "Relu", "inputs": ["a"], "outputs": ["b"]}]}' \
    >empty.json
memplan plan -p large_first empty.json
memplan plan -p large_first empty.json -f json -o plan.csv
memplan verify empty.json plan.csv
memplan verify empty.json plan.csv --execute

if have gnuplot; then
    prepare plan -p large_first patent/figure4 -o plan.svg
    grep -q '</svg>' plan.svg || echo "plan.svg: no SVG"
    if have xmllint; then
        xmllint --noout plan.svg
    else
        skip "no xmllint: plan.svg is not parsed"
    fi
    rm -f plan.svg
else
    skip "no gnuplot: plan -o plan.svg"
fi

# Every instance with control flow, every safe policy with blocks and flat, both formats.
for instance in luna/wake_up luna/fusion_detect luna/denoise paper/figure1; do
    for policy in flat sum recursive hoist; do
        for plan in plan.csv plan.json; do
            prepare plan -p large_first $instance --policy $policy -o $plan
            prepare verify $instance $plan
            prepare verify $instance $plan --execute
        done
    done
done

# An existing plan is replaced, but not by one that does not fit.
prepare plan -p large_first paper/figure1 -o plan.csv
cp plan.csv "$SCRATCH/before.csv"
memplan_errors plan -p large_first patent/figure4 --capacity 1 -o plan.csv
cmp plan.csv "$SCRATCH/before.csv"

rm plan.csv plan.json
mkdir folder.csv folder.svg
memplan_errors plan -p large_first patent/figure4 -o missing/plan.csv
memplan_errors plan -p large_first patent/figure4 -o missing/plan.json
memplan_errors plan -p large_first patent/figure4 -o folder.csv
if have gnuplot; then
    "$MEMPLAN" plan -p large_first patent/figure4 -o missing/plan.svg >/dev/null 2>&1
    [ $? -eq 3 ] || echo "missing/plan.svg: not exit 3"
    "$MEMPLAN" plan -p large_first patent/figure4 -o folder.svg >/dev/null 2>&1
    [ $? -eq 3 ] || echo "folder.svg: not exit 3"
fi
memplan plan -p large_first patent/figure4 -o plan.txt
memplan plan -p large_first patent/figure4 -o plan
find . | sort
