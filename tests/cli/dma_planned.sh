#!/bin/sh
# Weights in the arena: the front, a capacity, what does not fit; and running it on this machine.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >chain.json <<'END'
{
  "format": "memplan-graph/1", "name": "chain",
  "tensors": [{"name": "a", "bytes": 1}, {"name": "b", "bytes": 1}, {"name": "c", "bytes": 1},
              {"name": "d", "bytes": 1}],
  "inputs": ["a"], "outputs": ["d"],
  "ops": [
    {"name": "op1", "type": "Any", "inputs": ["a"], "outputs": ["b"], "compute_ns": 10000,
     "weights": [{"name": "w1", "bytes": 10000, "dtype": "int8"}]},
    {"name": "op2", "type": "Any", "inputs": ["b"], "outputs": ["c"], "compute_ns": 10000,
     "weights": [{"name": "w2", "bytes": 10000, "dtype": "int8"}]},
    {"name": "op3", "type": "Any", "inputs": ["c"], "outputs": ["d"], "compute_ns": 10000,
     "weights": [{"name": "w3", "bytes": 10000, "dtype": "int8"}]}
  ]
}
END
echo '{"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": 1000000000}' >chip.json
# So long that no front is cut short where the machine is busy.
long=--time-limit=100000
memplan dma chain.json --hardware chip.json --mode planned "$long"
memplan dma chain.json --hardware chip.json --mode planned "$long" --capacity 20001 --instructions
memplan dma chain.json --hardware chip.json --mode planned "$long" -f json
memplan dma chain.json --hardware chip.json --mode planned "$long" --capacity 10001
memplan_errors dma chain.json --hardware chip.json --mode pingpong --capacity 20001
memplan dma luna/fusion_detect --mode planned "$long" --policy recursive
memplan dma chain.json --hardware chip.json --mode planned "$long" --planner nothing
# The weights of a travel while the processor starts c's: 4480 ns, in the order of need 4484.
sed 's/"chip"/"slow"/; s/}$/, "dma_start_instruction_ns": 20, "dma_wait_instruction_ns": 20}/' chip.json >slow.json
memplan dma bugs/start_order --hardware slow.json --mode planned "$long" --planner exact --instructions

# Weights in pieces.
memplan dma chain.json --hardware chip.json --mode sync --piece 6k --instructions
memplan dma chain.json --hardware chip.json --piece 0
memplan dma chain.json --hardware chip.json --piece 1

# Quantised weights are shorter transfers.
prepare quantise 'zoo/mobilenet_v1' -o int8.json
for graph in zoo/mobilenet_v1 int8.json; do
    "$MEMPLAN" dma "$graph" --hardware ethos_u55 | grep -e total -e weights
done

# Measured times differ from run to run; what is said does not.
"$MEMPLAN" dma chain.json --hardware chip.json --execute -f json >"$SCRATCH/execution" || echo "exit $?"
grep -o -e '"execution"' -e '"mode": "[a-z]*"' -e '"[a-z_]*_ns"' -e '"error_percent"' \
    "$SCRATCH/execution" | sort | uniq -c | sed 's/^ *//'
"$MEMPLAN" dma chain.json --hardware chip.json --mode planned "$long" --execute >"$SCRATCH/execution" ||
    echo "exit $?"
sed -n '/^mode  *modelled/,$p' "$SCRATCH/execution" | awk '{print $1, NF}'
