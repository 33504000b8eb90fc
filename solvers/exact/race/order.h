#ifndef MEMPLAN_SOLVERS_EXACT_RACE_ORDER_H
#define MEMPLAN_SOLVERS_EXACT_RACE_ORDER_H

#include "solvers/exact/race/state.h"

/* Which section a search looks at next. */
enum exact_key {
    EXACT_BY_BUFFER, /* none: of all buffers at the lowest level the best one */
    EXACT_BY_CANDIDATES,
    EXACT_BY_CANDIDATES_PER_WEIGHT,
    EXACT_BY_SLACK,
    EXACT_BY_BYTES_LEFT,
    EXACT_BY_WEIGHT,
    EXACT_BY_FLOOR,
};

/* A member of the portfolio: the rule for the section and the one for the buffer in it. */
struct exact_order {
    const char *name;
    enum exact_key key;
    bool anywhere;    /* also above the lowest level */
    const char *rank; /* of T load of the fullest section, W lifetime, A area, Z size, S sections:
                         the greatest first, by the first letter, then the next */
    uint32_t from;    /* the first heat in which it takes part */
    uint32_t effort;  /* times the placements that others have in their first heat */
};

uint32_t exact_order_count(void);
const struct exact_order *exact_order_at(uint32_t index);

/* rank [model->buffers]; equal buffers are ranked by their number. O(n log n). */
enum status exact_order_rank(const struct exact_order *order, const struct exact_model *model,
                             uint32_t *rank, struct error *error);

/* The buffer to branch on among those left in sections begin .. end - 1; nothing that conflicts
   with it can lie below its lowest offset. EXACT_NONE where none is left. */
uint32_t exact_order_choose(const struct exact_order *order, const struct exact_state *state,
                            uint32_t begin, uint32_t end);

#endif
