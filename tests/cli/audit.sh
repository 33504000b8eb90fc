#!/bin/sh
# Plans where they are used: written for TFLite Micro, XLA and C programs, read back, and plans of others
# held against the optimum.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# A header of C: offsets as the plan has them, in an arena that compiles without a warning.
prepare plan patent/figure4 --planner exact --alignment 64 -o figure4.csv
prepare verify patent/figure4 figure4.csv --alignment 64 -o figure4.h
cat figure4.h
cat >use.c <<'END'
#include "figure4.h"
#define FIGURE4_ARENA
#include "figure4.h"
#include "figure4.h"
#include <stdint.h>
#include <stdio.h>
#define PRINT(name, offset, bytes) printf("%s %ld %ld\n", name, (long)offset, (long)bytes);
int main(void)
{
    FIGURE4_EACH(PRINT)
    figure4_arena[FIGURE4_OFFSET_T4 + FIGURE4_BYTES_T4 - 1] = 1;
    return sizeof figure4_arena == FIGURE4_ARENA_BYTES && FIGURE4_BUFFERS == 8 &&
           (uintptr_t)figure4_arena % FIGURE4_ARENA_ALIGNMENT == 0 ? 0 : 1;
}
END
awk -F, 'NR > 1 { print $1, $6, $4 }' figure4.csv >"$SCRATCH/expected"
# compile COMPILER OPTION...
compile() {
    if have "$1"; then
        "$@" -Wall -Wextra -Wpedantic -Werror -o use && ./use | diff "$SCRATCH/expected" - || echo "$*: exit $?"
    else
        skip "no $1: the header is not compiled with it"
    fi
}
compile "${CC:-cc}" -std=c11 use.c
cp use.c use.cc
compile "${CXX:-c++}" -std=c++11 use.cc
cat >odd.csv <<'END'
id,lower,upper,size,offset
a b,0,2,8,0
a-b,0,2,8,8
"7",1,3,8,16
END
sed -i 's/"//g' odd.csv
memplan plan odd.csv -p large_first -o 3-names.h | grep exit
grep -e OFFSET -e 'PLAN_H' -e arena 3-names.h
# Names that C and C++ would read as something else: the programs print them as they are.
prepare plan bugs/odd_names -p large_first -o odd.h
grep BUFFER odd.h
cat >use.c <<'END'
#include "odd.h"
#include <stdio.h>
#define PRINT(name, offset, bytes) puts(name);
int main(void)
{
    ODD_EACH(PRINT)
    return 0;
}
END
printf 'a b\na_b\n9\303\251"\\%%s??/\n/*\033*/\nA_B\nint\n' >"$SCRATCH/expected"
compile "${CC:-cc}" -std=c11 use.c
cp use.c use.cc
compile "${CXX:-c++}" -std=c++11 use.cc
rm -f use use.c use.cc 3-names.h odd.h

# XLA's own table, read back with the offsets that it says.
prepare plan odd.csv -p large_first -o odd.xla.csv
cat odd.xla.csv
memplan audit odd.xla.csv --dialect xla

# TFLite Micro: the buffer, its bytes, and a model that carries it.
model=$ROOT/tests/fuzz/corpus/tflite/plain.tflite
cp "$model" plain.tflite
memplan plan plain.tflite --planner exact --alignment 16 -o plain.bin | grep -e peak -e exit
od -A n -t d4 -v plain.bin
memplan verify plain.tflite plain.bin
prepare plan plain.tflite --planner naive --alignment 16 -o carries.tflite
memplan plan plain.tflite --planner naive -o unaligned.bin
memplan audit carries.tflite | grep -v '^plan '
memplan audit carries.tflite -f json --capacity 20 | grep -v '"plan"'
"$MEMPLAN" info plain.tflite | grep digest >"$SCRATCH/digest"
"$MEMPLAN" info carries.tflite | grep digest | diff "$SCRATCH/digest" -
prepare verify plain.tflite plain.bin -o carries_too.tflite
memplan audit carries_too.tflite | grep -e safe -e peak -e above_best

# What the checks find: all tensors in one place; what is left to the runtime is placed by it.
offsets() {
    printf '\001\000\000\000\000\000\000\000' >"$1"
    tail -c +9 plain.bin | head -c 4 >>"$1"
    count=$(($(wc -c <plain.bin) / 4 - 3))
    while [ $count -gt 0 ]; do
        # shellcheck disable=SC2059
        printf "$2" >>"$1"
        count=$((count - 1))
    done
}
offsets zero.bin '\000\000\000\000'
memplan audit plain.tflite zero.bin | grep -e '^plan' -e verdict -e '^safe' -e exit
offsets later.bin '\377\377\377\377'
memplan audit plain.tflite later.bin | grep -e verdict -e safe -e ' peak' -e exit

# Plans of problems, and what is refused.
write_figure4 figure.csv
prepare plan figure.csv --planner naive -o naive.csv
memplan audit figure.csv naive.csv
memplan audit naive.csv --capacity 50M
sed 's/^t2,1,5,10000000,.*/t2,1,5,10000000,0/' naive.csv >wrong.csv
memplan audit wrong.csv
memplan audit luna/denoise
memplan audit figure.csv
memplan audit plain.tflite
memplan audit patent/figure4 plain.bin
head -c 20 plain.bin >short.bin
memplan audit plain.tflite short.bin
offsets negative.bin '\376\377\377\377'
memplan audit plain.tflite negative.bin
head -c 300 carries.tflite >cut.tflite
memplan audit cut.tflite
memplan plan patent/figure4 -o x.bin
memplan plan "$ROOT/tests/fuzz/corpus/tflite/loop.tflite" -o x.tflite | sed "s,$ROOT/,,"
memplan plan patent/figure4 -o x.words
find . | sort

# Programs of ExecuTorch: the plan that each carries, one whose plan is broken, and what is no problem of one.
cp "$ROOT/tests/fuzz/corpus/executorch/lstm.pte" lstm.pte
memplan audit lstm.pte
memplan plan 'lstm.pte?method=forward&memory=1' -p large_first | grep -e instance -e peak -e verify
cp lstm.pte broken.pte
printf '\000\000' | dd of=broken.pte bs=1 seek=664 conv=notrunc 2>/dev/null
memplan audit broken.pte | grep -e verdict -e '^safe' -e exit
cp lstm.pte lstm.model
memplan info lstm.model | grep -e buffers
memplan info 'lstm.pte?method=backward'
memplan info 'lstm.pte?mode=1'
memplan info 'plain.tflite?method=1'
head -c 1000 lstm.pte >short.pte
memplan info short.pte
memplan audit lstm.pte -o again.pte | grep -e peak -e exit
memplan audit again.pte | grep -e safe -e peak -e arena
memplan audit lstm.pte -o again.csv
memplan audit carries.tflite -o again.pte
# An offset that breaks an alignment, which the file itself has or the command gives: the plan is not safe.
printf 'id,lower,upper,size,alignment,offset\nA,0,2,16,8,0\nB,1,5,16,8,20\n' >misaligned.csv
memplan audit misaligned.csv
memplan audit misaligned.csv -o aligned.csv | grep -e verdict -e exit
memplan audit aligned.csv | grep -e verdict -e exit
memplan plan misaligned.csv
cat >misaligned.json <<'END'
{"format": "memplan-problem/1", "name": "misaligned", "buffers": [
{"name": "A", "size": 16, "alignment": 8, "offset": 0, "segments": [[0, 2]]},
{"name": "B", "size": 16, "alignment": 8, "offset": 20, "segments": [[1, 5]]}]}
END
memplan audit misaligned.json | grep -e verdict -e exit
printf 'buffer_id,size,offset,start_time,end_time\n1,16,0,0,2\n2,16,20,1,5\n' >misaligned.xla.csv
memplan audit misaligned.xla.csv --dialect xla --alignment 16 | grep -e verdict -e exit
memplan audit lstm.pte --alignment 64 | grep -e verdict -e exit
# A better plan in the place of another: of a table, XLA's, a model, and what has no place for one.
memplan audit wrong.csv -o better.csv | grep -e peak -e exit
memplan audit better.csv | grep -e peak -e exit
prepare plan figure.csv --planner naive -o naive.xla.csv
memplan audit naive.xla.csv --dialect xla -o better.xla.csv | grep -e peak -e exit
memplan audit better.xla.csv --dialect xla | grep -e peak -e exit
prepare plan plain.tflite --planner naive --alignment 16 -o loose.tflite
memplan audit loose.tflite -o better.tflite | grep -e exit -e alignment
memplan audit loose.tflite --alignment 16 -o better.tflite | grep -e peak -e exit
memplan audit better.tflite --alignment 16 | grep -e peak -e exit
memplan audit naive.csv -o naive.csv
memplan audit naive.csv -o better.h

# A module of XLA: the largest allocation, another one, and one without a trace.
cp "$ROOT/tests/fuzz/corpus/hlo/xprof_jit_f.hlo.pb" jit.hlo.pb
memplan audit jit.hlo.pb | grep -e safe -e ' [0-9]*$'
memplan audit jit.hlo.pb -o better.json
memplan audit 'jit.hlo.pb?memory=6' | grep -e safe -e '^peak' -e arena
memplan audit 'jit.hlo.pb?memory=0'
memplan audit jit.hlo.pb --alignment 16384 --time-limit 1 | grep -e peak -e exit
# Its graph: the load of the trace without the tables of tuples; a loop and a branch; places in common.
memplan plan 'jit.hlo.pb?graph' | grep -e peak -e execute
# conflicts FILE: pairs of buffers of more than 32 bytes that are live together, by their instructions.
conflicts() {
    awk -F, 'NR > 1 && $4 > 32 { sub(/^[0-9]+ /, "", $1); sub(/[{].*/, "", $1); name[++n] = $1; low[n] = $2; high[n] = $3 }
             END { for (a = 1; a <= n; a++) for (b = 1; b <= n; b++)
                       if (a != b && low[a] < high[b] && low[b] < high[a]) print name[a], name[b] }' "$1" | sort
}
prepare convert jit.hlo.pb trace.csv
prepare convert 'jit.hlo.pb?graph' graph.csv --policy flat
conflicts trace.csv >trace
conflicts graph.csv | diff trace - && grep -c . trace
memplan plan 'jit.hlo.pb?graph&memory=2' | grep -e peak -e execute
memplan audit 'jit.hlo.pb?graph'
memplan info 'jit.hlo.pb?graphs'
cp "$ROOT/tests/fuzz/corpus/hlo/loop_and_branch.hlo.pb" "$ROOT/tests/fuzz/corpus/hlo/in_place.hlo.pb" .
for policy in flat recursive path; do
    memplan plan loop_and_branch.hlo.pb --policy $policy --inplace borders -o plan.json | grep -e peak -e execute
    memplan verify loop_and_branch.hlo.pb plan.json --execute | grep -e exit -e ' invalid'
done
memplan advise loop_and_branch.hlo.pb | grep -e none -e inplace
memplan order in_place.hlo.pb --planner best | grep -e 'No order'
memplan convert in_place.hlo.pb in_place.json
grep -e '"ops"' -A 9 in_place.json

# Files of frameworks, those with a plan and those without.
memplan audit --suite brought
memplan audit plain.tflite --suite brought
memplan audit
cp "$ROOT/tests/fuzz/corpus/cuda_snapshot/adam.json" adam.json
memplan audit adam.json | grep -e safe -e peak -e arena
memplan audit 'adam.json?memory=1'
for model in pytorch/stored.pt2 openvino/if.xml onnx/mnist_fused.ort; do
    memplan plan "$ROOT/tests/fuzz/corpus/$model" | grep -e ^instance -e status -e peak -e execute -e exit
    cp "$ROOT/tests/fuzz/corpus/$model" model.unknown
    memplan info model.unknown | grep -e ^operators
done
# A value of the model of ONNX Runtime becomes a sequence.
cp "$ROOT/tests/fuzz/corpus/onnx/mnist_fused.ort" sequence.ort
printf '\002' | dd of=sequence.ort bs=1 seek=4727 conv=notrunc 2>/dev/null
memplan info sequence.ort
cp "$ROOT/tests/fuzz/corpus/pytorch/stored.pt2" model.pt2
memplan plan 'model.pt2?model=other' | grep -e peak
memplan plan 'model.pt2?model=none'
memplan plan 'model.pt2?method=other'
