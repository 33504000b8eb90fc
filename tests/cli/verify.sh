#!/bin/sh
# Wrong plans: exit code 1 with the witness pair; plans of something else: exit code 3.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 figure4.csv
prepare plan -p large_first figure4.csv -o plan.csv
prepare plan -p large_first patent/figure4 -o plan.json
memplan verify figure4.csv plan.csv
memplan verify figure4.csv plan.json
memplan verify patent/figure4 plan.csv

# One offset changed: t2 over t1 and t4.
sed 's/^\(t2,.*\),20000000$/\1,0/' plan.csv >wrong.csv
sed 's/\("t2".*"offset": \)20000000/\10/' plan.json >wrong.json
cmp -s plan.csv wrong.csv && echo "wrong.csv is not wrong"
memplan verify figure4.csv wrong.csv
memplan verify figure4.csv wrong.json
memplan verify patent/figure4 wrong.csv
memplan verify patent/figure4 wrong.json -f json
memplan verify patent/figure4 wrong.csv --execute
memplan verify patent/figure4 wrong.json -f json --execute

# The peak it claims is not its peak.
sed 's/"peak": 46000000/"peak": 45000000/' plan.json >wrong.json
memplan verify patent/figure4 wrong.json
memplan verify figure4.csv wrong.json

# An offset that the alignment forbids, and a fixed buffer that was moved.
printf 'id,lower,upper,size,alignment\na,0,2,10,8\n' >aligned.csv
printf 'id,lower,upper,size,alignment,offset\na,0,2,10,1,4\n' >wrong.csv
memplan verify aligned.csv wrong.csv
memplan verify aligned.csv wrong.csv --alignment 16
memplan verify figure4.csv plan.csv --alignment 1M
memplan verify figure4.csv plan.csv --alignment 5M
memplan verify patent/figure4 plan.csv --alignment 1M
memplan verify patent/figure4 plan.csv --alignment 5M
printf 'id,lower,upper,size,offset\na,0,2,10,8\n' >fixed.csv
printf 'id,lower,upper,size,offset\na,0,2,10,16\n' >wrong.csv
memplan verify fixed.csv wrong.csv
memplan verify fixed.csv fixed.csv --alignment 8
memplan verify fixed.csv fixed.csv --alignment 16

# A branch's plan: right on every path, wrong once both the branch and what is beside it share bytes.
write_graph small.json
prepare plan -p large_first small.json --policy recursive -o small.plan.csv
memplan verify small.json small.plan.csv
sed 's/^\(features,.*\),[0-9]*$/\1,0/' small.plan.csv >wrong.csv
memplan verify small.json wrong.csv
memplan verify small.json wrong.csv --execute

# Plans for something else.
for plan in plan.csv plan.json; do
    memplan verify ge/section3 $plan
    memplan verify paper/figure1 $plan
    memplan verify luna/denoise $plan --execute
done
sed 's/^t8,7,8/t8,6,8/' figure4.csv >later.csv
memplan verify later.csv plan.csv
sed 's/^t8,7,8,3/t8,7,8,4/' figure4.csv >larger.csv
memplan verify larger.csv plan.csv
memplan verify larger.csv plan.json

# Files that are no plans.
memplan verify figure4.csv missing.csv
memplan verify figure4.csv missing.json
memplan verify missing.csv plan.csv
memplan verify figure4.csv figure4.csv
sed '$d' plan.csv >short.csv
memplan verify figure4.csv short.csv
sed 's/,44000000$/,/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
sed 's/,44000000$/,-1/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
sed 's/,44000000$/,18446744073709551615/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
sed 's/,44000000$/,9223372036854775807/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
sed 's/,offset$/,extents/; s/,\([0-9]*\),\([0-9]*\)$/,\1,\2+\1/; s/,44000000+/,9223372036854775807+/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
sed 's/"offset": 44000000/"offset": 9223372036854775807/' plan.json >wrong.json
memplan verify figure4.csv wrong.json
sed 's/"offset": 44000000/"offset": 44000000, "extents": [[44000000, 9223372036854775807]]/' plan.json >wrong.json
memplan verify patent/figure4 wrong.json
sed 's/,44000000$/,x/' plan.csv >wrong.csv
memplan verify figure4.csv wrong.csv
{
    cat plan.csv
    sed -n 2p plan.csv
} >twice.csv
memplan verify figure4.csv twice.csv
echo '{' >wrong.json
memplan verify figure4.csv wrong.json
echo '{"format": "memplan-plan/2"}' >wrong.json
memplan verify figure4.csv wrong.json
sed 's/"offset": 44000000/"offset": "far"/' plan.json >wrong.json
memplan verify figure4.csv wrong.json
sed 's/"status": "feasible"/"status": "wonderful"/' plan.json >wrong.json
memplan verify figure4.csv wrong.json
echo text >plan.txt
memplan verify figure4.csv plan.txt
memplan verify figure4.csv
memplan verify

# Names longer than the answer, which is cut between characters: all three ways to meet a letter of three bytes.
for start in x xx xxx; do
    name=$start$(printf '%0500d' 0 | sed 's/0/重/g')
    printf 'id,lower,upper,size\n%s,0,2,10\nb,1,3,10\n' "$name" >long.csv
    printf 'id,lower,upper,size,offset\n%s,0,2,10,0\nb,1,3,10,5\n' "$name" >long_plan.csv
    memplan verify long.csv long_plan.csv -f json | sed 's/重.*重/重/'
done
