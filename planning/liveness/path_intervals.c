#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/liveness/path_builder.h"
#include "planning/liveness/path_liveness.h"

static enum status add_interval(struct path_builder *builder, struct path_interval interval)
{
    struct path_liveness *paths = builder->paths;
    struct path_interval *last = paths->intervals ? &paths->interval[paths->intervals - 1] : NULL;
    if (interval.lower >= interval.upper)
        return STATUS_OK;
    assert(interval.upper <= paths->steps && interval.condition < paths->conditions);
    if (last && last->tensor == interval.tensor && last->condition == interval.condition &&
        last->upper == interval.lower) {
        last->upper = interval.upper;
        return STATUS_OK;
    }
    TRY(memory_reserve(&paths->interval, &builder->interval_capacity, (size_t)paths->intervals + 1,
                       sizeof interval, builder->error));
    paths->interval[paths->intervals++] = interval;
    return STATUS_OK;
}

enum status path_add_always(struct path_builder *builder, uint32_t tensor, uint32_t lower,
                            uint32_t upper)
{
    return add_interval(builder, (struct path_interval){tensor, lower, upper, PATH_ALWAYS});
}

/* The one among `region` and the regions around it whose owner is an operator directly in `outer`;
   `outer` where `region` is `outer`. */
static uint32_t find_inner(const struct graph *graph, uint32_t region, uint32_t outer)
{
    uint32_t inner = region;
    while (region != outer) {
        assert(region != 0);
        inner = region;
        region = graph->op[graph->region[region].owner].region;
    }
    return inner;
}

/* The uses of a tensor numbered first to last - 1, in the order of the program. */
struct uses {
    uint32_t tensor, first, last;
};

/* Makes the tensor live in the region, from the step `from` on, as far as the uses need it: at
   least one, all inside the region. There can be no hole before the last operator of the region
   that uses the tensor, as each run reaches it; if that operator has branches, each is looked at by
   itself. */
static enum status cover_uses(struct path_builder *builder, struct uses uses, uint32_t region,
                              uint32_t from)
{
    const struct graph *graph = builder->graph;
    const struct path_use *use = builder->uses.use;
    assert(uses.first < uses.last);
    uint32_t inner = find_inner(graph, use[uses.last - 1].region, region);
    if (inner == region)
        return path_add_always(builder, uses.tensor, from, use[uses.last - 1].upper);
    uint32_t o = graph->region[inner].owner;
    assert(graph->op[o].region == region);
    if (graph->op[o].loop)
        return path_add_always(builder, uses.tensor, from, builder->liveness->leave_step[o] + 1);
    TRY(path_add_always(builder, uses.tensor, from, builder->liveness->enter_step[o] + 1));

    /* Regions inside a branch are numbered after it and before the next branch, so the uses of a
       branch follow one another. */
    uint32_t first = uses.last;
    while (first > uses.first && use[first - 1].region >= graph->op[o].first_region)
        first--;
    assert(first < uses.last);
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE && first < uses.last;
         r = graph->region[r].next) {
        uint32_t begin = first, next = graph->region[r].next;
        while (first < uses.last && (next == GRAPH_NONE || use[first].region < next))
            first++;
        if (begin < first)
            TRY(cover_uses(builder, (struct uses){uses.tensor, begin, first}, r,
                           builder->liveness->region_begin[r]));
    }
    assert(first == uses.last);
    return STATUS_OK;
}

enum status path_add_turn(struct path_builder *builder, uint32_t argument, uint32_t loop)
{
    const struct liveness *liveness = builder->liveness;
    const struct path_use *use = builder->uses.use;
    uint32_t first = builder->uses.first[argument], last = builder->uses.first[argument + 1];
    uint32_t enter = liveness->enter_step[loop], begin = last;
    assert(first <= last && builder->graph->tensor[argument].producer == loop);
    if (first == last)
        return STATUS_OK;
    for (uint32_t i = first; i < last; i++)
        if (use[i].upper > liveness->leave_step[loop])
            return path_add_always(builder, argument, enter, use[i].upper);
    uint32_t region =
        find_inner(builder->graph, use[last - 1].region, builder->graph->op[loop].region);
    while (begin > first && use[begin - 1].region >= region)
        begin--;
    assert(begin < last && builder->graph->region[region].owner == loop);
    TRY(path_add_always(builder, argument, enter, liveness->region_begin[region]));
    return cover_uses(builder, (struct uses){argument, begin, last}, region,
                      liveness->region_begin[region]);
}

COMPARE_MEMBERS(compare_intervals, struct path_interval, lower, upper)

/* The needs under no condition come first: sorted, and those that overlap or touch joined. Of each
   other need follow the parts at which the tensor is not live on every path anyway. */
enum status path_add_needs(struct path_builder *builder, uint32_t tensor, uint32_t first)
{
    struct path_liveness *paths = builder->paths;
    for (uint32_t n = builder->first_need[tensor]; n != GRAPH_NONE; n = builder->need[n].next) {
        struct path_need need = builder->need[n];
        if (need.condition == PATH_ALWAYS)
            TRY(path_add_always(builder, tensor, need.lower, need.upper));
    }
    assert(first <= paths->intervals);
    uint32_t last = first, end = paths->intervals;
    if (first < end) {
        struct path_interval *interval = paths->interval;
        qsort(interval + first, end - first, sizeof *interval, compare_intervals);
        for (uint32_t p = first + 1; p < end; p++)
            if (interval[p].lower > interval[last].upper)
                interval[++last] = interval[p];
            else if (interval[p].upper > interval[last].upper)
                interval[last].upper = interval[p].upper;
        paths->intervals = ++last;
    }
    assert(last <= end && paths->intervals == last);
    for (uint32_t n = builder->first_need[tensor]; n != GRAPH_NONE; n = builder->need[n].next) {
        struct path_interval rest = {tensor, builder->need[n].lower, builder->need[n].upper,
                                     builder->need[n].condition};
        uint32_t lower = rest.lower, upper = rest.upper;
        if (rest.condition == PATH_ALWAYS)
            continue;
        assert(lower < upper && rest.condition < paths->conditions);
        for (uint32_t p = BINARY_SEARCH(at, first, last, paths->interval[at].upper > lower);
             p < last && paths->interval[p].lower < upper; p++) {
            rest.upper = paths->interval[p].lower;
            uint32_t held_upper = paths->interval[p].upper;
            assert(paths->interval[p].tensor == tensor);
            assert(held_upper > rest.lower);
            TRY(add_interval(builder, rest));
            rest.lower = held_upper;
        }
        rest.upper = upper;
        TRY(add_interval(builder, rest));
    }
    return STATUS_OK;
}

enum status path_add_intervals(struct path_builder *builder, uint32_t tensor, uint32_t region,
                               uint32_t from, uint32_t upper)
{
    uint32_t made = builder->paths->intervals;
    uint32_t first = builder->uses.first[tensor], last = builder->uses.first[tensor + 1];
    assert(first <= last && from <= upper);
    TRY(path_add_always(builder, tensor, from, upper));
    if (first < last)
        TRY(cover_uses(builder, (struct uses){tensor, first, last}, region, upper));
    return path_add_needs(builder, tensor, made);
}
