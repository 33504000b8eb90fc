#ifndef MEMPLAN_HEURISTICS_MEMORIES_PLACE_H
#define MEMPLAN_HEURISTICS_MEMORIES_PLACE_H

#include "core/scratch.h"
#include "planning/memories/memory_planner.h"

/* Nodes that are placed one after another in arenas. */

struct place_span {
    uint64_t lower, upper;
    uint64_t cost; /* of sharing a byte with it */
};

struct placing {
    const struct memory_model *model;
    uint32_t *arena;  /* [nodes] MEMORY_NONE: it is not placed */
    uint64_t *offset; /* [nodes] in its arena */
    const bool *paid; /* [edges] where not NULL: the other edges are kept like conflicts */
    struct place_span *found, *hard,
        *soft;           /* [most neighbours + reserved ranges] of the node being placed */
    uint64_t *candidate; /* [the same for both + 1] */
};

/* Where a node can lie. */
struct place_found {
    uint32_t arena;
    uint64_t offset;
    uint64_t cost; /* its traffic and the edges that it pays there */
};

/* Nothing is placed but the pinned nodes. The memory is taken from the scratch. */
enum status placing_create(const struct memory_model *model, struct scratch *scratch,
                           struct placing *placing, struct error *error);
/* Takes everything out but the pinned nodes. O(nodes). */
void placing_clear(struct placing *placing);

/* The lowest offset of the node in an arena at which it shares no byte with what it conflicts with,
   nor, where placing->paid is set, with what an unpaid edge keeps apart; its end may be above the
   capacity, or UINT64_MAX where there is no such offset. O(d log d) for d placed neighbours. */
struct place_found placing_find_lowest(struct placing *placing, uint32_t node, uint32_t arena);

/* Tries 0 and the ends of placed neighbours and reserved ranges, and finds the offset within the
   capacity at which the node pays least, the lowest among equals; false where it fits nowhere.
   O(d^2). */
bool placing_find_cheapest(struct placing *placing, uint32_t node, uint32_t arena,
                           struct place_found *found);

/* Sorts spans by their lower ends. O(count) where these are spread evenly. */
void placing_sort_spans(const struct place_span *from, size_t count, struct place_span *to);

/* Puts a node where it was found to fit. */
static inline void placing_put(struct placing *placing, uint32_t node, struct place_found found)
{
    placing->arena[node] = found.arena;
    placing->offset[node] = found.offset;
}

/* Whether the node, at its place, ends within the capacity of its arena. */
static inline bool placing_fits(const struct placing *placing, uint32_t node,
                                struct place_found found)
{
    uint64_t capacity = placing->model->arena[found.arena].capacity;
    uint64_t bytes = placing->model->nodes->size[node];
    return bytes <= capacity && found.offset <= capacity - bytes;
}

/* Places all nodes in an order, each in the allowed arena in which it costs least, the first among
   equals, at its lowest offset there or, with `cheapest`, at the cheapest one. False where a node
   fits nowhere. */
bool placing_decode(struct placing *placing, const uint32_t *order, bool cheapest);

/* Makes a feasible plan of what is placed, which is all. */
void placing_read(const struct placing *placing, struct memory_plan *plan);

#endif
