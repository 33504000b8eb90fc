#include "planning/liveness/shared_places.h"

#include "core/memory.h"
#include "core/sort.h"
#include "planning/graph/value_bytes.h"
#include "planning/liveness/path_liveness.h"
#include "planning/liveness/sharing.h"

struct checker {
    const struct shared_places *shared;
    const struct liveness *liveness;
    const bool *varies; /* [tensors] whose values have fewer bytes on some paths */
};

/* Whether the source's value is moved into the argument at this step, so that both may need one
   place for the same value then. Not where the source may have fewer bytes than the argument: the
   move would write the others. */
static bool is_moved_at(const struct checker *checker, uint32_t argument, uint32_t source,
                        uint32_t step)
{
    const struct graph *graph = checker->shared->graph;
    const uint64_t *bytes = checker->shared->places->bytes;
    uint32_t o = graph->tensor[argument].producer;
    if (o == GRAPH_NONE || !graph->op[o].loop || bytes[argument] != bytes[source] ||
        checker->varies[source])
        return false;
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + c];
        if (carried->argument != argument)
            continue;
        if ((carried->init == source && step == checker->liveness->enter_step[o]) ||
            (carried->yield == source && step == checker->liveness->leave_step[o]))
            return true;
    }
    return false;
}

/* Whether a turn of the argument's loop ends in the steps [lower, upper): the argument may have
   another value from then on. */
static bool changes_in(const struct checker *checker, uint32_t argument, uint32_t lower,
                       uint32_t upper)
{
    const struct graph *graph = checker->shared->graph;
    uint32_t o = graph->tensor[argument].producer;
    return o != GRAPH_NONE && graph->op[o].loop && lower <= checker->liveness->leave_step[o] &&
           checker->liveness->leave_step[o] < upper;
}

static bool may_overlap(const struct checker *checker, const struct path_interval *a,
                        const struct path_interval *b)
{
    const uint32_t *overwrites = checker->shared->placement->overwrites;
    const uint32_t *same = checker->shared->same;
    uint32_t lower = a->lower > b->lower ? a->lower : b->lower;
    uint32_t upper = a->upper < b->upper ? a->upper : b->upper;
    if (lower >= upper || a->tensor == b->tensor || overwrites[a->tensor] != GRAPH_NONE ||
        overwrites[b->tensor] != GRAPH_NONE)
        return true;
    if (same[a->tensor] == same[b->tensor])
        return !changes_in(checker, same[a->tensor], lower, upper);
    return upper == lower + 1 && (is_moved_at(checker, a->tensor, b->tensor, lower) ||
                                  is_moved_at(checker, b->tensor, a->tensor, lower));
}

/* item[intervals]: the intervals in the order of their places, those of a place as they begin. */
static bool all_may_overlap(const struct checker *checker, const struct path_liveness *paths,
                            const uint32_t *item)
{
    const uint32_t *root = checker->liveness->root;
    for (uint32_t i = 0; i < paths->intervals; i++) {
        const struct path_interval *a = &paths->interval[item[i]];
        for (uint32_t j = i + 1; j < paths->intervals; j++) {
            const struct path_interval *b = &paths->interval[item[j]];
            if (root[a->tensor] != root[b->tensor] || b->lower >= a->upper)
                break;
            if (!may_overlap(checker, a, b))
                return false;
        }
    }
    return true;
}

static enum status check_intervals(const struct checker *checker, const struct path_liveness *paths,
                                   bool *valid, struct error *error)
{
    uint64_t *key = NULL;
    uint32_t *item = NULL;
    enum status status;
    TRY_OR_DONE(status, memory_create(&key, paths->intervals, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&item, paths->intervals, sizeof *item, error));
    for (uint32_t i = 0; i < paths->intervals; i++) {
        const struct path_interval *interval = &paths->interval[i];
        item[i] = i;
        key[i] = (uint64_t)checker->liveness->root[interval->tensor] << 32 | interval->lower;
    }
    TRY_OR_DONE(status, sort_items(key, item, paths->intervals, error));
    *valid = all_may_overlap(checker, paths, item);
done:
    memory_free(key);
    memory_free(item);
    return status;
}

enum status shared_places_check(const struct shared_places *shared, bool *valid,
                                struct error *error)
{
    struct liveness *liveness = NULL;
    struct path_liveness *paths = NULL;
    bool *varies = NULL;
    enum status status;
    TRY_OR_DONE(status, liveness_create_in_places(shared->graph, shared->placement, shared->places,
                                                  &liveness, error));
    TRY_OR_DONE(status,
                path_liveness_create(shared->graph, liveness, shared->places, &paths, error));
    TRY_OR_DONE(status,
                value_bytes_vary_create(shared->graph, shared->places->bytes, &varies, error));
    status = check_intervals(&(struct checker){shared, liveness, varies}, paths, valid, error);
done:
    memory_free(varies);
    path_liveness_free(paths);
    liveness_free(liveness);
    return status;
}
