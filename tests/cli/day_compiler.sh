#!/bin/sh
# The day of a compiler engineer with a model: what is in it, a plan as a C header that compiles, both checks, what would
# need less, what does not fit and why.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# A model in a file.
prepare convert zoo/resnet50 model.json
"$MEMPLAN" info model.json | grep -e ^kind -e ^operators -e ^load -e ^naive
"$MEMPLAN" plan model.json -o model.h -t 10 | grep -e ^status -e ^peak -e ^verify -e ^execute

# A program has the arena, and every tensor lies in it, aligned.
cat >arena.c <<'EOT'
#define MODEL_ARENA
#include "model.h"
#include <stdint.h>
#include <stdio.h>
#define INSIDE(name)                                                                                                   \
    ((uint64_t)MODEL_OFFSET_##name + MODEL_BYTES_##name <= MODEL_ARENA_BYTES &&                                        \
     MODEL_OFFSET_##name % MODEL_ALIGNMENT_##name == 0)
int main(void)
{
    printf("%d buffers in %zu bytes, aligned to %d: %s\n", MODEL_BUFFERS, sizeof model_arena, MODEL_ARENA_ALIGNMENT,
#include "inside.h"
           ? "all inside" : "NOT inside");
    return 0;
}
EOT
sed -n 's/^#define MODEL_OFFSET_\([A-Z0-9_]*\) .*/INSIDE(\1)/p' model.h | sed '$!s/$/ \&\&/' >inside.h
"$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror arena.c -o arena && ./arena

# The same plan for other tools, and both checks of it.
prepare plan model.json -o plan.json -t 10
memplan verify model.json plan.json --execute
sed 's/"offset": [1-9][0-9]*/"offset": 0/' plan.json >broken.json
memplan verify model.json broken.json --execute | sed 's/\[[^)]*)/[...)/g'

# What would need less, and what is in the way.
memplan plan model.json --planner large_first --explain | sed -n '/^exec/,$p' | grep -v -e ^time -e ^cache
memplan plan model.json --capacity 8MB --explain | grep -v -e ^time -e ^cache
memplan plan model.json --inplace nnvm --capacity 8MB --planner large_first | grep -e ^peak -e ^exit

# Inputs and outputs that keep their places.
"$MEMPLAN" plan model.json --pin-io -o pinned.h -t 10 | grep -e ^status -e ^peak
grep -e 'OFFSET_IMAGE' -e 'ARENA_BYTES' pinned.h
memplan audit model.json plan.json -t 10 | grep -v -e ^time
