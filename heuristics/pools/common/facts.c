#include "heuristics/pools/common/facts.h"

#include <assert.h>

struct builder {
    const struct level *level;
    struct pool_fact *facts;
    uint32_t *buffer_of; /* [tensors] the buffer of each tensor, or GRAPH_NONE */
};

static struct pool_fact *find_fact(const struct builder *builder, uint32_t listed)
{
    uint32_t buffer = builder->buffer_of[builder->level->graph->list[listed]];
    return buffer == GRAPH_NONE ? NULL : &builder->facts[buffer];
}

static void know_places(struct builder *builder, uint32_t o)
{
    const struct graph_operator *op = &builder->level->graph->op[o];
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        struct pool_fact *fact = find_fact(builder, op->outputs.first + i);
        if (fact && fact->writer == o)
            fact->output = i;
    }
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        struct pool_fact *fact = find_fact(builder, op->inputs.first + i);
        if (fact && fact->reader == o)
            fact->input = i;
    }
}

static enum status know_graph(struct builder *builder, struct scratch *scratch, struct error *error)
{
    const struct level *level = builder->level;
    const struct liveness *liveness = level->liveness;
    const struct graph *graph = level->graph;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    uint32_t *operator_at; /* [steps + 1] the operator that runs at each step, none at the last */
    TRY(scratch_take(scratch, &operator_at, (size_t)liveness->steps + 1, sizeof *operator_at,
                     error));
    TRY(scratch_take(scratch, &builder->buffer_of, graph->tensors, sizeof *builder->buffer_of,
                     error));
    for (uint32_t s = 0; s <= liveness->steps; s++)
        operator_at[s] = GRAPH_NONE;
    for (uint32_t o = 0; o < graph->operators; o++) {
        assert(liveness->enter_step[o] <= liveness->leave_step[o]);
        operator_at[liveness->enter_step[o]] = operator_at[liveness->leave_step[o]] = o;
    }

    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->buffer_of[t] = GRAPH_NONE;
    for (uint32_t b = 0; b < level->problem->buffers; b++) {
        struct pool_fact *fact = &builder->facts[b];
        uint32_t lower, upper, steps = liveness->steps;
        problem_time_steps(level->problem, b, &lower, &upper);
        fact->writer = operator_at[lower < steps ? lower : steps];
        fact->reader = operator_at[upper - 1 < steps ? upper - 1 : steps];
        if (level->tensor[b] == GRAPH_NONE)
            continue;
        builder->buffer_of[level->tensor[b]] = b;
        fact->tensor = &graph->tensor[level->tensor[b]];
        fact->elements = fact->tensor->has_shape;
        for (uint32_t i = 0; fact->elements && i < fact->tensor->rank; i++)
            fact->elements *= fact->tensor->dimension[i];
    }
    /* A tensor that is written in place of another one is in the same buffer. */
    for (uint32_t t = 0; liveness->root && t < graph->tensors; t++)
        builder->buffer_of[t] = builder->buffer_of[liveness->root[t]];

    struct pool_fact *fact;
    for (uint32_t o = 0; o < graph->operators; o++)
        know_places(builder, o);
    for (uint32_t i = 0; i < inputs.count; i++)
        if ((fact = find_fact(builder, inputs.first + i)))
            fact->variable = true;
    for (uint32_t i = 0; i < outputs.count; i++)
        if ((fact = find_fact(builder, outputs.first + i)))
            fact->result = true;
    return STATUS_OK;
}

enum status pool_facts_create(const struct planner_task *task, struct pool_fact **facts,
                              struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    TRY(scratch_take(task->scratch, facts, buffers, sizeof **facts, error));
    for (uint32_t b = 0; b < buffers; b++)
        (*facts)[b] = (struct pool_fact){.writer = GRAPH_NONE,
                                         .reader = GRAPH_NONE,
                                         .output = POOL_FACT_NOWHERE,
                                         .input = POOL_FACT_NOWHERE};
    struct builder builder = {.level = task->level, .facts = *facts};
    return task->level ? know_graph(&builder, task->scratch, error) : STATUS_OK;
}

/* Ranks come in three ranges: 0 for buffers that are never read and released first, 1 for those
   that are read, 2 for those that are never read and released last. */
enum { RANKS = 1 << 30 };

static uint32_t rank_place(uint32_t range, uint32_t place)
{
    return range * (uint32_t)RANKS + (place < RANKS ? place : RANKS - 1);
}

void pool_facts_rank_releases(const struct problem *problem, const struct pool_fact *facts,
                              bool unread_first, uint32_t *rank)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct pool_fact *fact = &facts[b];
        bool unread = fact->input == POOL_FACT_NOWHERE && problem_duration(problem, b) == 1;
        if (fact->reader == GRAPH_NONE)
            rank[b] = 0;
        else
            rank[b] = unread ? rank_place(unread_first ? 0 : 2, fact->output)
                             : rank_place(1, fact->input);
    }
}
