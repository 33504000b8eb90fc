#ifndef MEMPLAN_DATASETS_EXECUTORCH_FLOW_H
#define MEMPLAN_DATASETS_EXECUTORCH_FLOW_H

#include "datasets/executorch/method.h"

/* In which order the instructions of a method with jumps may follow each other, and at which of
   them the bytes of a value are in use. The step behind the last instruction is the
   method's end. */

struct flow {
    uint32_t steps;   /* instructions */
    uint32_t *target; /* [steps] where the step may jump to; METHOD_NONE for none */
    bool *goes_on;    /* [steps] the next step may follow, too */
    bool has_jumps;
};

/* Arrays of the scratch. STATUS_BAD_INPUT for a jump out of the method, and for a move in a loop,
   since there a handle may lead to what a later turn writes. A jump is always taken where its
   condition is the constant `false`, which nothing writes. O(instructions and their arguments). */
enum status flow_read(struct method *method, struct flow *flow, struct scratch *scratch);

/* What a step does with the bytes of a value. */
enum {
    FLOW_TOUCHES = 1, /* they are in use during the step */
    FLOW_NEEDS = 2,   /* and were before it: what was written earlier is read */
    FLOW_WRITES = 4,  /* nothing that was written earlier matters any more */
};

/* Sets live[steps] to whether the bytes are in use: touched, or written on some way to the step and
   needed on some way from it. use[steps + 1] has what each step does, and the end. `work` has room
   for 2 * (steps + 1). O(steps) for each loop that lies in another, and one time more. */
enum status flow_find_live(const struct flow *flow, struct method *method, const uint8_t *use,
                           bool *work, bool *live);

#endif
