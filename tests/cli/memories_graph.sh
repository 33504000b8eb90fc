#!/bin/sh
# Graphs in the memories of a chip: plans, their forms and checks, and what is refused.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# A loop of three turns around an If, whose branches are taken with 0.75 and, as what is left, 0.25.
cat >graph.json <<'END'
{"format": "memplan-graph/1", "name": "graph",
 "tensors": [
  {"name": "in", "bytes": 8}, {"name": "flag", "bytes": 4}, {"name": "a", "bytes": 8},
  {"name": "arg", "bytes": 8}, {"name": "t", "bytes": 8}, {"name": "e", "bytes": 8},
  {"name": "r", "bytes": 8}, {"name": "out", "bytes": 8}, {"name": "last", "bytes": 4}],
 "inputs": ["in", "flag"], "outputs": ["last"],
 "ops": [
  {"name": "first", "type": "Conv", "inputs": ["in"], "outputs": ["a"]},
  {"name": "loop", "type": "Loop", "inputs": [], "outputs": ["out"], "trip_count": 3,
   "carried": [{"init": "a", "argument": "arg", "yield": "r", "result": "out"}],
   "regions": [{"name": "body", "ops": [
     {"name": "if", "type": "If", "inputs": ["flag"], "outputs": ["r"], "regions": [
       {"name": "then", "probability": 0.75,
        "ops": [{"name": "left", "type": "Relu", "inputs": ["arg"], "outputs": ["t"]}], "yields": ["t"]},
       {"name": "else",
        "ops": [{"name": "right", "type": "Add", "inputs": ["arg", "arg"], "outputs": ["e"]}], "yields": ["e"]}]}],
    "yields": []}]},
  {"name": "end", "type": "Dense", "inputs": ["out"], "outputs": ["last"]}]}
END
cat >chip.json <<'END'
{"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": 1000000,
 "memories": [
  {"name": "fast", "capacity": 20, "alignment": 4, "reserved": [[16, 17]]},
  {"name": "slow", "capacity": 64, "chunk": 16, "read_ns_per_byte": 0.5, "write_ns_per_byte": 2}]}
END
memplan plan graph.json --memories chip.json -o plan.json
memplan plan graph.json --memories chip.json --policy path --format json | sed 's/"questions": [0-9]*/"questions": N/'
memplan plan graph.json --memories chip.json --planner first_fit -o plan.csv
cat plan.csv
memplan plan graph.json --memories chip.json -o plan.h
sed -n '/^#/p' plan.h
cat >use.c <<'END'
#define PLAN_ARENA
#include "plan.h"
#include <stdio.h>
#define SHOW(name, memory, offset, bytes) (unsigned long)offset + bytes <= (memory ? sizeof plan_arena_slow : sizeof plan_arena_fast) &&
int main(void) { return !(PLAN_EACH(SHOW) 1); }
END
"$CC" -std=c11 -Wall -Werror use.c -o use && ./use && echo compiled
grep -v wall_ns plan.json | normalise
memplan verify graph.json plan.json --memories chip.json --execute
memplan verify graph.json plan.json --memories chip.json --execute --format json

# What both checks refuse: bytes that others need, that are reserved, beyond the end, in two chunks.
# The arguments: where the input goes, and how high both memories then are used.
place() {
    sed "s/\(\"name\": \"in\".*\"memory\": \"\)[a-z]*\", \"offset\": [0-9]*/\1$1\", \"offset\": $2/
        s/\"fast\", \"peak\": [0-9]*/\"fast\", \"peak\": $3/; s/\"slow\", \"peak\": [0-9]*/\"slow\", \"peak\": $4/
        s/^  \"peak\": [0-9]*/  \"peak\": $(($3 + $4))/" plan.json >bad_plan.json
    echo "    in at $2 of $1"
    memplan verify graph.json bad_plan.json --memories chip.json --execute
}
place slow 0 16 12
place slow 8 16 16
place slow 60 16 68
place slow 12 16 20
place fast 12 20 12
place fast 2 16 12
place slow 0 16 13
sed 's/^  "peak": 28/  "peak": 27/' plan.json >bad_plan.json
memplan_errors verify graph.json bad_plan.json --memories chip.json
sed 's/"fast"/"slow"/' plan.json >bad_plan.json
memplan verify graph.json bad_plan.json --memories chip.json
sed 's/"memory": "fast"/"memory": "quick"/' plan.json >bad_plan.json
memplan_errors verify graph.json bad_plan.json --memories chip.json
memplan_errors verify graph.json plan.json
memplan_errors verify graph.json plan.csv --memories chip.json
memplan_errors plan graph.json --memories stm32h7 --format json

sed '/"slow"/s/"capacity": 64/"capacity": 8/; s/"chunk": 16, //' chip.json >full.json
memplan plan graph.json --memories full.json -o full_plan.json
memplan_errors plan graph.json --memories full.json --policy path
[ ! -e full_plan.json ] || echo 'a plan that does not fit is written'

bad() {
    sed "$1" chip.json >bad.json
    cmp -s chip.json bad.json && echo "no change: $1"
    echo "    $1"
    memplan_errors plan graph.json --memories bad.json
}
bad '3s/"capacity": 20/"capacity": -1/'
bad '3s/\[16, 17\]/[17, 16]/'
bad '4s/"slow"/"fast"/'
bad '4s/"chunk": 16/"chunk": 4/; 3s/20/4/'
bad '4s/"write_ns_per_byte": 2/"write_ns_per_byte": -2/'
bad '4s/"chunk"/"chunks"/'
bad '3s/"alignment": 4/"alignment": 0/'
bad '1s/hardware/memories/'
cat >empty.json <<'END'
{"format": "memplan-graph/1", "name": "empty", "tensors": [{"name": "in", "bytes": 4, "memory": "external"}],
 "inputs": ["in"], "outputs": [], "ops": [{"name": "op", "type": "Op", "inputs": ["in"], "outputs": []}]}
END
sed '/"fast"/d' chip.json >chunks.json
memplan plan empty.json --memories chunks.json
memplan_errors plan graph.json --memories luna
memplan_errors plan graph.json --memories nothing
memplan_errors plan graph.json --memories chip.json --planner large_first
memplan_errors plan graph.json --memories chip.json --policy recursive
memplan_errors plan graph.json --memories chip.json --capacity 20
memplan_errors plan graph.json --memories chip.json -o plan.bin
memplan bench graph.json --memories chip.json --planners best,first_fit --db memories.db
sed 's/"capacity": [0-9]*/"capacity": 4/g; s/, "reserved": \[\[16, 17\]\]//' chip.json >tiny.json
memplan bench graph.json empty.json --memories tiny.json --db tiny.db
memplan table memories --db memories.db --columns instance,planner,status,cost,cost_bound
