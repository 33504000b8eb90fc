#include "solvers/order_exact/pivots/chain.h"

#include <string.h>

#include "core/memory.h"

enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                               struct order_chain *chain, struct error *error)
{
    enum status status;
    *chain = (struct order_chain){.cut = cut};
    TRY_OR_DONE(status, order_run_create(model->view, &chain->run, error));
    TRY_OR_DONE(status, memory_create(&chain->ran, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, order_cut_create(model, &chain->between, error));
    TRY_OR_DONE(status, memory_create(&chain->least, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&chain->most, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&chain->taken, model->operators, sizeof(uint64_t), error));
    TRY_OR_DONE(status,
                memory_create(&chain->runs_with, model->operators, sizeof(uint32_t), error));
    TRY_OR_DONE(status,
                memory_create(&chain->permutation, model->operators, sizeof(uint32_t), error));
    return STATUS_OK;
done:
    order_chain_free(chain);
    return status;
}

void order_chain_free(struct order_chain *chain)
{
    order_run_free(&chain->run);
    order_cut_free(&chain->between);
    memory_free(chain->least);
    memory_free(chain->most);
    memory_free(chain->taken);
    memory_free(chain->runs_with);
    memory_free(chain->ran);
    memory_free(chain->downset);
    memory_free(chain->permutation);
    *chain = (struct order_chain){0};
}

static void run_one(struct order_chain *chain, uint32_t op)
{
    chain->permutation[chain->run.done] = op;
    order_run_step(&chain->run, op);
    order_set_add(chain->ran, op);
}

/* How good it is to run an operator next, where less is better: first what it takes, if that is
   beyond the bound, then what is live behind it. */
struct rank {
    uint64_t most_bytes, live_bytes;
    uint32_t op;
};

static struct rank find_rank(const struct order_chain *chain, uint32_t op)
{
    const struct order_run *run = &chain->run;
    uint64_t most = order_run_transient(run, op);
    return (struct rank){most > chain->bound_bytes ? most : chain->bound_bytes,
                         run->live_bytes + order_run_left(run, op) - order_run_freed(run, op), op};
}

static bool is_better(const struct rank *a, const struct rank *b)
{
    return a->most_bytes < b->most_bytes ||
           (a->most_bytes == b->most_bytes && a->live_bytes < b->live_bytes);
}

static uint64_t *downset_of(const struct order_chain *chain, uint32_t number)
{
    return chain->downset + (size_t)number * chain->cut->model->words;
}

/* The best of the operators of the downset that may run now; its op is ORDER_NONE where all ran. */
static struct rank find_next(const struct order_chain *chain, const uint64_t *downset)
{
    struct rank best = {UINT64_MAX, UINT64_MAX, ORDER_NONE};
    for (uint32_t w = 0; w < chain->cut->model->words; w++)
        for (uint64_t left = downset[w] & ~chain->ran[w]; left; left &= left - 1) {
            uint32_t op = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!order_run_is_ready(&chain->run, op))
                continue;
            struct rank rank = find_rank(chain, op);
            if (is_better(&rank, &best))
                best = rank;
        }
    return best;
}

static void fill_downset(struct order_chain *chain, uint32_t number)
{
    for (;;) {
        struct rank next = find_next(chain, downset_of(chain, number));
        if (next.op == ORDER_NONE)
            return;
        chain->taken[next.op] = next.most_bytes;
        chain->runs_with[next.op] = number;
        run_one(chain, next.op);
    }
}

static void take_all(const struct order_model *model, uint64_t *downset)
{
    memset(downset, 0, model->words * sizeof *downset);
    for (uint32_t v = 0; v < model->operators; v++)
        order_set_add(downset, v);
}

/* Fills downset[] with the downset of the fewest live bytes right before the given pivot, where
   just the pivots in chain->ran have run. */
static enum status find_downset(struct order_chain *chain, uint32_t pivot, uint64_t *downset,
                                struct error *error)
{
    struct order_pivot_cut *cut = chain->cut;
    uint64_t live;
    uint32_t index = 0;
    TRY(order_pivot_cut_open(cut, chain->ran, &live, error));
    while (cut->ready[index] != pivot)
        index++;
    order_pivot_cut_before(cut, index);
    order_pivot_cut_downset(cut, downset);
    return STATUS_OK;
}

enum status order_chain_fill(struct order_chain *chain, const uint32_t *order, uint64_t bound_bytes,
                             struct error *error)
{
    struct order_pivot_cut *cut = chain->cut;
    const struct order_model *model = cut->model;
    TRY(memory_reserve(&chain->downset, &chain->downset_capacity,
                       (cut->pivots + (size_t)1) * model->words, sizeof(uint64_t), error));
    chain->bound_bytes = bound_bytes;
    order_run_restart(&chain->run);
    memset(chain->ran, 0, model->words * sizeof *chain->ran);
    memset(chain->taken, 0, model->operators * sizeof *chain->taken);
    for (uint32_t i = 0; i < cut->pivots; i++) {
        TRY(find_downset(chain, order[i], downset_of(chain, i), error));
        fill_downset(chain, i);
        run_one(chain, cut->pivot[order[i]]);
    }
    take_all(model, downset_of(chain, cut->pivots));
    fill_downset(chain, cut->pivots);
    return STATUS_OK;
}

/* The fewest bytes that are taken while the operator runs, if what runs between the same two pivots
   may run in any order. The downset before its own and its ancestors have run then, and neither it
   nor its descendants have. */
static enum status find_least(struct order_chain *chain, uint32_t op, uint64_t *bytes,
                              struct error *error)
{
    const struct order_model *model = chain->cut->model;
    const uint64_t *before = order_model_ancestors(model, op);
    const uint64_t *after = order_model_descendants(model, op);
    const struct order_interval interval = {chain->least, chain->most};
    uint32_t number = chain->runs_with[op];
    for (uint32_t w = 0; w < model->words; w++) {
        chain->least[w] = before[w] | (number ? downset_of(chain, number - 1)[w] : 0);
        chain->most[w] = downset_of(chain, number)[w] & ~after[w];
    }
    chain->most[op / 64] &= ~(UINT64_C(1) << op % 64);
    TRY(order_cut_find(&chain->between, &interval, FLOW_UNLIMITED, bytes, NULL, error));
    *bytes += order_model_own_bytes(model, op);
    return STATUS_OK;
}

static uint32_t find_most_taken(const struct order_chain *chain)
{
    uint32_t most = 0;
    for (uint32_t v = 1; v < chain->cut->model->operators; v++)
        if (chain->taken[v] > chain->taken[most])
            most = v;
    return most;
}

enum status order_chain_find_worst(struct order_chain *chain, uint32_t *worst, struct error *error)
{
    uint64_t worst_bytes = 0, bytes;
    *worst = ORDER_NONE;
    for (;;) {
        uint32_t op = find_most_taken(chain);
        if (chain->taken[op] <= chain->bound_bytes || chain->taken[op] <= worst_bytes)
            return STATUS_OK;
        TRY(find_least(chain, op, &bytes, error));
        if (*worst == ORDER_NONE || bytes > worst_bytes) {
            *worst = op;
            worst_bytes = bytes;
        }
        chain->taken[op] = 0;
    }
}
