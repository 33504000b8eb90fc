#include <assert.h>
#include <string.h>

#include "planning/liveness/sharing.h"
#include "planning/lowering/path_level.h"
#include "planning/policies/whole_graph.h"
#include "planning/problem/bounds.h"

/* Like planning/policies/path.c, but what a branch yields keeps a place of its own, and whoever
   reads the result of an If reads where the taken branch left it. A yield is needed as long as the
   result is, on the paths that took its branch. Two tensors conflict exactly when some path has
   both live at once; where that is no matter of time, steps behind the end of the line say so.

       if -> r, then: relu -> t, else: pool -> e; dense reads r

       step   0 enters  1 relu  2 pool  3 leaves  4 dense | 5 dense
       t                [     ]         [               ] |            where then was taken
       e                        [     ]                   | [     ]    where else was: never with t
       dense                                      [     ]   [     ]

   What a branch passes through from outside can also be copied, as planning/policies/path.c does:
   sometimes that frees a gap which nothing could use while it stays. Where a graph has such yields,
   both are planned and the better is taken, so that no other safe policy is ever below. */

static enum status make_select(const struct policy_input *input, struct policy_level *made,
                               struct error *error)
{
    TRY(liveness_create_shared(input->graph, input->placement, &made->liveness, error));
    return path_level_create(
        &(struct level_source){input->graph, made->liveness, input->alignment_bytes}, NULL,
        &made->level, error);
}

static bool is_found(const struct placement *placement)
{
    return plan_status_is_found(placement->status);
}

static bool is_better(const struct placement *placement, const struct placement *other)
{
    if (!is_found(placement) || !is_found(other))
        return is_found(placement) || (!is_found(other) && other->status == PLAN_INFEASIBLE);
    return placement->measures.peak_bytes < other->measures.peak_bytes;
}

static uint64_t take_less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Bounds have to hold for plans of either kind. */
static void keep_better(struct placement *placement, struct placement *copying)
{
    const struct measures *a = &placement->measures, *b = &copying->measures;
    uint64_t nodes = a->nodes + b->nodes, naive_bytes = a->naive_bytes;
    uint64_t load_bytes = take_less(a->load_bytes, b->load_bytes);
    uint64_t bound_bytes = take_less(a->lower_bound_bytes, b->lower_bound_bytes);
    assert(load_bytes <= bound_bytes);
    assert(placement->tensors == copying->tensors);
    if (is_better(copying, placement)) {
        struct placement worse = *placement;
        *placement = *copying;
        *copying = worse;
    }
    placement->measures.nodes = nodes;
    placement->measures.naive_bytes = naive_bytes;
    placement->measures.load_bytes = load_bytes;
    placement->measures.lower_bound_bytes = bound_bytes;
    if (is_found(placement))
        placement->status =
            placement->measures.peak_bytes == bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
}

static enum status plan_copying(const struct graph *graph, const struct policy_level *made,
                                const struct level_planner *planner, struct placement *placement,
                                struct error *error)
{
    struct placement *copying;
    TRY(placement_create(graph, &copying, error));
    memcpy(copying->overwrites, placement->overwrites,
           graph->tensors * sizeof *copying->overwrites);
    memcpy(copying->is_view, placement->is_view, graph->tensors * sizeof *copying->is_view);
    enum status status = policy_level_plan(made, planner, copying, error);
    if (!status)
        keep_better(placement, copying);
    placement_free(copying);
    return status;
}

/* Copies never lower the load, so a plan at the load without them cannot be beaten; where the load
   with them is no less than the peak without, they are no use either. */
static bool may_win(const struct placement *placement, uint64_t load_bytes)
{
    return !is_found(placement) || load_bytes < placement->measures.peak_bytes;
}

/* Frees the places. */
static enum status try_copying(const struct graph *graph, struct result_places *places,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error)
{
    const struct policy_input input = {graph, placement, planner->alignment_bytes};
    struct policy_level made;
    uint64_t load_bytes;
    enum status status;
    TRY_OR_DONE(status, policy_level_create_in_places(&input, places, &made, error));
    TRY_OR_DONE(status, problem_load(made.level->problem, &load_bytes, NULL, error));
    assert(made.places == places);
    if (may_win(placement, load_bytes))
        status = plan_copying(graph, &made, planner, placement, error);
done:
    policy_level_free(&made);
    return status;
}

static enum status plan_selecting(const struct graph *graph, const struct level_planner *planner,
                                  bool copies, struct placement *placement, struct error *error)
{
    const struct policy_input input = {graph, placement, planner->alignment_bytes};
    struct policy_level made;
    enum status status = policy_level_create(&policy_select, &input, &made, error);
    if (!status) {
        made.level->more_plans = copies;
        status = policy_level_plan(&made, planner, placement, error);
    }
    policy_level_free(&made);
    return status;
}

static enum status place_select(const struct graph *graph, const struct level_planner *planner,
                                struct placement *placement, struct error *error)
{
    struct result_places *places;
    TRY(result_places_create(graph, placement, &places, error));
    bool copies = result_places_leave_copies(graph, places);
    enum status status = plan_selecting(graph, planner, copies, placement, error);
    if (!status && copies && may_win(placement, placement->measures.load_bytes))
        return try_copying(graph, places, planner, placement, error);
    result_places_free(places);
    return status;
}

const struct policy policy_select = {
    .name = "select",
    .title = "like path, but what each branch yields keeps a place of its own and readers choose "
             "the address at run time",
    .source = "ours",
    .flags = POLICY_PATHS,
    .alternative = &policy_path,
    .make_level = make_select,
    .place = place_select,
};
