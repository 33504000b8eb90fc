#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_MODEL_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_MODEL_H

#include <assert.h>

#include "core/scratch.h"
#include "planning/order/order_view.h"

/* A view with all that a search over its downsets needs often. A downset is a set of operators that
   holds the predecessors of each of its members: what has run at some time. */

/* Rules that leave out orders which are no better than some other; docs/order-search.md
   says why. */
enum order_rule {
    ORDER_LAZY_SOURCES =
        1,                /* an operator that frees nothing runs right before its first successor */
    ORDER_LAZY = 2,       /* an operator that frees no more than it writes does so, too */
    ORDER_FORCED = 4,     /* a bundle that adds nothing to the live bytes runs at once */
    ORDER_VALLEYS = 8,    /* several operators that together add nothing run at once */
    ORDER_CUTS = 16,      /* the parts between cut points are ordered apart */
    ORDER_TWINS = 32,     /* operators that may be exchanged run in stored order */
    ORDER_MUST_LIVE = 64, /* bytes that have to be live when an operator runs are a bound */
    ORDER_PIVOTS = 128,   /* the best order of a few operators alone is a bound */
    ORDER_ALL_RULES = 255,
};

/* A set of operators as bits. */
static inline bool order_set_has(const uint64_t *set, uint32_t op)
{
    return set[op / 64] >> op % 64 & 1;
}

static inline void order_set_add(uint64_t *set, uint32_t op)
{
    set[op / 64] |= UINT64_C(1) << op % 64;
}

static inline void order_set_remove(uint64_t *set, uint32_t op)
{
    set[op / 64] &= ~(UINT64_C(1) << op % 64);
}

static inline void order_set_join(uint64_t *into, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        into[w] |= from[w];
}

/* The bytes that an operator adds to must_live of another one when it has run. */
struct order_weight {
    uint32_t op;
    uint64_t bytes;
};

struct order_model {
    const struct order_view *view;
    uint32_t operators, words; /* of a set */
    unsigned rules;
    bool spares;              /* some operator takes less where an input dies with it */
    bool *lazy;               /* [operators] whether it runs only as part of a bundle */
    uint32_t *twin;           /* [operators] twin that runs before it; ORDER_NONE: none */
    uint64_t *left_bytes;     /* [operators] bytes of its outputs that are read or kept */
    uint64_t *must_bytes;     /* [operators] bytes live whenever it runs, whatever ran before */
    uint64_t most_must_bytes; /* the most bytes that have to be live when some operator runs */
    uint32_t *first_weight;   /* [operators + 1] into weight */
    struct order_weight *weight;
    struct order_lists
        lazies;              /* [operators] its lazy predecessors, in the order in which they run */
    struct order_lists base; /* [operators] what has to run before its bundle */
    struct order_lists heads; /* [operators] the operators whose bundles may contain it */
    struct order_lists above; /* [operators] the operators whose bundles wait for it */
    uint64_t *key;            /* [operators] random bits, for hashes of sets */
    uint64_t *ancestors;      /* [operators][words] */
    uint64_t *descendants;    /* [operators][words] */
    uint64_t *used_by;        /* [tensors][words] the operators whose bundles may read it */
    uint32_t *most_uses;      /* [tensors] the most readers that it has in one bundle */
    struct scratch memory;
};

void order_model_free(struct order_model *model); /* NULL is fine */
SCOPED_POINTER(struct order_model, order_model_release, order_model_free);

/* The greatest number of bytes that one operator, the inputs or the outputs need in any order: no
   order has a lower load. O(operators). */
uint64_t order_model_bound(const struct order_model *model);

/* The fewest bytes that the operator takes beside what is live, as if each input died with it. */
uint64_t order_model_own_bytes(const struct order_model *model, uint32_t op);

static inline const uint64_t *order_model_ancestors(const struct order_model *model, uint32_t op)
{
    assert(op < model->operators);
    return model->ancestors + (size_t)op * model->words;
}

static inline const uint64_t *order_model_descendants(const struct order_model *model, uint32_t op)
{
    assert(op < model->operators);
    return model->descendants + (size_t)op * model->words;
}

static inline const uint64_t *order_model_used_by(const struct order_model *model, uint32_t tensor)
{
    assert(tensor < model->view->tensors);
    return model->used_by + (size_t)tensor * model->words;
}

/* Makes a model of the view, which must outlive it, for the rules, bits of enum order_rule. Memory
   is O(operators * (operators + tensors) / 4) bytes and the weights; STATUS_LIMIT beyond
   most_bytes. The caller frees it with order_model_free. O(operators * (operators + tensors)). */
enum status order_model_create(const struct order_view *view, unsigned rules, uint64_t most_bytes,
                               struct order_model **model, struct error *error);

#endif
