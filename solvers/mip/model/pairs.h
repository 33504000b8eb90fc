#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PAIRS_H

#include "planning/problem/sections.h"
#include "solvers/mip/model/model.h"

/* Number of ordered pairs of members over all sections: entries of the clique rows. */
uint64_t mip_pairs_entries(const struct sections *sections);

/* Fills model->pair and model->pairs with the distinct window pairs of the sections, sorted. */
enum status mip_pairs_collect(struct mip_model *model, const struct sections *sections,
                              struct error *error);

/* Index of the pair that segments s and t make, which must be live together, and whether s's buffer
   is the pair's first. O(log pairs). */
uint32_t mip_pairs_find(const struct mip_model *model, uint32_t buffer_s, uint32_t s,
                        uint32_t buffer_t, uint32_t t, bool *s_is_first);

#endif
