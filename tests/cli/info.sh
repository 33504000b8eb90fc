#!/bin/sh
# Facts about a graph, a graph with control flow, and a problem.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan info patent/figure4
memplan info patent/figure4 -f json
write_graph small.json
memplan info small.json
write_figure4 figure4.csv
memplan info figure4.csv
memplan info figure4.csv -f json

# The integers that scripts rely on are integers.
"$MEMPLAN" info luna/denoise -f json >"$SCRATCH/json"
for key in operators tensors regions buffers load naive; do
    grep -c "^  \"$key\": [0-9][0-9]*,*$" "$SCRATCH/json"
done
if have python3; then
    python3 -m json.tool "$SCRATCH/json" >/dev/null || echo "info -f json: no JSON"
else
    skip "no python3: info -f json is not parsed"
fi

# The buffers that a graph becomes under flat are what info says of them.
prepare convert patent/figure4 flat.csv
"$MEMPLAN" info flat.csv | grep digest >"$SCRATCH/flat"
"$MEMPLAN" info figure4.csv | grep digest | diff "$SCRATCH/flat" -

memplan info
memplan info nothing
memplan info zoo/nothing
memplan info figure4.csv figure4.csv
