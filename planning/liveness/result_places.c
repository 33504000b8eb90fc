#include "planning/liveness/result_places.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/liveness/value_places.h"

struct finder {
    const struct graph *graph;
    const struct placement *placement;
    struct place_choice choice;
    struct result_places *places;
    uint32_t *placed; /* [tensors] in which its value is: itself, or for a loop's carried result the
                         argument */
    uint32_t *yields; /* [tensors] how often the region at hand yields it */
    uint32_t *last;   /* [tensors] of a place's owner: the last tensor in the list of that place */
    uint32_t *stays;  /* [tensors] an argument, where its init is; a result, where what some branch
                         yields is */
    struct value_places where;
};

static void start_alone(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        finder->places->place[t] = finder->placed[t] = finder->last[t] = t;
        finder->places->next[t] = GRAPH_NONE;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        finder->placed[graph->carried[c].result] = graph->carried[c].argument;
}

static bool may_share(const struct finder *finder, uint32_t region, uint32_t yield, uint32_t result)
{
    const struct graph *graph = finder->graph;
    const bool *has_place = finder->places->has_place;
    uint32_t producer = graph->tensor[yield].producer, placed = finder->placed[yield];
    assert(finder->yields[yield] > 0);
    return producer != GRAPH_NONE && graph->op[producer].region == region &&
           finder->yields[yield] == 1 && !graph->tensor[yield].external && has_place[result] &&
           (!graph_is_branch_result(graph, yield) || has_place[yield]) &&
           finder->placement->overwrites[placed] == GRAPH_NONE &&
           (!finder->stays[placed] || finder->stays[result]);
}

static void find_placed_results(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    const bool *unplaced = finder->choice.unplaced;
    for (uint32_t t = 0; t < graph->tensors; t++)
        finder->places->has_place[t] = graph_is_branch_result(graph, t) &&
                                       !graph->tensor[t].external && !(unplaced && unplaced[t]);
}

static void move_in(struct finder *finder, uint32_t tensor, uint32_t owner)
{
    struct result_places *places = finder->places;
    uint32_t placed = finder->placed[tensor];
    assert(places->place[tensor] == tensor && places->place[placed] == placed && tensor != owner);
    places->place[tensor] = places->place[placed] = owner;
    assert(places->place[owner] == owner && places->next[finder->last[owner]] == GRAPH_NONE);
    places->next[finder->last[owner]] = placed;
    finder->last[owner] = placed;
}

static void settle_region(struct finder *finder, uint32_t region)
{
    const struct graph *graph = finder->graph;
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    assert(yields.count == results.count);
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[graph->list[yields.first + i]]++;
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i], result = graph->list[results.first + i];
        if (may_share(finder, region, yield, result))
            move_in(finder, yield, finder->places->place[result]);
    }
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[graph->list[yields.first + i]] = 0;
}

/* Moves all that is in the place of `tensor` into the place of `source`, unless the owner of one of
   the two places is itself written in the place of another tensor. */
static void stay_on(struct finder *finder, uint32_t tensor, uint32_t source)
{
    struct result_places *places = finder->places;
    const uint32_t *overwrites = finder->placement->overwrites;
    uint32_t owner = places->place[finder->placed[source]], moved = places->place[tensor];
    if (owner == moved || overwrites[owner] != GRAPH_NONE || overwrites[moved] != GRAPH_NONE)
        return;
    places->next[finder->last[owner]] = moved;
    finder->last[owner] = finder->last[moved];
    for (uint32_t t = moved; t != GRAPH_NONE; t = places->next[t])
        places->place[t] = owner;
}

/* Puts the target in the place of the source. If that is a result without a place of its own, its
   value is where the taken branch left it: in all these places. */
static void stay_on_all(struct finder *finder, uint32_t target, uint32_t source)
{
    value_places_find(&finder->where, source);
    for (uint32_t i = 0; i < finder->where.count; i++)
        stay_on(finder, target, finder->where.found[i]);
}

static void find_what_stays(struct finder *finder)
{
    const struct place_choice *choice = &finder->choice;
    for (uint32_t m = 0; choice->stays && m < choice->moves->count; m++) {
        const struct graph_move *move = &choice->moves->move[m];
        if (choice->stays[m] &&
            (move->region == GRAPH_NONE || graph_is_branch_result(finder->graph, move->target)))
            finder->stays[move->target] = true;
    }
}

/* What some branch yields for a result that has no place is needed on some paths only, and on all
   of these an argument may have its value. */
static enum status merge_arguments(struct finder *finder, struct error *error)
{
    const struct graph *graph = finder->graph;
    const struct graph_moves *moves = finder->choice.moves;
    const uint64_t *bytes = finder->places->bytes;
    bool *left;
    TRY(memory_create(&left, graph->tensors, sizeof *left, error));
    for (uint32_t m = 0; m < moves->count; m++)
        if (value_places_in_branches(&finder->where, moves->move[m].target))
            left[finder->placed[moves->move[m].source]] = true;
    for (uint32_t m = 0; m < moves->count; m++) {
        const struct graph_move *move = &moves->move[m];
        if (!graph->op[move->o].loop || move->source == GRAPH_NONE ||
            graph->tensor[move->target].external)
            continue;
        value_places_find(&finder->where, move->source);
        for (uint32_t i = 0; i < finder->where.count; i++) {
            uint32_t source = finder->where.found[i];
            if (left[source] && bytes[source] == bytes[move->target])
                stay_on(finder, move->target, source);
        }
    }
    memory_free(left);
    return STATUS_OK;
}

/* Equal values come together wherever the first of them is. That may be in no place of the arena,
   so each is also put where the one before is. yields[tensors], which nobody needs any more, is
   then 1 + the last tensor with the value. */
static void merge_equal_values(struct finder *finder)
{
    const uint32_t *same = finder->choice.same;
    uint32_t *last = finder->yields;
    for (uint32_t t = 0; t < finder->graph->tensors; t++) {
        if (finder->placed[t] != t || value_places_in_branches(&finder->where, t))
            continue;
        if (same[t] != t)
            stay_on_all(finder, t, same[t]);
        if (last[same[t]])
            stay_on(finder, t, last[same[t]] - 1);
        last[same[t]] = t + 1;
    }
}

/* Regions are numbered after the one that holds their owner, so that a result gets its place before
   what is yielded for it. */
static enum status settle_all(struct finder *finder, struct error *error)
{
    const struct place_choice *choice = &finder->choice;
    for (uint32_t r = 1; r < finder->graph->regions; r++)
        if (!finder->graph->op[finder->graph->region[r].owner].loop && !finder->choice.apart)
            settle_region(finder, r);
    for (uint32_t m = 0; choice->stays && m < choice->moves->count; m++)
        if (choice->stays[m])
            stay_on_all(finder, choice->moves->move[m].target, choice->moves->move[m].source);
    if (!choice->same)
        return STATUS_OK;
    TRY(merge_arguments(finder, error));
    merge_equal_values(finder);
    return STATUS_OK;
}

enum status result_places_create(const struct graph *graph, const struct placement *placement,
                                 const struct place_choice *choice, struct result_places **created,
                                 struct error *error)
{
    struct finder finder = {.graph = graph, .placement = placement};
    if (choice)
        finder.choice = *choice;
    struct result_places *places;
    enum status status;
    TRY(memory_create(&places, 1, sizeof *places, error));
    finder.places = places;
    uint32_t **per_tensor[] = {&places->place, &places->next, &finder.placed,
                               &finder.yields, &finder.last,  &finder.stays};
    for (int i = 0; i < 6; i++)
        TRY_OR_DONE(status, memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&places->has_place, graph->tensors, sizeof(bool), error));
    TRY_OR_DONE(status, value_bytes_create(graph, &places->bytes, error));
    TRY_OR_DONE(status, value_places_create(&finder.where, graph, places->has_place, error));
    places->merged = finder.choice.same;
    find_placed_results(&finder);
    find_what_stays(&finder);
    start_alone(&finder);
    TRY_OR_DONE(status, settle_all(&finder, error));
    *created = places;
done:
    memory_free(finder.placed);
    memory_free(finder.yields);
    memory_free(finder.last);
    memory_free(finder.stays);
    value_places_clear(&finder.where);
    if (status)
        result_places_free(places);
    return status;
}

void result_places_free(struct result_places *places)
{
    if (!places)
        return;
    memory_free(places->place);
    memory_free(places->next);
    memory_free(places->bytes);
    memory_free(places->has_place);
    memory_free(places);
}
