#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_COMPONENTS_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_COMPONENTS_H

#include "heuristics/order_search/order_search.h"

/* The components of the movable buffers: two of them are in one component if a chain of conflicts
   between movable buffers connects them. Each component can be planned by itself. */
struct omni_component {
    uint64_t load_bytes;   /* the greatest sum of sizes live at once */
    uint32_t first, count; /* its part of `member` */
};

struct omni_components {
    /* [count] highest load first, of equals the one with the first buffer */
    struct omni_component *component;
    uint32_t count;
    uint32_t *member; /* [movables] the buffers, component by component */
    /* [buffers] number of the buffer's component, counted from 1; 0 for fixed buffers */
    uint32_t *number;
};

/* In the task's scratch. O(segments log segments + pairs). */
enum status omni_components_create(const struct order_search *search,
                                   struct omni_components *components, struct error *error);

#endif
