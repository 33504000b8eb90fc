#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_COMPONENTS_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_COMPONENTS_H

#include "heuristics/order_search/order_search.h"

/* Movable buffers that no chain of conflicts between movable buffers connects: each component can
   be planned by itself. */
struct omni_component {
    uint64_t load_bytes;   /* the greatest sum of sizes live at once */
    uint32_t first, count; /* in member */
};

struct omni_components {
    struct omni_component *component; /* [count] highest load first, ties by their first buffers */
    uint32_t count;
    uint32_t *member; /* [movables] by component */
    uint32_t *number; /* [buffers] the same for all of a component, 0 for fixed buffers */
};

/* O(segments log segments + pairs). */
enum status omni_components_create(const struct order_search *search,
                                   struct omni_components **components, struct error *error);
void omni_components_free(struct omni_components *components); /* NULL is fine */

#endif
