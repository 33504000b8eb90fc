#ifndef MEMPLAN_SOLVERS_MIP_DIVE_H
#define MEMPLAN_SOLVERS_MIP_DIVE_H

#include "core/random.h"
#include "solvers/mip/model/model.h"

/* Makes plans buffer by buffer, from the bottom up, and after each draws the conclusions that a
   node draws (mip_lines_propagate), so that most mistakes are seen at once. */

struct mip_dive;

/* The model outlives it. */
enum status mip_dive_create(const struct mip_model *model, struct mip_dive **dive,
                            struct error *error);
void mip_dive_free(struct mip_dive *dive); /* NULL is fine */

/* In which order buffers are placed, and how high the plan may be. */
struct mip_dive_rule {
    const uint64_t *key; /* [buffers] parts of a unit; low ones come first */
    uint64_t parts;      /* of a unit */
    uint32_t halvings;   /* how often a key is halved before it is added to the least offset */
    uint64_t most;       /* scaled bytes */
};

/* Tries once. True where the offsets of a plan were found. *work grows by what it took, in the unit
   of mip_meter. */
bool mip_dive_try(struct mip_dive *dive, const struct mip_dive_rule *rule, struct plan *plan,
                  uint64_t *work);

#endif
