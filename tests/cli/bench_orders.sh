#!/bin/sh
# Graphs in several orders: their rows, the table, and orders that are none.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >fork.json <<'END'
{"format": "memplan-graph/1", "name": "fork",
 "tensors": [
  {"name": "x", "bytes": 2}, {"name": "a1", "bytes": 4}, {"name": "b1", "bytes": 8},
  {"name": "c1", "bytes": 2}, {"name": "d1", "bytes": 6}, {"name": "e1", "bytes": 1}, {"name": "f1", "bytes": 3}],
 "inputs": ["x"], "outputs": ["f1"],
 "ops": [
  {"name": "a", "type": "Any", "inputs": ["x"], "outputs": ["a1"]},
  {"name": "b", "type": "Any", "inputs": ["a1"], "outputs": ["b1"]},
  {"name": "c", "type": "Any", "inputs": ["b1"], "outputs": ["c1"]},
  {"name": "d", "type": "Any", "inputs": ["a1"], "outputs": ["d1"]},
  {"name": "e", "type": "Any", "inputs": ["d1"], "outputs": ["e1"]},
  {"name": "f", "type": "Any", "inputs": ["c1", "e1"], "outputs": ["f1"]}]}
END
for o in b a c d e f; do echo $o; done >wrong.txt
memplan_errors bench fork.json patent/figure4 --orders stored,fifo,inductor_lpmf -q flat -p large_first,naive --db a.db --run one
memplan table orders --db a.db --format csv | sed 's/,[0-9.]*$/,T/'
memplan table rows --db a.db -f csv | head -1 | tr , '\n' | grep order
memplan_errors bench fork.json --orders fifo --orders wrong.txt -p large_first --db b.db --run one
memplan table orders --db b.db --format csv | sed 's/,[0-9.]*$/,T/'
memplan_errors bench fork.json --orders fifo,fifo --db c.db
memplan_errors bench fork.json --orders nothing --db c.db
memplan_errors bench minimalloc/A --orders fifo --db c.db
memplan_errors table orders --db a.db -i nothing
