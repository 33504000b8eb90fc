#!/bin/sh
# Wrong words on the command line of plan: exit code 2, nothing planned, nothing written.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan
memplan plan patent/figure4 patent/figure4
memplan plan nothing
memplan plan patent/figure4 --planner nothing
memplan plan patent/figure4 --planner naive,glpk
memplan plan patent/figure4 --policy nothing
memplan plan patent/figure4 --nothing
memplan plan patent/figure4 --format csv
memplan plan patent/figure4 -o
for value in -1 x 43mB 43m 1e6 '' ' ' 99999999999999999999 99999999999G; do
    memplan plan patent/figure4 --capacity "$value" -o plan.csv
done
for value in 0 -8 x; do
    memplan plan patent/figure4 --alignment $value -o plan.csv
done
for value in 0 -1 x; do
    memplan plan patent/figure4 --memory-limit $value -o plan.csv
done
for value in -1 nan inf x 1x; do
    memplan plan patent/figure4 --time-limit $value -o plan.csv
done
for value in -1 x 1.5 9223372036854775808; do
    memplan plan patent/figure4 --seed $value -o plan.csv
done
memplan plan patent/figure4 --format yes
find .
