#include "planning/liveness/liveness.h"

#include <assert.h>

#include "core/memory.h"

struct builder {
    const struct graph *graph;
    const bool *has_place; /* [tensors] results of Ifs; NULL: none */
    struct liveness *liveness;
    const uint32_t *left; /* [left_count] operators with regions in the order of leaving them */
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
    assert(tensor < graph->tensors && region < graph->regions);
    for (; region != 0; region = graph->op[graph->region[region].owner].region) {
        uint32_t owner = graph->region[region].owner;
        assert(owner < graph->operators);
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

/* What an operator's result is read from lives as long as the result. Results of an operator are
   read by later operators, through later branches that pass them on, or through the results of
   operators around it. All of these are left later, so the operators are visited in the reverse
   order of leaving them. */
static void keep_yields(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    struct liveness *liveness = builder->liveness;
    uint32_t leave = liveness->leave_step[o];
    assert(liveness->enter_step[o] < leave);
    liveness->block_upper[o] = leave + 1;
    for (uint32_t i = 0; i < op->outputs.count && !op->loop; i++) {
        uint32_t last = find_last_read(builder, o, graph->list[op->outputs.first + i]);
        assert(last >= leave);
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            use_tensor(builder, graph_yield(graph, r, i), last, r);
        if (last >= liveness->block_upper[o])
            liveness->block_upper[o] = last + 1;
    }
    if (!op->loop)
        return;
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            use_tensor(builder, graph_yield(graph, r, i), leave, r);
    for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[c];
        assert(liveness->lower[carried->argument] == liveness->enter_step[o]);
        use_tensor(builder, carried->yield, leave, op->first_region);
        extend_to(liveness, carried->argument, find_last_read(builder, o, carried->result));
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
    for (uint32_t i = 0; i < inputs.count; i++)
        produce_tensor(liveness, graph->list[inputs.first + i], 0);
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t enter = liveness->enter_step[o], leave = liveness->leave_step[o];
        assert(enter <= leave && leave < liveness->steps);
        for (uint32_t i = 0; i < op->outputs.count; i++) {
            uint32_t output = graph->list[op->outputs.first + i];
            produce_tensor(liveness, output, op->loop ? enter : leave);
            extend_to(liveness, output, leave);
        }
        for (uint32_t i = 0; i < op->inputs.count; i++)
            use_tensor(builder, graph->list[op->inputs.first + i], enter, op->region);
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
            assert(op->loop);
            produce_tensor(liveness, graph->carried[c].argument, enter);
            use_tensor(builder, graph->carried[c].init, enter, op->region);
        }
    }
    for (uint32_t i = 0; i < outputs.count; i++)
        extend_to(liveness, graph->list[outputs.first + i], liveness->steps - 1);
    for (uint32_t i = builder->left_count; i-- > 0;)
        keep_yields(builder, builder->left[i]);
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
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(memory_release) uint32_t *left = NULL;
    TRY(memory_create(&left, graph->operators, sizeof *left, error));
    TRY(memory_create(&liveness, 1, sizeof *liveness, error));
    const struct {
        uint32_t **array, count;
    } wanted[] = {
        {&liveness->enter_step, graph->operators},  {&liveness->leave_step, graph->operators},
        {&liveness->block_upper, graph->operators}, {&liveness->region_begin, graph->regions},
        {&liveness->region_end, graph->regions},    {&liveness->lower, graph->tensors},
        {&liveness->upper, graph->tensors},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        TRY(scratch_take(&liveness->memory, wanted[i].array, wanted[i].count, sizeof(uint32_t),
                         error));
    uint32_t left_count = graph_list_left(graph, left);
    liveness->steps = graph_number_steps(graph, liveness->enter_step, liveness->leave_step);
    assert(liveness->steps == graph->operators + left_count);
    liveness->steps += liveness->steps == 0;
    bound_regions(graph, liveness);
    find_lifetimes(&(struct builder){graph, has_place, liveness, left, left_count});
    HAND_OVER(liveness, created);
}

void liveness_free(struct liveness *liveness)
{
    if (!liveness)
        return;
    scratch_free(&liveness->memory);
    memory_free_all(liveness->place_bytes, liveness);
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
