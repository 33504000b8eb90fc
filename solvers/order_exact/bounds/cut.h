#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_CUT_H

#include "solvers/order_exact/bounds/flow.h"
#include "solvers/order_exact/model/model.h"

/* The live bytes of a downset are the capacity of a cut between the operators that ran and those
   that did not. So a minimum cut finds, of all downsets between two others, the one with the fewest
   live bytes. */

struct order_cut {
    const struct order_model *model;
    struct flow flow;
    uint32_t *vertex; /* [operators] the vertex of each operator in between; 0: always ran, 1: never
                         ran */
    uint32_t vertices;
    uint64_t always_bytes; /* live in all downsets of the interval; not part of the flow */
};

enum status order_cut_create(const struct order_model *model, struct order_cut *cut,
                             struct error *error);
void order_cut_free(struct order_cut *cut);

/* All downsets that contain `least` and are contained in `most`. */
struct order_interval {
    const uint64_t *least, *most; /* [words] */
};

/* Builds the network of an interval, without any flow and with room for more_vertices that the
   caller adds. Each downset of the interval is a cut; the capacity of the cut and always_bytes add
   up to its live bytes. */
enum status order_cut_open(struct order_cut *cut, const struct order_interval *interval,
                           uint32_t more_vertices, struct error *error);

/* After a run of the flow: fills set[words] with the downset of the minimum cut, the largest one
   where there are several. O(arcs). */
void order_cut_take_side(struct order_cut *cut, const struct order_interval *interval,
                         uint64_t *set);

/* Finds the fewest live bytes of any downset in the interval, and into set[words], which may be
   NULL, the largest downset that has them. Stops where they reach limit_bytes: *live_bytes is then
   no less than that, and set is not filled. One maximum flow over the operators in between. */
enum status order_cut_find(struct order_cut *cut, const struct order_interval *interval,
                           uint64_t limit_bytes, uint64_t *live_bytes, uint64_t *set,
                           struct error *error);

/* Raises *bound_bytes to a load that no order stays below. For each operator v there is a bound:
   what v takes, added to the fewest live bytes of any downset that has all ancestors of v but
   neither v nor its descendants. The greatest of these counts, or of those found by the deadline. A
   flow for each operator. */
enum status order_cut_bound(const struct order_model *model, uint64_t deadline_ns,
                            uint64_t *bound_bytes, struct error *error);

#endif
