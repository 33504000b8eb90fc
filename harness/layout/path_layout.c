#include "harness/layout/path_layout.h"

#include <stdlib.h>

#include "planning/liveness/path_liveness.h"
#include "planning/liveness/sharing.h"

static int compare_intervals(const void *left, const void *right)
{
    const struct path_interval *a = left, *b = right;
    if (a->tensor != b->tensor)
        return a->tensor < b->tensor ? -1 : 1;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Finds how far the needs of one tensor from `interval` on continue without a hole; *upper is where
   they end. Returns the first interval behind them. */
static const struct path_interval *find_run(const struct path_interval *interval,
                                            const struct path_interval *end, uint32_t *upper)
{
    uint32_t tensor = interval->tensor;
    *upper = interval->upper;
    for (; interval < end && interval->tensor == tensor && interval->lower <= *upper; interval++)
        if (interval->upper > *upper)
            *upper = interval->upper;
    return interval;
}

static enum status add_runs(const struct graph *graph, const struct placement *placement,
                            struct path_liveness *paths, struct layout *layout, struct error *error)
{
    const struct path_interval *interval = paths->interval, *end = interval + paths->intervals;
    if (paths->intervals)
        qsort(paths->interval, paths->intervals, sizeof *paths->interval, compare_intervals);
    while (interval < end) {
        struct layout_rectangle rectangle = {.label =
                                                 names_get(&graph->tensor_names, interval->tensor),
                                             .item = interval->tensor,
                                             .lower = interval->lower,
                                             .group = layout_region(graph, interval->tensor)};
        interval = find_run(interval, end, &rectangle.upper);
        if (placement->offset[rectangle.item] != PROBLEM_FREE)
            TRY(layout_add_extents(
                layout, rectangle,
                placement_begin(placement, rectangle.item, graph->tensor[rectangle.item].bytes),
                error));
    }
    return STATUS_OK;
}

/* Whether results of Ifs have places of their own, as under policy path but not under policy
   select. Where no result needs one, both policies give the same. */
static bool has_results(const struct graph *graph, const struct placement *placement)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        for (uint32_t i = 0; i < op->outputs.count; i++)
            if (op->first_region != GRAPH_NONE && !op->loop &&
                placement->offset[graph->list[op->outputs.first + i]] != PROBLEM_FREE)
                return true;
    }
    return false;
}

static enum status create_liveness(const struct graph *graph, const struct placement *placement,
                                   struct result_places **places, struct liveness **liveness,
                                   struct error *error)
{
    if (!has_results(graph, placement))
        return liveness_create_shared(graph, placement, liveness, error);
    TRY(result_places_create(graph, placement, NULL, places, error));
    return liveness_create_in_places(graph, placement, *places, liveness, error);
}

enum status path_layout_add(const struct graph *graph, const struct placement *placement,
                            struct layout *layout, struct error *error)
{
    SCOPED(result_places_release) struct result_places *places = NULL;
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(path_liveness_release) struct path_liveness *paths = NULL;
    TRY(create_liveness(graph, placement, &places, &liveness, error));
    TRY(path_liveness_create(graph, liveness, places, &paths, error));
    TRY(add_runs(graph, placement, paths, layout, error));
    layout->overlaps = true;
    return STATUS_OK;
}
