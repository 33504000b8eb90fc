#include "planning/verify/streams/pairs.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/verify/extents.h"
#include "planning/verify/spans.h"
#include "planning/verify/streams/search.h"
#include "planning/verify/streams/uses.h"

/* The first and the last address of all bytes of a tenant. */
struct reach {
    uint64_t begin, end;
    uint32_t tenant;
};

struct decider {
    const struct graph *graph;
    const struct placement *placement;
    struct stream_search search;
    struct stream_uses uses;
    uint64_t *bytes;     /* [tensors] of a whole place */
    bool *varies;        /* [tensors] the value has fewer on some ways */
    bool *ended;         /* [steps] whether it has surely ended when the later tenant is born */
    struct reach *reach; /* [reaches] by rising begin */
    uint32_t reaches;
    struct error *error;
};

static bool share_bytes(const struct decider *decider, const uint32_t tensor[2],
                        const uint64_t bytes[2])
{
    assert(tensor[0] != tensor[1]);
    const struct extents_walk walk = placement_begin(decider->placement, tensor[1], bytes[1]);
    return verify_share_bytes(placement_begin(decider->placement, tensor[0], bytes[0]), &walk);
}

/* Two tensors of which one is used and the other written first. */
struct clash {
    uint32_t tensor[2];
    uint32_t value[2]; /* what decides how many bytes they have: a result of an If has those of what
                          is yielded */
    uint32_t use, born; /* steps; GRAPH_NONE for what is kept to the end */
};

/* Whether some of the runs that are left has both with bytes in common and unordered. Where a value
   is a result of an If that may have fewer bytes, its branches are taken one after another. */
static int decide_clash(struct decider *decider, struct clash clash)
{
    const struct graph *graph = decider->graph;
    struct stream_search *search = &decider->search;
    size_t decided = search->decided;
    assert(clash.born < search->run.steps);
    int answer = STREAM_SEARCH_NEVER;
    int i = decider->varies[clash.value[0]] ? 0 : 1;
    uint32_t value = clash.value[i], op = graph->tensor[value].producer, output;
    if (!decider->varies[value]) {
        const uint64_t bytes[] = {decider->bytes[clash.value[0]], decider->bytes[clash.value[1]]};
        if (!share_bytes(decider, clash.tensor, bytes))
            return STREAM_SEARCH_NEVER;
        return clash.use < clash.born ? stream_search_unordered(search, clash.use, clash.born)
                                      : STREAM_SEARCH_SURE;
    }
    output = graph_position(graph, graph->op[op].outputs, value);
    assert(graph_has_branches(graph, op) && output < graph->op[op].outputs.count);
    for (uint32_t r = graph->op[op].first_region; r != GRAPH_NONE && answer == STREAM_SEARCH_NEVER;
         r = graph->region[r].next) {
        clash.value[i] = graph_yield(graph, r, output);
        if (stream_search_take(search, r))
            answer = decide_clash(decider, clash);
        if (answer == STREAM_SEARCH_NEVER)
            stream_search_undo(search, decided);
    }
    return answer;
}

static bool take_step(struct decider *decider, uint32_t step)
{
    assert(step == GRAPH_NONE || step < decider->search.run.steps);
    return step == GRAPH_NONE ||
           stream_search_take(&decider->search, decider->search.run.region[step]);
}

/* Whether some run has tenant b born while tenant a, which is born no later on the list, is in use.
   What decider->ended says of b is sure of all runs. */
static int decide_pair(struct decider *decider, uint32_t a, uint32_t b)
{
    struct stream_search *search = &decider->search;
    const struct stream_uses *uses = &decider->uses;
    uint32_t first = stream_uses_tensor(uses, a), second = stream_uses_tensor(uses, b);
    assert(a < uses->tenants && b < uses->tenants && first != second);
    int answer = STREAM_SEARCH_NEVER;
    if (!uses->born[b]) /* both are there from the start */
        return STREAM_SEARCH_SURE;
    assert(uses->born[a] <= uses->born[b] && search->decided == 0);
    struct clash clash = {{first, second}, {first, second}, GRAPH_NONE, uses->born[b] - 1};
    for (size_t u = uses->first[a]; u < uses->first[a + 1] && answer != STREAM_SEARCH_SURE; u++) {
        const struct stream_use *use = &uses->use[u];
        clash.use = use->step;
        if (use->step < clash.born && decider->ended[use->step])
            continue;
        int found = STREAM_SEARCH_NEVER;
        if (stream_search_take(search, use->region) && take_step(decider, use->step) &&
            take_step(decider, uses->born[a] - 1) && take_step(decider, clash.born))
            found = decide_clash(decider, clash);
        answer = found > answer ? found : answer;
        if (found != STREAM_SEARCH_SURE)
            stream_search_undo(search, 0);
    }
    return answer;
}

COMPARE_MEMBERS(compare_reaches, struct reach, begin, tenant)

/* Compares the tenant with all that lie on its bytes and are born no later. */
static int decide_tenant(struct decider *decider, const struct reach *later)
{
    const struct stream_uses *uses = &decider->uses;
    struct stream_search *search = &decider->search;
    uint32_t b = later->tenant, born = uses->born[b], tensor[2] = {0, stream_uses_tensor(uses, b)};
    int answer = STREAM_SEARCH_NEVER;
    bool known = born == 0; /* decider->ended is that of the step before `born` */
    for (uint32_t i = 0; i < decider->reaches && decider->reach[i].begin < later->end; i++) {
        uint32_t a = decider->reach[i].tenant;
        assert(i == 0 || decider->reach[i - 1].begin <= decider->reach[i].begin);
        tensor[0] = stream_uses_tensor(uses, a);
        const uint64_t bytes[] = {decider->bytes[tensor[0]], decider->bytes[tensor[1]]};
        bool is_later = uses->born[a] > born || (uses->born[a] == born && a > b);
        if (decider->reach[i].end <= later->begin || is_later || tensor[0] == tensor[1] ||
            !share_bytes(decider, tensor, bytes))
            continue;
        if (!known) {
            uint64_t looks = (uint64_t)born - 1 + search->run.first[born] + decider->reaches;
            if (search->looks < looks)
                return STREAM_SEARCH_MAYBE;
            search->looks -= looks;
            if (take_step(decider, born - 1))
                stream_search_reach(search, born - 1);
            for (uint32_t step = 0; step + 1 < born; step++)
                decider->ended[step] = search->open[step] == 0;
            stream_search_undo(search, 0);
            known = true;
        }
        int found = decide_pair(decider, a, b);
        answer = found > answer ? found : answer;
        if (answer == STREAM_SEARCH_SURE)
            return answer;
    }
    return answer;
}

static enum status create_decider(struct decider *decider)
{
    const struct graph *graph = decider->graph;
    struct scratch *scratch = &decider->search.run.scratch; /* which is freed with the search */
    struct stream_uses *uses = &decider->uses;
    struct error *error = decider->error;
    TRY(stream_search_create(graph, &decider->search, error));
    TRY(stream_uses_create(graph, decider->placement, uses, error));
    TRY(stream_uses_find(uses, &decider->search.run, error));
    TRY(scratch_take(scratch, &decider->ended, decider->search.run.steps, sizeof(bool), error));
    TRY(scratch_take(scratch, &decider->reach, uses->tenants, sizeof *decider->reach, error));
    TRY(scratch_take(scratch, &decider->bytes, graph->tensors, sizeof(uint64_t), error));
    value_bytes_find(graph, NULL, decider->bytes);
    TRY(value_bytes_vary_create(graph, decider->bytes, &decider->varies, error));
    for (uint32_t t = 0; t < uses->tenants; t++) {
        uint32_t tensor = stream_uses_tensor(uses, t);
        if (uses->place[tensor] != tensor)
            continue;
        struct verify_span around =
            verify_span_around(placement_begin(decider->placement, tensor, decider->bytes[tensor]));
        if (around.lower < around.upper)
            decider->reach[decider->reaches++] = (struct reach){around.lower, around.upper, t};
    }
    if (decider->reaches)
        qsort(decider->reach, decider->reaches, sizeof *decider->reach, compare_reaches);
    return STATUS_OK;
}

static void free_decider(struct decider *decider)
{
    stream_search_free(&decider->search);
    stream_uses_free(&decider->uses);
    memory_free(decider->varies);
}

enum status stream_pairs_decide(const struct graph *graph, const struct placement *placement,
                                uint32_t *way, enum stream_pairs_answer *answer,
                                struct error *error)
{
    SCOPED(free_decider)
    struct decider decider = {.graph = graph, .placement = placement, .error = error};
    int worst = STREAM_SEARCH_NEVER;
    TRY(create_decider(&decider));
    for (uint32_t i = 0; i < decider.reaches && worst != STREAM_SEARCH_SURE; i++) {
        int found = decide_tenant(&decider, &decider.reach[i]);
        worst = found > worst ? found : worst;
    }
    assert(worst == STREAM_SEARCH_SURE || decider.search.decided == 0);
    *answer = worst == STREAM_SEARCH_SURE    ? STREAM_PAIRS_OVERLAP
              : worst == STREAM_SEARCH_MAYBE ? STREAM_PAIRS_UNKNOWN
                                             : STREAM_PAIRS_APART;
    /* The choices of the way that was found, any where it does not matter. */
    for (uint32_t o = 0; o < graph->operators; o++)
        way[o] = decider.search.choice[o] == STREAM_SEARCH_OPEN ? graph->op[o].first_region
                                                                : decider.search.choice[o];
    return STATUS_OK;
}
