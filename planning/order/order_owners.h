#ifndef MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H
#define MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H

#include "planning/inplace/inplace.h"
#include "planning/order/order_lists.h"

/* The bytes that operators with regions take, counted as enum order_owners says. */

/* How the regions of an operator and its results take space, as policies differ. */
enum order_owners {
    ORDER_OWNERS_IN_LINE, /* flat: branches run one after another; what each yields stays live */
    ORDER_OWNERS_BLOCK,   /* one block for all regions, up to the last reader of a result */
    ORDER_OWNERS_PLACES,  /* path: results have places, branches exclude each other */
    ORDER_OWNERS_LEAST, /* a bound for all policies: only what plain operators write counts, as long
                           as operators read it; region_load has bounds */
};

/* The region that a view is made of, and how bytes are counted. */
struct order_scope {
    const struct graph *graph;
    uint32_t region;
    enum order_owners owners;
    bool side_by_side;                         /* of ORDER_OWNERS_BLOCK: branches share no memory */
    const struct inplace_possibles *possibles; /* which outputs may be written over inputs; NULL:
                                                  none */
    const uint64_t *region_load; /* [regions] the loads that the regions inside this one have in
                                    their orders; NULL where there are no such regions */
};

/* Bytes of the output at a position of operator o of the graph, with or without regions. */
enum status order_owners_result(const struct order_scope *scope, uint32_t o, uint32_t position,
                                uint64_t *bytes, struct error *error);

/* Adds to the open row of sources the tensors that may be what region r yields at a position, each
   once: the yield and, where that is the result of an If inside the region, what the branches of
   that If yield for it. */
enum status order_owners_sources(const struct graph *graph, uint32_t r, uint32_t position,
                                 struct order_lists *sources, struct error *error);

/* Bytes that an operator with regions takes beside its outputs: either while it runs, or from then
   up to the last reader of its results; at most one of the two is not 0. O(its regions and their
   yields). */
struct order_scratch {
    uint64_t running_bytes, block_bytes;
};
enum status order_owners_scratch(const struct order_scope *scope, uint32_t o,
                                 uint64_t outputs_bytes, struct order_scratch *scratch,
                                 struct error *error);

#endif
