#!/bin/sh
# What transfers of weights take: by mode, by path, as instructions and as files.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >small.json <<'END'
{
  "format": "memplan-graph/1",
  "name": "small",
  "tensors": [
    {"name": "image", "bytes": 40},
    {"name": "flag", "bytes": 1, "memory": "external"},
    {"name": "features", "bytes": 30},
    {"name": "sharp", "bytes": 20},
    {"name": "smooth", "bytes": 20},
    {"name": "chosen", "bytes": 20},
    {"name": "scores", "bytes": 10}
  ],
  "inputs": ["image", "flag"],
  "outputs": ["scores"],
  "ops": [
    {"name": "conv", "type": "Conv", "inputs": ["image"], "outputs": ["features"], "compute_ns": 3000,
     "weights": [{"name": "w", "bytes": 2000, "dtype": "int8"}]},
    {"name": "choose", "type": "If", "inputs": ["flag"], "outputs": ["chosen"], "compute_ns": 400,
     "regions": [
      {"name": "then", "probability": 0.75, "ops": [
        {"name": "wide", "type": "Conv", "inputs": ["features"], "outputs": ["sharp"],
         "compute_ns": 1000, "weights": [{"name": "w", "bytes": 4000, "dtype": "int8"}]}
      ], "yields": ["sharp"]},
      {"name": "else", "probability": 0.25, "ops": [
        {"name": "thin", "type": "Conv", "inputs": ["features"], "outputs": ["smooth"],
         "flops": 2000, "weights": [{"name": "w", "bytes": 600, "dtype": "int8"}]}
      ], "yields": ["smooth"]}
    ]},
    {"name": "dense", "type": "Dense", "inputs": ["chosen"], "outputs": ["scores"], "flops": 1000,
     "weights": [{"name": "w", "bytes": 1200, "dtype": "int8"}]}
  ]
}
END
cat >chip.json <<'END'
{
  "format": "memplan-hardware/1",
  "name": "chip",
  "dma_bytes_per_second": 1000000000,
  "dma_start_ns": 100,
  "dma_start_instruction_ns": 20,
  "dma_wait_instruction_ns": 10,
  "contention": 0,
  "operations_per_second": {"Conv": 2000000000, "default": 2000000000},
  "on_chip_bytes": 6000
}
END

for mode in sync pingpong cross_region ring; do
    memplan dma small.json --hardware chip.json --mode $mode
done
memplan dma small.json --hardware chip.json --mode cross_region --instructions
memplan dma small.json --hardware chip.json -f json
memplan dma small.json --hardware chip.json --mode ring --buffers 1 --policy recursive --planner naive

# The published times of the main paper.
for model in face_align face_detect body_detect fusion_detect wake_up; do
    for mode in sync pingpong; do
        "$MEMPLAN" dma luna/$model --mode $mode | grep -e '^instance' -e '^mode' -e '^total'
    done
done

memplan_errors dma small.json -o small.trace.json
memplan_errors dma small.json -o small.gp --mode sync
grep -c '"ph": "X"' small.trace.json
grep -e heading -e '^[0-9].*"' small.gp
find . -type f | sort

# Table 3: no published figure differs from the one beside it.
"$MEMPLAN" reproduce luna-dma --output out >/dev/null 2>"$SCRATCH/stderr" || ! have gnuplot || echo "exit $?"
"$MEMPLAN" table luna-dma --db out/reproduce.db --format csv >table.csv
head -n 1 table.csv
sed 1d table.csv | wc -l | tr -d ' '
sed 1d table.csv | awk -F, '$2 != $3 || $4 != $5 || $6 != $7' | cat
if have python3; then
    python3 -m json.tool small.trace.json >/dev/null || echo "no JSON"
else
    skip "no python3: small.trace.json is not parsed"
fi
