#!/bin/sh
# Rows as they are stored: for people and for programs.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 one.csv
prepare bench one.csv --planners naive,large_first --run first --db some.db
prepare bench one.csv --planners naive --run second --db some.db
"$MEMPLAN" bench one.csv --planners ge_pool_published --run unsafe --db some.db >/dev/null 2>&1

# Every run has its rows, and one can be chosen.
"$MEMPLAN" table rows --db some.db -f csv | cut -d, -f1,2,5,9,10
"$MEMPLAN" table rows --db some.db -f csv --run second | cut -d, -f1,2,5,9,10
"$MEMPLAN" table rows --db some.db -f csv | sed -n 1p

# A JSON object on each line, with numbers that are numbers.
"$MEMPLAN" table rows --db some.db -f jsonl --run second >second.jsonl
grep -c . second.jsonl
grep -o '"run": "second", "instance": "one"' second.jsonl
grep -o '"peak_bytes": [0-9]*' second.jsonl
memplan table rows --db some.db -f json --run second -o second.json
grep '"format"' second.json

# People get what tells jobs apart, and how they ended.
"$MEMPLAN" table rows --db some.db --run unsafe -f md | cut -d"|" -f2,5,9-12,15

memplan table rows --db missing.db
memplan table rows --db some.db -f nothing
memplan table rows some.db --db some.db
memplan table rows --db some.db --run first -f csv --columns planner,peak_bytes --sort peak_bytes
