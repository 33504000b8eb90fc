#!/bin/sh
# Every figure that a source prints stands in its table with a verdict, beside what was measured.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

for source in wang2025 ge patent; do
    memplan_results reproduce "$source" --output "$source" | grep -e '^\$ ' -e '^exit ' -e published
    cut -d, -f 1-7 "$source/$source.csv"
done
# The picture of Figure 1(a): edges from operator to operator, across the Ifs.
sed -n '/^.edges/,/^EOD/p; /^.frames/,/^EOD/p' wang2025/wang2025-figure1a.gp
# Times differ from run to run: what is not one of them.
memplan_results reproduce nnvm tflite minimalloc --output other |
    grep -e '^\$ ' -e '^exit ' -e '^tflite: ' -e '^nnvm: ' -e '^| nnvm/walk'
cut -d, -f 1-7 other/nnvm.csv
cut -d, -f 1-7 other/tflite.csv
cut -d, -f 1-7 other/minimalloc-figures.csv | grep -e greedy -e best-fit
grep -c exact other/minimalloc.csv
memplan_results reproduce orders --output orders | grep -e '^\$ ' -e '^exit ' -e '^orders: '
cut -d, -f 1-7 orders/orders-published.csv | grep -v 'not given'
memplan_results reproduce xu2019 --output xu2019 | grep -e '^\$ ' -e '^exit '
cut -d, -f 1-7 xu2019/xu2019.csv | grep -v -e 'not given' -e 'not comparable'
memplan_results reproduce dsa --output dsa | grep -e '^\$ ' -e '^exit ' -e '^dsa: '
cut -d, -f 1-7 dsa/dsa.csv | grep -v 'not comparable'
# Each row of each file of figures is in the table of its source, with a verdict; reliability.csv is ours.
for file in "$ROOT"/results/published/*.csv; do
    source=$(basename "$file" .csv)
    [ "$source" = reliability ] && continue
    table=$(find . -name "$source-figures.csv")
    [ "$table" ] || table=$(find . -name "$source.csv")
    grep -v '^#' "$file" | sed 1d | cut -d, -f 1-3 >printed
    sed 1d "$table" | cut -d, -f 1-3 | diff printed - || echo "$source: not as printed"
    # The closed list of verdicts.
    sed 1d "$table" | cut -d, -f 6 | grep -vx -e agrees -e 'met by a reconstruction' \
        -e "agrees by the source's own arithmetic" -e 'slip in the source' -e differs \
        -e 'not comparable' -e 'not given'
done
# The same from the pages; and a page where a figure is missing, doubled or another one is refused.
if have python3; then
    read_pages() { python3 "$ROOT/tests/cli/printed_figures.py" "$ROOT/results/published" "$@" 2>&1; }
    read_pages */index.html
    # docs/sources.md: what it names exists, what it counts is on the pages; not where one verdict or one heading is another.
    read_map() { python3 "$ROOT/tests/cli/source_map.py" "$ROOT" "$MEMPLAN" "$@" 2>&1; }
    read_map */index.html
    mkdir broken
    sed '/<h3>Figure 1</d; /<td>Table 1<.*<td>WakeUp: naive</s/>met by a reconstruction</>agrees</' wang2025/index.html \
        >broken/index.html
    read_map broken/index.html [!bw]*/index.html
    for change in '/<td>Table 1<.*<td>WakeUp: naive</d' '/<td>Table 1<.*<td>WakeUp: naive</p' \
        '/<td>Table 1<.*<td>WakeUp: naive</s/312 *[^ ]*664/312665/' 's/>met by a reconstruction</>met</' 's/ Of the bytes that operators/ 12.34 of the bytes that operators/' \
        '/^<tr><td>WakeUp<.*<td>paper</s/312.\{1,4\}664/312663/'; do
        sed "$change" wang2025/index.html >broken/index.html
        read_pages broken/index.html ge/index.html patent/index.html other/index.html orders/index.html \
            xu2019/index.html dsa/index.html | tail -n 2
    done
else
    skip "no python3: the pages are not read"
fi
memplan_results table ge-pools --db ge/reproduce.db
memplan_results table patent-steps --db patent/reproduce.db
memplan table ge --db nothing.db
