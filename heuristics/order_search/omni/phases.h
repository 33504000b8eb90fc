#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_PHASES_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_PHASES_H

#include "heuristics/order_search/order_search.h"

/* Movable buffers that no chain of conflicts between movable buffers connects: each phase can be
   planned by itself. */
struct omni_phase {
    uint64_t load_bytes;   /* the greatest sum of sizes live at once */
    uint32_t first, count; /* in member */
};

struct omni_phases {
    struct omni_phase *phase; /* [count] highest load first, ties by their first buffers */
    uint32_t count;
    uint32_t *member; /* [movables] by phase */
    uint32_t *number; /* [buffers] the same for all of a phase, 0 for fixed buffers */
};

/* O(segments log segments + pairs). */
enum status omni_phases_create(const struct order_search *search, struct omni_phases **phases,
                               struct error *error);
void omni_phases_free(struct omni_phases *phases); /* NULL is fine */

#endif
