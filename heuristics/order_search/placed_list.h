#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_PLACED_LIST_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_PLACED_LIST_H

#include "core/scratch.h"
#include "planning/problem/conflicts.h"

/* All placed buffers sorted by offset, together with all conflicts as a bit matrix. Where most
   buffers conflict, walking over all placed buffers is faster than sorting a list of conflicts. */
struct placed_item {
    uint64_t begin, end;
    uint32_t buffer;
};

struct placed_list {
    uint64_t *row;            /* [buffers * words] bit b of row a: buffers a and b conflict */
    uint32_t words;           /* number of words of a row */
    struct placed_item *item; /* [buffers] by begin */
    uint32_t count;
};

/* Whether a placed list is faster than lists of conflicts: it is for few buffers with many
   conflicts. */
bool placed_list_is_worth_it(const struct problem *problem, const struct conflicts *conflicts);

/* Creates an empty list. O(buffers^2 / 64 + pairs). */
enum status placed_list_create(const struct problem *problem, const struct conflicts *conflicts,
                               struct placed_list **placed_list, struct scratch *scratch,
                               struct error *error);

/* Adds a placed buffer. O(log count), and the items above it are moved. */
void placed_list_add(struct placed_list *placed_list, uint32_t buffer, uint64_t begin,
                     uint64_t end);

/* The lowest multiple of alignment where size bytes are free of the placed buffers that
   conflict. O(count). */
uint64_t placed_list_lowest(const struct placed_list *placed_list, uint32_t buffer, uint64_t size,
                            uint64_t alignment);

/* The buffer on which this one would rest at the offset, as defined in evaluator.h; UINT32_MAX for
   none. O(count). */
uint32_t placed_list_predecessor(const struct placed_list *placed_list, uint32_t buffer,
                                 uint64_t offset);

#endif
