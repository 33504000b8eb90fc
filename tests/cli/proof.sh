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
printf 'id,lower,upper,size\na,0,2,2\nb,1,3,3\nc,2,4,2\nd,0,1,3\ne,3,4,3\n' >five.csv
prepare convert five.csv five.json
prove five.json --planner exact --proof five.mpp -o five.plan.json
sed 6q five.mpp
check five.json five.mpp five.plan.json
gzip <five.mpp >five.mpp.gz
check five.csv five.mpp.gz
prove five.json --planner exact --capacity 5 --proof five5.mpp
check five.json five5.mpp
check five.json five5.mpp five.plan.json
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

# What has no proof.
prove luna/denoise --policy path --proof no.mpp
prove load.csv --planner large_first --capacity 20 --proof no.mpp
memplan_errors plan 'zoo/squeezenet' --planner large_first --format json --policy hoist --proof no.mpp
ls no.mpp 2>/dev/null

# What is no proof of this problem.
check load.csv five.mpp
wrong() {
    sed "$1" five.mpp >wrong.mpp
    check five.csv wrong.mpp
}
wrong 's/^memplan-proof 1/memplan-proof 2/'
wrong 's/^capacity .*/capacity 6/'
wrong 's/^capacity .*/capacity 99999999999999999999999/'
wrong 's/^unit .*/unit 2/'
wrong '$d'
wrong '/^E/d'
wrong '8s/^./Z/'
wrong 's/^c$/c 1/'
wrong 's/^end$/&\nend/'
wrong '6s/$/ 7/'
printf 'memplan-proof 1' >wrong.mpp
check five.csv wrong.mpp
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }' >deep.json
check deep.json five.mpp
check five.csv missing.mpp
sed 's/"offset": [0-9]*/"offset": 0/' five.plan.json >bad.plan.json
check five.json five.mpp bad.plan.json
check
