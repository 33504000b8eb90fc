#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BATCHS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BATCHS_H

#include "solvers/exact/model/grid.h"

/* For each batch of sections, the buffers that are left, that is, not placed yet, and what is known
   of its sections. */

/* What was known of a batch before a pass over it, saved on the trail so that the search can go
   back. */
struct exact_saved_batch {
    unsigned char found[3 * EXACT_BATCH_BYTES]; /* all numbers but EXACT_BYTES_LEFT */
    uint32_t batch;
};

struct exact_batches {
    const struct exact_grid *grid;
    uint32_t *order; /* [entries] of each batch: the entries that are left, nearly in order of their
                        lowest offsets, then those that were placed, the last one first */
    uint32_t *left;  /* [batches] how many entries are left */
    void *release;   /* [most entries of a batch] scratch of a pass: the lowest address of each
                        entry, in the order */
    void *found;     /* [batches] the numbers of their sections, struct batch of lanes.h */
    uint32_t *touched; /* [touched_count] batches to look at, if is_touched is still set for them */
    bool *is_touched;  /* [batches] */
    bool *is_changed;  /* [batches] there was a pass over it since the borders were looked at last,
                          see handover.h */
    uint32_t touched_count; /* at most 2 * batches */
    uint32_t refused_last;  /* the batch whose section refused a node last */
    uint64_t *serial;       /* [batches] of the latest mark after which the batch was saved */
    struct scratch taken;   /* of all arrays */
};

/* Makes room for the grid, which must outlive the batches. The batches have been cleared, or made
   for another grid. */
enum status exact_batches_fit(struct exact_batches *batches, const struct exact_grid *grid,
                              struct error *error);
void exact_batches_clear(struct exact_batches *batches);

/* Begins a search: all buffers are left, and all batches have to be looked at. */
void exact_batches_start(struct exact_batches *batches);

/* Takes a buffer that was placed out of its batches, and gives it back when the search goes back;
   what was taken last is given back first. O(entries of its batches), and O(its batches). */
void exact_batches_take(struct exact_batches *batches, uint32_t buffer);
void exact_batches_give_back(struct exact_batches *batches, uint32_t buffer);

/* Notes which batches have to be looked at: those of a buffer that was raised or placed; one batch;
   no batch any more. */
void exact_batches_touch(struct exact_batches *batches, uint32_t buffer);
void exact_batches_touch_one(struct exact_batches *batches, uint32_t batch);
void exact_batches_forget_touches(struct exact_batches *batches);

void exact_batches_restore(struct exact_batches *batches, const struct exact_saved_batch *saved);

/* What is known of a section. */
enum exact_number {
    EXACT_BYTES_LEFT, /* of the buffers left, in units */
    EXACT_FLOOR,      /* least lowest offset of those left; UINT64_MAX without any */
    EXACT_SPAN,       /* where the last of them ends at the earliest */
    EXACT_CANDIDATES, /* how many of them can be the lowest */
};

/* Reads a number of each of the sections begin .. end - 1 to number[begin] .. number[end - 1]. It
   writes the numbers of whole batches, so number has room for all sections of all batches. */
void exact_batches_read(const struct exact_batches *batches, enum exact_number what, uint32_t begin,
                        uint32_t end, uint64_t *number);

#endif
