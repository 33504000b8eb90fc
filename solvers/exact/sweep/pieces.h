#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_PIECES_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_PIECES_H

#include "core/groups.h"
#include "solvers/exact/model/model.h"

/* What fills all sections up to a capacity: the buffers, and behind them fillers, the bytes that
   stay free. Where more bytes are free than in the section before, a filler begins. Where fewer
   are, one of that size ends, or else the one that began last, a part of it, or several. */
struct sweep_pieces {
    uint32_t count;
    uint64_t *size;                  /* [count] units */
    uint32_t *first, *last;          /* [count] sections */
    size_t room;                     /* of each of the three arrays */
    struct groups first_in, last_in; /* the pieces by their first and their last section */
};

/* Whether each buffer lies whole at any offset in sections one after the other. */
bool sweep_pieces_can(const struct exact_model *model);

/* The pieces of a capacity that is at least the load of any section; of a model that has some. They
   are empty where there would be more than a filler for every SWEEP_BUFFERS_PER_FILLER buffers.
   *pieces are all zeroes or those of another capacity, and fit for sweep_pieces_free afterwards.
   O(sections * fillers) at most. */
enum { SWEEP_BUFFERS_PER_FILLER = 4 };
enum status sweep_pieces_fill(const struct exact_model *model, uint64_t capacity,
                              struct sweep_pieces *pieces, struct error *error);
void sweep_pieces_free(struct sweep_pieces *pieces);

#endif
