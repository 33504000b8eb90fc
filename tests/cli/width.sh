#!/bin/sh
# Every command keeps to a terminal of 80 letters: prints the lines of standard output that do not.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

COLUMNS=80
XDG_CACHE_HOME=$SCRATCH/caches
MEMPLAN_CACHE_DISABLE=0
export COLUMNS XDG_CACHE_HOME MEMPLAN_CACHE_DISABLE

long=buffer_of_a_name_that_is_longer_than_what_any_column_leaves_room_for_beside_it
printf 'id,lower,upper,size\n%s,0,2,5000000\nb,1,3,7000000\nc,2,4,3000000\n' $long >long.csv
prepare plan long.csv -o long_plan.csv
prepare plan long.csv -p best -o long_best.csv
prepare bench long.csv luna/denoise --planners naive,large_first,best --policies flat,path --db a.db --run first
prepare bench long.csv --planners naive,best --db b.db --run 'a run whose label is long, for it says what was tried'
write_graph small.json
prepare plan small.json -o small_plan.json

# Each line is a command; what it answers is tested elsewhere.
while read -r words; do
    # shellcheck disable=SC2086
    "$MEMPLAN" $words >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || [ $? -eq 1 ] || {
        echo "$words: exit $?"
        cat "$SCRATCH/stderr"
    }
    [ -s "$SCRATCH/stdout" ] || echo "$words: prints nothing"
    awk -v words="$words" 'length > 80 {print words ": " $0}' "$SCRATCH/stdout"
done <<'END'
--help
list
list planners
list orders
list instances
list tables
list options
info long.csv
info luna/denoise
info luna/denoise --policy all
plan long.csv
plan long.csv --capacity 6000000 --explain
plan luna/denoise --layout-report=-
order small.json
quantise zoo/blazeface
verify long.csv long_plan.csv
verify small.json small_plan.json --execute
audit long_plan.csv
advise long.csv -p large_first
bench long.csv --planners naive,best --db c.db
versus naive --db a.db --run first --planners naive long.csv
cache list
cache verify
compare first first --db a.db
runs --db b.db
runs show first --db a.db
best
best --db a.db
merge a.db b.db -o c.db
table summary --db a.db
table leaderboard --db a.db
table rows --db a.db
dma luna/denoise
END
for command in $("$MEMPLAN" list commands | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$MEMPLAN" "$command" --help | awk -v words="$command --help" 'length > 80 {print words ": " $0}'
done

# Of many runs side by side the newest are shown.
for run in 1 2 3 4 5; do
    prepare bench long.csv --planners naive --db night.db --run "night-20261130T0414$run"
done
"$MEMPLAN" table runs --db night.db | sed -n 3,4p

# Options that alone tell rows apart stay.
prepare bench long.csv --planners naive --db two.db
prepare bench long.csv --planners naive --alignment 64 --db two.db
"$MEMPLAN" table summary --db two.db | grep -c 'alignment=64'
