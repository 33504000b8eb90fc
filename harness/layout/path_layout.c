#include "harness/layout/path_layout.h"

#include <stdlib.h>

#include "planning/liveness/path_liveness.h"

static int compare_pieces(const void *left, const void *right)
{
    const struct path_piece *a = left, *b = right;
    if (a->tensor != b->tensor)
        return a->tensor < b->tensor ? -1 : 1;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

/* Joins the needs of one tensor from `piece` on that are one run of steps, which ends at *upper.
   Returns the first behind them. */
static const struct path_piece *find_run(const struct path_piece *piece,
                                         const struct path_piece *end, uint32_t *upper)
{
    uint32_t tensor = piece->tensor;
    *upper = piece->upper;
    for (; piece < end && piece->tensor == tensor && piece->lower <= *upper; piece++)
        if (piece->upper > *upper)
            *upper = piece->upper;
    return piece;
}

static enum status add_runs(const struct graph *graph, const struct placement *placement,
                            struct path_liveness *paths, struct layout *layout, struct error *error)
{
    const struct path_piece *piece = paths->piece, *end = piece + paths->pieces;
    if (paths->pieces)
        qsort(paths->piece, paths->pieces, sizeof *paths->piece, compare_pieces);
    while (piece < end) {
        struct layout_rectangle rectangle = {.label =
                                                 names_get(&graph->tensor_names, piece->tensor),
                                             .item = piece->tensor,
                                             .lower = piece->lower,
                                             .group = layout_region(graph, piece->tensor)};
        piece = find_run(piece, end, &rectangle.upper);
        if (placement->offset[rectangle.item] != PROBLEM_FREE)
            TRY(layout_add_extents(
                layout, rectangle,
                placement_begin(placement, rectangle.item, graph->tensor[rectangle.item].bytes),
                error));
    }
    return STATUS_OK;
}

/* Policy select gives results of Ifs no places of their own, policy path does. Where no result
   needs one, both come to the same. */
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
                                   struct homes **homes, struct liveness **liveness,
                                   struct error *error)
{
    if (!has_results(graph, placement))
        return liveness_create_shared(graph, placement, liveness, error);
    TRY(homes_create(graph, placement, homes, error));
    return liveness_create_homed(graph, placement, *homes, liveness, error);
}

enum status path_layout_add(const struct graph *graph, const struct placement *placement,
                            struct layout *layout, struct error *error)
{
    struct homes *homes = NULL;
    struct liveness *liveness = NULL;
    struct path_liveness *paths = NULL;
    enum status status;
    TRY_OR_DONE(status, create_liveness(graph, placement, &homes, &liveness, error));
    TRY_OR_DONE(status, path_liveness_create(graph, liveness, homes, &paths, error));
    TRY_OR_DONE(status, add_runs(graph, placement, paths, layout, error));
    layout->overlaps = true;
done:
    path_liveness_free(paths);
    liveness_free(liveness);
    homes_free(homes);
    return status;
}
