#include "solvers/order_exact/chain.h"

#include <string.h>

#include "core/memory.h"

enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                               struct order_chain *chain, struct error *error)
{
    enum status status;
    *chain = (struct order_chain){.cut = cut};
    TRY_OR_DONE(status, order_run_create(model->view, &chain->run, error));
    TRY_OR_DONE(status, memory_create(&chain->ran, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&chain->downset, model->words, sizeof(uint64_t), error));
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

/* Less is better: what the operator takes beyond the bound, then what it adds. */
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

/* The best of the operators of the downset that may run; its op is ORDER_NONE where all ran. */
static struct rank find_next(const struct order_chain *chain)
{
    struct rank best = {UINT64_MAX, UINT64_MAX, ORDER_NONE};
    for (uint32_t w = 0; w < chain->cut->model->words; w++)
        for (uint64_t left = chain->downset[w] & ~chain->ran[w]; left; left &= left - 1) {
            uint32_t op = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!order_run_is_ready(&chain->run, op))
                continue;
            struct rank rank = find_rank(chain, op);
            if (is_better(&rank, &best))
                best = rank;
        }
    return best;
}

static void fill_downset(struct order_chain *chain)
{
    for (;;) {
        struct rank next = find_next(chain);
        if (next.op == ORDER_NONE)
            return;
        if (next.most_bytes > chain->worst_bytes) {
            chain->worst_bytes = next.most_bytes;
            chain->worst = next.op;
        }
        run_one(chain, next.op);
    }
}

static void take_all(struct order_chain *chain)
{
    const struct order_model *model = chain->cut->model;
    for (uint32_t v = 0; v < model->operators; v++)
        order_set_add(chain->downset, v);
}

void order_chain_fill(struct order_chain *chain, const uint32_t *order, uint64_t bound_bytes)
{
    struct order_pivot_cut *cut = chain->cut;
    chain->bound_bytes = chain->worst_bytes = bound_bytes;
    chain->worst = ORDER_NONE;
    order_run_restart(&chain->run);
    memset(chain->ran, 0, cut->model->words * sizeof *chain->ran);
    for (uint32_t i = 0; i < cut->pivots; i++) {
        order_pivot_cut_before(cut, chain->ran, order[i]);
        order_pivot_cut_downset(cut, chain->downset);
        fill_downset(chain);
        run_one(chain, cut->pivot[order[i]]);
    }
    take_all(chain);
    fill_downset(chain);
}
