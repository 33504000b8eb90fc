#!/bin/sh
# Lists of each kind, plain and as JSON. What must be there is named; more may come.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

expect() {
    kind=$1
    shift
    for name; do
        grep -qx -e "$name" "$SCRATCH/names" || echo "$kind: no $name"
    done
}

for kind in $("$MEMPLAN" list kinds | sed 's/^  \([a-z-]*\) .*/\1/'); do
    code=0
    "$MEMPLAN" list $kind >"$SCRATCH/plain" 2>"$SCRATCH/stderr" || code=$?
    "$MEMPLAN" list $kind -f json >"$SCRATCH/json" 2>>"$SCRATCH/stderr" || code=$?
    echo "$kind: exit $code"
    cat "$SCRATCH/stderr"
    # Each row has a name and a title, and no name comes twice but those of options, of which --policy
    # takes one name here and several there, and --format formats of tables here and of facts there.
    grep -v '^  [A-Za-z0-9_/?=&:.+-]*  *[^ ]' "$SCRATCH/plain"
    # Lines that begin further in belong to the row before them.
    sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' "$SCRATCH/plain" >"$SCRATCH/names"
    [ "$kind" = options ] || sort "$SCRATCH/names" | uniq -d
    # JSON has the same names in the same order.
    sed -n 's/^      "name": "\(.*\)",$/\1/p' "$SCRATCH/json" | diff "$SCRATCH/names" -
    if have python3; then
        python3 -m json.tool "$SCRATCH/json" >/dev/null || echo "$kind: no JSON"
    else
        skip "no python3: $kind -f json is not parsed"
    fi
    case $kind in
    planners) expect $kind naive sequential large_first short_first exact glpk ;;
    policies) expect $kind flat sum max recursive hoist path select ;;
    inplace) expect $kind none declared nnvm tflite ge ggml ;;
    instances) expect $kind luna/face_detect luna/face_align luna/wake_up luna/fusion_detect \
        luna/denoise paper/figure1 patent/figure4 zoo/resnet50 ;;
    suites) expect $kind luna worked zoo all ;;
    modes) expect $kind sync pingpong cross_region ring ;;
    hardware) expect $kind luna stm32h7 ethos_u55 mlu100_float16 mlu100_int8 rp2040 imxrt1060 esp32s3 gap8 ;;
    tables) expect $kind luna-memory luna-control-flow worked summary gaps ;;
    plots) expect $kind layout gaps peaks figure1 ;;
    esac
done

# Every planner of ours is on the map: by its name, or as ORDER_FIT_fit by a row of each table.
cat "$ROOT/docs/planners.md" "$ROOT/docs/pools.md" "$ROOT/docs/exact.md" >"$SCRATCH/pages"
sed -n 's/^| `\([a-z]*\)` |.*/\1/p' "$SCRATCH/pages" >"$SCRATCH/words"
{
    grep -o '`[a-z0-9_]*`' "$SCRATCH/pages" | tr -d '`'
    while read -r order; do
        sed "s/.*/${order}_&_fit/" "$SCRATCH/words"
    done <"$SCRATCH/words"
} | sort -u >"$SCRATCH/documented"
"$MEMPLAN" list planners | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' | grep -v -e '^objects_' -e '^ge_block_' |
    sort >"$SCRATCH/names"
comm -23 "$SCRATCH/names" "$SCRATCH/documented" | sed 's/$/: not in the docs/'

# Without a kind: all of them.
"$MEMPLAN" list >"$SCRATCH/all"
grep '^[a-z]' "$SCRATCH/all"
"$MEMPLAN" list -f json >"$SCRATCH/json"
grep '^  "' "$SCRATCH/json"
if have python3; then
    python3 -m json.tool "$SCRATCH/json" >/dev/null || echo "list -f json: no JSON"
fi

# Every instance that is listed can be read, and is a reconstruction if it says so.
"$MEMPLAN" list instances | some_lines | while read -r name rest; do
    "$MEMPLAN" info "$name" >"$SCRATCH/stdout" || echo "$name ($rest): exit $?"
done

memplan list nothing
memplan list planners policies
