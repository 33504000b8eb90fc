#ifndef MEMPLAN_SOLVERS_MEMORIES_CHOICE_H
#define MEMPLAN_SOLVERS_MEMORIES_CHOICE_H

#include "core/scratch.h"
#include "planning/memories/model.h"

/* Chooses arenas by loads alone, without places. */

struct choice_request {
    const double *share;  /* [nodes] how much of each a relaxation has in its arena */
    double room;          /* the share of each capacity that loads may have */
    uint64_t deadline_ns; /* of the search */
    uint64_t seed;
    uint32_t *arena; /* [nodes] in: where the relaxation has most of it; out: the choice */
};

/* Changes the relaxation's choice until all loads are within their capacities, then searches for a
   cheaper one: again and again it takes out some of what is live in a section and chooses other
   arenas for it. The model has no edges, and conflicts follow from time alone. Where the loads
   leave a node no room at all, it stays where the relaxation has it. */
enum status choice_round(const struct memory_model *model, const struct choice_request *request,
                         struct scratch *scratch, struct error *error);

#endif
