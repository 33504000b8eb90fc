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
memplan verify launched.graph.json plan.csv --execute
# A plan in JSON names its policy, whose waits are then added before the plan is checked, and taken
# into the list of best known values.
for policy in serialised waves; do
    prepare plan -p large_first -q $policy "streams:nimble?streams=2:small.json" -o plan.json
    memplan verify "streams:nimble?streams=2:small.json" plan.json --execute
    sed 's/"policy": "[a-z]*"/"policy": "streams"/' plan.json >other.json
    memplan verify "streams:nimble?streams=2:small.json" other.json
    rm -rf known.csv known
    prepare best "streams:nimble?streams=2:small.json" --accept plan.json --best-known known.csv
done
for policy in waves lag_4; do
    prepare plan -p large_first -q $policy streams:nimble?streams=2:wired/nasnet_cifar -o plan.csv
    prepare plan -p large_first -q $policy streams:nimble?streams=2:wired/nasnet_cifar -o launched.graph.json
    memplan verify launched.graph.json plan.csv
    memplan verify launched.graph.json plan.csv --execute
done
memplan plan -q flat -p large_first streams:nimble:small.json
memplan plan -p large_first streams:nimble:small.json

# Where there are too many ways through branches to look at each, that is told.
ifs() {
    awk -v ifs="$1" 'BEGIN {
        printf "{\"format\": \"memplan-graph/1\", \"name\": \"ifs\",\n \"tensors\": [{\"name\": \"x\", \"bytes\": 4}, {\"name\": \"z\", \"bytes\": 4}"
        for (i = 0; i < ifs; i++)
            printf ",\n  {\"name\": \"t%d\", \"bytes\": 4}, {\"name\": \"e%d\", \"bytes\": 4}, {\"name\": \"r%d\", \"bytes\": 4}", i, i, i
        printf "],\n \"inputs\": [\"x\"], \"outputs\": [\"z\", \"r%d\"],\n \"ops\": [\n", ifs - 1
        printf "  {\"name\": \"beside\", \"type\": \"Relu\", \"stream\": \"side\", \"inputs\": [\"x\"], \"outputs\": [\"z\"]}"
        for (i = 0; i < ifs; i++) {
            last = i ? "r" (i - 1) : "x"
            printf ",\n  {\"name\": \"if%d\", \"type\": \"If\", \"inputs\": [\"%s\"], \"outputs\": [\"r%d\"], \"regions\": [", i, last, i
            printf "{\"name\": \"then\", \"ops\": [{\"name\": \"a%d\", \"type\": \"Relu\", \"inputs\": [\"%s\"], \"outputs\": [\"t%d\"]}], \"yields\": [\"t%d\"]}, ", i, last, i, i
            printf "{\"name\": \"else\", \"ops\": [{\"name\": \"b%d\", \"type\": \"Relu\", \"inputs\": [\"%s\"], \"outputs\": [\"e%d\"]}], \"yields\": [\"e%d\"]}]}", i, last, i, i
        }
        print "]}"
    }'
}
for ifs in 4 17; do
    ifs $ifs >ifs.json
    memplan info ifs.json
    memplan_results plan -q streams -p large_first ifs.json
    "$MEMPLAN" plan -q streams -p large_first ifs.json -f json | grep note
    "$MEMPLAN" info --policy all ifs.json | sed -n '/^policy/,$p'
done
prepare bench -q streams -p large_first ifs.json --db ifs.db
"$MEMPLAN" table rows --db ifs.db -f jsonl | grep -o '"stop_reason": "[^"]*"'

# A race on one of 65536 ways is found; what was only sampled is not called intact.
memplan_results plan bugs/stream_choices -q streams -p naive -o apart.json >/dev/null
memplan verify bugs/stream_choices apart.json
memplan verify bugs/stream_choices apart.json --execute
sed '/"name": "w"/s/"offset": [0-9]*/"offset": 1/' apart.json >racing.json
memplan verify bugs/stream_choices racing.json
memplan verify bugs/stream_choices racing.json --execute

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

# Orders of a graph on several streams are placed by what is live side by side.
memplan_results order --order xla_list "streams:nimble?streams=2:small.json" | sed '/ feasible /s/  *[0-9.]*$//'
