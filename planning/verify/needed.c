#include "planning/verify/needed.h"

#include <assert.h>

#include "core/memory.h"

static void include(struct verify_members *members, uint32_t tensor)
{
    assert(!members->position[tensor]);
    members->tensor[members->count++] = tensor;
    members->position[tensor] = members->count;
}

static void exclude(struct verify_members *members, uint32_t tensor)
{
    assert(members->position[tensor] > 0 && members->position[tensor] <= members->count);
    uint32_t index = members->position[tensor] - 1;
    uint32_t moved = members->tensor[--members->count];
    members->tensor[index] = moved;
    members->position[moved] = index + 1;
    members->position[tensor] = 0;
}

static void set_link(struct verify_needs *needs, uint32_t result, enum verify_place place,
                     uint32_t link)
{
    assert(result < needs->graph->tensors);
    if (needs->graph->tensor[result].external)
        return;
    needs->place[result] = (uint8_t)place;
    needs->link[result] = link;
}

static bool reads(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    struct span inputs = graph->op[o].inputs;
    for (uint32_t i = 0; i < inputs.count; i++)
        if (graph->list[inputs.first + i] == tensor)
            return true;
    return false;
}

/* Links an output that is a view to the tensor in whose place it is. */
static void link_view(struct verify_needs *needs, const struct placement *placement, uint32_t o,
                      uint32_t output)
{
    const struct graph_tensor *tensor = needs->graph->tensor;
    uint32_t viewed = placement->overwrites[output];
    if (viewed >= needs->graph->tensors || !placement->is_view[output] ||
        needs->place[output] != VERIFY_PLACE_OWN ||
        !placement_starts_on(placement, needs->graph, output, viewed) ||
        tensor[output].bytes != tensor[viewed].bytes || !reads(needs->graph, o, viewed))
        return;
    if (needs->place[viewed] == VERIFY_PLACE_VIEWED)
        set_link(needs, output, VERIFY_PLACE_VIEWED, needs->link[viewed]);
    else if (verify_needs_has_place(needs, viewed))
        set_link(needs, output, VERIFY_PLACE_VIEWED, viewed);
}

/* In execution order, so that a view of a view finds the latter linked already. */
static void link_views(struct verify_needs *needs, const struct placement *placement)
{
    const struct graph *graph = needs->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->op[o].outputs;
        for (uint32_t i = 0; graph->op[o].first_region == GRAPH_NONE && i < outputs.count; i++)
            link_view(needs, placement, o, graph->list[outputs.first + i]);
    }
}

static void find_places(struct verify_needs *needs, const struct placement *placement)
{
    const struct graph *graph = needs->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        needs->place[t] = graph->tensor[t].external ? VERIFY_PLACE_OUTSIDE : VERIFY_PLACE_OWN;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *producer = &graph->op[o];
        bool branches = producer->first_region != GRAPH_NONE && !producer->loop;
        for (uint32_t i = 0; branches && i < producer->outputs.count; i++) {
            uint32_t result = graph->list[producer->outputs.first + i];
            bool placed = placement->offset[result] != PROBLEM_FREE;
            set_link(needs, result, placed ? VERIFY_PLACE_RESULT : VERIFY_PLACE_YIELDED, i);
        }
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        set_link(needs, graph->carried[c].result, VERIFY_PLACE_ARGUMENT,
                 graph->carried[c].argument);
}

/* The result of an If in the arena is as large as what the taken branch yields: at most as the
   largest of these. */
static void find_result_bytes(struct verify_needs *needs, uint32_t o)
{
    const struct graph *graph = needs->graph;
    struct span outputs = graph->op[o].outputs;
    assert(!graph->op[o].loop);
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        if (graph->tensor[result].external)
            continue;
        needs->bytes[result] = 0;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
            uint64_t yielded = needs->bytes[graph->list[graph->region[r].yields.first + i]];
            if (needs->bytes[result] < yielded)
                needs->bytes[result] = yielded;
        }
    }
}

/* Finds how many bytes each value has, those of inner regions first, since a result has those of
   what is yielded for it. */
static void find_region_bytes(struct verify_needs *needs, uint32_t region)
{
    const struct graph *graph = needs->graph;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            find_region_bytes(needs, r);
        if (graph->op[o].first_region != GRAPH_NONE && !graph->op[o].loop)
            find_result_bytes(needs, o);
    }
}

static enum status create_places(struct verify_needs *needs, const struct placement *placement,
                                 struct error *error)
{
    uint32_t tensors = needs->graph->tensors;
    struct verify_span *span;
    TRY(scratch_take(&needs->scratch, &span, tensors, sizeof *span, error));
    for (uint32_t t = 0; t < tensors; t++)
        span[t] = verify_span_around(placement_begin(placement, t, needs->bytes[t]));
    return verify_spans_create(span, tensors, &needs->occupied, error);
}

enum status verify_needs_create(struct verify_needs *needs, const struct graph *graph,
                                const struct placement *placement, struct error *error)
{
    uint32_t tensors = graph->tensors;
    struct scratch *scratch = &needs->scratch;
    *needs = (struct verify_needs){.graph = graph};
    TRY(scratch_take(scratch, &needs->needed.tensor, tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &needs->needed.position, tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &needs->place, tensors, sizeof(uint8_t), error));
    TRY(scratch_take(scratch, &needs->link, tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &needs->claims, tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &needs->pending, tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &needs->bytes, tensors, sizeof(uint64_t), error));
    for (uint32_t t = 0; t < tensors; t++)
        needs->bytes[t] = graph->tensor[t].bytes;
    find_region_bytes(needs, 0);
    TRY(create_places(needs, placement, error));
    find_places(needs, placement);
    link_views(needs, placement);
    return STATUS_OK;
}

void verify_needs_free(struct verify_needs *needs)
{
    scratch_free(&needs->scratch);
    verify_spans_free(&needs->occupied);
    memory_free(needs->change.tensor);
    memory_free(needs->rewound.tensor);
}

bool verify_needs_has_place(const struct verify_needs *needs, uint32_t tensor)
{
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

/* Adds or takes away a claim to a tensor, and with it to everything whose place its value may be
   in. Results of results make long chains, so this does not recurse. */
static void change_claims(struct verify_needs *needs, uint32_t tensor, bool claim)
{
    const struct graph *graph = needs->graph;
    uint32_t pending = 0;
    change_claim(needs, tensor, claim, &pending);
    while (pending) {
        uint32_t changed = needs->pending[--pending], link = needs->link[changed];
        if (needs->place[changed] == VERIFY_PLACE_YIELDED) {
            uint32_t r = graph->op[graph->tensor[changed].producer].first_region;
            for (; r != GRAPH_NONE; r = graph->region[r].next)
                change_claim(needs, graph->list[graph->region[r].yields.first + link], claim,
                             &pending);
        } else if (needs->place[changed] == VERIFY_PLACE_ARGUMENT ||
                   needs->place[changed] == VERIFY_PLACE_VIEWED)
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

static void set_needed(struct verify_needs *needs, uint32_t tensor, bool needed)
{
    if (needed)
        include(&needs->needed, tensor);
    else
        exclude(&needs->needed, tensor);
    change_claims(needs, tensor, needed);
}

static void change_needed(struct verify_needs *needs, uint32_t tensor, bool needed)
{
    if ((needs->needed.position[tensor] != 0) == needed)
        return;
    set_needed(needs, tensor, needed);
    if (needs->open_branches)
        append(needs, &needs->change, tensor);
}

void verify_needs_add(struct verify_needs *needs, uint32_t tensor)
{
    change_needed(needs, tensor, true);
}

void verify_needs_drop(struct verify_needs *needs, uint32_t tensor)
{
    change_needed(needs, tensor, false);
}

void verify_needs_add_all(struct verify_needs *needs, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        verify_needs_add(needs, needs->graph->list[tensors.first + i]);
}

void verify_needs_drop_all(struct verify_needs *needs, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        verify_needs_drop(needs, needs->graph->list[tensors.first + i]);
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
        if (needs->needed.position[change[i]])
            append(needs, &needs->rewound, change[i]);
    while (needs->change.count > branches->change) {
        uint32_t tensor = change[--needs->change.count];
        set_needed(needs, tensor, !needs->needed.position[tensor]);
    }
}

void verify_needs_end(struct verify_needs *needs, const struct verify_branches *branches)
{
    assert(needs->open_branches > 0 && needs->change.count >= branches->change);
    needs->open_branches--;
    if (!needs->open_branches)
        needs->change.count = branches->change;
    assert(branches->rewound <= needs->rewound.count);
    for (size_t i = branches->rewound; i < needs->rewound.count; i++)
        verify_needs_add(needs, needs->rewound.tensor[i]);
    needs->rewound.count = branches->rewound;
}

enum status verify_needs_check(const struct verify_needs *needs, struct error *error)
{
    return needs->failed ? error_set(error, STATUS_INTERNAL, "out of memory") : STATUS_OK;
}
