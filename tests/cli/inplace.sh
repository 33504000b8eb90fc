#!/bin/sh
# Outputs written over inputs: every set of rules, types left out, plan files, rows of results.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

"$MEMPLAN" list inplace | sed -n 's/^  \([a-z]*\) .*/\1/p'
memplan plan -p large_first ge/cnn_block --inplace ge
memplan plan -p large_first ge/cnn_block --inplace ge --disable-inplace Conv,RELU -f json
memplan plan ge/cnn_block --inplace nnvm --planner exclusive --layout-report

# The file says by itself which tensors share a buffer; a .csv file has no tensors.
prepare plan -p large_first ge/cnn_block --inplace nnvm --disable-inplace Add,Mul -o plan.json
grep -e options -e '"name"' plan.json
memplan verify ge/cnn_block plan.json
memplan verify ge/cnn_block plan.json --execute
prepare plan -p large_first ge/cnn_block --inplace nnvm -o plan.csv
cat plan.csv
memplan verify ge/cnn_block plan.csv --inplace nnvm
memplan verify ge/cnn_block plan.csv --inplace nnvm --execute
memplan verify ge/cnn_block plan.csv

# pool1_out is moved over relu1_out, of which it is no in-place output.
sed 's/\("pool1_out".*"offset": \)[0-9]*/\10/' plan.json >over.json
memplan verify ge/cnn_block over.json
memplan verify ge/cnn_block over.json --execute

# Two tensors of different readers said to share a buffer.
sed 's/"tensors": \["conv1_out", "relu1_out"\]/"tensors": ["conv1_out", "nothing"]/' plan.json >bad.json
memplan verify ge/cnn_block bad.json

# A tensor said to lie in place though no operator can write it there: a Pool writes over nothing.
sed 's/"conv1_out", "relu1_out"\]/"conv1_out", "relu1_out", "pool1_out"]/' plan.json >fooled.json
memplan verify ge/cnn_block fooled.json
memplan verify ge/cnn_block fooled.json --execute

# A problem has no operators.
prepare convert ge/cnn_block problem.csv
memplan plan -p large_first problem.csv --inplace nnvm

# Rows with and without are different problems: neither contradicts the other.
for rules in none declared tflite; do
    memplan_results bench ge/cnn_block zoo/resnet50 --planners large_first --run one --inplace $rules --format csv \
        >"$SCRATCH/rows"
    sed 's/,[0-9.]*$//' "$SCRATCH/rows"
done

memplan plan -p large_first ge/cnn_block --inplace nothing
memplan plan -p large_first ge/cnn_block --disable-inplace Add

# Types that no operator has and no rules know; letters' case and underlines do not matter.
memplan plan -p large_first ge/cnn_block --inplace ge --disable-inplace Conv,Relo
memplan plan -p large_first ge/cnn_block --inplace ge --disable-inplace Add,
memplan_errors plan -p large_first ge/cnn_block --inplace ge --disable-inplace batch_norm,assign,RE_LU
memplan verify ge/cnn_block plan.csv --inplace nnvm --disable-inplace Mull

# An assign that does nothing, since its value was computed straight into the variable, and one that copies.
prepare plan nnvm/assign --inplace nnvm --planner nnvm -o assign.json
grep '"w1"\|"u1"' assign.json
memplan verify nnvm/assign assign.json
memplan verify nnvm/assign assign.json --execute

# What is pinned is written over nothing, neither in the plan nor in its file.
cat >pinned.json <<'END'
{"format": "memplan-graph/1", "name": "pinned",
 "tensors": [{"name": "x", "bytes": 4}, {"name": "y", "bytes": 4}, {"name": "out", "bytes": 4}, {"name": "z", "bytes": 4}],
 "inputs": ["x"], "outputs": ["out"],
 "ops": [{"name": "first", "type": "Conv", "inputs": ["x"], "outputs": ["y"]},
         {"name": "relu", "type": "Relu", "inputs": ["y"], "outputs": ["out"]},
         {"name": "last", "type": "Conv", "inputs": ["x"], "outputs": ["z"]}]}
END
for pin in '' --pin-io; do
    memplan plan pinned.json --inplace nnvm $pin -o places.json | grep -e '^in place' -e ^peak
    grep '"y"' places.json
    memplan verify pinned.json places.json --execute
done

# Devices are kept apart by planners that know them, and refused by others.
prepare plan nnvm/devices --planner nnvm -o devices.json
grep -e '"id"' -e far1 devices.json
memplan verify nnvm/devices devices.json
sed 's/\("far1".*"offset": \)[0-9]*/\10/' devices.json | sed '/storages/,/\],/d' >mixed.json
memplan verify nnvm/devices mixed.json
memplan_errors plan -p large_first nnvm/devices
