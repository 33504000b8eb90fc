#!/bin/sh
# Plans that split buffers: written, read back, drawn, refused where they are wrong.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Between the fixed buffers there are 4 and 2 bytes; e takes both and 3 above.
cat >holes.csv <<'END'
id,lower,upper,size,offset
c,0,3,4,4
d,0,3,2,10
e,1,4,9,
END
memplan plan holes.csv --planner exclusive -o plan.csv
cat plan.csv
memplan_errors plan holes.csv --planner exclusive -o plan.json
normalise <plan.json
memplan verify holes.csv plan.csv
memplan verify holes.csv plan.json

# A graph: x is still read when z is written into what y left on both sides of it.
cat >graph.json <<'END'
{
  "format": "memplan-graph/1",
  "name": "graph",
  "tensors": [{"name": "x", "bytes": 4}, {"name": "y", "bytes": 6}, {"name": "z", "bytes": 8}],
  "inputs": ["x"],
  "outputs": ["z"],
  "ops": [
    {"name": "one", "type": "Conv", "inputs": ["x"], "outputs": ["y"]},
    {"name": "two", "type": "Conv", "inputs": ["y"], "outputs": ["z"]}
  ]
}
END
printf 'id,lower,upper,size,extents\nx,0,1,4,2+4\ny,0,2,6,10+6\nz,1,2,8,0+8\n' >good.csv
memplan verify graph.json good.csv
memplan verify graph.json good.csv --execute
printf 'id,lower,upper,size,extents\nx,0,1,4,2+4\ny,0,2,6,0+2;6+4\nz,1,2,8,2+4;9+4\n' >wrong.csv
memplan verify graph.json wrong.csv
memplan verify graph.json wrong.csv --execute

# Wrong by themselves: both say so, and nothing is run.
printf 'id,lower,upper,size,extents\nx,0,1,4,2+4\ny,0,2,6,10+6\nz,1,2,8,20+4;22+4\n' >self.csv
memplan verify graph.json self.csv
memplan verify graph.json self.csv --execute
memplan verify graph.json self.csv -f json --execute
printf 'id,lower,upper,size,extents\nx,0,1,4,2+4\ny,0,2,6,10+6\nz,1,2,8,20+4;24+3\n' >short.csv
memplan verify graph.json short.csv
memplan verify graph.json short.csv --execute

# Extents that do not add up, that meet each other, that meet another buffer, that leave a fixed one.
sed 's/;12+3/;12+4/' plan.csv >wrong.csv
memplan verify holes.csv wrong.csv
sed 's/;12+3/;2+3/' plan.csv >wrong.csv
memplan verify holes.csv wrong.csv
sed 's/;12+3/;11+3/' plan.csv >wrong.csv
memplan verify holes.csv wrong.csv
sed 's/^c,.*/c,0,3,4,,4+2;20+2/' plan.csv >wrong.csv
memplan verify holes.csv wrong.csv
sed 's/;12+3/;12+/' plan.csv >wrong.csv
memplan verify holes.csv wrong.csv
sed 's/\[12, 3\]/[12]/' plan.json >wrong.json
memplan verify holes.csv wrong.json

# A plan is no problem, unless its places do not matter.
memplan info plan.csv
memplan_results info plan.csv --ignore-offsets

# One rectangle, slice and lane for each extent.
prepare plan holes.csv --planner exclusive -o plan.trace.json
grep -c '"name": "e"' plan.trace.json
if have gnuplot; then
    prepare plan holes.csv --planner exclusive -o plan.svg
    grep -q '</svg>' plan.svg || echo "plan.svg: no SVG"
    rm -f plan.svg
else
    skip "no gnuplot: plan -o plan.svg"
fi

# The patent's rule as published overwrites what shortcuts add up later: told, and no failed job.
memplan_errors plan zoo/resnet50 --planner exclusive_published
memplan_errors bench zoo/resnet50 --planners exclusive,exclusive_published --db unsafe.db
rm -f unsafe.db*
find . | sort
