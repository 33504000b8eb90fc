#!/bin/sh
# Two sides of stored results: runs, planners, databases; which is worse, and what cannot be compared.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Tables without what depends on times, which the widths of columns do too.
compare() {
    memplan compare "$@" -f md >"$SCRATCH/compared"
    awk '/^## Times/ { skip = 1; next } /^## |^stderr|^exit/ { skip = 0 }
         /^## By planner/ { skip = 1 } skip || /time:|time, ratio|luck/ { next } 1' "$SCRATCH/compared" |
        sed -e '/^|/s/  */ /g' -e '/^|/s/--*/-/g'
}

write_figure4 one.csv
printf 'id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n' >two.csv
prepare bench one.csv two.csv --planners naive,large_first --run before --db some.db
prepare bench one.csv two.csv --planners naive,large_first --run after --db some.db
prepare bench one.csv two.csv --planners naive --run before --db other.db

# Nothing changed; the second planner is better; the other way round.
compare before after --db some.db
compare naive large_first --db some.db
compare large_first naive --db some.db --run after
compare large_first naive --db some.db --tolerance 200
compare some.db other.db --db some.db --run before

# Every job, for programs.
"$MEMPLAN" compare before after --db some.db --format csv | cut -d, -f1,3-9
memplan compare before after --db some.db -o compared.html --format html
memplan compare before after --db some.db -o compared.json --format json
grep -e '"format"' -e '"is_worse"' -e '^  "jobs"' compared.json
if have python3; then
    python3 -m json.tool compared.json >/dev/null || echo "no JSON"
else
    skip "no python3: compared.json is not parsed"
fi
grep -q '<table' compared.html && echo 'tables in compared.html'

# What cannot be compared.
memplan compare before tomorrow --db some.db
memplan compare before tomorrow.db --db some.db
memplan compare before naive --db some.db
memplan compare before --db some.db
memplan compare before after --db missing.db
memplan compare before after --db some.db --tolerance much
