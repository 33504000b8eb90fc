#ifndef MEMPLAN_RESULTS_STORE_RECTANGLES_H
#define MEMPLAN_RESULTS_STORE_RECTANGLES_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "results/store/row.h"

struct store;

/* The memory layout of a row: where each of its buffers lies, from when to when. */
struct rectangle_set {
    uint32_t count;
    struct result_rectangle *rectangle; /* [count] in the order they were written */
    size_t capacity;
};

/* Reads the rectangles that were written with the row of that id; a row without rectangles is no
   error. *rectangles is zeroed by the caller and owns its texts. O(rectangles). */
enum status rectangles_read(struct store *store, int64_t id, struct rectangle_set *rectangles,
                            struct error *error);
void rectangles_free(struct rectangle_set *rectangles);

#endif
