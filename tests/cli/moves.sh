#!/bin/sh
# Tensors and weights that move between memories: plans, their checks, and what is refused.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# The example of docs/memories.md, with weights and a chunk.
cat >graph.json <<'END'
{"format": "memplan-graph/1", "name": "skip",
 "tensors": [{"name": "x", "bytes": 2}, {"name": "s", "bytes": 4}, {"name": "a", "bytes": 4},
             {"name": "b", "bytes": 6}, {"name": "c", "bytes": 4}, {"name": "y", "bytes": 2}],
 "inputs": ["x"], "outputs": ["y"],
 "ops": [
  {"name": "stem", "type": "Op", "inputs": ["x"], "outputs": ["s"], "compute_ns": 6},
  {"name": "down", "type": "Op", "inputs": ["s"], "outputs": ["a"], "compute_ns": 6},
  {"name": "wide", "type": "Op", "inputs": ["a"], "outputs": ["b"], "compute_ns": 6},
  {"name": "up", "type": "Op", "inputs": ["b"], "outputs": ["c"], "compute_ns": 6},
  {"name": "join", "type": "Op", "inputs": ["c", "s"], "outputs": ["y"], "compute_ns": 6}]}
END
cat >chip.json <<'END'
{"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": 1000000000, "dma_start_ns": 1,
 "memories": [{"name": "fast", "capacity": 10},
              {"name": "slow", "chunk": 8, "read_ns_per_byte": 1, "write_ns_per_byte": 1}]}
END
sed '/"down"/s/"outputs"/"weights": [{"name": "w", "bytes": 2, "dtype": "int8"}], "outputs"/' graph.json >weights.json
for planner in still lru farthest_use prefetch xla_prefetch best; do
    memplan plan graph.json --memories chip.json --moves --planner "$planner"
done
memplan plan weights.json --memories chip.json --moves -o plan.json
cat plan.json
memplan verify weights.json plan.json --memories chip.json
prepare plan weights.json --memories chip.json --moves -o plan.h
sed -n '/IN_S/,/ALIGNMENT_S_2/p; /STAY(/,/^$/p' plan.h
if have gnuplot; then
    prepare plan weights.json --memories chip.json --moves -o plan.svg
    grep -c 'down weights' plan.svg
else
    skip "no gnuplot: plan --moves -o plan.svg"
    echo 1
fi
memplan plan weights.json --memories chip.json --moves --capacity 6 --format json
# A plan for another capacity than the profile's is verified with that.
prepare plan weights.json --memories chip.json --moves --capacity 30 -p still -o wide.json
memplan verify weights.json wide.json --memories chip.json
memplan verify weights.json wide.json --memories chip.json --capacity 30
memplan verify weights.json wide.json --memories chip.json --capacity 6
memplan verify weights.json plan.json --capacity 30

# Plans with one thing changed.
cat >again.json <<'END'
{"format": "memplan-moves-plan/1", "instance": "skip", "stays": [
 {"tensor": "x", "memory": "fast", "offset": 0, "steps": [0, 1, 2]},
 {"tensor": "s", "memory": "fast", "offset": 2, "steps": [1, 2, 3]},
 {"tensor": "s", "memory": "slow", "offset": 0, "from": 1, "steps": [2, 3, 6]},
 {"tensor": "a", "memory": "fast", "offset": 6, "steps": [2, 3, 4]},
 {"tensor": "b", "memory": "fast", "offset": 0, "steps": [3, 4, 5]},
 {"tensor": "c", "memory": "fast", "offset": 6, "steps": [4, 5, 6]},
 {"tensor": "y", "memory": "fast", "offset": 0, "steps": [5, 6, 7]}]}
END
memplan verify graph.json again.json --memories chip.json
verify_changed() {
    sed "$1" again.json >changed.json
    memplan verify graph.json changed.json --memories chip.json
}
verify_changed 's/2, 3, 6/2, 3, 5/'
verify_changed '/"a"/s/"offset": 6/"offset": 5/'
verify_changed 's/2, 3, 6/3, 4, 6/'
verify_changed '/"b"/s/"offset": 0/"offset": 6/'
verify_changed 's/"slow", "offset": 0/"slow", "offset": 5/'
verify_changed 's/"tensor": "y"/"tensor": "none"/'
verify_changed 's/"slow"/"none"/'
verify_changed 's/"from": 1/"from": 2/'
verify_changed 's/2, 3, 6/2, 3/'
sed '/"a"/s/"offset": 6/"offset": 5/' again.json >changed.json
memplan verify graph.json changed.json --memories chip.json --format json

memplan plan graph.json --moves
memplan plan graph.json --memories chip.json --moves --planner first_fit
memplan plan graph.json --memories chip.json --moves -o plan.csv
memplan plan graph.json --memories chip.json --moves --policy path
memplan plan zoo/denoise --memories imxrt1060 --moves --planner farthest_use -o plan.json
memplan verify zoo/denoise plan.json --memories imxrt1060
prepare plan zoo/gru --memories imxrt1060 --moves -t 5 -o plan.json
memplan verify zoo/gru plan.json --memories imxrt1060
memplan plan graph.json --memories chip.json --moves --capacity 1 --format json
# Nothing that could move.
sed '/"bytes"/s/}/, "memory": "external"}/g' graph.json >outside.json
memplan plan outside.json --memories chip.json --moves

memplan bench graph.json weights.json --memories chip.json --moves --planners best,lru --db moves.db
memplan table moves --db moves.db --format csv --columns instance,planner,capacity_bytes,time_ms,without_moves_ms,bound_ms,saved_percent,transfers,transferred_bytes
memplan bench graph.json --memories chip.json --moves --planners first_fit --db moves.db
memplan bench graph.json --moves --db moves.db
memplan bench graph.json streams:copy_engine?ahead=2:zoo/blazeface --memories imxrt1060 --moves --capacity 1kB --db moves.db
memplan bench weights.json zoo/denoise --memories imxrt1060 --moves=front -t 1 --planners farthest_use,still --db front.db
memplan bench graph.json --memories chip.json --moves=front --db front.db
memplan table moves --db front.db --format csv --columns instance,planner,capacity_bytes,time_ms,without_moves_ms
memplan bench graph.json --moves=front --db front.db
