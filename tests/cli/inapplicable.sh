#!/bin/sh
# Options that do not apply, outputs that are read and plans of other instances are refused.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 figure4.csv
write_graph small.json
prepare convert figure4.csv figure4.json
cksum figure4.csv figure4.json small.json >"$SCRATCH/before"

# The output is the instance, by its own name or another.
ln figure4.csv hard.csv
ln -s figure4.csv soft.csv
ln -s small.json plan.json
memplan plan -p large_first figure4.csv -o figure4.csv
memplan plan -p large_first figure4.csv -o ./figure4.csv
memplan plan -p large_first figure4.csv -o hard.csv
memplan plan -p large_first figure4.csv -o soft.csv
memplan plan -p large_first small.json --layout-report=plan.json
memplan convert figure4.csv figure4.csv
memplan convert figure4.csv hard.csv
memplan quantise small.json -o small.json
memplan dma small.json -o ./small.json
prepare plan -p large_first figure4.csv -o placed.csv
memplan verify figure4.csv placed.csv -o figure4.csv
memplan verify figure4.csv placed.csv -o placed.csv
memplan plot layout --db placed.csv -o placed.csv
cksum figure4.csv figure4.json small.json | diff "$SCRATCH/before" -
rm hard.csv soft.csv plan.json
# What is no plain file, and a copy, are written.
memplan_errors plan -p large_first figure4.csv --layout-report=/dev/null
cp figure4.csv copy.csv
prepare plan -p large_first figure4.csv -o copy.csv

# Options for graphs on problems.
memplan plan -p large_first figure4.csv --inplace nnvm
memplan plan -p large_first figure4.csv --policy flat
memplan verify figure4.csv placed.csv --inplace ge
memplan convert figure4.csv out.json --policy flat
memplan bench figure4.csv figure4.json --planners naive --inplace nnvm
memplan bench figure4.csv --planners naive --policy flat,path
memplan_errors bench figure4.csv small.json --planners naive --policy flat --inplace nnvm --db "$SCRATCH/x.db" |
    grep exit

# Options for .csv files and ONNX models on others.
memplan info small.json --dialect iree
memplan info figure4.json --dialect open
memplan info patent/figure4 --dialect minimalloc
memplan verify figure4.json placed.csv --dialect minimalloc
memplan info figure4.csv --bind x=1
memplan info small.json --assume-dim 1
cp "$ROOT/tests/fuzz/corpus/openvino/if.xml" known_by_content
memplan info known_by_content --assume-dim 1 | grep -e kind
rm known_by_content
memplan bench --suite worked small.json --planners naive --dialect open
memplan bench --suite worked --planners naive --bind x=1
memplan_errors bench figure4.csv small.json --planners naive --dialect minimalloc --db "$SCRATCH/x.db" | grep exit

# A plan says whose it is: of other buffers, and of the same ones with other conflicts.
prepare plan -p large_first figure4.csv -o figure4.plan.json
sed 's/^t8,7,8,3/t8,7,8,4/' figure4.csv >larger.csv
sed -e '1s/$/,alignment/' -e '2,$s/$/,1/' -e 's/^\(t8,.*\),1$/\1,8/' figure4.csv >aligned.csv
memplan verify figure4.csv figure4.plan.json
memplan verify figure4.json figure4.plan.json
memplan verify larger.csv figure4.plan.json
memplan verify aligned.csv figure4.plan.json
prepare plan -p large_first small.json -o small.plan.json
sed 's/"trip_count": 10/"trip_count": 9/' small.json >fewer.json
memplan verify small.json small.plan.json -f json --execute
memplan verify fewer.json small.plan.json --execute
memplan verify fewer.json small.plan.json
memplan verify fewer.json small.plan.json -f json
find . | sort
