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

/* The first of the conditions that each branch of the operator adds to this one, in their order. An
   operator with one branch adds nothing. */
static enum status split_condition(struct path_builder *builder, uint32_t o, uint32_t condition,
                                   uint32_t *first)
{
    const struct graph *graph = builder->graph;
    *first = condition;
    if (graph->op[o].first_region == graph->op[o].last_region)
        return STATUS_OK;
    if (builder->paths->condition[condition].branches == PATH_MOST_BRANCHES) {
        builder->paths->is_cautious = true;
        condition = PATH_ALWAYS;
    }
    if (builder->paths->condition[condition].split_by != o) {
        builder->paths->condition[condition].split_by = o;
        builder->paths->condition[condition].first_child = builder->paths->conditions;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            TRY(add_condition(builder, r, condition));
    }
    *first = builder->paths->condition[condition].first_child;
    assert(*first > condition && *first < builder->paths->conditions);
    return STATUS_OK;
}

/* All branches yield the same tensor for the output. */
static bool yields_one(const struct graph *graph, uint32_t o, uint32_t output)
{
    uint32_t first = graph->op[o].first_region;
    for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next)
        if (graph_yield(graph, r, output) != graph_yield(graph, first, output))
            return false;
    return true;
}

/* What the branches yield for an output of the operator is needed while the output is, each on the
   paths that take its branch. */
static enum status need_yields(struct path_builder *builder, uint32_t o, uint32_t output,
                               struct path_need need)
{
    const struct graph *graph = builder->graph;
    uint32_t condition, first = graph_yield(graph, graph->op[o].first_region, output);
    assert(!graph->op[o].loop);
    if (yields_one(graph, o, output))
        return graph->tensor[first].external ? STATUS_OK : add_need(builder, first, need);
    TRY(split_condition(builder, o, need.condition, &condition));
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t yield = graph_yield(graph, r, output);
        need.condition = condition++;
        if (!graph->tensor[yield].external)
            TRY(add_need(builder, yield, need));
    }
    return STATUS_OK;
}

/* Replaces the intervals from `first` on by one that covers them all, under no condition. */
static void merge_intervals(struct path_liveness *paths, uint32_t first)
{
    struct path_interval *merged = &paths->interval[first];
    for (uint32_t p = first; p < paths->intervals; p++) {
        if (paths->interval[p].lower < merged->lower)
            merged->lower = paths->interval[p].lower;
        if (paths->interval[p].upper > merged->upper)
            merged->upper = paths->interval[p].upper;
    }
    assert(first < paths->intervals && merged->lower < merged->upper);
    paths->is_cautious =
        paths->is_cautious || paths->intervals > first + 1 || merged->condition != PATH_ALWAYS;
    merged->condition = PATH_ALWAYS;
    paths->intervals = first + 1;
}

/* The result has no place of its own: while it is needed, so is the argument of the loop, or
   without one what the branches yield for it. Makes the intervals of the result to see when that
   is, and removes them again. */
static enum status pass_result(struct path_builder *builder, uint32_t o, uint32_t output,
                               uint32_t argument)
{
    const struct graph *graph = builder->graph;
    struct path_liveness *paths = builder->paths;
    uint32_t result = graph->list[graph->op[o].outputs.first + output];
    uint32_t first = paths->intervals;
    uint32_t leave = builder->liveness->leave_step[o];
    TRY(path_add_intervals(builder, result, graph->op[o].region, leave, leave));
    if (builder->needs > builder->most_needs && paths->intervals > first)
        merge_intervals(paths, first);
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

static enum status pass_results(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct result_places *places = builder->places;
    struct span outputs = graph->op[o].outputs, carried = graph->op[o].carried;
    for (uint32_t i = 0; i < outputs.count && !graph->op[o].loop; i++) {
        uint32_t result = graph->list[outputs.first + i];
        if (!graph->tensor[result].external && !(places && places->has_place[result]))
            TRY(pass_result(builder, o, i, GRAPH_NONE));
    }
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++) {
        uint32_t result = graph->carried[c].result;
        if (!graph->tensor[result].external)
            TRY(pass_result(builder, o, graph_position(graph, outputs, result),
                            graph->carried[c].argument));
    }
    return STATUS_OK;
}

/* Goes through the operators with regions in reverse of the order in which they are left: a result
   is read by operators that are left later, or passed on in their results. */
enum status path_pass_results(struct path_builder *builder)
{
    const struct graph *graph = builder->graph;
    uint32_t *left;
    enum status status = STATUS_OK;
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->first_need[t] = GRAPH_NONE;
    assert(builder->paths->conditions == PATH_ALWAYS);
    TRY(add_condition(builder, GRAPH_NONE, PATH_ALWAYS));
    builder->paths->condition[PATH_ALWAYS].branches = 0;
    TRY(memory_create(&left, graph->operators, sizeof *left, builder->error));
    for (uint32_t i = graph_list_left(graph, left); i-- > 0 && !status;)
        status = pass_results(builder, left[i]);
    assert(status || builder->paths->intervals == 0);
    memory_free(left);
    return status;
}
