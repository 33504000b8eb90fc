#include "ordering/hierarchy/walker.h"

#include "core/random.h"

enum status walker_create(const struct hierarchy *hierarchy, struct walker *walker,
                          struct scratch *scratch, struct error *error)
{
    *walker = (struct walker){.hierarchy = hierarchy, .words = (hierarchy->chains + 63) / 64};
    TRY(order_run_take(hierarchy->view, &walker->run, scratch, error));
    TRY(scratch_take(scratch, &walker->ran, walker->words, sizeof *walker->ran, error));
    return scratch_take(scratch, &walker->path, hierarchy->view->operators, sizeof *walker->path,
                        error);
}

/* Notes whether the chain of an operator ran: it does with its last operator. */
static void mark(struct walker *walker, uint32_t op)
{
    uint32_t chain = walker->hierarchy->chain_of[op];
    if (order_lists_end(&walker->hierarchy->ops, chain)[-1] != op)
        return;
    walker->ran[chain / 64] ^= UINT64_C(1) << chain % 64;
    walker->hash ^= random_mix(chain);
}

static void step(struct walker *walker, uint32_t op)
{
    order_run_step(&walker->run, op);
    mark(walker, op);
}

static void step_back(struct walker *walker, uint32_t op)
{
    order_run_back(&walker->run, op);
    mark(walker, op);
}

void walker_begin(struct walker *walker)
{
    walker->steps = 0;
    walker->most_bytes = 0;
}

void walker_restart(struct walker *walker)
{
    order_run_restart(&walker->run);
    for (uint32_t w = 0; w < walker->words; w++)
        walker->ran[w] = 0;
    walker->hash = 0;
    walker_begin(walker);
}

/* Chains have greater numbers than those that they wait for. They are therefore taken back from the
   last to the first, and run from the first to the last. */
void walker_move(struct walker *walker, const uint64_t *ran)
{
    const struct order_lists *ops = &walker->hierarchy->ops;
    for (uint32_t w = walker->words; w-- > 0;)
        for (uint64_t left = walker->ran[w] & ~ran[w]; left;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(left), chain = w * 64 + bit;
            left ^= UINT64_C(1) << bit;
            for (uint32_t i = ops->start[chain + 1]; i > ops->start[chain]; i--)
                step_back(walker, ops->item[i - 1]);
        }
    for (uint32_t w = 0; w < walker->words; w++)
        for (uint64_t left = ran[w] & ~walker->ran[w]; left; left &= left - 1) {
            uint32_t chain = w * 64 + (uint32_t)__builtin_ctzll(left);
            for (uint32_t i = ops->start[chain]; i < ops->start[chain + 1]; i++)
                step(walker, ops->item[i]);
        }
    walker_begin(walker);
}

void walker_undo(struct walker *walker)
{
    while (walker->steps)
        step_back(walker, walker->path[--walker->steps]);
    walker_begin(walker);
}

bool walker_run_ops(struct walker *walker, const uint32_t *op, uint32_t ops, uint64_t limit_bytes)
{
    for (uint32_t i = 0; i < ops; i++) {
        uint64_t bytes = order_run_transient(&walker->run, op[i]);
        if (bytes > limit_bytes) {
            walker_undo(walker);
            return false;
        }
        walker->most_bytes = bytes > walker->most_bytes ? bytes : walker->most_bytes;
        step(walker, op[i]);
        walker->path[walker->steps++] = op[i];
    }
    return true;
}

bool walker_run_chains(struct walker *walker, const uint32_t *chain, uint32_t chains,
                       uint64_t limit_bytes)
{
    const struct order_lists *lists = &walker->hierarchy->ops;
    for (uint32_t i = 0; i < chains; i++)
        if (!walker_run_ops(walker, order_lists_begin(lists, chain[i]),
                            order_lists_count(lists, chain[i]), limit_bytes))
            return false;
    return true;
}
