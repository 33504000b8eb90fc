#ifndef MEMPLAN_RESULTS_TABLES_REPRODUCED_STEPS_H
#define MEMPLAN_RESULTS_TABLES_REPRODUCED_STEPS_H

#include "results/store/measures.h"

/* A walk through a plan, tensor by tensor: a measure "NAME place" says which step a tensor is. */

/* Zero-initialise it before the first call of steps_next. */
struct step {
    int64_t place;        /* from 1; 0 before an instance */
    const char *instance; /* borrowed from the set */
    char tensor[MEASURE_PART_BYTES];
    uint32_t first, end; /* measures of the instance */
    uint32_t next;       /* the measure to look at next */
};

/* Moves to the next step of a variant, instance by instance, in the order of places and, for equal
   places, of the set. The measures of an instance stand together in the set. False at the end.
   Names of MEASURE_PART_BYTES and more are passed over. O(measures of the instance) for each
   place. */
bool steps_next(const struct measure_set *set, const char *variant, struct step *step);

#endif
