#!/bin/sh
# Results go to standard output and all else to standard error; a full or closed one is told.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

for arguments in "list" "info patent/figure4" "plan patent/figure4" "bench patent/figure4 -p naive" \
    "info patent/figure4 -f json" "table summary" "list planners -f json" "--help" "list --help"; do
    # shellcheck disable=SC2086
    "$MEMPLAN" $arguments >"$SCRATCH/stdout" 2>"$SCRATCH/stderr"
    code=$?
    lines=$([ -s "$SCRATCH/stdout" ] && echo some || echo none)
    errors=$([ -s "$SCRATCH/stderr" ] && echo some || echo none)
    echo "$arguments: exit $code, results $lines, errors $errors"
done
prepare bench patent/figure4 --planners naive
if [ -c /dev/full ]; then
    for arguments in "list" "info patent/figure4 -f json" "plan patent/figure4" "table summary" \
        "bench patent/figure4 --planners naive" "help" "--version"; do
        # shellcheck disable=SC2086
        "$MEMPLAN" $arguments >/dev/full 2>"$SCRATCH/stderr"
        code=$?
        errors=$(grep -c 'standard output' "$SCRATCH/stderr")
        [ $code -eq 5 ] && [ "$errors" -eq 1 ] || echo "$arguments: exit $code, $errors errors"
    done
else
    skip "no /dev/full"
fi
# Nothing is read from standard input.
"$MEMPLAN" list <&- >/dev/null || echo "standard input closed: exit $?"
"$MEMPLAN" nothing 2>&-
echo "standard error closed: exit $?"
