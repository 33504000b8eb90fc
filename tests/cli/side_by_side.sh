#!/bin/sh
# Graphs put on several streams by their name, and planned there.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >small.json <<'END'
{"format": "memplan-graph/1", "name": "small",
 "tensors": [
  {"name": "x", "bytes": 64}, {"name": "a", "bytes": 64}, {"name": "b", "bytes": 64}, {"name": "c", "bytes": 64},
  {"name": "d", "bytes": 64}, {"name": "y", "bytes": 64}],
 "inputs": ["x"],
 "outputs": ["y"],
 "ops": [
  {"name": "near", "type": "Conv", "inputs": ["x"], "outputs": ["a"], "weights": [{"name": "w", "dtype": "uint8", "bytes": 8}]},
  {"name": "next", "type": "Relu", "inputs": ["a"], "outputs": ["b"]},
  {"name": "far", "type": "Conv", "inputs": ["x"], "outputs": ["c"], "weights": [{"name": "v", "dtype": "uint8", "bytes": 8}]},
  {"name": "more", "type": "Relu", "inputs": ["c"], "outputs": ["d"]},
  {"name": "join", "type": "Add", "inputs": ["b", "d"], "outputs": ["y"]}]}
END
for rule in nimble?streams=2 round_robin?streams=3 copy_engine?ahead=1; do
    echo "    $rule"
    prepare convert "streams:$rule:small.json" streams.json
    sed -n 's/.*"name": "\([^"]*\)".*"stream": "\([^"]*\)".*/\1 on \2/p' streams.json
done
for policy in streams lag_4 serialised waves per_stream streams_interval launch_order; do
    echo "    $policy"
    "$MEMPLAN" plan -p large_first -q $policy "streams:nimble?streams=2:small.json" 2>/dev/null | grep -e ^peak -e ^verify -e ^execute
done
# A plan that lets operators wait for more is one of the graph that has these waits.
prepare plan -p large_first -q serialised "streams:nimble?streams=2:small.json" -o plan.csv
prepare plan -p large_first -q serialised "streams:nimble?streams=2:small.json" -o launched.graph.json
grep -o '"name": "[a-z]*".*"after": [^ ]*' launched.graph.json | sed 's/"type.*"after"/after/'
memplan verify "streams:nimble?streams=2:small.json" plan.csv
memplan verify launched.graph.json plan.csv
memplan execute launched.graph.json plan.csv
memplan plan -q flat -p large_first streams:nimble:small.json
memplan plan -p large_first streams:nimble:small.json

# What is wrong in such a name.
memplan info streams:unknown:small.json
memplan info streams:nimble
memplan info streams:nimble:
memplan info streams:nimble?ahead=2:small.json
memplan info streams:nimble?streams=0:small.json
memplan info streams:copy_engine?ahead=65:small.json
memplan info streams:nimble:streams:nimble:small.json
memplan info streams:nimble:paper/figure1x
memplan info streams:nimble:minimalloc/A
