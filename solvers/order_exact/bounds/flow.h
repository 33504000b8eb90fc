#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_FLOW_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

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

/* A tie joins a vertex to the source or, at first, to the sink, as if the vertex were that end.
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

#endif
