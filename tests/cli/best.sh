#!/bin/sh
# Best known values: a list of one's own is begun, improved by bench and by a plan from a file, and
# contradicted; what is built in is shown.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

without_dates() { sed -e 's/20[0-9-]*T[0-9:]*Z/DATE/' -e 's/-[0-9a-f]\{16\}\.json/-OPTIONS.json/'; }
show_list() {
    without_dates <list.csv | sed 's/,[0-9a-f]*$/,DIGEST/; s/,[0-9a-f]\{16\}-/,D-/'
    ls list | sed 's/^[0-9a-f]\{16\}-/D-/; s/-[0-9a-f]\{16\}\.json/-OPTIONS.json/'
}

# A list begins with whatever a database has, and plans that bench kept. Naive is no optimum.
write_figure4 one.csv
write_graph small.json
printf 'id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n' >two.csv
prepare bench one.csv two.csv small.json --planners naive --policy path,max --keep-plans --db first.db
ls -d first.db*
memplan best --accept first.db --best-known list.csv | without_dates
show_list

# A better plan, found but not kept, is told of and refused.
"$MEMPLAN" bench one.csv --planners large_first,exact --db second.db --best-known list.csv 2>&1 >/dev/null |
    grep best
memplan best --accept second.db --best-known list.csv

# Kept, it is taken; a second time nothing is better.
prepare bench one.csv two.csv --planners large_first,exact --run kept --keep-plans --best-known list.csv \
    --db second.db
ls second.db.plans | sed 's/^[0-9a-f]\{16\}-/D-/'
memplan best --accept kept --db second.db --best-known list.csv two.csv
memplan best --accept kept --db second.db --best-known list.csv
memplan best --accept kept --db second.db --best-known list.csv
show_list

# A proof of an optimum that a checker accepts is noted, once. A search cannot prove a plan of naive optimal.
prepare bench one.csv two.csv --planners naive,exact --proofs --db proved.db
ls proved.db.proofs | sed 's/^[0-9a-f]\{16\}-/D-/'
"$MEMPLAN" table proof-times --db proved.db --format csv | sed 's/verified/checked/' | cut -d, -f1-6,11
memplan best --accept proved.db --best-known list.csv | sed 's/verified/checked/'
memplan best --accept proved.db --best-known list.csv
sed 's/verified/checked/; s/,[0-9a-f]\{64\},20/,LOG,20/' list.csv >shown.csv
memplan best --best-known shown.csv one.csv two.csv --format csv | without_dates

# A checker that refuses is an error; one that cannot be run changes nothing.
mkdir bin
printf '#!/bin/sh\necho "line 3: it does not follow" >&2\nexit 1\n' >bin/memplan-check
chmod +x bin/memplan-check
cp "$MEMPLAN" bin/memplan
bin/memplan bench two.csv --planners exact --proofs --db refused.db --format csv 2>&1 | tail -n 1
"$MEMPLAN" table proof-times --db refused.db --format csv | cut -d, -f1-6,11
printf '#!/bin/sh\nkill -9 $$\n' >bin/memplan-check
bin/memplan bench two.csv --planners exact --proofs --db logged.db >"$SCRATCH/stdout" 2>&1
"$MEMPLAN" table proof-times --db logged.db --format csv | cut -d, -f1-6,11

# The plan is an ordinary plan file, compressed.
plan=list/$(ls list | sed -n 's/.*-problem.json.gz/&/p' | head -n 1)
"$MEMPLAN" verify one.csv "$plan" >"$SCRATCH/one" 2>&1 || "$MEMPLAN" verify two.csv "$plan" >"$SCRATCH/one"
cat "$SCRATCH/one"

# In-place rules make another problem; a capacity does not.
prepare bench small.json --planners large_first --policy path --inplace nnvm --keep-plans --db third.db
prepare bench small.json --planners large_first --policy path --capacity 1M --keep-plans --db fourth.db
memplan best --accept third.db --best-known list.csv
memplan best --accept fourth.db --best-known list.csv
show_list | grep nnvm

# Plans of one's own. What is wrong, of another instance, or no better is refused.
printf 'id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,10\nc,2,4,10,0\n' >good.csv
printf 'instance,policy,options,peak_bytes,lower_bound_bytes,cost,cost_bound,status,planner,prover,proof,proof_digest,since,witness,digest\n' >own.csv
prepare verify two.csv good.csv -o good.json
memplan best --accept good.json two.csv --best-known own.csv --planner 'by hand'
memplan best --accept good.json two.csv --best-known own.csv
memplan best --accept good.json one.csv --best-known own.csv
memplan best --accept good.json --best-known own.csv
sed 's/"offset": 10/"offset": 5/; s/"peak": 30/"peak": 25/' good.json >wrong.json
memplan best --accept wrong.json two.csv --best-known own.csv
memplan best --best-known own.csv --format csv | without_dates

# A plan that was changed after it was kept is refused.
cp -r first.db.plans changed.db.plans
cp first.db changed.db
for plan in changed.db.plans/*-problem.json.gz; do
    gzip -dc "$plan" | sed 's/"offset": [0-9]*/"offset": 0/' | gzip -c >changed
    mv changed "$plan"
done
"$MEMPLAN" best --accept changed.db two.csv --best-known changed.csv 2>&1
echo "exit $?"

# What contradicts the list is said by bench, exit code 1, and not taken.
sed '/,43000000,43000000,,,optimal,/{ s//,53000000,52000000,,,feasible,/; s/,load,[a-z]*,[0-9a-f]*,/,load,,,/; }' list.csv >high.csv
memplan bench one.csv --planners exact --best-known high.csv --db fifth.db --format csv --keep-plans |
    grep -v one
memplan best --accept fifth.db --best-known high.csv

# Several memories: a cost and its bound, a better plan, a plan from a file, and a proof that nothing fits.
head -n 1 own.csv >costs.csv
cat >full.json <<'END'
{"format": "memplan-memories/1", "name": "full", "memories": [{"name": "fast", "capacity": 4}],
 "buffers": [{"name": "a", "size": 3, "segments": [[0, 2]]}, {"name": "b", "size": 3, "segments": [[1, 3]]}]}
END
for planner in first_fit best; do
    prepare bench memories/dsa_example full.json --planners $planner --run $planner --keep-plans --db costs.db \
        --best-known costs.csv
    memplan best --accept $planner --db costs.db --best-known costs.csv
done
memplan best --accept costs.db --best-known costs.csv
prepare plan memories/two_banks -o banks.json
memplan best --accept banks.json memories/two_banks --best-known costs.csv --planner me
memplan best --accept banks.json memories/two_banks --best-known costs.csv --planner me
memplan best --accept banks.json memories/two_banks --best-known costs.csv
memplan best full.json memories/two_banks memories/dsa_example --best-known costs.csv --format csv | without_dates
memplan best full.json --best-known costs.csv -f json | without_dates
sed 's/,10,10,optimal,/,11,10.5,feasible,/' costs.csv >wrong.csv
memplan bench memories/dsa_example --planners best --keep-plans --db wrong.db --best-known wrong.csv
memplan best --accept wrong.db --best-known wrong.csv

# What there is of instances, suites and policies.
memplan best small.json --best-known list.csv --policy path --format csv | without_dates
memplan best two.csv --best-known list.csv -f json | without_dates | sed 's/verified/checked/'
memplan best --suite worked --policy recursive --format csv | cut -d, -f1-6
memplan best patent/figure4 --format csv | cut -d, -f1-6
memplan table best-known --db first.db
prepare bench patent/figure4 --planners naive --db sixth.db
"$MEMPLAN" table best-known --db sixth.db --format csv

# A plan that needs no bytes is none that a list could keep.
echo '{"format": "memplan-graph/1", "name": "none", "tensors": [{"name": "t", "bytes": 4, "memory": "external"}], "inputs": ["t"],
 "outputs": [], "ops": [{"name": "read", "type": "Op", "inputs": ["t"], "outputs": []}]}' >none.json
prepare plan none.json -o none_plan.json
memplan best --accept none_plan.json none.json --planner me --best-known list.csv

# Wrong usage.
memplan best nothing
memplan best --suite nothing
memplan best --best-known missing.csv
memplan best --best-known one.csv
memplan best --accept first.db
memplan best --accept first.db --best-known list.txt
memplan best --accept missing.db --best-known list.csv
memplan best --accept nothing --db first.db --best-known list.csv
memplan best --accept first.db --best-known list.csv --planner me
memplan best --planner me
memplan bench two.csv --planners naive --best-known missing.csv
: >blocked.db.plans
memplan_errors bench two.csv --planners naive --keep-plans --db blocked.db
