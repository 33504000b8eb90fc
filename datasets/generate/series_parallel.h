#ifndef MEMPLAN_DATASETS_GENERATE_SERIES_PARALLEL_H
#define MEMPLAN_DATASETS_GENERATE_SERIES_PARALLEL_H

#include "core/random.h"
#include "datasets/generate/wiring.h"

struct wires {
    struct wire *wire; /* [count] */
    uint32_t count;
};

/* Fills the wires, at least operators - 1, with a series-parallel graph of the operators 0, 1, ...,
   at least two, whose order is one in which they can run; wires may be drawn twice. Grown from one
   wire: one of those there are, each as likely, is split by a new operator, or doubled. O(operators
   + wires). */
enum status series_parallel_draw(struct random_state *random, uint32_t operators,
                                 const struct wires *wires, struct error *error);

#endif
