#!/bin/sh
# Options given several times: lists are joined, single values are wrong usage.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# What a run planned: instance, policy, planner.
planned() {
    "$MEMPLAN" bench "$@" --policy flat --db run.db --format csv 2>"$SCRATCH/stderr" | cut -d, -f1-3
    rm run.db
}

echo 'Both suites, both lists of planners:'
planned --suite luna --suite worked --planners naive --planners large_first
echo 'Both in one:'
planned --suite luna,worked --planners naive,large_first
echo 'An instance that is named several times is planned once:'
planned patent/figure4 patent/figure4 --planners naive
planned --suite worked --suite paper patent/figure4 --planners naive
echo 'One list of types:'
prepare plan zoo/mobilenet_v2 --inplace nnvm --disable-inplace Add --disable-inplace Clip -o plan.json
grep -o 'disable_inplace[^"]*' plan.json
rm plan.json

memplan bench --suite worked --suite nothing
memplan bench patent/figure4 --planners naive --planners large_first,naive
memplan bench patent/figure4 --policy flat --policy sum,flat
memplan plan patent/figure4 --capacity 1M --capacity 2M
memplan plan patent/figure4 -p naive --planner naive
memplan plan patent/figure4 --policy flat --policy sum
memplan bench patent/figure4 -j 1 --seed 1 --seed 2
memplan convert patent/figure4 out.csv --policy flat -q flat
memplan generate layered --seed 10 --seed 20 -o out.csv
# A flag says the same however often it is given.
memplan_errors plan patent/figure4 --pin-io --pin-io -p naive
find . | sort
