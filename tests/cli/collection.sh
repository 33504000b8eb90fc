#!/bin/sh
# The collection: two runs of the choice give the set that is there, its files are whole, and its entries are listed.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

folder=$ROOT/datasets/collection
(cd "$folder" && sha256sum --quiet -c SHA256SUMS) || echo "a file differs from SHA256SUMS"
if have python3; then
    mkdir "$SCRATCH/datasets"
    cp -r "$folder" "$SCRATCH/datasets/"
    for run in first second; do
        python3 "$SCRATCH/datasets/collection/choose.py" choose 1
        # The third column, the class, is judged later, by rows.
        cut -d, -f1,2,4- "$SCRATCH/datasets/collection/memplan-lib-1.csv" >"$SCRATCH/$run"
        cut -d, -f1,2,4- "$folder/memplan-lib-1.csv" | cmp - "$SCRATCH/$run"
    done
    # The tables of the page are those of the rows.
    cp "$ROOT/docs/state-of-the-art.md" "$SCRATCH/page.md"
    python3 "$folder/map.py" "$ROOT/docs/standings/rows.csv.gz" "$SCRATCH/page.md"
    cmp "$ROOT/docs/state-of-the-art.md" "$SCRATCH/page.md"
fi
"$MEMPLAN" list collection | sed -n '1,2p; $p'
"$MEMPLAN" list collection -f json | grep -c '"version": "memplan-lib 1"'
# The page in the repository is small, and its data are whole.
pages=$ROOT/docs/standings
[ "$(cat "$pages"/*.* "$pages"/data/* | wc -c)" -le 3100000 ] || echo 'docs/standings is above 3.1 MB'
for file in "$pages"/data/*.js; do
    sed "s/.*', '//; s/');$//" "$file" | base64 -d | gzip -t || echo "$file is damaged"
done
