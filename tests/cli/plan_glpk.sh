#!/bin/sh
# The exact planner GLPK: optimum of the patent's figure, and what fits or not.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan patent/figure4 --planner glpk -o plan.csv
memplan verify patent/figure4 plan.csv
memplan verify patent/figure4 plan.csv --execute
memplan plan patent/figure4 --planner glpk --capacity 43M
memplan plan patent/figure4 --planner glpk --capacity 42999999

# Alignment keeps the optimum above the load, and that is proved. The number of nodes is GLPK's.
printf 'id,lower,upper,size,alignment\na,0,2,3,4\nb,1,3,3,4\nc,2,4,3,4\nd,0,1,1,4\n' >steps.csv
memplan plan steps.csv --planner glpk -f json | grep -v nodes
memplan plan steps.csv --planner glpk --capacity 6

# Numbers beyond 2^53, of which GLPK breaks an assertion of its own.
cat >large.json <<'END'
{"format": "memplan-problem/1", "name": "large", "buffers": [
  {"name": "a", "size": 9007199254740991, "segments": [[0, 1]], "alignment": 2},
  {"name": "b", "size": 9007199254740991, "segments": [[0, 1]]},
  {"name": "c", "size": 9007199254740991, "segments": [], "alignment": 4096},
  {"name": "d", "size": 9007199254740991, "segments": [[0, 1]], "alignment": 1099511627776},
  {"name": "e", "size": 9007199254740991, "segments": [[0, 1]], "alignment": 4096}],
 "conflicts": [["a", "d"], ["a", "e"], ["b", "e"], ["d", "e"]]}
END
memplan plan large.json --planner ilp_pairs --capacity 36028797018963964
