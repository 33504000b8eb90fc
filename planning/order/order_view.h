#ifndef MEMPLAN_PLANNING_ORDER_ORDER_VIEW_H
#define MEMPLAN_PLANNING_ORDER_ORDER_VIEW_H

#include <assert.h>

#include "planning/order/order_owners.h"

/* All that is needed to find an order of the operators of one region. Operators are those that the
   region holds directly, numbered in stored order; one that owns regions counts as one operator.
   Tensors are those that these operators write and, in the graph itself, its inputs; what comes
   from outside a region is there whatever the order and is left out. An external tensor has 0
   bytes.

   After a set S of operators ran, M(S) = the bytes of all tensors that are written (or have no
   producer) and are kept or read by an operator outside S. Running v then takes M(S) +
   alloc_bytes[v] - what v saves because inputs die with it; the first operator takes first_bytes
   more. The load of an order is the most that any of its operators takes. It equals the load of the
   lifetimes; where outputs are written over inputs it is no greater. A view takes no bytes; what
   reads it also reads the tensor that it is a view of. */

#define ORDER_NONE UINT32_MAX

/* The bytes that an operator saves if an input dies with it. Of several with the same group only
   one counts. Where an output may be written over the input, these are the bytes of the output, and
   the output is the group. */
struct order_spared {
    uint32_t input, group; /* tensors */
    uint64_t bytes;
};

struct order_view {
    uint32_t operators, tensors;
    struct order_lists inputs;  /* [operators] distinct tensors that it reads */
    struct order_lists outputs; /* [operators] tensors that it writes, each of one operator */
    struct order_lists before;  /* [operators] control predecessors, each stored earlier */
    struct order_lists
        predecessors; /* [operators] distinct: the operators that write its inputs, in the order of
                         the inputs, then `before`; each stored earlier */
    struct order_lists successors; /* [operators] ascending */
    struct order_lists readers;    /* [tensors] operators, ascending */
    uint64_t *bytes;               /* [tensors] */
    uint32_t *producer;            /* [tensors] operator; ORDER_NONE: there from the start */
    bool *kept;                    /* [tensors] outlives the region's last operator */
    uint64_t *alloc_bytes;  /* [operators] its outputs and what it takes only while it runs */
    uint64_t first_bytes;   /* graph inputs that no operator reads, which are live while the first
                               operator runs at most */
    uint32_t *first_spared; /* [operators + 1] into spared */
    struct order_spared *spared; /* those of one group stand side by side */
    uint32_t *graph_operator;    /* [operators] of the graph */
    uint32_t *graph_tensor;      /* [tensors] of the graph; GRAPH_NONE: the block of an operator */
    const struct graph *graph;   /* borrowed, for names; NULL where there is none */
};

/* O(uses of the region and of all inside it). STATUS_BAD_INPUT where sizes add up to 2^64. */
enum status order_view_create(const struct order_scope *scope, struct order_view **view,
                              struct error *error);
void order_view_free(struct order_view *view); /* NULL is fine */
SCOPED_POINTER(struct order_view, order_view_release, order_view_free);

/* Whether some operator reads the tensor or it is kept. Else it dies with the operator that writes
   it. */
static inline bool order_view_is_needed(const struct order_view *view, uint32_t tensor)
{
    assert(tensor < view->tensors);
    return view->kept[tensor] || order_lists_count(&view->readers, tensor) > 0;
}

/* The bytes that the operator saves now: no more than those of the inputs that die with it, as two
   outputs cannot both be written over one of them. unread[tensors] has how many readers of each
   tensor have not run, and 1 more where it is kept; NULL: as if all inputs died. */
static inline uint64_t order_view_spared(const struct order_view *view, uint32_t op,
                                         const uint32_t *unread)
{
    assert(op < view->operators);
    const struct order_spared *spared = view->spared + view->first_spared[op];
    const struct order_spared *end = view->spared + view->first_spared[op + 1];
    uint64_t bytes = 0, freed = 0;
    uint32_t groups = 0;
    for (uint32_t group = ORDER_NONE; spared < end; spared++)
        if (spared->group != group && (!unread || unread[spared->input] == 1)) {
            group = spared->group;
            bytes += spared->bytes;
            groups++;
        }
    if (groups > 1) {
        for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
            freed += !unread || unread[view->inputs.item[i]] == 1
                         ? view->bytes[view->inputs.item[i]]
                         : 0;
        bytes = bytes < freed ? bytes : freed;
    }
    return bytes < view->alloc_bytes[op] ? bytes : view->alloc_bytes[op];
}

/* The bytes of the tensors in an operator's row of the view's inputs or outputs. */
static inline uint64_t order_view_sum(const struct order_view *view,
                                      const struct order_lists *tensors, uint32_t op)
{
    assert(op < tensors->rows);
    uint64_t bytes = 0;
    for (uint32_t i = tensors->start[op]; i < tensors->start[op + 1]; i++)
        bytes += view->bytes[tensors->item[i]];
    return bytes;
}

/* Name of an operator, or its number where the view has no graph, into name[bytes]. */
const char *order_view_name(const struct order_view *view, uint32_t op, char *name, size_t bytes);

#endif
