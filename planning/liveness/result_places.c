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
    uint32_t *coincides; /* [tensors] an argument, where its init is; a result, where what some
                        branch yields is */
    struct value_places where;
};

/* Moves what the branch yields into the places of the results, where it can be there. */
static void settle_region(struct finder *finder, uint32_t region)
{
    const struct graph *graph = finder->graph;
    struct result_places *places = finder->places;
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    assert(region != 0 && !graph->op[graph->region[region].owner].loop);
    assert(yields.count == results.count);
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[graph->list[yields.first + i]]++;
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i], result = graph->list[results.first + i];
        uint32_t producer = graph->tensor[yield].producer, placed = finder->placed[yield];
        if (producer == GRAPH_NONE || graph->op[producer].region != region ||
            finder->yields[yield] != 1 || graph->tensor[yield].external ||
            !places->has_place[result] ||
            (graph_is_branch_result(graph, yield) && !places->has_place[yield]) ||
            finder->placement->overwrites[placed] != GRAPH_NONE ||
            (finder->coincides[placed] && !finder->coincides[result]))
            continue;
        uint32_t owner = places->place[result];
        assert(places->place[yield] == yield && places->place[placed] == placed && yield != owner);
        assert(places->place[owner] == owner && places->next[finder->last[owner]] == GRAPH_NONE);
        places->place[yield] = places->place[placed] = owner;
        places->next[finder->last[owner]] = placed;
        finder->last[owner] = placed;
    }
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[graph->list[yields.first + i]] = 0;
}

/* Moves all that is in the place of `tensor` into the place of `source`, unless the owner of one of
   the two places is itself written in the place of another tensor. */
static void coincide_with(struct finder *finder, uint32_t tensor, uint32_t source)
{
    struct result_places *places = finder->places;
    const uint32_t *overwrites = finder->placement->overwrites;
    uint32_t owner = places->place[finder->placed[source]], moved = places->place[tensor];
    assert(places->place[owner] == owner && places->place[moved] == moved);
    if (owner == moved || overwrites[owner] != GRAPH_NONE || overwrites[moved] != GRAPH_NONE)
        return;
    assert(places->next[finder->last[owner]] == GRAPH_NONE);
    places->next[finder->last[owner]] = moved;
    finder->last[owner] = finder->last[moved];
    for (uint32_t t = moved; t != GRAPH_NONE; t = places->next[t]) {
        assert(places->place[t] == moved);
        places->place[t] = owner;
    }
}

/* Puts the target in the place of the source. If that is a result without a place of its own, its
   value is where the taken branch left it: in all these places. */
static void coincide_with_all(struct finder *finder, uint32_t target, uint32_t source)
{
    value_places_find(&finder->where, source);
    for (uint32_t i = 0; i < finder->where.count; i++)
        coincide_with(finder, target, finder->where.found[i]);
}

/* What some branch yields for a result that has no place is needed on some paths only, and on all
   of these an argument may have its value. */
static enum status merge_arguments(struct finder *finder, struct scratch *scratch,
                                   struct error *error)
{
    const struct graph *graph = finder->graph;
    const struct graph_moves *moves = finder->choice.moves;
    const uint64_t *bytes = finder->places->bytes;
    bool *left;
    TRY(scratch_take(scratch, &left, graph->tensors, sizeof *left, error));
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
            assert(source < graph->tensors);
            if (left[source] && bytes[source] == bytes[move->target])
                coincide_with(finder, move->target, source);
        }
    }
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
            coincide_with_all(finder, t, same[t]);
        if (last[same[t]])
            coincide_with(finder, t, last[same[t]] - 1);
        assert(same[same[t]] == same[t] && last[same[t]] <= t);
        last[same[t]] = t + 1;
    }
}

/* Regions are numbered after the one that holds their owner, so that a result gets its place before
   what is yielded for it. */
static enum status find_places(struct finder *finder, struct scratch *scratch, struct error *error)
{
    const struct graph *graph = finder->graph;
    struct result_places *places = finder->places;
    const struct place_choice *choice = &finder->choice;
    uint32_t moves = choice->coincides ? choice->moves->count : 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        places->has_place[t] = graph_is_branch_result(graph, t) && !graph->tensor[t].external &&
                               !(choice->unplaced && choice->unplaced[t]);
        places->place[t] = finder->placed[t] = finder->last[t] = t;
        places->next[t] = GRAPH_NONE;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        finder->placed[graph->carried[c].result] = graph->carried[c].argument;
    for (uint32_t m = 0; m < moves; m++) {
        const struct graph_move *move = &choice->moves->move[m];
        assert(move->target < graph->tensors && move->o < graph->operators);
        if (choice->coincides[m] &&
            (move->region == GRAPH_NONE || graph_is_branch_result(graph, move->target)))
            finder->coincides[move->target] = true;
    }
    for (uint32_t r = 1; r < graph->regions && !choice->apart; r++)
        if (!graph->op[graph->region[r].owner].loop)
            settle_region(finder, r);
    for (uint32_t m = 0; m < moves; m++)
        if (choice->coincides[m])
            coincide_with_all(finder, choice->moves->move[m].target, choice->moves->move[m].source);
    if (!choice->same)
        return STATUS_OK;
    TRY(merge_arguments(finder, scratch, error));
    merge_equal_values(finder);
    return STATUS_OK;
}

enum status result_places_create(const struct graph *graph, const struct placement *placement,
                                 const struct place_choice *choice, struct result_places **created,
                                 struct error *error)
{
    struct finder finder = {.graph = graph, .placement = placement};
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(result_places_release) struct result_places *places = NULL;
    if (choice)
        finder.choice = *choice;
    TRY(memory_create(&places, 1, sizeof *places, error));
    finder.places = places;
    places->merged = finder.choice.same;
    uint32_t **kept[] = {&places->place, &places->next};
    for (int i = 0; i < 2; i++)
        TRY(memory_create(kept[i], graph->tensors, sizeof(uint32_t), error));
    uint32_t **used[] = {&finder.placed, &finder.yields, &finder.last, &finder.coincides};
    for (int i = 0; i < 4; i++)
        TRY(scratch_take(&scratch, used[i], graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&places->has_place, graph->tensors, sizeof(bool), error));
    TRY(value_bytes_create(graph, &places->bytes, error));
    TRY(value_places_create(&finder.where, graph, places->has_place, &scratch, error));
    TRY(find_places(&finder, &scratch, error));
    HAND_OVER(places, created);
}

void result_places_free(struct result_places *places)
{
    if (!places)
        return;
    memory_free_all(places->place, places->next, places->bytes, places->has_place, places);
}
