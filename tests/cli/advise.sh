#!/bin/sh
# Advice: what lowers a peak, and that doing it gives the peak that it says.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# An operator that makes a tensor large and one that goes over it, between small ones.
cat >wide.json <<'END'
{
  "format": "memplan-graph/1",
  "name": "wide",
  "tensors": [
    {"name": "x", "shape": [1, 8, 8], "dtype": "float32"},
    {"name": "a", "shape": [1, 64, 8], "dtype": "float32"},
    {"name": "b", "shape": [1, 64, 8], "dtype": "float32"},
    {"name": "c", "shape": [1, 8, 8], "dtype": "float32"},
    {"name": "d", "shape": [1, 8, 8], "dtype": "float32"},
    {"name": "y", "shape": [1, 8, 8], "dtype": "float32"}
  ],
  "inputs": ["x"],
  "outputs": ["y"],
  "ops": [
    {"name": "expand", "type": "Conv", "inputs": ["x"], "outputs": ["a"], "weights": [{"name": "w", "bytes": 256, "dtype": "float32"}]},
    {"name": "relu", "type": "Relu", "inputs": ["a"], "outputs": ["b"], "inplace": [[0, 0]]},
    {"name": "side", "type": "Conv", "inputs": ["x"], "outputs": ["d"]},
    {"name": "shrink", "type": "Conv", "inputs": ["b"], "outputs": ["c"]},
    {"name": "add", "type": "Add", "inputs": ["c", "d"], "outputs": ["y"], "inplace": [[0, 0]]}
  ]
}
END

# try INSTANCE PLANNER: applies each line of the advice, and says which gives another peak.
try() {
    instance=$1
    planner=$2
    "$MEMPLAN" advise "$instance" --planner "$planner" >advice.txt || echo "exit $?"
    grep -- '^--[a-z]' advice.txt | sed 's/  .*//' | sort >changes.txt
    while read -r change; do
        told=$(grep -- "^$change  " advice.txt | sed 's/^[^ ]* [^ ]* *//; s/\([0-9]\) \([0-9]\)/\1\2/g' | awk '{ print $1 }')
        case $change in
        --apply*)
            "$MEMPLAN" advise "$instance" $change -o changed.json
            found=$("$MEMPLAN" plan changed.json --planner "$planner" | awk '$1 == "peak" { print $2 }') ;;
        "--planner best") found=$("$MEMPLAN" plan "$instance" | awk '$1 == "peak" { print $2 }') ;;
        *) found=$("$MEMPLAN" plan "$instance" --planner "$planner" $change 2>/dev/null | awk '$1 == "peak" { print $2 }') ;;
        esac
        [ "$told" = "$found" ] || echo "$instance $change: told $told, found $found"
    done <changes.txt
}
memplan advise wide.json
try wide.json best
try wide.json naive
try luna/wake_up best
try paper/figure4 large_first
"$MEMPLAN" advise wide.json --apply split:a -o split.json
cat split.json
memplan advise wide.json --planner naive -f json | head -n 20
memplan advise patent/figure4 --apply quantise:t1 -o x.json
memplan advise wide.json --apply quantise:x -o x.json
memplan advise wide.json --apply split:a
memplan advise wide.json --apply split:a -o x.csv
memplan advise minimalloc/A --apply split:a -o x.json
