#!/bin/sh
# A graph's operators in other orders, files with orders, and what is no order.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Liberis and Lane 2019: 5216 bytes as it is stored, 4960 in the order 1 4 6 2 3 5 7.
cat >seven.json <<'END'
{"format": "memplan-graph/1", "name": "seven",
 "tensors": [
  {"name": "i", "bytes": 1568}, {"name": "t1", "bytes": 3136}, {"name": "t2", "bytes": 1568},
  {"name": "t3", "bytes": 512}, {"name": "t4", "bytes": 512}, {"name": "t5", "bytes": 256},
  {"name": "t6", "bytes": 256}, {"name": "t7", "bytes": 512}],
 "inputs": ["i"], "outputs": ["t7"],
 "ops": [
  {"name": "o1", "type": "Any", "inputs": ["i"], "outputs": ["t1"]},
  {"name": "o2", "type": "Any", "inputs": ["t1"], "outputs": ["t2"]},
  {"name": "o3", "type": "Any", "inputs": ["t2"], "outputs": ["t3"]},
  {"name": "o4", "type": "Any", "inputs": ["t1"], "outputs": ["t4"]},
  {"name": "o5", "type": "Any", "inputs": ["t3"], "outputs": ["t5"]},
  {"name": "o6", "type": "Any", "inputs": ["t4"], "outputs": ["t6"], "after": ["o4"]},
  {"name": "o7", "type": "Any", "inputs": ["t5", "t6"], "outputs": ["t7"]}]}
END
order() {
    memplan order "$@" | sed '/^exit/!{s/ *[0-9][0-9.]*$//; s/ *time$//; s/ *(ms)$//; s/ *-*$//;}'
}
order seven.json --order inductor_lpmf -o best.json
memplan info best.json | grep -e load
memplan order seven.json --order xla_list -f json
for o in o1 o4 o6 o2 o3 o5 o7; do echo $o; done >names.txt
order seven.json --order names.txt -o again.txt
cmp names.txt again.txt

# What is no order: an edge broken, by data and by control; once too often; not at all; unknown.
for wrong in 'o4 o1 o6 o2 o3 o5 o7' 'o1 o6 o4 o2 o3 o5 o7' 'o1 o1 o4 o6 o2 o3 o5 o7' 'o1 o4 o6 o2 o3 o5' \
    'o1 o4 o6 o2 o3 o5 o8'; do
    for o in $wrong; do echo "$o"; done >wrong.txt
    memplan order seven.json --order wrong.txt
done
memplan order seven.json --order none.txt
memplan order seven.json --order xla_lst
memplan order seven.json --order stored -o out.csv
memplan order seven.json --order 'fifo?k=3'
memplan order minimalloc/A
sed 's/"after": \["o4"\]/"after": ["o7"]/' seven.json >cycle.json
memplan order cycle.json
