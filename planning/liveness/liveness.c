#include "planning/liveness/liveness.h"

#include <assert.h>

#include "core/memory.h"

struct builder {
    const struct graph *graph;
    const bool *has_place; /* [tensors] results of Ifs; NULL: none */
    struct liveness *liveness;
    uint32_t *left; /* [left_count] operators with regions in the order in which they are left */
    uint32_t left_count;
};

/* Finds the steps of each region. The regions of an operator run one after another on the line, in
   the order of their numbers, so that each begins where the one before it ends. */
static void bound_regions(const struct graph *graph, struct liveness *liveness)
{
    liveness->region_end[0] = liveness->steps;
    for (uint32_t r = 1; r < graph->regions; r++) {
        const struct graph_region *region = &graph->region[r];
        const struct graph_operator *owner = &graph->op[region->owner];
        assert(region->owner < graph->operators);
        if (owner->first_region == r)
            liveness->region_begin[r] = liveness->enter_step[region->owner] + 1;
        liveness->region_end[r] = liveness->region_begin[r];
        for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end)
            liveness->region_end[r] = liveness->leave_step[o] + 1;
        assert(liveness->region_begin[r] <= liveness->region_end[r]);
        if (region->next != GRAPH_NONE)
            liveness->region_begin[region->next] = liveness->region_end[r];
    }
}

static void extend_to(struct liveness *liveness, uint32_t tensor, uint32_t step)
{
    assert(step < liveness->steps);
    if (liveness->upper[tensor] <= step)
        liveness->upper[tensor] = step + 1;
}

/* A use at `step` inside `region`. Each loop around the use that does not hold the producer may
   come back to it, so the tensor has to outlive the whole loop. */
static void use_tensor(struct builder *builder, uint32_t tensor, uint32_t step, uint32_t region)
{
    const struct graph *graph = builder->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    for (; region != 0; region = graph->op[graph->region[region].owner].region) {
        uint32_t owner = graph->region[region].owner;
        if (producer != GRAPH_NONE && producer >= owner && producer < graph->op[owner].end)
            break;
        if (graph->op[owner].loop && builder->liveness->leave_step[owner] > step)
            step = builder->liveness->leave_step[owner];
    }
    extend_to(builder->liveness, tensor, step);
}

static void produce_tensor(struct liveness *liveness, uint32_t tensor, uint32_t step)
{
    assert(step < liveness->steps);
    liveness->lower[tensor] = step;
    extend_to(liveness, tensor, step);
}

static void produce_results(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    struct liveness *liveness = builder->liveness;
    uint32_t written = op->loop ? liveness->enter_step[o] : liveness->leave_step[o];
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        produce_tensor(liveness, graph->list[op->outputs.first + i], written);
        extend_to(liveness, graph->list[op->outputs.first + i], liveness->leave_step[o]);
    }
    for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
        produce_tensor(liveness, graph->carried[c].argument, written);
}

static void read_inputs(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t step = builder->liveness->enter_step[o];
    for (uint32_t i = 0; i < op->inputs.count; i++)
        use_tensor(builder, graph->list[op->inputs.first + i], step, op->region);
    for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
        use_tensor(builder, graph->carried[c].init, step, op->region);
}

static bool is_placed(const struct builder *builder, uint32_t result)
{
    return builder->has_place && builder->has_place[result];
}

/* The last step at which what becomes an output has to be intact: an external output, or one with a
   place of its own, is copied away when the operator is left. */
static uint32_t find_last_read(const struct builder *builder, uint32_t o, uint32_t output)
{
    if (builder->graph->tensor[output].external || is_placed(builder, output))
        return builder->liveness->leave_step[o];
    assert(builder->liveness->upper[output] > 0);
    return builder->liveness->upper[output] - 1;
}

static void keep_branch_yields(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    struct liveness *liveness = builder->liveness;
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t last = find_last_read(builder, o, graph->list[op->outputs.first + i]);
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            use_tensor(builder, graph_yield(graph, r, i), last, r);
        if (last >= liveness->block_upper[o])
            liveness->block_upper[o] = last + 1;
    }
}

static void keep_loop_yields(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t leave = builder->liveness->leave_step[o];
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            use_tensor(builder, graph_yield(graph, r, i), leave, r);
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use_tensor(builder, carried->yield, leave, op->first_region);
        extend_to(builder->liveness, carried->argument,
                  find_last_read(builder, o, carried->result));
    }
}

/* What an operator's result is read from lives as long as the result. Results of an operator are
   read by later operators, through later branches that pass them on, or through the results of
   operators around it: all of these are left later, so the order of leaving is gone through
   backwards. */
static void keep_yields(struct builder *builder)
{
    struct liveness *liveness = builder->liveness;
    for (uint32_t i = builder->left_count; i-- > 0;) {
        uint32_t o = builder->left[i];
        assert(liveness->enter_step[o] < liveness->leave_step[o]);
        liveness->block_upper[o] = liveness->leave_step[o] + 1;
        if (builder->graph->op[o].loop)
            keep_loop_yields(builder, o);
        else
            keep_branch_yields(builder, o);
    }
}

static void remove_lifetime(struct liveness *liveness, uint32_t tensor)
{
    liveness->lower[tensor] = liveness->upper[tensor] = 0;
}

/* Tensors without a place of their own: external ones, those nobody writes, results of branches,
   and results of loops that live where the carried argument is. */
static void remove_placeless(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (graph->tensor[t].external)
            remove_lifetime(builder->liveness, t);
    for (uint32_t i = 0; i < builder->left_count; i++) {
        const struct graph_operator *op = &graph->op[builder->left[i]];
        assert(op->first_region != GRAPH_NONE);
        for (uint32_t j = 0; !op->loop && j < op->outputs.count; j++)
            if (!is_placed(builder, graph->list[op->outputs.first + j]))
                remove_lifetime(builder->liveness, graph->list[op->outputs.first + j]);
        for (uint32_t j = 0; j < op->carried.count; j++)
            remove_lifetime(builder->liveness, graph->carried[op->carried.first + j].result);
    }
}

static void find_lifetimes(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    struct liveness *liveness = builder->liveness;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    builder->left_count = graph_list_left(graph, builder->left);
    liveness->steps = graph_number_steps(graph, liveness->enter_step, liveness->leave_step);
    assert(liveness->steps == graph->operators + builder->left_count);
    liveness->steps += liveness->steps == 0;
    bound_regions(graph, liveness);
    for (uint32_t i = 0; i < inputs.count; i++)
        produce_tensor(liveness, graph->list[inputs.first + i], 0);
    for (uint32_t o = 0; o < graph->operators; o++)
        produce_results(builder, o);
    for (uint32_t o = 0; o < graph->operators; o++)
        read_inputs(builder, o);
    for (uint32_t i = 0; i < outputs.count; i++)
        extend_to(liveness, graph->list[outputs.first + i], liveness->steps - 1);
    keep_yields(builder);
    remove_placeless(builder);
}

enum status liveness_create(const struct graph *graph, struct liveness **created,
                            struct error *error)
{
    return liveness_create_placed(graph, NULL, created, error);
}

enum status liveness_create_placed(const struct graph *graph, const bool *has_place,
                                   struct liveness **created, struct error *error)
{
    struct builder builder = {.graph = graph, .has_place = has_place};
    struct liveness *liveness;
    enum status status;
    TRY(memory_create(&liveness, 1, sizeof *liveness, error));
    builder.liveness = liveness;
    uint32_t **per_operator[] = {&liveness->enter_step, &liveness->leave_step,
                                 &liveness->block_upper, &builder.left};
    for (int i = 0; i < 4; i++)
        TRY_OR_DONE(status,
                    memory_create(per_operator[i], graph->operators, sizeof(uint32_t), error));
    uint32_t **per_region[] = {&liveness->region_begin, &liveness->region_end};
    for (int i = 0; i < 2; i++)
        TRY_OR_DONE(status, memory_create(per_region[i], graph->regions, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&liveness->lower, graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&liveness->upper, graph->tensors, sizeof(uint32_t), error));
    find_lifetimes(&builder);
    *created = liveness;
done:
    memory_free(builder.left);
    if (status)
        liveness_free(liveness);
    return status;
}

void liveness_free(struct liveness *liveness)
{
    if (!liveness)
        return;
    memory_free(liveness->enter_step);
    memory_free(liveness->leave_step);
    memory_free(liveness->block_upper);
    memory_free(liveness->region_begin);
    memory_free(liveness->region_end);
    memory_free(liveness->lower);
    memory_free(liveness->upper);
    memory_free(liveness->root);
    memory_free(liveness->next);
    memory_free(liveness->place_bytes);
    memory_free(liveness);
}

bool liveness_has_place(const struct liveness *liveness, uint32_t tensor)
{
    assert(liveness->lower[tensor] <= liveness->upper[tensor]);
    return liveness->upper[tensor] > liveness->lower[tensor] &&
           (!liveness->root || liveness->root[tensor] == tensor);
}

uint64_t liveness_place_bytes(const struct liveness *liveness, const struct graph *graph,
                              uint32_t tensor)
{
    assert(tensor < graph->tensors);
    return liveness->place_bytes ? liveness->place_bytes[tensor] : graph->tensor[tensor].bytes;
}
