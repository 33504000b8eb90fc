#!/bin/sh
# Every figure that a source prints stands in its table with a verdict, beside what was measured.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

for source in wang2025 ge patent; do
    memplan_results reproduce "$source" --output "$source" | grep -e '^\$ ' -e '^exit ' -e published
    sed 1d "$source/$source.csv" | grep -v -e agrees -e 'differs: ' -e 'not reproducible: '
    cut -d, -f 1-4,8- "$source/$source.csv"
done
# Times differ from run to run: what is not one of them.
memplan_results reproduce nnvm tflite minimalloc --output other |
    grep -e '^\$ ' -e '^exit ' -e '^tflite: ' -e '^| nnvm/walk'
cut -d, -f 1-4,8- other/tflite.csv
cut -d, -f 2-3 other/minimalloc-figures.csv | wc -l | tr -d ' '
sed 1d other/minimalloc-figures.csv | grep -v -e agrees -e 'differs: ' -e 'not reproducible: '
grep -c exact other/minimalloc.csv
memplan_results table ge-pools --db ge/reproduce.db
memplan_results table patent-steps --db patent/reproduce.db
memplan table ge --db nothing.db
