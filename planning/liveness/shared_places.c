#include "planning/liveness/shared_places.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/graph/value_bytes.h"
#include "planning/liveness/path_liveness.h"
#include "planning/liveness/sharing.h"
#include "planning/liveness/value_places.h"

/* Intervals in groups. A group has the intervals of all tensors of one place, or of all tensors
   with one value, in the order in which they begin. */
struct checker {
    const struct shared_places *shared;
    struct liveness *liveness;
    struct path_liveness *paths;
    struct value_places where;
    bool *varies;          /* [tensors] whose values have fewer bytes on some paths */
    const uint32_t *group; /* [tensors] */
    uint64_t *key;         /* [intervals] its group and its first step */
    uint32_t *item;        /* [intervals] */
    struct scratch memory; /* of the keys, the items and `where` */
};

static enum status create(struct checker *checker, bool by_value, struct error *error)
{
    const struct shared_places *shared = checker->shared;
    TRY(liveness_create_in_places(shared->graph, shared->placement, shared->places,
                                  &checker->liveness, error));
    TRY(path_liveness_create(shared->graph, checker->liveness, shared->places, &checker->paths,
                             error));
    TRY(value_places_create(&checker->where, shared->graph, shared->places->has_place,
                            &checker->memory, error));
    TRY(value_bytes_vary_create(shared->graph, shared->places->bytes, &checker->varies, error));
    uint32_t intervals = checker->paths->intervals;
    checker->group = by_value ? shared->same : checker->liveness->root;
    TRY(scratch_take_all(&checker->memory, intervals, error, &checker->key, &checker->item));
    for (uint32_t i = 0; i < intervals; i++) {
        const struct path_interval *interval = &checker->paths->interval[i];
        assert(interval->lower < interval->upper && interval->tensor < shared->graph->tensors);
        checker->item[i] = i;
        checker->key[i] = (uint64_t)checker->group[interval->tensor] << 32 | interval->lower;
    }
    return sort_items(checker->key, checker->item, intervals, error);
}

static void clear(struct checker *checker)
{
    scratch_free(&checker->memory);
    memory_free(checker->varies);
    path_liveness_free(checker->paths);
    liveness_free(checker->liveness);
}

static uint32_t find_step(const struct checker *checker, const struct graph_move *move)
{
    assert(move->o < checker->shared->graph->operators);
    return move->region == GRAPH_NONE ? checker->liveness->enter_step[move->o]
                                      : checker->liveness->leave_step[move->o];
}

/* The next interval, from the position `at` on, of a tensor of the group that is live at the step;
   NULL where there is none. Begin at find_first. */
static const struct path_interval *find_live(const struct checker *checker, uint32_t group,
                                             uint32_t step, uint32_t *at)
{
    while (*at < checker->paths->intervals && checker->key[*at] <= ((uint64_t)group << 32 | step)) {
        const struct path_interval *interval = &checker->paths->interval[checker->item[(*at)++]];
        assert(checker->group[interval->tensor] == group);
        if (step < interval->upper)
            return interval;
    }
    return NULL;
}

static uint32_t find_first(const struct checker *checker, uint32_t group)
{
    return BINARY_SEARCH(at, 0, checker->paths->intervals,
                         checker->key[at] >= (uint64_t)group << 32);
}

/* Whether the move may leave the value where it is. It may not where the value may have fewer bytes
   than the argument, since the argument's other bytes would be written. */
static bool may_coincide(const struct checker *checker, const struct graph_move *move)
{
    const struct graph *graph = checker->shared->graph;
    const uint64_t *bytes = checker->shared->places->bytes;
    assert(move->target < graph->tensors);
    return move->source != GRAPH_NONE && !graph->tensor[move->target].external &&
           !value_places_in_branches(&checker->where, move->target) &&
           (!graph->op[move->o].loop ||
            (bytes[move->source] == bytes[move->target] && !checker->varies[move->source]));
}

/* Whether the value of the source, or an equal one, is moved into the target at this step, so that
   both may need one place for the same value then. */
static bool is_moved_at(const struct checker *checker, uint32_t target, uint32_t source,
                        uint32_t step)
{
    const struct graph_moves *moves = checker->shared->moves;
    const uint32_t *same = checker->shared->same;
    assert(target != source);
    uint32_t o = checker->shared->graph->tensor[target].producer;
    if (o == GRAPH_NONE || !checker->shared->graph->op[o].loop)
        return false;
    for (uint32_t m = moves->first[o]; m < moves->first[o + 1]; m++)
        if (moves->move[m].target == target && may_coincide(checker, &moves->move[m]) &&
            same[moves->move[m].source] == same[source] &&
            find_step(checker, &moves->move[m]) == step)
            return true;
    return false;
}

static bool is_in_place(const struct checker *checker, uint32_t tensor)
{
    return checker->shared->placement->overwrites[tensor] != GRAPH_NONE;
}

/* The tensor in whose place this one is by what it overwrites. */
static uint32_t find_overwritten(const struct checker *checker, uint32_t tensor)
{
    while (is_in_place(checker, tensor))
        tensor = checker->shared->placement->overwrites[tensor];
    return tensor;
}

static bool may_overlap(const struct checker *checker, const struct path_interval *a,
                        const struct path_interval *b)
{
    const struct graph *graph = checker->shared->graph;
    const uint32_t *same = checker->shared->same;
    uint32_t lower = a->lower > b->lower ? a->lower : b->lower;
    uint32_t upper = a->upper < b->upper ? a->upper : b->upper;
    assert(a->lower < a->upper && b->lower < b->upper);
    if (lower >= upper ||
        find_overwritten(checker, a->tensor) == find_overwritten(checker, b->tensor))
        return true;
    if (same[a->tensor] != same[b->tensor])
        return upper == lower + 1 && (is_moved_at(checker, a->tensor, b->tensor, lower) ||
                                      is_moved_at(checker, b->tensor, a->tensor, lower));
    /* Where a turn ends in these steps, from then on only one of them, an argument of that loop,
       may have another value. */
    uint32_t o = graph->tensor[same[a->tensor]].producer;
    assert(lower < upper && same[a->tensor] == same[b->tensor]);
    return o == GRAPH_NONE || !graph->op[o].loop || lower > checker->liveness->leave_step[o] ||
           checker->liveness->leave_step[o] >= upper ||
           (graph->tensor[a->tensor].producer == o) == (graph->tensor[b->tensor].producer == o);
}

static void note_fault(bool certain, bool *valid, bool *sure)
{
    *valid = false;
    *sure = *sure || certain;
}

/* Whether some other move that is made at once takes its value from this group; surely, or only
   where certain branches were taken. Arguments of one loop may change places. */
static bool is_taken_from(struct checker *checker, uint32_t move, uint32_t group, bool surely)
{
    const struct graph_moves *moves = checker->shared->moves;
    struct span once = graph_moves_at_once(moves, move);
    assert(move < moves->count);
    assert(once.first <= move && move < once.first + once.count);
    for (uint32_t m = once.first; m < once.first + once.count; m++) {
        uint32_t source = moves->move[m].source;
        if (m == move || source == GRAPH_NONE ||
            value_places_in_branches(&checker->where, source) == surely)
            continue;
        value_places_find(&checker->where, source);
        for (uint32_t i = 0; i < checker->where.count; i++)
            if (checker->group[checker->where.found[i]] == group &&
                checker->shared->graph->tensor[checker->where.found[i]].producer !=
                    moves->move[m].o)
                return true;
    }
    return false;
}

/* A move that writes into a place where something else is needed, or is moved from at once,
   destroys that, even if the values are equal. */
static void check_writes(struct checker *checker, bool *valid, bool *sure)
{
    const struct graph_moves *moves = checker->shared->moves;
    for (uint32_t m = 0; m < moves->count; m++) {
        const struct graph_move *move = &moves->move[m];
        uint32_t place = checker->group[move->target], at = find_first(checker, place);
        if (is_in_place(checker, move->target) ||
            (may_coincide(checker, move) &&
             !value_places_written(&checker->where, move, checker->group)) ||
            checker->shared->graph->tensor[move->target].external ||
            value_places_in_branches(&checker->where, move->target))
            continue;
        const struct path_interval *live;
        while ((live = find_live(checker, place, find_step(checker, move), &at)))
            if (find_overwritten(checker, live->tensor) != find_overwritten(checker, move->target))
                note_fault(live->condition == PATH_ALWAYS && !is_in_place(checker, live->tensor),
                           valid, sure);
        bool surely = is_taken_from(checker, m, place, true);
        if (surely || is_taken_from(checker, m, place, false))
            note_fault(surely, valid, sure);
    }
}

enum status shared_places_check(const struct shared_places *shared, bool *valid, bool *sure,
                                struct error *error)
{
    SCOPED(clear) struct checker checker = {.shared = shared};
    *valid = true;
    *sure = false;
    TRY(create(&checker, false, error));
    for (uint32_t i = 0; i < checker.paths->intervals; i++) {
        const struct path_interval *a = &checker.paths->interval[checker.item[i]];
        assert(i == 0 || checker.key[i - 1] <= checker.key[i]);
        for (uint32_t j = i + 1; j < checker.paths->intervals; j++) {
            const struct path_interval *b = &checker.paths->interval[checker.item[j]];
            if (checker.group[a->tensor] != checker.group[b->tensor] || b->lower >= a->upper)
                break;
            /* A view may have the value of what shares its place. */
            if (!may_overlap(&checker, a, b))
                note_fault(a->condition == PATH_ALWAYS && b->condition == PATH_ALWAYS &&
                               !is_in_place(&checker, a->tensor) &&
                               !is_in_place(&checker, b->tensor),
                           valid, sure);
        }
    }
    check_writes(&checker, valid, sure);
    assert(!*sure || !*valid);
    return STATUS_OK;
}

/* Whether a value equal to this one is needed at the step or moved elsewhere by another move that
   is made at once. */
static bool is_needed_besides(struct checker *checker, uint32_t move, uint32_t value)
{
    const struct graph_moves *moves = checker->shared->moves;
    uint32_t at = find_first(checker, value);
    const struct path_interval *live;
    while ((live = find_live(checker, value, find_step(checker, &moves->move[move]), &at)))
        if (live->tensor != moves->move[move].target)
            return true;
    return is_taken_from(checker, move, value, true) || is_taken_from(checker, move, value, false);
}

/* Whether some other tensor is needed on certain paths only, together with this result. */
static bool is_beside_condition(const struct checker *checker, uint32_t result)
{
    const struct path_liveness *paths = checker->paths;
    for (uint32_t i = 0; i < paths->intervals; i++)
        for (uint32_t j = 0; paths->interval[i].tensor == result && j < paths->intervals; j++)
            if (paths->interval[j].condition != PATH_ALWAYS &&
                paths->interval[j].lower < paths->interval[i].upper &&
                paths->interval[i].lower < paths->interval[j].upper)
                return true;
    return false;
}

/* Whether some step needs both for different values, on all paths. */
static bool are_different(const struct checker *checker, uint32_t tensor, uint32_t other)
{
    const struct path_liveness *paths = checker->paths;
    for (uint32_t i = 0; i < paths->intervals; i++)
        for (uint32_t j = 0; paths->interval[i].tensor == tensor && j < paths->intervals; j++)
            if (paths->interval[j].tensor == other && paths->interval[i].condition == PATH_ALWAYS &&
                paths->interval[j].condition == PATH_ALWAYS &&
                !may_overlap(checker, &paths->interval[i], &paths->interval[j]))
                return true;
    return false;
}

enum status shared_places_list(const struct shared_places *shared, bool *matters, bool *sure,
                               struct error *error)
{
    SCOPED(clear) struct checker checker = {.shared = shared};
    struct value_places *where = &checker.where;
    *sure = true;
    TRY(create(&checker, true, error));
    for (uint32_t m = 0; m < shared->moves->count; m++) {
        const struct graph_move *move = &shared->moves->move[m];
        uint32_t first = shared->moves->first[move->o];
        assert(first <= m && m < shared->moves->first[move->o + 1]);
        matters[m] = false;
        bool listed = false;
        for (uint32_t i = first; i < m; i++)
            listed = listed || (matters[i] && shared->moves->move[i].source == move->source &&
                                shared->moves->move[i].target == move->target);
        if (move->source == GRAPH_NONE || move->source == move->target || listed)
            continue;
        bool in_branches = value_places_in_branches(where, move->source);
        if (!may_coincide(&checker, move) && !in_branches)
            continue;
        value_places_find(where, move->source);
        uint32_t count = where->count;
        for (uint32_t i = 0; i < count && !matters[m]; i++) {
            value_places_find(where, move->source); /* is_needed_besides looks for other values */
            uint32_t place = where->found[i];
            assert(where->count == count);
            matters[m] = is_needed_besides(&checker, m, shared->same[place]) &&
                         !are_different(&checker, move->target, place);
        }
        *sure = *sure && !(matters[m] && in_branches);
        matters[m] = matters[m] && may_coincide(&checker, move);
    }
    for (uint32_t t = 0; t < shared->graph->tensors; t++)
        if (shared->places->has_place[t] && checker.varies[t] && is_beside_condition(&checker, t))
            *sure = false;
    return STATUS_OK;
}
