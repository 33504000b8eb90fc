#ifndef MEMPLAN_DATASETS_EXECUTORCH_FLOW_H
#define MEMPLAN_DATASETS_EXECUTORCH_FLOW_H

#include "datasets/executorch/method.h"

/* In which order the instructions of a method with jumps may follow each other, and at which of
   them the bytes of a value are in use. The step behind the last instruction is the
   method's end. */

/* What a step does with the bytes of a value. */
enum {
    FLOW_TOUCHES = 1, /* they are in use during the step */
    FLOW_NEEDS = 2,   /* and were before it: what was written earlier is read */
    FLOW_WRITES = 4,  /* nothing that was written earlier matters any more */
};
struct flow_use {
    uint32_t step;
    uint8_t what;
    struct flow_use *before; /* of the same value, at an earlier step; NULL for none */
};

struct flow {
    uint32_t steps;   /* instructions */
    uint32_t *target; /* [steps] where the step may jump to; METHOD_NONE for none */
    bool *goes_on;    /* [steps] the next step may follow, too */
    bool has_jumps;
    /* Only with jumps: the last one to each step, and the one to the same target before it. */
    uint32_t *jump;         /* [steps + 1] METHOD_NONE for none */
    uint32_t *earlier_jump; /* [steps] */
    /* Of the value that flow_find_live looks at: what each step does, whether what was written
       before it matters, whether the bytes are in use. */
    uint8_t *use;        /* [steps + 1] */
    bool *needed, *live; /* [steps + 1] */
    uint32_t *reached;   /* [reached_count] the steps that are needed or live */
    uint32_t reached_count;
};

/* Arrays of the scratch. STATUS_BAD_INPUT for a jump out of the method, and for a move in a loop,
   since there a handle may lead to what a later turn writes. A jump is always taken where its
   condition is the constant `false`, which nothing writes. O(instructions and their arguments). */
enum status flow_read(struct method *method, struct flow *flow, struct scratch *scratch);

/* Sets flow->live to where the bytes of a value with these uses are in use: touched, or written on
   some way to the step and needed on some way from it. *lower and *upper are around all of these
   steps; behind the last one is the method's end. O(steps that it finds). */
enum status flow_find_live(struct flow *flow, struct method *method, const struct flow_use *uses,
                           uint32_t *lower, uint32_t *upper);

#endif
