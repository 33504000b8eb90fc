#!/bin/sh
# Problems and networks whose sizes depend on parameters: one plan for all sizes.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >family.json <<'END'
{"format": "memplan-problem/1", "name": "attention",
 "parameters": {"sequence": [1, 2048]},
 "buffers": [
   {"name": "x",      "size": "4*768*sequence",           "segments": [[0, 3]]},
   {"name": "scores", "size": "4*12*sequence*sequence",   "segments": [[1, 4]]},
   {"name": "mask",   "size": "align(sequence, 64)",      "segments": [[1, 3]], "alignment": 64},
   {"name": "pooled", "size": "4*768*ceil(sequence / 2)", "segments": [[3, 5]]}]}
END
memplan plan family.json --planner exact
memplan plan family.json --planner exact --at sequence=100
memplan plan family.json --planner exact --at sequence=5000
memplan plan family.json --planner exact --worst-first -f json
memplan plan family.json --planner exact -o plan.json
normalise <plan.json
memplan verify family.json plan.json
memplan plan family.json --planner exact --capacity 1000
memplan plan family.json --planner exact -o at.csv --at sequence=7
memplan verify family.json at.csv --at sequence=7
memplan verify family.json at.csv --at sequence=8
memplan convert family.json again.json
memplan info family.json

# A family as CSV, where commas in brackets belong to the size.
memplan convert family.json family.csv
cat family.csv
memplan convert family.csv back.json
memplan plan back.json --planner exact --at sequence=100
printf 'id,lower,upper,size n=1..4 m=0..2\na,0,2,"max(n, m)"\n' >bad.csv
memplan plan bad.csv
printf 'id,lower,upper,size n=1..4 m=0..2\na,0,2,max(n, align(m, 4)) + 1\nb,1,3,7\n' >two.csv
memplan plan two.csv --planner exact --at n=2,m=1
memplan verify two.csv two.csv
printf 'id,lower,upper,size n=4..1\na,0,2,n\n' >bad.csv
memplan plan bad.csv
printf 'id,lower,upper,size n=4-5\na,0,2,n\n' >bad.csv
memplan plan bad.csv
printf 'id,lower,upper,size n=4..5\na,0,2,max(n, 3\n' >bad.csv
memplan plan bad.csv

# Peaks against the parameter.
memplan_results plan family.json --planner exact -o peaks.svg
grep -c relax_symbolic peaks.svg

# The header computes the same offsets.
memplan_results plan family.json --planner exact -o attention.h
cat >main.c <<'END'
#include <stdio.h>

#include "attention.h"

int main(void)
{
    uint64_t offset[ATTENTION_BUFFERS];
    unsigned long long peak = attention_plan(100, offset);
    printf("%llu", peak);
    for (int i = 0; i < ATTENTION_BUFFERS; i++)
        printf(" %llu", (unsigned long long)offset[i]);
    puts("");
    return 0;
}
END
$CC -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror main.c -o main && ./main
cp main.c main.cc
$CXX -std=c++11 -Wall -Wextra -Werror main.cc -o main && ./main

# Networks.
memplan plan 'zoo/bert_base?sequence=16..40' --planner large_first
memplan plan 'zoo/unet?image=188..200' -o unet.json
memplan verify 'zoo/unet?image=188..200' unet.json

# What is wrong.
sed 's/"below": \["x"\]/"below": []/; s/"below": \["scores", "x"\]/"below": []/' plan.json >broken.json
memplan verify family.json broken.json
sed 's/"digest": "./"digest": "x/' plan.json >other.json
memplan verify family.json other.json
for size in 'n' '4096 - sequence' 'sequence / 2' 'sequence - 1' '9223372036854775807*sequence'; do
    sed "s|align(sequence, 64)|$size|" family.json >bad.json
    memplan plan bad.json
done
sed 's/\[1, 2048\]/[9, 8]/' family.json >bad.json
memplan plan bad.json
sed 's/"alignment": 64/"offset": 0/' family.json >bad.json
memplan plan bad.json
memplan plan family.json --at length=3
memplan plan family.json --at sequence=0
memplan plan family.json -o plan.txt
memplan plan two.csv -o peaks.svg
memplan plan patent/figure4 --at n=3
memplan plan 'zoo/unet?image=188..200' --policy path --inplace nnvm
memplan plan 'zoo/experts?sequence=8..10' --policy select --planner large_first
memplan plan 'zoo/experts?sequence=8..10' --policy max
memplan plan 'zoo/experts?sequence=8..10' --policy recursive
memplan plan 'zoo/unet?image=1..20000'
memplan plan 'wired/lstm_unrolled?sequence=2..4'
