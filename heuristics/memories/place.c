#include "heuristics/memories/place.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"

enum status placing_create(const struct memory_model *model, struct scratch *scratch,
                           struct placing *placing, struct error *error)
{
    uint32_t nodes = model->classes.count;
    size_t most = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        size_t neighbours = (size_t)(model->first[n + 1] - model->first[n]) +
                            (model->first_edge[n + 1] - model->first_edge[n]);
        most = neighbours > most ? neighbours : most;
    }
    most += model->first_reserved[model->arenas];
    *placing = (struct placing){.model = model};
    TRY(scratch_take_all(scratch, nodes, error, &placing->arena, &placing->offset));
    TRY(scratch_take_all(scratch, most, error, &placing->hard, &placing->found, &placing->soft));
    TRY(scratch_take(scratch, &placing->candidate, 2 * most + 1, sizeof(uint64_t), error));
    placing_clear(placing);
    return STATUS_OK;
}

void placing_clear(struct placing *placing)
{
    const struct memory_model *model = placing->model;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        placing->arena[n] = model->pinned_arena[n];
        placing->offset[n] = model->pinned_offset[n];
    }
}

/* Into buckets by the leading digits, which leaves little to be done by insertion: sorting by
   comparisons would take most of the time of all greedy rules. */
void placing_sort_spans(const struct place_span *from, size_t count, struct place_span *to)
{
    enum { BUCKETS = 128 };
    size_t end[BUCKETS + 1] = {0};
    uint64_t bits = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < count; i++)
        bits |= from[i].lower;
    while (bits >> shift >= BUCKETS)
        shift++;
    for (size_t i = 0; i < count; i++)
        end[(from[i].lower >> shift) + 1]++;
    for (size_t b = 0; b < BUCKETS; b++)
        end[b + 1] += end[b];
    for (size_t i = 0; i < count; i++)
        to[end[from[i].lower >> shift]++] = from[i];
    for (size_t i = 1; i < count; i++) {
        struct place_span moved = to[i];
        size_t k = i;
        for (; k > 0 && to[k - 1].lower > moved.lower; k--)
            to[k] = to[k - 1];
        to[k] = moved;
    }
}

static struct place_span make_span(const struct placing *placing, uint32_t node, uint64_t cost)
{
    uint64_t offset = placing->offset[node];
    return (struct place_span){offset, offset + placing->model->nodes->size[node], cost};
}

/* Gathers what the node cannot share bytes with in the arena, sorted and joined; and, in
   placing->soft, what it can at a cost. */
static size_t gather_spans(struct placing *placing, uint32_t node, uint32_t arena, size_t *soft)
{
    const struct memory_model *model = placing->model;
    struct place_span *hard = placing->hard, *found = placing->found;
    size_t count = 0, joined = 0;
    *soft = 0;
    for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++)
        if (placing->arena[model->other[i]] == arena)
            found[count++] = make_span(placing, model->other[i], 0);
    for (uint32_t r = model->first_reserved[arena]; r < model->first_reserved[arena + 1]; r++)
        found[count++] = (struct place_span){model->reserved[r].lower, model->reserved[r].upper, 0};
    for (uint32_t i = model->first_edge[node]; i < model->first_edge[node + 1]; i++) {
        uint32_t e = model->edge_of[i];
        const struct memory_edge *edge = &model->edge[e];
        uint32_t other = edge->first == node ? edge->second : edge->first;
        if (placing->arena[other] != arena)
            continue;
        if (placing->paid && !placing->paid[e])
            found[count++] = make_span(placing, other, 0);
        else
            placing->soft[(*soft)++] = make_span(placing, other, edge->cost);
    }
    placing_sort_spans(found, count, hard);
    for (size_t i = 0; i < count; i++)
        if (joined && hard[i].lower <= hard[joined - 1].upper) {
            if (hard[i].upper > hard[joined - 1].upper)
                hard[joined - 1].upper = hard[i].upper;
        } else {
            hard[joined++] = hard[i];
        }
    return joined;
}

struct place_found placing_find_lowest(struct placing *placing, uint32_t node, uint32_t arena)
{
    const struct memory_model *model = placing->model;
    uint64_t bytes = model->nodes->size[node], at = 0, end;
    uint64_t alignment = memory_model_alignment(model, node, arena);
    size_t soft, count = gather_spans(placing, node, arena, &soft);
    struct place_found found = {arena, 0, memory_model_traffic(model, node, arena)};
    for (size_t i = 0; i < count; i++) {
        if (placing->hard[i].lower >= bytes && at <= placing->hard[i].lower - bytes)
            break;
        if (placing->hard[i].upper > at && !checked_align(placing->hard[i].upper, alignment, &at))
            at = UINT64_MAX;
    }
    found.offset = at;
    if (!checked_add(at, bytes, &end))
        found.offset = UINT64_MAX;
    for (size_t i = 0; i < soft && found.offset != UINT64_MAX; i++)
        if (placing->soft[i].lower < end && at < placing->soft[i].upper)
            found.cost += placing->soft[i].cost;
    return found;
}

/* Gathers the aligned ends of both kinds of spans, and 0, ascending. */
static size_t gather_candidates(const struct placing *placing, size_t hard, size_t soft,
                                uint64_t alignment)
{
    uint64_t *candidate = placing->candidate;
    size_t count = 1, kept = 1;
    candidate[0] = 0;
    for (size_t i = 0; i < hard; i++)
        count += checked_align(placing->hard[i].upper, alignment, &candidate[count]);
    for (size_t i = 0; i < soft; i++)
        count += checked_align(placing->soft[i].upper, alignment, &candidate[count]);
    if (!soft)
        return count; /* those of hard spans, which are sorted */
    qsort(candidate, count, sizeof *candidate, compare_number_items);
    for (size_t i = 1; i < count; i++)
        if (candidate[i] != candidate[kept - 1])
            candidate[kept++] = candidate[i];
    return kept;
}

bool placing_find_cheapest(struct placing *placing, uint32_t node, uint32_t arena,
                           struct place_found *found)
{
    const struct memory_model *model = placing->model;
    uint64_t bytes = model->nodes->size[node], traffic = memory_model_traffic(model, node, arena);
    uint64_t capacity = model->arena[arena].capacity, least = UINT64_MAX;
    size_t soft, h = 0, hard = gather_spans(placing, node, arena, &soft);
    size_t candidates =
        gather_candidates(placing, hard, soft, memory_model_alignment(model, node, arena));
    for (size_t c = 0; c < candidates && least; c++) {
        uint64_t at = placing->candidate[c], cost = 0;
        if (bytes > capacity || at > capacity - bytes)
            break;
        while (h < hard && placing->hard[h].upper <= at)
            h++;
        if (h < hard && placing->hard[h].lower < at + bytes)
            continue;
        for (size_t s = 0; s < soft && cost < least; s++)
            if (placing->soft[s].lower < at + bytes && at < placing->soft[s].upper)
                cost += placing->soft[s].cost;
        if (cost >= least)
            continue;
        least = cost;
        *found = (struct place_found){arena, at, traffic + cost};
    }
    return least != UINT64_MAX;
}

/* Finds the place of a node that costs least of all arenas; where it does not have to be the
   cheapest place of an arena, the lowest one of the arena with the least traffic. */
static bool find_place(struct placing *placing, uint32_t node, bool cheapest,
                       struct place_found *best)
{
    const struct memory_model *model = placing->model;
    uint64_t least = UINT64_MAX;
    for (uint32_t a = 0; a < model->arenas; a++) {
        struct place_found found;
        uint64_t traffic = memory_model_traffic(model, node, a);
        if (traffic >= least)
            continue;
        if (cheapest ? !placing_find_cheapest(placing, node, a, &found)
                     : (found = placing_find_lowest(placing, node, a),
                        !placing_fits(placing, node, found)))
            continue;
        uint64_t cost = cheapest ? found.cost : traffic;
        if (cost >= least)
            continue;
        least = cost;
        *best = found;
    }
    return least != UINT64_MAX;
}

bool placing_decode(struct placing *placing, const uint32_t *order, bool cheapest)
{
    placing_clear(placing);
    for (uint32_t i = 0; i < placing->model->classes.count; i++) {
        struct place_found found;
        if (placing->arena[order[i]] != MEMORY_NONE)
            continue;
        if (!find_place(placing, order[i], cheapest, &found))
            return false;
        placing_put(placing, order[i], found);
    }
    return true;
}

void placing_read(const struct placing *placing, struct memory_plan *plan)
{
    memory_model_fill(placing->model, placing->arena, placing->offset, plan);
    plan->status = PLAN_FEASIBLE;
}
