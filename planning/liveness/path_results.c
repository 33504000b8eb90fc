#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_builder.h"
#include "planning/liveness/path_liveness.h"

static enum status add_need(struct path_builder *builder, uint32_t tensor, struct path_need need)
{
    assert(tensor < builder->graph->tensors);
    TRY(memory_reserve(&builder->need, &builder->need_capacity, (size_t)builder->needs + 1,
                       sizeof need, builder->error));
    assert(need.lower < need.upper && need.condition < builder->paths->conditions);
    need.next = builder->first_need[tensor];
    builder->first_need[tensor] = builder->needs;
    builder->need[builder->needs++] = need;
    return STATUS_OK;
}

static enum status add_condition(struct path_builder *builder, uint32_t region, uint32_t parent)
{
    struct path_liveness *paths = builder->paths;
    TRY(memory_reserve(&paths->condition, &builder->condition_capacity,
                       (size_t)paths->conditions + 1, sizeof *paths->condition, builder->error));
    assert(parent < paths->conditions || !paths->conditions);
    paths->condition[paths->conditions++] =
        (struct path_condition){.region = region,
                                .parent = parent,
                                .branches = paths->condition[parent].branches + 1,
                                .split_by = GRAPH_NONE};
    return STATUS_OK;
}

/* What the branches yield for an output of the operator is needed while the output is, each on the
   paths that take its branch: under a condition that adds the branch to those of the output. One
   branch, or branches that all yield the same tensor, add nothing. */
static enum status need_yields(struct path_builder *builder, uint32_t o, uint32_t output,
                               struct path_need need)
{
    const struct graph *graph = builder->graph;
    struct path_liveness *paths = builder->paths;
    uint32_t first = graph->op[o].first_region, yield = graph_yield(graph, first, output);
    bool differ = false;
    assert(!graph->op[o].loop && need.condition < paths->conditions);
    for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next)
        differ = differ || graph_yield(graph, r, output) != yield;
    if (!differ)
        return graph->tensor[yield].external ? STATUS_OK : add_need(builder, yield, need);

    uint32_t split = need.condition;
    assert(need.lower < need.upper && need.upper <= paths->steps);
    if (paths->condition[split].branches == PATH_MOST_BRANCHES) {
        paths->is_cautious = true;
        split = PATH_ALWAYS;
    }
    if (paths->condition[split].split_by != o) {
        paths->condition[split].split_by = o;
        paths->condition[split].first_child = paths->conditions;
        for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next)
            TRY(add_condition(builder, r, split));
    }
    need.condition = paths->condition[split].first_child;
    for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next, need.condition++) {
        assert(need.condition > split && paths->condition[need.condition].region == r);
        yield = graph_yield(graph, r, output);
        if (!graph->tensor[yield].external)
            TRY(add_need(builder, yield, need));
    }
    return STATUS_OK;
}

/* The result has no place of its own: while it is needed, so is the argument of the loop, or
   without one what the branches yield for it. Makes the intervals of the result to see when that
   is, and removes them again. */
static enum status pass_result(struct path_builder *builder, uint32_t o, uint32_t output,
                               uint32_t argument)
{
    struct path_liveness *paths = builder->paths;
    const struct graph_operator *op = &builder->graph->op[o];
    uint32_t result = builder->graph->list[op->outputs.first + output];
    assert(output < op->outputs.count);
    uint32_t first = paths->intervals, leave = builder->liveness->leave_step[o];
    TRY(path_add_intervals(builder, result, op->region, leave, leave));
    if (builder->needs > builder->most_needs && paths->intervals > first) {
        /* There are too many needs: one interval covers all, under no condition. */
        struct path_interval *merged = &paths->interval[first];
        for (uint32_t p = first; p < paths->intervals; p++) {
            if (paths->interval[p].lower < merged->lower)
                merged->lower = paths->interval[p].lower;
            if (paths->interval[p].upper > merged->upper)
                merged->upper = paths->interval[p].upper;
        }
        assert(merged->lower < merged->upper && merged->upper <= paths->steps);
        if (paths->intervals > first + 1 || merged->condition != PATH_ALWAYS)
            paths->is_cautious = true;
        merged->condition = PATH_ALWAYS;
        paths->intervals = first + 1;
    }
    for (uint32_t p = first; p < paths->intervals; p++) {
        struct path_need need = {paths->interval[p].lower, paths->interval[p].upper,
                                 paths->interval[p].condition, GRAPH_NONE};
        if (argument == GRAPH_NONE)
            TRY(need_yields(builder, o, output, need));
        else
            TRY(add_need(builder, argument, need));
    }
    paths->intervals = first;
    return STATUS_OK;
}

/* Goes through the operators with regions in reverse of the order in which they are left: a result
   is read by operators that are left later, or passed on in their results. */
enum status path_pass_results(struct path_builder *builder)
{
    const struct graph *graph = builder->graph;
    const bool *has_place = builder->places ? builder->places->has_place : NULL;
    SCOPED(memory_release) uint32_t *left = NULL;
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->first_need[t] = GRAPH_NONE;
    assert(builder->paths->conditions == PATH_ALWAYS);
    TRY(add_condition(builder, GRAPH_NONE, PATH_ALWAYS));
    builder->paths->condition[PATH_ALWAYS].branches = 0;
    TRY(memory_create(&left, graph->operators, sizeof *left, builder->error));
    for (uint32_t l = graph_list_left(graph, left); l-- > 0;) {
        struct span outputs = graph->op[left[l]].outputs, carried = graph->op[left[l]].carried;
        assert(graph->op[left[l]].first_region != GRAPH_NONE);
        for (uint32_t i = 0; i < outputs.count && !graph->op[left[l]].loop; i++) {
            uint32_t result = graph->list[outputs.first + i];
            if (!graph->tensor[result].external && !(has_place && has_place[result]))
                TRY(pass_result(builder, left[l], i, GRAPH_NONE));
        }
        for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
            uint32_t result = graph->carried[c].result;
            if (!graph->tensor[result].external)
                TRY(pass_result(builder, left[l], graph_position(graph, outputs, result),
                                graph->carried[c].argument));
        }
    }
    assert(builder->paths->intervals == 0);
    return STATUS_OK;
}
