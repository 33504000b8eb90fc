#!/bin/sh
# The exact planner CBC: the same answers as GLPK's.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan patent/figure4 --planner cbc -o plan.csv
memplan verify patent/figure4 plan.csv
memplan plan patent/figure4 --planner cbc --capacity 42999999

# Alignment keeps the optimum above the load, and that is proved. The number of nodes is CBC's.
printf 'id,lower,upper,size,alignment\na,0,2,3,4\nb,1,3,3,4\nc,2,4,3,4\nd,0,1,1,4\n' >steps.csv
memplan plan steps.csv --planner cbc -f json | grep -v nodes
memplan plan steps.csv --planner cbc --capacity 6

# No time: the heuristics' plan.
"$MEMPLAN" plan 'generate:gap?buffers=40&seed=7' --planner cbc --time-limit 0 | grep -e status -e verify
