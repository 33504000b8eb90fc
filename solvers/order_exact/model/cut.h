#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "solvers/order_exact/model/model.h"

/* A maximum flow from vertex 0 to vertex 1 (Dinic 1970), and the minimum cut that follows from it.
   Zero-initialise it. */

enum { FLOW_SOURCE = 0, FLOW_SINK = 1 };
#define FLOW_UNLIMITED (UINT64_MAX / 4)

struct flow_arc {
    uint32_t to, next; /* next: of the arcs out of the same vertex */
    uint64_t left;     /* capacity that is not used; arcs 2i and 2i + 1 are each other's reverse */
};

struct flow {
    struct flow_arc *arc;
    uint32_t *first, *current, *level, *queue; /* [vertices] */
    uint32_t arcs, vertices;
    size_t arc_capacity, first_capacity, current_capacity, level_capacity, queue_capacity;
};

void flow_free(struct flow *flow);
/* Forgets all arcs and begins a network of `vertices` vertices, at least 2. */
enum status flow_start(struct flow *flow, uint32_t vertices, struct error *error);
/* Adds an arc; several between two vertices are fine. O(1) amortised. */
enum status flow_add_arc(struct flow *flow, uint32_t from, uint32_t to, uint64_t capacity,
                         struct error *error);

/* A tie joins a vertex to the sink at first, or to the source, as if the vertex were that end.
   flow_turn_tie joins it to the given end instead, at any time between runs, and keeps the flow. It
   returns by how much less now reaches the sink, modulo 2^64. */
enum status flow_add_tie(struct flow *flow, uint32_t vertex, uint32_t *tie, struct error *error);
uint64_t flow_turn_tie(struct flow *flow, uint32_t tie, uint32_t end);

/* Raises the flow as far as possible, but by at most `limit`; returns by how much. O(vertices^2 *
   arcs). */
uint64_t flow_run(struct flow *flow, uint64_t limit);

/* After a run that did not reach its limit: flow_find_sides finds the minimum cut that has the most
   vertices on the source's side, in O(arcs); flow_is_beside_source then says whether a vertex is on
   that side. */
void flow_find_sides(struct flow *flow);
bool flow_is_beside_source(const struct flow *flow, uint32_t vertex);

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
