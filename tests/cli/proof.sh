#!/bin/sh
# Proofs of optima and refusals, and what memplan-check says of them and of what is no proof.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Runs memplan-check, the second program, like memplan.
check() {
    printf '$ memplan-check'
    printf ' %s' "$@"
    printf '\n'
    code=0
    "$MEMPLAN-check" "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || code=$?
    cat "$SCRATCH/stdout"
    sed 's/^/stderr: /' "$SCRATCH/stderr"
    echo "exit $code"
}
prove() {
    memplan_results plan "$@" | grep -v -e '^time' -e '^cache' -e '^naive' -e '^execute'
}

# By the load, in one line; by search; that nothing fits; of a graph.
printf 'id,lower,upper,size\na,0,2,4\nb,1,3,4\nc,2,4,4\nd,0,1,2\ne,3,4,2\n' >load.csv
prove load.csv --planner exact --proof load.mpp -o plan.csv
cat load.mpp
check load.csv load.mpp plan.csv
prepare convert 'generate:gap?buffers=16&seed=1' gap.json
prepare convert gap.json gap.csv
prove gap.json --planner exact --proof gap.mpp -o gap.plan.json
sed 6q gap.mpp
check gap.json gap.mpp gap.plan.json
gzip <gap.mpp >gap.mpp.gz
check gap.csv gap.mpp.gz
prove gap.json --planner exact --proof gap.mpb
head -n 5 gap.mpb
check gap.json gap.mpb
prove gap.json --planner exact --capacity 25000 --proof gap25000.mpp
check gap.json gap25000.mpp
check gap.json gap25000.mpp gap.plan.json
prove patent/figure4 --planner exact --proof figure4.mpp
prepare convert patent/figure4 figure4.json --policy flat
check figure4.json figure4.mpp

# Windows, holes, alignment, fixed offsets and pairs.
cat >odd.json <<'END'
{"format": "memplan-problem/1", "name": "odd", "buffers": [
  {"name": "a", "size": 5, "segments": [[0, 2], [4, 6]], "alignment": 4},
  {"name": "b", "size": 3, "segments": [[1, 3], [3, 5, 0, 1]]},
  {"name": "c", "size": 4, "segments": [[2, 5]], "offset": 2},
  {"name": "d", "size": 2}], "conflicts": [["d", "a"], ["d", "c"]]}
END
prove odd.json --planner exact --proof odd.mpp -o odd.plan.json
check odd.json odd.mpp odd.plan.json

# All offsets are multiples of 8: 8 + 8 + 5, not the load of 15 bytes.
printf 'id,lower,upper,size,alignment,offset\na,0,2,5,8,\nb,1,3,5,16,\nc,1,4,5,1,8\n' >rounded.csv
prove rounded.csv --planner exact --proof rounded.mpp -o plan.csv
tail -n 4 rounded.mpp
check rounded.csv rounded.mpp plan.csv
sed 's/^R .*/R 1 0 20 2/' rounded.mpp >wrong.mpp
check rounded.csv wrong.mpp
prove rounded.csv --planner exact --proof rounded.pbp

# For VeriPB.
prove gap.json --planner exact --proof gap.pbp
sed -n '1,4p; 20,21p' gap.opb
sed 2q gap.pbp
tail -n 3 gap.pbp
prove load.csv --planner exact --capacity 3 --proof load.pbp

# What has no proof.
prove luna/denoise --policy path --proof no.mpp
prove gap.csv --planner large_first --proof no.mpp
memplan_errors plan 'zoo/squeezenet' --planner large_first --format json --policy hoist --proof no.mpp
ls no.mpp 2>/dev/null

# What is no proof of this problem.
check load.csv gap.mpp
wrong() {
    sed "$1" gap.mpp >wrong.mpp
    check gap.csv wrong.mpp
}
wrong 's/^memplan-proof 1/memplan-proof 2/'
wrong 's/^capacity .*/capacity 25600/'
wrong 's/^capacity .*/capacity 99999999999999999999999/'
wrong 's/^unit .*/unit 1536/'
wrong '$d'
wrong '/^E/d'
wrong '9s/^./Z/'
wrong '$!s/^c$/c 1/'
wrong 's/^end$/&\nend/'
wrong '/^q/s/$/ 14/'
printf 'memplan-proof 1' >wrong.mpp
check gap.csv wrong.mpp
head -c 1000 gap.mpb >wrong.mpb
check gap.csv wrong.mpb
{ cat gap.mpb; printf e; } >wrong.mpb
check gap.csv wrong.mpb
{ head -n 5 gap.mpb; printf 'c\0E\377\377\377\377\377\377\377\377\377\1'; } >wrong.mpb
check gap.csv wrong.mpb
awk 'BEGIN { printf "{\"buffers\": "; for (i = 0; i < 100000; i++) printf "[" }' >deep.json
check deep.json gap.mpp
check gap.csv missing.mpp
sed 's/"offset": [0-9]*/"offset": 0/' gap.plan.json >bad.plan.json
check gap.json gap.mpp bad.plan.json
check

# Who checked what is known.
memplan_results table proofs -f csv | grep -e '^instance' -e '^patent/figure4,flat'
