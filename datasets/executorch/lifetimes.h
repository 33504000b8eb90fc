#ifndef MEMPLAN_DATASETS_EXECUTORCH_LIFETIMES_H
#define MEMPLAN_DATASETS_EXECUTORCH_LIFETIMES_H

#include "datasets/executorch/flow.h"
#include "datasets/executorch/method.h"

/* From which instruction to which each value of a method is in use, in their order in the file. */
struct lifetime {
    uint32_t lower, upper; /* steps; upper is 0 for a value without memory of its own in use */
    uint32_t root;         /* the value whose memory it is: itself, or what it is a view of */
    uint32_t writer;       /* instruction that writes it first; METHOD_NONE for an input */
};

struct lifetimes {
    struct lifetime *of; /* [values] */
    struct flow flow;
    struct flow_use **last_use; /* [values] of each root, NULL for none; only with jumps */
};

/* Fills *lifetimes, arrays of the scratch, of a method whose values were read. What an instruction
   writes is not marked in the file; by the rules of the compiler (exir/emit/_emitter.py) it is

   - of a kernel the last argument, which repeats the out tensor, or the items of that list; the
     first one of an operator whose name ends in _, and of et_copy_index;
   - of executorch_prim::et_view the last argument, which is a view of the first;
   - of a delegate whatever nothing wrote before.

   A planned argument that nothing wrote before is a view that has no instruction where it lies
   exactly on the last tensor that was written there, and is of its type; else it is scratch memory
   of this step. A move makes its target another name of what is moved, whichever move came last.
   Inputs live from step 0, outputs to the end, states throughout. The least life of a root holds
   those of all its views. */
enum status lifetimes_fill(struct method *method, struct lifetimes *lifetimes,
                           struct scratch *scratch);

/* Whether a root that is used is live from lower to before upper without a gap: without jumps, and
   states. */
bool lifetimes_is_run(const struct lifetimes *lifetimes, const struct method *method,
                      uint32_t root);

/* Sets lifetimes->flow.live of a root that is used and not a run: where the bytes matter on some
   way through the method, which is from *lower to before *upper. */
enum status lifetimes_find_live(struct lifetimes *lifetimes, struct method *method, uint32_t root,
                                uint32_t *lower, uint32_t *upper);

#endif
