#!/bin/sh
# The integer program for other solvers, and what they find for it as a plan.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# A window, a hole, alignments, a fixed offset and a name that no solver takes.
cat >small.csv <<'END'
id,lower,upper,size,alignment,gaps,offset
a,0,3,64,1,,
b,1,8,96,32,4-6,32
c/x:0,3,7,32,1,5-7@0:8,
d,2,5,64,64,,
END
memplan convert small.csv small.lp
cat small.lp
memplan convert small.csv small.mps
cat small.mps
memplan convert small.csv again.lp --capacity 256
diff small.lp again.lp
memplan convert small.csv no.lp --capacity 100

# A graph is a problem of its flat policy.
write_graph graph.json
memplan convert graph.json graph.lp
grep offset_sharp graph.lp | tail -n 1

# Solutions as CBC, GLPK (both forms) and others write them.
cat >cbc.sol <<'END'
Optimal - objective value 192.00000000
      0 peak                  24                       1
      1 offset_a              16                       0
      2 offset_b               4                       0
      3 offset_c_x_0~2         0                       0
      4 offset_d      16.0000001                       0
      5 below_a~~b             0                       0
END
memplan verify small.csv cbc.sol
sed 's/offset_d  *16.0000001/offset_d 24/; s/192/256/' cbc.sol >good.sol
sed -n 's/^ *[0-9] \([a-z]\)/\1/p' good.sol >plain.sol
memplan verify small.csv good.sol -o plan.csv
cat plan.csv
memplan verify small.csv plain.sol -o plan.json
memplan verify small.csv plan.json
sed 's/256/255/' good.sol >claim.sol
memplan verify small.csv claim.sol -f json
memplan verify graph.json plain.sol --execute
sed 's/offset_d/offset_e/' good.sol >other.sol
memplan verify small.csv other.sol
echo 'Infeasible - objective value 0' >none.sol
memplan verify small.csv none.sol
memplan verify small.csv small.lp

# Every column of the file is known when its solution is read, also where large_first wastes more than stacking does.
printf 'id,lower,upper,size,alignment\na,0,1,4,3\nb,0,1,3,4\nc,0,1,7,2\nd,0,1,1,1\ne,0,1,3,3\n' >stacked.csv
memplan convert stacked.csv stacked.lp --formulation positions
sed -n 's/^ \(at_[a-e]~~[0-9]*\)$/\1 0/p' stacked.lp | sed 's/\(a~~6\|b~~0\|c~~10\|d~~17\|e~~3\) 0/\1 1/; 1i peak 18' >stacked.sol
memplan verify stacked.csv stacked.sol
find . | sort

# check INSTANCE: two programs solve both files; the optimum is what exact planners prove.
check() {
    prepare convert "$1" "$SCRATCH/x.lp"
    prepare convert "$1" "$SCRATCH/x.mps"
    optimum=$("$MEMPLAN" plan "$1" --planner glpk -f json | sed -n 's/^  "peak": \([0-9]*\),*$/\1/p')
    if have glpsol; then
        for form in lp freemps; do
            glpsol --$form "$SCRATCH/x.${form#free}" -o "$SCRATCH/o.sol" >/dev/null
            compare "$1" "$SCRATCH/o.sol" "glpsol -o $form"
        done
    fi
    if have cbc; then
        for form in lp mps; do
            cbc "$SCRATCH/x.$form" solve solution "$SCRATCH/c.sol" >/dev/null
            compare "$1" "$SCRATCH/c.sol" "cbc $form"
        done
    fi
}

compare() {
    found=$("$MEMPLAN" verify "$1" "$2" | tr '\n' ' ')
    [ "$found" = "valid peak $optimum bytes " ] || echo "$1: $3: $found, optimum $optimum"
}

have glpsol || skip "no glpsol"
have cbc || skip "no cbc"
if "$MEMPLAN" plan small.csv --planner glpk | grep -q optimal; then
    check small.csv
    check patent/figure4
    check paper/figure1
    for seed in 1 2 3; do
        check "generate:gap?buffers=12&seed=$seed"
    done
else
    skip "no planner glpk"
fi
