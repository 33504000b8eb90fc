#!/bin/sh
# Graphs that are wrong: file, line, what was found, what was expected; exit code 3.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >"$SCRATCH/good.json" <<'END'
{"format": "memplan-graph/1", "name": "good",
 "tensors": [
  {"name": "a", "bytes": 4},
  {"name": "b", "bytes": 4},
  {"name": "c", "bytes": 4}],
 "inputs": ["a"],
 "outputs": ["c"],
 "ops": [
  {"name": "first", "type": "X", "inputs": ["a"], "outputs": ["b"]},
  {"name": "second", "type": "X", "inputs": ["b"], "outputs": ["c"]}
 ]}
END
# The good graph with one change, by sed.
bad() {
    sed "$1" "$SCRATCH/good.json" >bad.json
    cmp -s "$SCRATCH/good.json" bad.json && echo "no change: $1"
    echo "    $1"
    refuse bad.json
}
cp "$SCRATCH/good.json" good.json
memplan_errors plan good.json

# JSON.
bad '5,20d'
bad '3s/]//; 6s/]//'
bad '3s/4}/4,}/'
bad 's/"name": "good"/"name": "good", "name": "again"/'
bad 's/"good"/good/'
bad "s/\"good\"/\"$(printf '\377')\"/"
refuse_text bad.json '[]'
refuse_text bad.json '{}'
refuse_text bad.json 'null'
refuse_text bad.json '{"format": "memplan-graph/9"}'
refuse_text bad.json '{"format": "memplan-graph/1"}'
# Nested too deep to be read.
printf '%0100000d' 0 | tr 0 '[' >deep.json
refuse deep.json

# Types and keys.
bad 's/"good"/7/'
bad 's/"inputs": \["a"\],$/"inputs": "a",/'
bad 's/"inputs": \["a"\],$/"inputs": [1],/'
bad 's/"outputs": \["b"\]/"outputs": null/'
bad 's/"name": "good"/"name": "good", "colour": "red"/'
bad 's/"type": "X"/"kind": "X"/'
bad 's/"type": "X", //'
bad 's/"first"/""/'
bad 's/"first"/1/'

# Tensors.
bad 's/"name": "b"/"name": "a"/'
bad '3s/4/-4/'
bad '3s/4/0/'
bad '3s/4/"4"/'
bad '3s/4/4.5/'
bad '3s/4/true/'
bad '3s/4/18446744073709551616/'
bad '3s/"bytes": 4/"bytes": 4, "memory": "moon"/'
bad '3s/, "bytes": 4//'
bad '3s/"bytes": 4/"shape": [4]/'
bad '3s/"bytes": 4/"shape": [4], "dtype": "float33"/'
bad '3s/"bytes": 4/"shape": [-4], "dtype": "float32"/'
bad '3s/"bytes": 4/"shape": 4, "dtype": "float32"/'
bad '3s/"bytes": 4/"shape": [4294967296, 4294967296, 2], "dtype": "float32"/'
bad '3s/"bytes": 4/"shape": [1,1,1,1,1,1,1,1,1], "dtype": "float32"/'

# Operators: unknown tensors, cycles, uses before the definition.
bad 's/"inputs": \["b"\]/"inputs": ["moon"]/'
bad 's/"outputs": \["c"\],$/"outputs": ["moon"],/'
bad 's/"inputs": \["a"\],$/"inputs": ["moon"],/'
bad 's/"X", "inputs": \["a"\]/"X", "inputs": ["b"]/'
bad 's/"X", "inputs": \["a"\]/"X", "inputs": ["c"]/'
bad 's/"second"/"first"/'
bad 's/"outputs": \["c"\]}/"outputs": ["b"]}/'
bad 's/"outputs": \["c"\]}/"outputs": ["a"]}/'
bad 's/"outputs": \["c"\]}/"outputs": []}/'
bad 's/"inputs": \["a"\],$/"inputs": ["a", "a"],/'
bad 's/"inputs": \["a"\],$/"inputs": [],/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "inplace": [[0, 7]]}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "flops": -1}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "compute_ns": "long"}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "weights": [{"name": "w", "bytes": -1}]}/'

# Streams and waits. An asynchronous operator's end is `after` its start.
bad '/"first"/s/"X"/"X", "after": ["second"]/'
bad '/"first"/s/"X"/"X", "after": ["first"]/'
bad '/"second"/s/"X"/"X", "after": ["start"]/'
bad '/"second"/s/"X"/"X", "after": "first"/'
bad '/"second"/s/"X"/"X", "after": [1]/'
bad '/"second"/s/"X"/"X", "stream": 5/'
bad '/"second"/s/"X"/"X", "stream": "copy"/'
bad '1s/"name": "good"/"name": "good", "streams": [{"name": "main"}]/; /"second"/s/"X"/"X", "stream": "copy"/'
bad '1s/"name": "good"/"name": "good", "streams": [{"name": "main"}, {"name": "main"}]/'
bad '1s/"name": "good"/"name": "good", "streams": [{"engine": "dma"}]/'
bad '1s/"name": "good"/"name": "good", "waits": "never"/'

# Branches and loops.
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "regions": [{"name": "r", "ops": [], "yields": []}]}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "regions": [{"name": "r", "ops": [], "yields": ["moon"]}]}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "regions": [{"name": "r", "ops": [], "yields": ["b"], "probability": 2}]}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "regions": {}}/'
bad 's/"outputs": \["c"\]}/"outputs": ["c"], "trip_count": 3}/'
write_graph "$SCRATCH/good.json"
bad 's/"init": "chosen"/"init": "sum"/'
bad 's/"result": "sum"/"result": "next"/'
bad 's/"yield": "next"/"yield": "image"/'
bad 's/"trip_count": 10/"trip_count": -1/'
bad 's/"inputs": \["partial", "features"\]/"inputs": ["partial", "sharp"]/'
bad 's/"yields": \["smooth"\]/"yields": ["sharp"]/'
bad 's/"yields": \["smooth"\]/"yields": ["smooth", "smooth"]/'
find . | sort
