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
    return graph->tensor[tensor].external ? 0 : graph->tensor[tensor].bytes;
}

static enum status add_source(struct order_lists *sources, uint32_t tensor, struct error *error)
{
    return order_lists_has(sources, tensor) ? STATUS_OK : order_lists_add(sources, tensor, error);
}

static enum status add_branches(const struct graph *graph, uint32_t tensor,
                                struct order_lists *sources, struct error *error)
{
    const struct graph_operator *op = &graph->op[graph->tensor[tensor].producer];
    uint32_t position = graph_position(graph, op->outputs, tensor);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(add_source(sources, graph_yield(graph, r, position), error));
    return STATUS_OK;
}

/* Whether the tensor is the result of an If inside the region: then not it counts, but what its
   branches leave. Such a tensor stays in the row that it was found in, and counts for nothing
   there. */
static bool is_result_inside(const struct graph *graph, uint32_t r, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer, owner = graph->region[r].owner;
    return producer != GRAPH_NONE && producer > owner && producer < graph->op[owner].end &&
           graph_has_branches(graph, producer);
}

enum status order_owners_sources(const struct graph *graph, uint32_t r, uint32_t position,
                                 struct order_lists *sources, struct error *error)
{
    TRY(add_source(sources, graph_yield(graph, r, position), error));
    uint32_t i = sources->start[sources->rows];
    for (; i < sources->start[sources->rows + 1]; i++)
        if (is_result_inside(graph, r, sources->item[i]))
            TRY(add_branches(graph, sources->item[i], sources, error));
    return STATUS_OK;
}

/* Adds the bytes of those tensors in the row that were made inside operator o. */
static enum status add_made_inside(const struct graph *graph, uint32_t o,
                                   const struct order_lists *sources, uint64_t *bytes,
                                   struct error *error)
{
    uint32_t first = graph->op[o].first_region;
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
    uint32_t tensor = graph->list[op->outputs.first + position];
    bool least = scope->owners == ORDER_OWNERS_LEAST && op->first_region != GRAPH_NONE;
    *bytes = least ? 0 : arena_bytes(graph, tensor);
    if (!graph_has_branches(graph, o) || scope->owners == ORDER_OWNERS_PLACES)
        return STATUS_OK;
    *bytes = 0;
    if (scope->owners != ORDER_OWNERS_IN_LINE)
        return STATUS_OK;
    struct order_lists sources = {0};
    enum status status = STATUS_OK;
    for (uint32_t r = op->first_region; r != GRAPH_NONE && !status; r = graph->region[r].next)
        status = order_owners_sources(graph, r, position, &sources, error);
    if (!status)
        status = add_made_inside(graph, o, &sources, bytes, error);
    order_lists_free(&sources);
    return status;
}

/* Adds the bytes of what was made in a region and is left when it has run: what it yields. */
static enum status add_yielded(const struct graph *graph, uint32_t r, uint64_t *bytes,
                               struct error *error)
{
    struct order_lists sources = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->region[r].yields.count && !status; i++)
        status = order_owners_sources(graph, r, i, &sources, error);
    if (!status)
        status = add_made_inside(graph, graph->region[r].owner, &sources, bytes, error);
    order_lists_free(&sources);
    return status;
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
        TRY(add_yielded(graph, r, &yielded, error));
    }
    return STATUS_OK;
}

static enum status join_regions(const struct order_scope *scope, uint32_t o, uint64_t *joined,
                                struct error *error)
{
    const struct graph *graph = scope->graph;
    bool add = scope->side_by_side && !graph->op[o].loop;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (add)
            TRY(add_bytes(joined, scope->region_load[r], error));
        else if (scope->region_load[r] > *joined)
            *joined = scope->region_load[r];
    return STATUS_OK;
}

/* A carried argument is the place of the loop's result, which counts among the outputs. Where that
   result is external, the argument takes bytes only while the loop runs: adds these. */
static enum status add_arguments(const struct graph *graph, uint32_t o, uint64_t *bytes,
                                 struct error *error)
{
    for (uint32_t i = 0; i < graph->op[o].carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + i];
        if (graph->tensor[carried->result].external)
            TRY(add_bytes(bytes, arena_bytes(graph, carried->argument), error));
    }
    return STATUS_OK;
}

enum status order_owners_scratch(const struct order_scope *scope, uint32_t o,
                                 uint64_t outputs_bytes, struct order_scratch *scratch,
                                 struct error *error)
{
    bool loop = scope->graph->op[o].loop;
    assert(scope->region_load && scope->graph->op[o].first_region != GRAPH_NONE);
    *scratch = (struct order_scratch){0};
    if (scope->owners == ORDER_OWNERS_BLOCK && !loop)
        return join_regions(scope, o, &scratch->block_bytes, error);
    if (scope->owners == ORDER_OWNERS_IN_LINE)
        TRY(run_in_line(scope, o, &scratch->running_bytes, error));
    else
        TRY(join_regions(scope, o, &scratch->running_bytes, error));
    if (scope->owners == ORDER_OWNERS_LEAST)
        return STATUS_OK;
    TRY(add_arguments(scope->graph, o, &scratch->running_bytes, error));
    /* What branches yield is among the outputs already. */
    if (!loop && scope->owners == ORDER_OWNERS_IN_LINE)
        scratch->running_bytes =
            scratch->running_bytes > outputs_bytes ? scratch->running_bytes - outputs_bytes : 0;
    return STATUS_OK;
}
