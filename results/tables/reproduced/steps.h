#ifndef MEMPLAN_RESULTS_TABLES_REPRODUCED_STEPS_H
#define MEMPLAN_RESULTS_TABLES_REPRODUCED_STEPS_H

#include "results/store/measures.h"

/* A walk through a plan, tensor by tensor, by the measures with the word MEASURE_PLACE: which step
   a tensor is, from 1 and without gaps. Zero-initialise it before the first call of steps_next. */
struct step {
    int64_t place;        /* 0 before an instance */
    const char *instance; /* borrowed from the set */
    char tensor[MEASURE_PART_BYTES];
    uint32_t first, end; /* measures of the instance */
};

/* Moves to the next step of a variant, instance by instance; those of an instance stand together in
   the set. False at the end. O(measures of the instance). */
bool steps_next(const struct measure_set *set, const char *variant, struct step *step);

/* The measure of the step's tensor with that word. */
bool step_find(const struct measure_set *set, const char *variant, const struct step *step,
               enum measure_word word, int64_t *value);

#endif
