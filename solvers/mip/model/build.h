#ifndef MEMPLAN_SOLVERS_MIP_MODEL_BUILD_H
#define MEMPLAN_SOLVERS_MIP_MODEL_BUILD_H

#include "solvers/mip/model/formulation.h"

/* What to build, and how. */
struct mip_setup {
    const struct mip_formulation *formulation;
    unsigned switches;    /* of mip_switch */
    uint64_t bound_bytes; /* no plan below it is looked for */
    uint64_t upper_bytes; /* no plan above it is looked for; at least bound_bytes */
    struct names *names;  /* to be filled with the names of the columns; NULL for none */
    bool complete;        /* all rows, also those that would be separated */
};

/* refusal is set where the formulation cannot model the problem, or not within MIP_MOST_ENTRIES;
   the model has no use then. O(entries log entries) beside what the formulation takes. */
enum status mip_model_create(const struct problem *problem, const struct mip_setup *setup,
                             struct mip_model **model, struct error *error);

#endif
