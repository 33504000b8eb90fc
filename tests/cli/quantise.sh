#!/bin/sh
# Weights as int8 and int4: from a file, drawn, written as a graph, and wrong input.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >small.json <<'END'
{
  "format": "memplan-graph/1", "name": "small",
  "tensors": [{"name": "x", "bytes": 8}, {"name": "y", "bytes": 8}],
  "inputs": ["x"], "outputs": ["y"],
  "ops": [
    {"name": "dense", "type": "Dense", "inputs": ["x"], "outputs": ["y"],
     "weights": [{"name": "w", "bytes": 8, "dtype": "float32"},
                 {"name": "table", "bytes": 2, "dtype": "uint8"},
                 {"name": "zero", "bytes": 4, "dtype": "float16"}]}
  ]
}
END
# 127 and 0.25; two bytes; two zeros.
printf '\000\000\376\102\000\000\200\076ab\000\000\000\000' >weights
memplan quantise small.json --weights weights
memplan quantise small.json --weights weights --bits 4 -f json -o int4.json
grep weights int4.json
memplan_results info int4.json | grep weight_bytes

# The values: written, read back and compared; the file damaged.
memplan quantise small.json --weights weights -o values.mpa
memplan quantise small.json --weights weights --bits 4 -f json -o values4.mpa
"$MEMPLAN" quantise zoo/blazeface -o blazeface.mpa | grep -e archive -e read_back -e worst

# The same seed, the same answer; what was quantised stays.
"$MEMPLAN" quantise zoo/blazeface --seed 3 -o one.json >"$SCRATCH/one" || echo "exit $?"
"$MEMPLAN" quantise zoo/blazeface --seed 3 -o two.json | diff "$SCRATCH/one" -
cmp one.json two.json
"$MEMPLAN" quantise one.json | grep -e quantised -e bytes

memplan quantise small.json --weights nothing
memplan quantise small.json --weights small.json
printf '\000\000\376\102\000\000\300\177ab\000\000\000\000' >weights
memplan quantise small.json --weights weights
memplan quantise small.json --bits 16
memplan quantise small.json -o small.csv
write_figure4 figure4.csv
memplan quantise figure4.csv
memplan quantise
