#include "planning/liveness/path_results.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_intervals.h"

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

static uint32_t find_yield(const struct graph *graph, uint32_t region, uint32_t output)
{
    assert(output < graph->region[region].yields.count);
    return graph->list[graph->region[region].yields.first + output];
}

/* All branches yield the same tensor for the output. */
static bool yields_one(const struct graph *graph, uint32_t o, uint32_t output)
{
    uint32_t first = graph->op[o].first_region;
    for (uint32_t r = first; r != GRAPH_NONE; r = graph->region[r].next)
        if (find_yield(graph, r, output) != find_yield(graph, first, output))
            return false;
    return true;
}

/* What the branches yield for an output of the operator is needed while the output is, each on the
   paths that take its branch. */
static enum status need_yields(struct path_builder *builder, uint32_t o, uint32_t output,
                               struct path_need need)
{
    const struct graph *graph = builder->graph;
    uint32_t condition, first = find_yield(graph, graph->op[o].first_region, output);
    assert(!graph->op[o].loop);
    if (yields_one(graph, o, output))
        return graph->tensor[first].external ? STATUS_OK : add_need(builder, first, need);
    TRY(split_condition(builder, o, need.condition, &condition));
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t yield = find_yield(graph, r, output);
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

static enum status pass_branch_results(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    struct span outputs = graph->op[o].outputs;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        if (!graph->tensor[result].external &&
            !(builder->places && builder->places->has_place[result]))
            TRY(pass_result(builder, o, i, GRAPH_NONE));
    }
    return STATUS_OK;
}

static uint32_t find_output(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    const uint32_t *output = graph->list + graph->op[o].outputs.first;
    uint32_t i = 0;
    while (output[i] != tensor)
        i++;
    assert(i < graph->op[o].outputs.count);
    return i;
}

static enum status pass_loop_results(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    struct span carried = graph->op[o].carried;
    for (uint32_t c = 0; c < carried.count; c++) {
        const struct graph_carried *value = &graph->carried[carried.first + c];
        if (!graph->tensor[value->result].external)
            TRY(pass_result(builder, o, find_output(graph, o, value->result), value->argument));
    }
    return STATUS_OK;
}

static enum status start_needs(struct path_builder *builder)
{
    for (uint32_t t = 0; t < builder->graph->tensors; t++)
        builder->first_need[t] = GRAPH_NONE;
    assert(builder->paths->conditions == PATH_ALWAYS);
    TRY(add_condition(builder, GRAPH_NONE, PATH_ALWAYS));
    builder->paths->condition[PATH_ALWAYS].branches = 0;
    return STATUS_OK;
}

/* Goes through the operators with regions in reverse of the order in which they are left: a result
   is read by operators that are left later, or passed on in their results. */
enum status path_pass_results(struct path_builder *builder)
{
    const struct graph *graph = builder->graph;
    uint32_t *left_at;
    enum status status = STATUS_OK;
    TRY(start_needs(builder));
    TRY(memory_create(&left_at, builder->liveness->steps, sizeof *left_at, builder->error));
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].first_region != GRAPH_NONE)
            left_at[builder->liveness->leave_step[o]] = o + 1;
    for (uint32_t s = builder->liveness->steps; s-- > 0 && !status;)
        if (left_at[s])
            status = graph->op[left_at[s] - 1].loop ? pass_loop_results(builder, left_at[s] - 1)
                                                    : pass_branch_results(builder, left_at[s] - 1);
    assert(status || builder->paths->intervals == 0);
    memory_free(left_at);
    return status;
}
