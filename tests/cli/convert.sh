#!/bin/sh
# Conversions there and back keep every byte; what cannot be converted is told.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >problem.csv <<'END'
id,lower,upper,size,alignment,gaps,offset
a,0,3,64,1,,
b,1,8,100,16,4-6,32
c,3,7,32,1,5-7@0:8,
END
memplan convert problem.csv problem.json
cat problem.json
memplan convert problem.json back.csv
cat back.csv
prepare convert back.csv back.json
sed 's/"back"/"problem"/' back.json | cmp - problem.json
prepare convert back.json again.csv
cmp back.csv again.csv
for file in problem.csv problem.json back.csv back.json; do
    "$MEMPLAN" info $file | grep digest
done | sort -u | wc -l | tr -d ' '
memplan convert problem.csv free.csv --ignore-offsets
cat free.csv

# Graphs: as they are, or as the buffers of a policy.
write_graph small.json
memplan convert small.json small.csv
cat small.csv
memplan convert small.json copy.json
prepare convert copy.json copy2.json
sed 's/"copy"/"small"/' copy2.json | diff - copy.json
memplan convert small.json flat.json --policy flat
grep format flat.json
for instance in $("$MEMPLAN" list instances | sed 's/^  \([^ ]*\) .*/\1/' | some_lines); do
    prepare convert "$instance" graph.json
    "$MEMPLAN" info "$instance" | grep -e digest -e load -e naive >"$SCRATCH/one"
    "$MEMPLAN" info graph.json | grep -e digest -e load -e naive | diff "$SCRATCH/one" -
done
prepare convert patent/figure4 figure4.csv
write_figure4 "$SCRATCH/figure4.csv"
cmp figure4.csv "$SCRATCH/figure4.csv"

# A formula of a capacity.
memplan convert problem.csv problem.opb --capacity 200
grep -v '^1 ' problem.opb
memplan convert problem.csv problem.opb --capacity 100
memplan convert luna/denoise denoise.opb

# Refused.
memplan convert small.json small.csv --policy recursive
memplan convert small.json small.csv --policy nothing
memplan convert small.json small.txt
memplan convert small.json missing/small.csv
memplan convert missing.json small.csv
echo '{"format": "memplan-problem/1", "name": "x", "buffers": [
  {"name": "a,b", "size": 1, "segments": [[0, 1]]}]}' >comma.json
memplan convert comma.json comma.csv
echo '{"format": "memplan-graph/1", "name": "empty", "tensors": [], "inputs": [], "outputs": [],
  "ops": [{"name": "a", "type": "A", "inputs": [], "outputs": []}]}' >empty.json
for extension in lp mps opb; do
    memplan convert empty.json "empty.$extension"
done
mkdir folder.csv
memplan convert small.json folder.csv
find . | sort
