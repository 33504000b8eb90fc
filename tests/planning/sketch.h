#ifndef MEMPLAN_TESTS_SKETCH_H
#define MEMPLAN_TESTS_SKETCH_H

#include "planning/plan/placement.h"

/* Small graphs and placements in few words, for tests. Tensors are lists of names with a blank
   between them; anything that fails ends the test case.

       struct sketch sketch = sketch_start("x:4 w:8! t:2 r:2");    bytes; ! is external
       sketch_inputs(&sketch, "x");
       sketch_if(&sketch, "choose", "x", "r");
       sketch_branch(&sketch, "then", "relu", "x w", "t");
       sketch_region(&sketch, "else");
       ...
       sketch_close(&sketch);
       sketch_finish(&sketch, "r");
       sketch_place(&sketch, "x@0 t@4"); */
struct sketch {
    struct graph *graph;
    struct placement *placement;
};

struct sketch sketch_start(const char *tensors);
void sketch_inputs(struct sketch *sketch, const char *tensors);
void sketch_plain(struct sketch *sketch, const char *name, const char *inputs, const char *outputs);
void sketch_if(struct sketch *sketch, const char *name, const char *inputs, const char *outputs);
/* carried: init, argument, yield and result of each carried value in turn. */
void sketch_loop(struct sketch *sketch, const char *name, const char *inputs, const char *outputs,
                 const char *carried);
void sketch_region(struct sketch *sketch, const char *name);
void sketch_yield(struct sketch *sketch, const char *tensors); /* ends the region */
/* A whole region: one plain operator, which makes the tensors that the region yields. */
void sketch_branch(struct sketch *sketch, const char *name, const char *operator_name,
                   const char *inputs, const char *tensors);
void sketch_close(struct sketch *sketch); /* ends the If or loop */
void sketch_finish(struct sketch *sketch, const char *outputs);

/* Forgets the offsets and extents there were, and sets the peak to where the last tensor ends. */
void sketch_place(struct sketch *sketch, const char *offsets);
uint32_t sketch_find(const struct sketch *sketch, const char *tensor);
void sketch_free(struct sketch *sketch);

#endif
