#ifndef MEMPLAN_TESTS_FITS_H
#define MEMPLAN_TESTS_FITS_H

#include "planning/arena/fit.h"

/* The names in planning/arena/fits.def, for tests that try all of them. */
uint32_t fits_count(void);
const char *fits_name(uint32_t index);

/* Fills the offsets of the plan: those of fixed buffers, then the others one after another, in the
   order sorted[problem->buffers] or, where that is NULL, as they come. By lists of conflicts. */
enum status fits_place_all(const struct fit *fit, const struct problem *problem,
                           const uint32_t *sorted, struct plan *plan, struct error *error);

#endif
