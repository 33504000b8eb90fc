#!/bin/sh
# The checker that Coq proves to be right: it compiles, rests on no axiom, and says of logs what memplan-check says. MEMPLAN is the
# program, ROOT the checkout.
set -u
for program in coqc ocamlopt; do
    command -v $program >/dev/null || {
        echo "skipped: the verified checker, no $program"
        exit 0
    }
done
top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-verified.XXXXXX") || exit 2
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM
cd "$top" || exit 2
faults=0
fault() {
    echo "$*"
    faults=$((faults + 1))
}

sh "$ROOT/proofs/coq/build.sh" "$top" >said 2>&1 || fault "it does not compile: $(tail -n 20 said)"
grep -q '^Closed under the global context' said || fault "the theorem rests on something: $(cat said)"
! grep -nE 'Admitted|admit\.|Axiom|Parameter' "$ROOT"/proofs/coq/*.v || fault 'something is taken for granted'

# agree PROBLEM LOG CODE: both programs end with this code.
agree() {
    "$MEMPLAN-check" "$1" "$2" >checked 2>&1
    [ $? -eq "$3" ] || fault "memplan-check of $2: $(cat checked), expected exit code $3"
    ./memplan-check-verified "$1" "$2" >verified 2>&1
    [ $? -eq "$3" ] || fault "memplan-check-verified of $2: $(cat verified), expected exit code $3"
}
MEMPLAN_CACHE_DISABLE=1
export MEMPLAN_CACHE_DISABLE
for case in 'buffers=16&seed=1' 'buffers=20&seed=2' 'buffers=25&seed=3'; do
    "$MEMPLAN" convert "generate:gap?$case" problem.json >said 2>&1 &&
        "$MEMPLAN" plan problem.json --planner exact --proof good.mpp >said 2>&1 || fault "no log of $case: $(cat said)"
    agree problem.json good.mpp 0
    "$MEMPLAN" plan problem.json --planner exact --proof good.mpb >said 2>&1 || fault "no binary log of $case: $(cat said)"
    agree problem.json good.mpb 0
    head -c 300 good.mpb >changed.mpb
    agree problem.json changed.mpb 3
    # changed SED-SCRIPT CODE
    changed() {
        sed "$1" good.mpp >changed.mpp
        ! cmp -s good.mpp changed.mpp || fault "'$1' changes nothing of $case"
        agree problem.json changed.mpp "$2"
    }
    changed 's/^capacity .*/capacity 25600/' 1
    changed 's/^unit .*/unit 1/' 1
    changed '/^E/d' 1
    changed 's/^use .*/use 0 999999/' 1
    changed '/^q/s/ [0-9]*$/ 0/' 1
    changed '$!s/^c$/c 1/' 1
    changed 's/^v \([0-9]*\) \([0-9]*\) \([0-9]*\)/v \1 \2 1\3/' 1
    changed '$d' 3
    changed 's/^memplan-proof 1/memplan-proof 2/' 3
    changed 's/^problem ./problem x/' 3
done
printf 'id,lower,upper,size\na,0,2,4\nb,1,3,4\n' >load.csv
"$MEMPLAN" plan load.csv --proof good.mpp >said 2>&1 || fault "no log: $(cat said)"
agree load.csv good.mpp 0
printf 'id,lower,upper,size,alignment\na,0,2,5,8\nb,1,3,5,16\nc,1,4,5,8\n' >rounded.csv
for name in good.mpp good.mpb; do
    "$MEMPLAN" plan rounded.csv --proof $name >said 2>&1 || fault "no log of rounded sizes: $(cat said)"
    agree rounded.csv $name 0
done
sed 's/^R .*/R 1 0 20 2/' good.mpp >changed.mpp
agree rounded.csv changed.mpp 1
exit $((faults > 0))
