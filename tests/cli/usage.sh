#!/bin/sh
# Usage: exit code 2, on standard error.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan table
memplan table nothing
memplan plot
memplan plot gaps
memplan plot nothing -o nothing.svg
memplan bench
memplan bench --suite
memplan convert
memplan convert patent/figure4
memplan reproduce nothing
memplan reproduce luna-memory nothing --output out
memplan verify --execute
memplan list --nothing
memplan info --db x
memplan table summary --db ''
memplan table summary --run ''
"$MEMPLAN" nothing 2>&1 >/dev/null | head -n 1
"$MEMPLAN" --nothing 2>&1 >/dev/null | head -n 1
"$MEMPLAN" '' 2>&1 >/dev/null | head -n 1
# Words with something special in them are said as they are.
memplan info '%s%n%s'
memplan plan '%s%n.csv'
memplan plan patent/figure4 --planner '%s%n'
# Long ones are cut, not followed out of bounds.
long=$(printf '%05000d' 0)
for arguments in "info $long" "plan $long.csv" "plan patent/figure4 -p $long" "list $long" \
    "table $long" "plot $long -o x.svg" "reproduce $long" "bench --suite $long" \
    "plan patent/figure4 -o $long" "reproduce worked -o $long" "bench patent/figure4 -d $long.db"; do
    # shellcheck disable=SC2086
    "$MEMPLAN" $arguments >/dev/null 2>&1
    echo "$(echo "$arguments" | tr -d 0): exit $?"
done
find .

# What was meant, of every kind of name.
memplan paln patent/figure4
memplan plan patent/figure4 --planer naive
memplan plan patent/figure4 --planner large_frist
memplan plan patent/figure4 --policy recursiv
memplan plan patent/figur4
memplan bench --suite wroked
memplan table gap --db none.db
memplan plot figure3 --db none.db -o x.svg
memplan generate layerd -o x.csv
memplan dma patent/figure4 --mode pingpogn
memplan dma patent/figure4 --hardware lun
memplan plan patent/figure4 --inplace nvnm
memplan reproduce worekd
