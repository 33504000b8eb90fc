#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_GRID_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_GRID_H

#include "core/scratch.h"
#include "solvers/exact/model/model.h"

/* Buffers as rectangles of sections and bytes: without windows one for each run of neighbouring
   sections, else one for each run in which the buffer uses the same bytes. */
struct exact_rectangles {
    uint32_t sections; /* of the model */
    uint32_t count;
    uint32_t *first;         /* [buffers + 1] those of b are first[b] .. first[b + 1] - 1 */
    uint32_t *buffer;        /* [count] */
    uint32_t *begin, *end;   /* [count] sections begin .. end - 1 */
    uint64_t *lower, *width; /* [count] units, from the buffer's offset on */
    struct scratch memory;
};

/* Fills rectangles, whose memory the caller frees even after an error. O(members of sections). */
enum status exact_rectangles_fill(const struct exact_model *model,
                                  struct exact_rectangles *rectangles, struct error *error);

/* The buffers that end and that begin at the border before each section. A buffer ends there if it
   is live in the section before and not in this one, and begins there if it is live in this one and
   not before. A buffer whose life has holes ends and begins more than once. */
struct exact_borders {
    uint32_t *first_end, *first_begin; /* [sections + 1] into ending and beginning: at the border
                                          before section s from first_end[s] up to the first of
                                          s + 1; none before section 0 */
    uint32_t *ending, *beginning;      /* buffers, at each border the largest first */
};

/* Groups neighbouring sections into batches, so that the search computes for all sections of a
   batch at once: a vector holds a number for each of them. The narrower the numbers may be, the
   more sections fit into a batch. */

enum { EXACT_BATCH_BYTES = 32, EXACT_MOST_LANES = 16 };

/* A rectangle in one of the batches that it reaches into. */
struct exact_entry {
    uint64_t lower, width;
    uint32_t buffer, rectangle;
};

struct exact_grid {
    const struct exact_rectangles *rectangles;
    uint32_t lanes; /* sections of a batch: 16, 8 or 4 */
    uint32_t batches;
    uint32_t entries;          /* pairs of a rectangle and a batch that it reaches into */
    uint32_t *first_entry;     /* [rectangles] the entry in its first batch; those in its other
                                  batches follow */
    uint32_t *begin, *end;     /* [rectangles] its batches are begin .. end - 1 */
    uint32_t *first;           /* [batches + 1] into list */
    uint32_t *list;            /* [entries] the entries of each batch */
    struct exact_entry *entry; /* [entries] */
    void *inside; /* [entries * EXACT_BATCH_BYTES] a vector for each entry: -1 for sections of the
                     rectangle, else 0 */
    struct exact_borders borders;
    struct scratch memory;
};

/* Calls the variant of the function for the width of the grid's numbers: NAME_16, NAME_32 or
   NAME_64. */
#define EXACT_FOR_WIDTH(grid, name, ...)                                                           \
    ((grid)->lanes == 16  ? name##_16(__VA_ARGS__)                                                 \
     : (grid)->lanes == 8 ? name##_32(__VA_ARGS__)                                                 \
                          : name##_64(__VA_ARGS__))

/* How many sections a batch may have, which depends on the capacity in units: 16, 8 or 4. */
uint32_t exact_grid_lanes(const struct exact_rectangles *rectangles, uint64_t capacity);

/* The rectangles stay the caller's and must outlive the grid. O(rectangles + entries). */
enum status exact_grid_create(const struct exact_rectangles *rectangles, uint32_t lanes,
                              struct exact_grid **grid, struct error *error);
void exact_grid_free(struct exact_grid *grid); /* NULL is fine */
SCOPED_POINTER(struct exact_grid, exact_grid_release, exact_grid_free);

#endif
