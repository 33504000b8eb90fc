#ifndef MEMPLAN_ORDERING_HIERARCHY_HIERARCHY_H
#define MEMPLAN_ORDERING_HIERARCHY_HIERARCHY_H

#include "core/scratch.h"
#include "planning/order/order_view.h"

/* The operators of a view in chains, and chains in groups, as HMCOS (Wang et al. 2022) has them:

       relu -> conv -> Concat        relu, conv: a chain, where conv takes no more than relu did and
       pool ---------/               leaves no more; with pool and Concat a group: what has to pass
                                     the Concat on its way to the end

   Chains ascend by their first operators, so that each stands behind those that it waits for. */

struct hierarchy {
    const struct order_view *view;
    uint32_t chains, groups;
    uint32_t *chain_of;     /* [operators] */
    struct order_lists ops; /* [chains] operators in the order in which they run */
    struct order_lists before,
        after; /* [chains] chains that it waits for, and chains that wait for it; ascending */
    uint32_t *group_of; /* [chains]; ORDER_NONE: stands alone */
    uint32_t *ring; /* [chains] the next chain of its group, the first after the last; itself where
                       it stands alone */
};

/* Makes the chains, each of which stands alone. O(uses). Leaves *hierarchy fit for hierarchy_free
   where it fails. */
enum status hierarchy_create(const struct order_view *view, struct hierarchy *hierarchy,
                             struct error *error);
void hierarchy_free(struct hierarchy *hierarchy);

/* Dissolves the group of a chain: all of its chains stand alone again. False if the chain stood
   alone already. */
bool hierarchy_dissolve(struct hierarchy *hierarchy, uint32_t chain);

/* An operator is at the end if something outside the view reads what it writes, and at the start if
   it reads what comes from outside. O(its tensors). */
bool hierarchy_is_end(const struct order_view *view, uint32_t op);
bool hierarchy_is_start(const struct order_view *view, uint32_t op);

#endif
