#include "harness/layout/path_layout.h"

#include <stdlib.h>

#include "core/compare.h"
#include "planning/liveness/path_liveness.h"
#include "planning/liveness/sharing.h"

static int compare_intervals(const void *left, const void *right)
{
    const struct path_interval *a = left, *b = right;
    int order = compare_numbers(a->tensor, b->tensor);
    return order ? order : compare_numbers(a->lower, b->lower);
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

enum status path_layout_add(const struct graph *graph, const struct placement *placement,
                            struct layout *layout, struct error *error)
{
    SCOPED(result_places_release) struct result_places *places = NULL;
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(path_liveness_release) struct path_liveness *paths = NULL;
    if (has_results(graph, placement)) {
        TRY(result_places_create(graph, placement, NULL, &places, error));
        TRY(liveness_create_in_places(graph, placement, places, &liveness, error));
    } else {
        TRY(liveness_create_shared(graph, placement, &liveness, error));
    }
    TRY(path_liveness_create(graph, liveness, places, &paths, error));
    if (paths->intervals)
        qsort(paths->interval, paths->intervals, sizeof *paths->interval, compare_intervals);
    const struct path_interval *interval = paths->interval, *end = interval + paths->intervals;
    while (interval < end) {
        uint32_t tensor = interval->tensor, lower = interval->lower, upper = interval->upper;
        /* The needs of one tensor that continue without a hole are one rectangle. */
        for (; interval < end && interval->tensor == tensor && interval->lower <= upper; interval++)
            if (interval->upper > upper)
                upper = interval->upper;
        const struct layout_rectangle rectangle = {.label = names_get(&graph->tensor_names, tensor),
                                                   .item = tensor,
                                                   .lower = lower,
                                                   .upper = upper,
                                                   .group = layout_region(graph, tensor)};
        if (placement->offset[tensor] != PROBLEM_FREE)
            TRY(layout_add_extents(layout, rectangle,
                                   placement_begin(placement, tensor, graph->tensor[tensor].bytes),
                                   error));
    }
    layout->overlaps = true;
    return STATUS_OK;
}
