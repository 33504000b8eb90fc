#!/bin/sh
# Problems with several memories: plans, their checks, and what is refused.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >good.json <<'END'
{"format": "memplan-memories/1", "name": "good",
 "memories": [
  {"name": "fast", "capacity": 12, "alignment": 1, "reserved": [[11, 12]]},
  {"name": "slow", "read_ns_per_byte": 0.5, "chunk": 8}],
 "buffers": [
  {"name": "A", "size": 5, "segments": [[0, 2]]},
  {"name": "B", "size": 3, "segments": [[2, 5]], "memories": ["fast"]},
  {"name": "C", "size": 3, "segments": [[0, 1]], "write_bytes": 0},
  {"name": "D", "size": 5, "segments": [[1, 2]], "alignment": 2}],
 "penalties": [["A", "B", 3], [2, 3, 7]],
 "separations": [["B", "C"]], "colocations": [["C", "D"]], "exclusions": [["A", "D"]],
 "pins": [{"buffer": "B", "memory": "fast", "offset": 0, "exclusive": true}]}
END
memplan plan good.json -o plan.json
memplan plan good.json --format json | sed 's/"questions": [0-9]*/"questions": N/'
memplan verify good.json plan.json
sed '/"B"/s/"offset": 0/"offset": 8/' plan.json >bad_plan.json
memplan verify good.json bad_plan.json
memplan verify good.json bad_plan.json --format json
memplan audit good.json plan.json
memplan audit good.json bad_plan.json --format json
memplan audit good.json
# What the file says, or only graphs have, is refused rather than left out of account.
for option in '--capacity 4' '--alignment 64' '--memories gap8 --moves' '--policy path' '--order best' \
    '--inplace all' --explain --pin-io '--proof good.proof'; do
    # shellcheck disable=SC2086 # options with a value are two words
    memplan_errors plan good.json $option
done
memplan_errors verify good.json plan.json --execute
memplan verify good.json plan.json -o verified.json
diff plan.json verified.json
memplan_errors audit good.json plan.json --capacity 4
for option in '--alignment 64' '--repeat 2' '--resume' '--shard 1/2' '--jobs 2' '--format json' --proofs; do
    # shellcheck disable=SC2086 # options with a value are two words
    memplan_errors bench good.json --db refused.db $option
done
memplan_errors plan good.json --threads 2
memplan bench good.json --planners best,first_fit --dry-run --db refused.db
ls refused.db 2>/dev/null
memplan info good.json
sed '/"B"/d' plan.json >bad_plan.json
memplan verify good.json bad_plan.json
memplan convert good.json again.json
memplan convert again.json twice.json
cmp again.json twice.json
cat again.json
memplan convert good.json good.lp
cat good.lp
memplan convert good.json good.mps
grep -c ' r[0-9]* ' "good.mps"
# Of the least cost, by two programs from both files.
solved() {
    found=$("$MEMPLAN" verify good.json "$1" | tr '\n' ' ')
    [ "$found" = "valid cost $(sed -n 's/^  "cost": \(.*\),/\1/p' plan.json) " ] || echo "$1 $2: $found"
}
for program in lp mps; do
    if have cbc; then
        cbc "good.$program" solve solution "cbc.sol" >"$SCRATCH/log" 2>&1
        solved cbc.sol $program
    fi
    if have glpsol; then
        [ $program = lp ] && form=--lp || form=--freemps
        glpsol $form "good.$program" -o "glpsol.sol" >"$SCRATCH/log" 2>&1
        solved glpsol.sol $program
    fi
done
have glpsol || skip "no glpsol"
have cbc || skip "no cbc"
echo 'cost 7000' >none.sol
memplan verify good.json none.sol
echo 'in_A~~0 x' >none.sol
memplan verify good.json none.sol
memplan plan good.json --planner large_first
memplan plan good.json -o plan.csv
if have gnuplot; then
    prepare plan good.json -o good.svg
    grep -c '12 bytes' good.svg
    rm -f good.svg
else
    skip "no gnuplot: plan -o good.svg"
    echo 1
fi
memplan plan good.json -o plan.solution.json
memplan plan good.json --planner executorch_banked

# A is kept apart from D, which lives later, and B lies on A by then.
cat >apart.json <<'END'
{"format": "memplan-memories/1", "name": "apart", "memories": [{"name": "only"}],
 "buffers": [{"name": "A", "size": 4, "segments": [[0, 2]]}, {"name": "B", "size": 2, "segments": [[3, 4]]},
  {"name": "C", "size": 4, "segments": [[1, 6]]}, {"name": "D", "size": 1, "segments": [[3, 4], [5, 6]]}],
 "separations": [[0, 3]]}
END
memplan plan apart.json --planner ggml_chunks | grep -v time

sed 's/"capacity": 12/"capacity": 6/; /"pins"/d; s/"exclusions".*/"exclusions": []}/; s/, "memories": \["fast"\]//' good.json |
    sed 's/^  {"name": "slow".*/  {"name": "slow", "capacity": 2}],/' >full.json
memplan plan full.json -o full_plan.json
[ ! -e full_plan.json ] || echo 'a plan that does not fit is written'
echo '{"format": "memplan-memories/1", "name": "one", "memories": [{"name": "m", "capacity": 9, "reserved": [[4, 6]]}],
 "buffers": [{"name": "A", "size": 5, "segments": [[0, 2]]}]}' >one.json
memplan plan one.json

bad() {
    sed "$1" good.json >bad.json
    cmp -s good.json bad.json && echo "no change: $1"
    echo "    $1"
    memplan_errors plan bad.json
}
bad '3s/"capacity": 12/"capacity": -1/'
bad '3s/"alignment": 1/"alignment": 0/'
bad '3s/\[11, 12\]/[12, 11]/'
bad '4s/"slow"/"fast"/'
bad '4s/0.5/-0.5/'
bad '4s/0.5/0.0005/'
bad '7s/\["fast"\]/["quick"]/'
bad '7s/\["fast"\]/[]/'
bad '6s/"size": 5/"size": 50/; 3s/12/40/; 4s/"chunk": 8/"capacity": 8/'
bad '6s/\[\[0, 2\]\]/[]/'
bad '9s/"alignment": 2/"alignment": 3/'
bad '10s/"A", "B", 3/"A", "A", 3/'
bad '10s/"A", "B", 3/"A", "B", -3/'
bad '10s/"A", "B", 3/"A", "F", 3/'
bad '10s/2, 3, 7/2, 9, 7/'
bad '11s/\["B", "C"\]/["D", "C"]/'
bad '11s/\["B", "C"\]/["B"]/'
bad '12s/"offset": 0/"offset": 10/'
bad '12s/"offset": 0/"offset": 9/'
bad '12s/"fast"/"slow"/'
bad '12s/}\]}/}, {"buffer": "A", "memory": "fast", "offset": 2}]}/'
bad '12s/}\]}/}, {"buffer": "B", "memory": "fast", "offset": 4}]}/'

# Each pin alone could be kept; what shares their places collides.
cat >pinned.json <<'END'
{"format": "memplan-memories/1", "name": "pinned", "memories": [{"name": "fast", "capacity": 8}],
 "buffers": [
  {"name": "A", "size": 2, "segments": [[0, 2]]}, {"name": "B", "size": 2, "segments": [[3, 4]]},
  {"name": "C", "size": 2, "segments": [[1, 2]]}],
 "colocations": [["B", "C"]],
 "pins": [{"buffer": "A", "memory": "fast", "offset": 0}, {"buffer": "B", "memory": "fast", "offset": 1}]}
END
memplan_errors plan pinned.json

cat >dsa.json <<'END'
{"schema_version": 1, "profile": "dsa_rp_v1", "instance": "two", "problem": {
 "pools": [{"id": 7, "name": "", "capacity": 8, "reserved_ranges": []}],
 "buffers": [
  {"id": 4, "name": "a", "size": 8, "alignment": 1, "live_intervals": [{"lower": 0, "upper": 2}], "allowed_pools": [7]},
  {"id": 2, "name": "", "size": 4, "alignment": 4, "live_intervals": [{"lower": 2, "upper": 3}], "allowed_pools": [7]}],
 "constraints": {"colocations": [], "separations": [], "temporal_exclusions": [], "pinned_allocations": []},
 "cost_model": {"reuse_penalties": [{"first": 2, "second": 4, "cost": 3, "reason": "generic"}]},
 "objective": {"aggregation": "lexicographic", "terms": ["capacity_overflow", "reuse_cost"]}}}
END
memplan plan dsa.json -o two.solution.json
cat two.solution.json
memplan verify dsa.json two.solution.json
memplan audit dsa.json two.solution.json -o again.solution.json
memplan verify dsa.json again.solution.json
memplan audit dsa.json two.solution.json -o again.csv
sed 's/"problem_fingerprint": "./"problem_fingerprint": "x/' two.solution.json >other.solution.json
memplan verify dsa.json other.solution.json
sed 's/"first": 2/"first": 3/' dsa.json >bad.json
memplan plan bad.json
sed 's/"allowed_pools": \[7\]}\]/"allowed_pools": [1]}]/' dsa.json >bad.json
memplan plan bad.json
# A buffer that fits its only memory alone, but not with a size rounded to its alignment there.
cat >rounded.json <<'END'
{"format": "memplan-memories/1", "name": "rounded", "memories": [{"name": "slow"}, {"name": "fast", "capacity": 3, "alignment": 3}],
 "buffers": [{"name": "b", "size": 1, "segments": [[0, 3]], "alignment": 2, "memories": ["fast"]}]}
END
memplan plan rounded.json --planner push_and_swap
# Costs too large for floating point, where GLPK once said of a master program with solutions that it had none.
cat >dear.json <<'END'
{"format": "memplan-memories/1", "name": "dear", "memories": [
  {"name": "m0", "capacity": 8, "alignment": 3, "reserved": [[4, 5]], "chunk": 6, "read_ns_per_byte": 0.125, "write_ns_per_byte": 2},
  {"name": "m1", "capacity": 9, "reserved": [[0, 2]], "chunk": 6, "read_ns_per_byte": 3, "write_ns_per_byte": 0}],
 "buffers": [
  {"name": "b0", "size": 3, "segments": [[4, 7]], "alignment": 2, "memories": ["m1"], "read_bytes": 1000000000, "write_bytes": 0},
  {"name": "b1", "size": 1, "segments": [[6, 7]], "memories": ["m0"], "read_bytes": 3, "write_bytes": 1000000000},
  {"name": "b2", "size": 2, "segments": [[1, 7]], "alignment": 2, "memories": ["m1"], "read_bytes": 1000000000, "write_bytes": 1},
  {"name": "b3", "size": 1, "segments": [[4, 5]], "alignment": 3, "memories": ["m1"], "read_bytes": 3, "write_bytes": 0}],
 "exclusions": [[0, 1]], "penalties": [[0, 1, 3], [1, 2, 0]]}
END
for planner in hitting_set lp_rounding choose_and_pack; do
    memplan plan dear.json --planner "$planner"
done
