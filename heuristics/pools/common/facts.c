#include "heuristics/pools/common/facts.h"

#include <string.h>

struct builder {
    const struct planner_task *task;
    const struct level *level;
    struct pool_fact *facts;
    const struct liveness *liveness;
    uint32_t *operator_at; /* [steps] the operator that runs at each step */
    uint32_t *buffer_of;   /* [tensors] the buffer of each tensor, or GRAPH_NONE */
};

static uint64_t count_elements(const struct graph_tensor *tensor)
{
    uint64_t elements = 1;
    if (!tensor->has_shape)
        return 0;
    for (uint32_t i = 0; i < tensor->rank; i++)
        elements *= tensor->dimension[i];
    return elements;
}

static void number_operators(struct builder *builder)
{
    const struct liveness *liveness = builder->liveness;
    for (uint32_t s = 0; s < liveness->steps; s++)
        builder->operator_at[s] = GRAPH_NONE;
    for (uint32_t o = 0; o < builder->level->graph->operators; o++) {
        builder->operator_at[liveness->enter_step[o]] = o;
        builder->operator_at[liveness->leave_step[o]] = o;
    }
}

static uint32_t get_operator(const struct builder *builder, uint32_t step)
{
    return step < builder->liveness->steps ? builder->operator_at[step] : GRAPH_NONE;
}

static void know_buffers(struct builder *builder)
{
    const struct level *level = builder->level;
    for (uint32_t b = 0; b < level->problem->buffers; b++) {
        struct pool_fact *fact = &builder->facts[b];
        uint32_t lower, upper;
        problem_time_steps(level->problem, b, &lower, &upper);
        fact->writer = get_operator(builder, lower);
        fact->reader = get_operator(builder, upper - 1);
        if (level->tensor[b] == GRAPH_NONE)
            continue;
        builder->buffer_of[level->tensor[b]] = b;
        fact->tensor = &level->graph->tensor[level->tensor[b]];
        fact->elements = count_elements(fact->tensor);
    }
}

/* A tensor that is written in place of another one is in the same buffer. */
static void share_buffers(struct builder *builder)
{
    const uint32_t *root = builder->liveness->root;
    for (uint32_t t = 0; root && t < builder->level->graph->tensors; t++)
        builder->buffer_of[t] = builder->buffer_of[root[t]];
}

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

static void know_graph(struct builder *builder)
{
    const struct graph *graph = builder->level->graph;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    struct pool_fact *fact;
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->buffer_of[t] = GRAPH_NONE;
    know_buffers(builder);
    share_buffers(builder);
    for (uint32_t o = 0; o < graph->operators; o++)
        know_places(builder, o);
    for (uint32_t i = 0; i < inputs.count; i++)
        if ((fact = find_fact(builder, inputs.first + i)))
            fact->variable = true;
    for (uint32_t i = 0; i < outputs.count; i++)
        if ((fact = find_fact(builder, outputs.first + i)))
            fact->result = true;
}

static enum status read_graph(struct builder *builder, struct error *error)
{
    const struct graph *graph = builder->level->graph;
    builder->liveness = builder->level->liveness;
    TRY(scratch_take(builder->task->scratch, &builder->operator_at, builder->liveness->steps,
                     sizeof *builder->operator_at, error));
    TRY(scratch_take(builder->task->scratch, &builder->buffer_of, graph->tensors,
                     sizeof *builder->buffer_of, error));
    number_operators(builder);
    know_graph(builder);
    return STATUS_OK;
}

enum status pool_facts_create(const struct planner_task *task, struct pool_fact **facts,
                              struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    struct builder builder = {.task = task, .level = task->level};
    TRY(scratch_take(task->scratch, &builder.facts, buffers, sizeof *builder.facts, error));
    for (uint32_t b = 0; b < buffers; b++)
        builder.facts[b] = (struct pool_fact){.writer = GRAPH_NONE,
                                              .reader = GRAPH_NONE,
                                              .output = POOL_FACT_NOWHERE,
                                              .input = POOL_FACT_NOWHERE};
    *facts = builder.facts;
    return task->level ? read_graph(&builder, error) : STATUS_OK;
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
