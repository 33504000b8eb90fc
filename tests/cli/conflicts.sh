#!/bin/sh
# Pairs that must not share memory whatever their segments say: all commands know them.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >pairs.json <<'END'
{"format": "memplan-problem/1", "name": "pairs", "buffers": [
 {"name": "a", "size": 64, "segments": [[0, 3], [6, 9]]},
 {"name": "b", "size": 96, "segments": [[1, 4], [4, 7, 0, 32], [7, 8]]},
 {"name": "c", "size": 40, "segments": [[2, 6]]},
 {"name": "d", "size": 80, "segments": [[5, 10]]},
 {"name": "e", "size": 48},
 {"name": "f", "size": 32, "segments": []}],
 "conflicts": [["e", "a"], ["e", "f"], [2, 3], ["f", "d"], ["f", "e"]]}
END
memplan info pairs.json
memplan convert pairs.json written.json
cat written.json
prepare convert written.json again.json
cmp written.json again.json
memplan convert pairs.json written.csv
cat written.csv
memplan convert pairs.json written.dot
grep label written.dot

memplan plan -p large_first pairs.json --layout-report
prepare plan -p large_first pairs.json --layout-report=report.json -f json
cat report.json
memplan plan -p large_first pairs.json -o plan.json
normalise <plan.json
memplan verify pairs.json plan.json
memplan_results plan -p large_first pairs.json -o plan.csv
cat plan.csv
memplan verify pairs.json plan.csv
sed 's/,48,\(.*\),0$/,48,\1,176/' plan.csv >wrong.csv
memplan verify pairs.json wrong.csv
prepare plan -p large_first pairs.json -o plan.trace.json
grep -e '"name": "[ef]"' -e process_name plan.trace.json
