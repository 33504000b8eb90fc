#ifndef MEMPLAN_SOLVERS_EXACT_RACE_STRATEGY_H
#define MEMPLAN_SOLVERS_EXACT_RACE_STRATEGY_H

#include "core/sort.h"
#include "solvers/exact/race/state.h"

/* How a search chooses its next section. */
enum exact_section_rule {
    EXACT_BY_BUFFER, /* chooses no section, but the best of all buffers at the lowest floor */
    EXACT_BY_CANDIDATES,
    EXACT_BY_CANDIDATES_PER_WEIGHT,
    EXACT_BY_SLACK,
    EXACT_BY_BYTES_LEFT,
    EXACT_BY_WEIGHT,
    EXACT_BY_FLOOR,
};

/* The rule that chooses a section, and the rank that chooses a buffer in it. */
struct exact_strategy {
    enum exact_section_rule section_rule;
    bool anywhere;                        /* also sections above the lowest floor */
    struct sort_key rank[SORT_MOST_KEYS]; /* of buffers, with the model as context */
    uint32_t from;                        /* the first round in which it takes part */
    uint32_t effort; /* factor of the placements that a strategy has in its first round */
    bool learns;     /* restarts often, and then puts the most blamed buffers first, see blame.h */
    bool is_beam;    /* goes through the tree level by level, see beam.h; it learns, too */
};

/* Sections begin .. end - 1. */
struct exact_range {
    uint32_t begin, end;
};

uint32_t exact_strategy_count(void);
const struct exact_strategy *exact_strategy_at(uint32_t index);

/* rank [model->buffers]: 0 for the best one, equal ones by their number. O(n log n). */
enum status exact_strategy_rank(const struct exact_strategy *strategy,
                                const struct exact_model *model, uint32_t *rank,
                                struct error *error);

/* The buffer to branch on among those left in the sections; nothing that conflicts with it
   can lie below its lowest offset. EXACT_NONE where none is left. O(sections + entries of a batch +
   conflicts). */
uint32_t exact_strategy_choose(const struct exact_strategy *strategy,
                               const struct exact_state *state, struct exact_range sections);

#endif
