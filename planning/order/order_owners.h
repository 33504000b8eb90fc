#ifndef MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H
#define MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H

#include "planning/graph/graph.h"
#include "planning/order/order_lists.h"

/* The bytes of operators that own regions, as order_owners says. */

/* How the regions of an operator and its results take space, as policies differ. */
enum order_owners {
    ORDER_OWNERS_IN_LINE, /* flat: branches run one after the other; what one yields stays */
    ORDER_OWNERS_BLOCK,   /* one block for all regions, up to the last reader of a result */
    ORDER_OWNERS_PLACES,  /* path: results have places, branches exclude each other */
};

/* Of which region of which graph. */
struct order_scope {
    const struct graph *graph;
    uint32_t region;
    enum order_owners owners;
    bool side_by_side;           /* blocks: branches share nothing */
    bool overwrite;              /* outputs may be written over inputs */
    const uint64_t *region_load; /* [regions] loads of the regions inside this one in the order that
                                    they have; NULL where there are none */
};

/* Bytes of the output at a position of operator o of the graph; any operator. */
enum status order_owners_result(const struct order_scope *scope, uint32_t o, uint32_t position,
                                uint64_t *bytes, struct error *error);

/* Adds to the open row what region r leaves as its yield at a position, each tensor
   once: the yield itself, or where that is the result of an If, what the branches of that leave. */
enum status order_owners_sources(const struct graph *graph, uint32_t r, uint32_t position,
                                 struct order_lists *sources, struct error *error);

/* Bytes that an operator with regions takes beside its outputs: while it runs, and up to the last
   reader of its results. At most one of them is not 0. O(its regions and their yields). */
struct order_scratch {
    uint64_t running_bytes, block_bytes;
};
enum status order_owners_scratch(const struct order_scope *scope, uint32_t o,
                                 uint64_t outputs_bytes, struct order_scratch *scratch,
                                 struct error *error);

#endif
