#include "planning/verify/paths/needed.h"

#include <assert.h>

#include "core/memory.h"

/* Links an output of a plain operator that is a view to the tensor in whose place it is. A view of
   a view is linked to what that one views. */
static void link_view(struct verify_needs *needs, const struct placement *placement, uint32_t o,
                      uint32_t output)
{
    const struct graph *graph = needs->graph;
    struct span inputs = graph->op[o].inputs;
    assert(graph->op[o].first_region == GRAPH_NONE);
    uint32_t viewed = placement->overwrites[output];
    assert(needs->place[output] == VERIFY_PLACE_OWN);
    if (viewed >= graph->tensors || !placement->is_view[output] ||
        !placement_starts_on(placement, graph, output, viewed) ||
        graph->tensor[output].bytes != graph->tensor[viewed].bytes ||
        graph_position(graph, inputs, viewed) == inputs.count)
        return;
    if (needs->place[viewed] == VERIFY_PLACE_VIEWED)
        viewed = needs->link[viewed];
    if (!verify_needs_has_place(needs, viewed))
        return;
    assert(viewed != output);
    needs->place[output] = VERIFY_PLACE_VIEWED;
    needs->link[output] = viewed;
}

/* Goes along the operators as they run, so that what a view is of is known before the view. */
static void find_places(struct verify_needs *needs, const struct placement *placement)
{
    const struct graph *graph = needs->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        needs->place[t] = graph->tensor[t].external ? VERIFY_PLACE_OUTSIDE : VERIFY_PLACE_OWN;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *producer = &graph->op[o];
        for (uint32_t i = 0; i < producer->outputs.count; i++) {
            uint32_t output = graph->list[producer->outputs.first + i];
            if (graph->tensor[output].external)
                continue;
            if (producer->first_region == GRAPH_NONE) {
                link_view(needs, placement, o, output);
            } else if (!producer->loop) {
                bool placed = placement->offset[output] != PROBLEM_FREE;
                needs->place[output] = placed ? VERIFY_PLACE_RESULT : VERIFY_PLACE_YIELDED;
                needs->link[output] = i;
            }
        }
        for (uint32_t c = 0; c < producer->carried.count; c++) {
            const struct graph_carried *carried = &graph->carried[producer->carried.first + c];
            if (graph->tensor[carried->result].external)
                continue;
            assert(producer->loop && graph->tensor[carried->result].producer == o);
            needs->place[carried->result] = VERIFY_PLACE_ARGUMENT;
            needs->link[carried->result] = carried->argument;
        }
    }
}

/* Finds how many bytes each value has, those of inner regions first: the result of an If in the
   arena is as large as what the taken branch yields, at most as the largest of these. This check
   shares no code with liveness, which has its own answer (planning/graph/value_bytes.h). */
static void find_region_bytes(struct verify_needs *needs, uint32_t region)
{
    const struct graph *graph = needs->graph;
    const struct graph_region *body = &graph->region[region];
    assert(region < graph->regions);
    for (uint32_t o = body->begin; o < body->end; o = graph->op[o].end) {
        const struct graph_operator *op = &graph->op[o];
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            find_region_bytes(needs, r);
        for (uint32_t i = 0; i < op->outputs.count && graph_has_branches(graph, o); i++) {
            uint32_t result = graph->list[op->outputs.first + i];
            if (graph->tensor[result].external)
                continue;
            needs->bytes[result] = 0;
            for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
                uint64_t yielded = needs->bytes[graph_yield(graph, r, i)];
                if (needs->bytes[result] < yielded)
                    needs->bytes[result] = yielded;
            }
        }
    }
}

enum status verify_needs_create(struct verify_needs *needs, const struct graph *graph,
                                const struct placement *placement, struct error *error)
{
    uint32_t tensors = graph->tensors;
    struct scratch *scratch = &needs->scratch;
    struct verify_span *span;
    *needs = (struct verify_needs){.graph = graph};
    TRY(live_set_create(&needs->needed, tensors, scratch, error));
    TRY(scratch_take_all(scratch, tensors, error, &needs->place, &needs->link, &needs->claims,
                         &needs->pending, &needs->bytes, &span));
    for (uint32_t t = 0; t < tensors; t++)
        needs->bytes[t] = graph->tensor[t].bytes;
    find_region_bytes(needs, 0);
    for (uint32_t t = 0; t < tensors; t++)
        span[t] = verify_span_around(placement_begin(placement, t, needs->bytes[t]));
    TRY(verify_spans_create(span, tensors, &needs->occupied, scratch, error));
    find_places(needs, placement);
    assert(needs->needed.count == 0 && needs->open_branches == 0);
    return STATUS_OK;
}

void verify_needs_free(struct verify_needs *needs)
{
    scratch_free(&needs->scratch);
    memory_free_all(needs->change.tensor, needs->rewound.tensor);
}

bool verify_needs_has_place(const struct verify_needs *needs, uint32_t tensor)
{
    assert(tensor < needs->graph->tensors);
    return needs->place[tensor] == VERIFY_PLACE_OWN || needs->place[tensor] == VERIFY_PLACE_RESULT;
}

/* Adds a claim to a tensor or takes one away. Only where it is the first one, or the last one left,
   does anything change for what the tensor may stand for: then the tensor is pending. */
static void change_claim(struct verify_needs *needs, uint32_t tensor, bool claim, uint32_t *pending)
{
    if (needs->place[tensor] == VERIFY_PLACE_OUTSIDE)
        return;
    assert(claim || needs->claims[tensor] > 0);
    assert(*pending < needs->graph->tensors);
    bool changes = claim ? needs->claims[tensor]++ == 0 : --needs->claims[tensor] == 0;
    if (changes)
        needs->pending[(*pending)++] = tensor;
}

/* When a tensor is claimed, so is everything in whose place its value may be. Results of results
   make long chains, so this does not recurse. */
static void change_needed(struct verify_needs *needs, uint32_t tensor)
{
    const struct graph *graph = needs->graph;
    bool claim = !live_set_has(&needs->needed, tensor);
    uint32_t pending = 0;
    if (claim)
        live_set_insert(&needs->needed, tensor);
    else
        live_set_remove(&needs->needed, tensor);
    change_claim(needs, tensor, claim, &pending);
    while (pending) {
        uint32_t changed = needs->pending[--pending], link = needs->link[changed];
        if (needs->place[changed] == VERIFY_PLACE_YIELDED) {
            uint32_t r = graph->op[graph->tensor[changed].producer].first_region;
            assert(r != GRAPH_NONE);
            for (; r != GRAPH_NONE; r = graph->region[r].next)
                change_claim(needs, graph_yield(graph, r, link), claim, &pending);
        } else if (!verify_needs_has_place(needs, changed))
            change_claim(needs, link, claim, &pending);
        else if (claim)
            verify_spans_insert(&needs->occupied, changed);
        else
            verify_spans_remove(&needs->occupied, changed);
    }
}

static void append(struct verify_needs *needs, struct verify_list *list, uint32_t tensor)
{
    struct error ignored;
    if (needs->failed || memory_reserve(&list->tensor, &list->capacity, list->count + 1,
                                        sizeof *list->tensor, &ignored))
        needs->failed = true;
    else
        list->tensor[list->count++] = tensor;
}

void verify_needs_set(struct verify_needs *needs, uint32_t tensor, bool needed)
{
    assert(tensor < needs->graph->tensors);
    if (live_set_has(&needs->needed, tensor) == needed)
        return;
    change_needed(needs, tensor);
    if (needs->open_branches)
        append(needs, &needs->change, tensor);
}

void verify_needs_set_all(struct verify_needs *needs, struct span tensors, bool needed)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        verify_needs_set(needs, needs->graph->list[tensors.first + i], needed);
}

struct verify_branches verify_needs_begin(struct verify_needs *needs)
{
    assert(needs->open_branches > 0 || needs->change.count == 0);
    needs->open_branches++;
    return (struct verify_branches){needs->change.count, needs->rewound.count};
}

void verify_needs_rewind(struct verify_needs *needs, const struct verify_branches *branches)
{
    const uint32_t *change = needs->change.tensor;
    assert(needs->open_branches > 0 && branches->change <= needs->change.count);
    for (size_t i = branches->change; i < needs->change.count; i++)
        if (live_set_has(&needs->needed, change[i]))
            append(needs, &needs->rewound, change[i]);
    while (needs->change.count > branches->change)
        change_needed(needs, change[--needs->change.count]);
}

void verify_needs_end(struct verify_needs *needs, const struct verify_branches *branches)
{
    assert(needs->open_branches > 0 && needs->change.count >= branches->change);
    needs->open_branches--;
    if (!needs->open_branches)
        needs->change.count = branches->change;
    assert(branches->rewound <= needs->rewound.count);
    for (size_t i = branches->rewound; i < needs->rewound.count; i++)
        verify_needs_set(needs, needs->rewound.tensor[i], true);
    needs->rewound.count = branches->rewound;
}
