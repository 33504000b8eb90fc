#include "planning/order/order_owners.h"

#include <assert.h>

#include "core/checked.h"

static enum status add_bytes(uint64_t *sum, uint64_t bytes, struct error *error)
{
    if (checked_add(*sum, bytes, sum))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "tensors of the graph add up to more than 2^64 - 1 bytes");
}

static uint64_t arena_bytes(const struct graph *graph, uint32_t tensor)
{
    assert(tensor < graph->tensors);
    return graph->tensor[tensor].external ? 0 : graph->tensor[tensor].bytes;
}

/* Whether the tensor is the result of an If inside the region. Then what the branches of that If
   leave counts, not the tensor itself, which stays in the list in which it was found and counts for
   nothing there. */
static bool is_result_inside(const struct graph *graph, uint32_t r, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer, owner = graph->region[r].owner;
    assert(owner != GRAPH_NONE);
    return producer != GRAPH_NONE && producer > owner && producer < graph->op[owner].end &&
           graph_has_branches(graph, producer);
}

enum status order_owners_sources(const struct graph *graph, uint32_t r, uint32_t position,
                                 struct order_lists *sources, struct error *error)
{
    assert(position < graph->region[r].yields.count);
    TRY(order_lists_add_once(sources, graph_yield(graph, r, position), error));
    for (uint32_t i = sources->start[sources->rows]; i < sources->start[sources->rows + 1]; i++) {
        uint32_t tensor = sources->item[i];
        if (!is_result_inside(graph, r, tensor))
            continue;
        const struct graph_operator *op = &graph->op[graph->tensor[tensor].producer];
        uint32_t at = graph_position(graph, op->outputs, tensor);
        assert(at < op->outputs.count);
        for (uint32_t inner = op->first_region; inner != GRAPH_NONE;
             inner = graph->region[inner].next)
            TRY(order_lists_add_once(sources, graph_yield(graph, inner, at), error));
    }
    return STATUS_OK;
}

/* Adds the bytes of those tensors in the row that were made inside operator o. */
static enum status add_made_inside(const struct graph *graph, uint32_t o,
                                   const struct order_lists *sources, uint64_t *bytes,
                                   struct error *error)
{
    uint32_t first = graph->op[o].first_region;
    assert(first != GRAPH_NONE);
    for (uint32_t i = 0; sources->row_capacity && i < sources->start[1]; i++) {
        uint32_t tensor = sources->item[i], producer = graph->tensor[tensor].producer;
        if (producer != GRAPH_NONE && producer > o && producer < graph->op[o].end &&
            !is_result_inside(graph, first, tensor))
            TRY(add_bytes(bytes, arena_bytes(graph, tensor), error));
    }
    return STATUS_OK;
}

enum status order_owners_result(const struct order_scope *scope, uint32_t o, uint32_t position,
                                uint64_t *bytes, struct error *error)
{
    const struct graph *graph = scope->graph;
    const struct graph_operator *op = &graph->op[o];
    assert(position < op->outputs.count);
    uint32_t tensor = graph->list[op->outputs.first + position];
    bool least = scope->owners == ORDER_OWNERS_LEAST && op->first_region != GRAPH_NONE;
    *bytes = least ? 0 : arena_bytes(graph, tensor);
    if (!graph_has_branches(graph, o) || scope->owners == ORDER_OWNERS_PLACES)
        return STATUS_OK;
    *bytes = 0;
    if (scope->owners != ORDER_OWNERS_IN_LINE)
        return STATUS_OK;
    SCOPED(order_lists_free) struct order_lists sources = {0};
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(order_owners_sources(graph, r, position, &sources, error));
    return add_made_inside(graph, o, &sources, bytes, error);
}

/* The most that the regions of an operator take, one running after the other, when each leaves what
   it yields behind. */
static enum status run_in_line(const struct order_scope *scope, uint32_t o, uint64_t *most,
                               struct error *error)
{
    const struct graph *graph = scope->graph;
    uint64_t yielded = 0;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint64_t taken = yielded;
        TRY(add_bytes(&taken, scope->region_load[r], error));
        *most = taken > *most ? taken : *most;
        /* What was made in the region is left when it has run: what it yields. */
        SCOPED(order_lists_free) struct order_lists sources = {0};
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            TRY(order_owners_sources(graph, r, i, &sources, error));
        TRY(add_made_inside(graph, o, &sources, &yielded, error));
    }
    return STATUS_OK;
}

static enum status join_regions(const struct order_scope *scope, uint32_t o, uint64_t *joined,
                                struct error *error)
{
    const struct graph *graph = scope->graph;
    bool add = scope->side_by_side && !graph->op[o].loop;
    assert(graph->op[o].first_region != GRAPH_NONE);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (add)
            TRY(add_bytes(joined, scope->region_load[r], error));
        else if (scope->region_load[r] > *joined)
            *joined = scope->region_load[r];
    return STATUS_OK;
}

enum status order_owners_scratch(const struct order_scope *scope, uint32_t o,
                                 uint64_t outputs_bytes, struct order_scratch *scratch,
                                 struct error *error)
{
    const struct graph *graph = scope->graph;
    bool loop = graph->op[o].loop;
    assert(scope->region_load && graph->op[o].first_region != GRAPH_NONE);
    *scratch = (struct order_scratch){0};
    if (scope->owners == ORDER_OWNERS_BLOCK && !loop)
        return join_regions(scope, o, &scratch->block_bytes, error);
    if (scope->owners == ORDER_OWNERS_IN_LINE)
        TRY(run_in_line(scope, o, &scratch->running_bytes, error));
    else
        TRY(join_regions(scope, o, &scratch->running_bytes, error));
    if (scope->owners == ORDER_OWNERS_LEAST)
        return STATUS_OK;
    /* A carried argument is the place of the loop's result, which counts among the outputs. Where
       that result is external, the argument takes bytes only while the loop runs. */
    for (uint32_t i = 0; i < graph->op[o].carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + i];
        if (graph->tensor[carried->result].external)
            TRY(add_bytes(&scratch->running_bytes, arena_bytes(graph, carried->argument), error));
    }
    /* What branches yield is among the outputs already. */
    if (!loop && scope->owners == ORDER_OWNERS_IN_LINE)
        scratch->running_bytes =
            scratch->running_bytes > outputs_bytes ? scratch->running_bytes - outputs_bytes : 0;
    return STATUS_OK;
}
