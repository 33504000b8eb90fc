#ifndef MEMPLAN_TESTS_SKETCH_H
#define MEMPLAN_TESTS_SKETCH_H

#include "planning/plan/placement.h"

/* Small graphs and placements in few words, for tests. Tensors are lists of names with a blank
   between them; anything that fails ends the test case.

       struct sketch sketch = sketch_read("x:4 w:8! t:2 r:2 y:1", "x",
                                          "choose: x > r {then(relu Relu: x w > t | t) else(| x)};"
                                          "last: r > y", "y");
       sketch_place(&sketch, "x@0 t@4");

   "w:8!" is a tensor of 8 bytes that is external; an input "w~" is ignored. An operator is "name:
   inputs > outputs", or "name Type: inputs > outputs", with a semicolon behind it where more
   follow. Behind an If stand its regions in braces, each as "name(operators | yields)"; a loop has
   before them, in brackets, init, argument, yield and result of each carried value: "loop: i > r [i
   a y r] {body(f: a > y |)}". */
struct sketch {
    struct graph *graph;
    struct placement *placement;
};

/* Names, sizes, inputs, operators and outputs of a whole graph. */
struct sketch sketch_read(const char *tensors, const char *inputs, const char *operators,
                          const char *outputs);

/* The same of texts in a table of cases. */
struct sketch_text {
    const char *tensors, *inputs, *operators, *outputs;
};
struct sketch sketch_of(const struct sketch_text *text);

/* The same in steps; operators are printf-style. */
struct sketch sketch_begin(const char *tensors, const char *inputs, const char *operators, ...)
    __attribute__((format(printf, 3, 4)));
void sketch_add(struct sketch *sketch, const char *operators, ...)
    __attribute__((format(printf, 2, 3)));
void sketch_finish(struct sketch *sketch, const char *outputs);

/* A problem in few words, finished if it can be: "a:8%4@12 0-2 4-6/2-8 b:4 1-3" has a buffer a of 8
   bytes, aligned to 4 and fixed at 12, that is live in [0, 2) and, its bytes [2, 8), in [4, 6). */
struct problem *sketch_problem(const char *text);

/* Forgets the offsets and extents there were, and sets the peak to where the last tensor ends. */
void sketch_place(struct sketch *sketch, const char *offsets);
/* "u<t v=u": u is written over t, v is a view of u; forgets what was in place before. */
void sketch_merge(struct sketch *sketch, const char *merges);
/* Adds an extent of the tensor behind those that it has; the first is at its offset. */
void sketch_add_extent(struct placement *placement, uint32_t tensor, struct extent added);
uint32_t sketch_find(const struct sketch *sketch, const char *tensor);
void sketch_free(struct sketch *sketch);

#endif
