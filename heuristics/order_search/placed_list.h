#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_PLACED_LIST_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_PLACED_LIST_H

#include "planning/problem/conflicts.h"

/* All placed buffers by offset, with the conflicts as a bit matrix: where most buffers conflict,
   going along all placed ones is faster than sorting those of a list. Private to evaluate.c. */
struct shelved {
    uint64_t begin, end;
    uint32_t buffer;
};

struct shelf {
    uint64_t *row;        /* [buffers * words] bit b of row a: they conflict */
    uint32_t words;       /* of a row */
    struct shelved *item; /* [buffers] by begin */
    uint32_t count;
};

/* Few buffers with many conflicts. */
bool shelf_is_worth_it(const struct problem *problem, const struct conflicts *conflicts);

/* Empty. O(buffers^2 / 64 + pairs). */
enum status shelf_create(const struct problem *problem, const struct conflicts *conflicts,
                         struct shelf **shelf, struct error *error);
void shelf_free(struct shelf *shelf); /* NULL is fine */

/* O(log count) and a move of what lies above. */
void shelf_add(struct shelf *shelf, uint32_t buffer, uint64_t begin, uint64_t end);

/* The lowest multiple of alignment where size bytes are free of the buffers on the shelf that
   conflict. O(count). */
uint64_t shelf_lowest(const struct shelf *shelf, uint32_t buffer, uint64_t size,
                      uint64_t alignment);

/* What the buffer would rest on at the offset, as in evaluate.h, or UINT32_MAX. O(count). */
uint32_t shelf_predecessor(const struct shelf *shelf, uint32_t buffer, uint64_t offset);

#endif
