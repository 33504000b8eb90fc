#!/bin/sh
# Every command that takes --format writes JSON that names its format, and
# docs/formats.md tells of that format. A command that takes it and is not tried here is a fault, and
# so is one that is tried and does not.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

if ! have python3; then
    skip 'no python3: JSON is not parsed'
    exec cat "$CASES/json.stdout"
fi

XDG_CACHE_HOME=$SCRATCH/caches
MEMPLAN_CACHE_DISABLE=0
export XDG_CACHE_HOME MEMPLAN_CACHE_DISABLE

write_graph small.json
prepare plan small.json -o plan.csv
prepare bench small.json --planners naive,large_first --policy flat --run one --db some.db
prepare bench small.json --planners naive --policy flat --run two --db some.db

# The command lines tried.
cat >lines <<'END'
list
list planners
list policies
list suites
list generators
list perturbations
list options
list reproductions
info small.json
info small.json --policy all
plan small.json
plan small.json --layout-report
plan small.json --capacity 1 --explain
verify small.json plan.csv
verify small.json plan.csv --execute
audit small.json plan.csv
advise small.json
dma luna/face_align
dma luna/face_align --mode sync --instructions
quantise zoo/alexnet
cache list
best
bench small.json --planners naive --policy flat --run three --db some.db
compare one two --db some.db
versus naive small.json --planners large_first,best --policy flat --db some.db -o versus
runs --db some.db
runs show one --db some.db
table rows --db some.db
table summary --db some.db
END

takes() {
    "$MEMPLAN" "$1" --help | grep -q -e '^ [ ,a-z-]*--format='
}

while read -r command rest; do
    # shellcheck disable=SC2086
    "$MEMPLAN" "$command" $rest -f json >out.json 2>"$SCRATCH/stderr"
    format=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["format"])' <out.json 2>&1 | tail -n 1)
    grep -qF "$format" "$ROOT/docs/formats.md" || echo "docs/formats.md does not tell of '$format'"
    echo "$command $rest: $format"
done <lines

"$MEMPLAN" plan small.json --layout-report=layout.json -f json >/dev/null
python3 -c 'import json; print(json.load(open("layout.json"))["format"])'

"$MEMPLAN" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >commands
# submit only hands its options on to bench.
grep -v '^submit$' commands | while read -r command; do
    if takes "$command"; then
        grep -q "^$command" lines || echo "$command is not tried"
    fi
done
