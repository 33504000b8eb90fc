#include "planning/verify/streams/pairs.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/verify/extents.h"
#include "planning/verify/spans.h"
#include "planning/verify/streams/order.h"
#include "planning/verify/streams/uses.h"

/* Decides whether some run has two steps of which the earlier one on the list may not have ended
   when the later one starts, without going through the runs. The steps and edges of all runs make
   one graph. A run has the steps and edges of the regions that it takes, and on each stream an edge
   from each of its steps to the next one:

       main   read t    if -> then: (nothing)           write w, over t
       copy                   else: copy

   Here w waits for t's reader only by way of the copy, so not where `then` is taken.

   The choices are decided one after another. If a chain of steps that all remaining runs have leads
   from the earlier step to the later one, none of these runs has the two unordered. If even the
   steps that only some of the runs have make no chain, all of the runs have them unordered. Else
   each chain needs a region that is still open. The search takes the chain that needs the fewest,
   and an operator on it, and tries all other choices of this operator, then the one that the chain
   needs. */
struct stream_search {
    struct stream_run run; /* of all ways */
    uint32_t *choice;      /* [operators] as of a run, or STREAM_SEARCH_OPEN */
    uint32_t *trail; /* [decided] operators whose choice is not open, in the order of deciding */
    size_t decided;
    uint8_t *presence; /* [regions] whether the remaining runs take it */
    uint32_t
        *open; /* [steps] over all chains from it to the later step, the fewest steps that only some
                  of the remaining runs have; STREAM_SEARCH_NO_CHAIN where there is no chain */
    uint32_t *next; /* [steps] the next one of that chain */
    uint32_t *last; /* [streams] the last step found on it, going back, from which a chain leads to
                       the later step */
    uint64_t looks; /* steps that may still be looked at before it gives up */
};
#define STREAM_SEARCH_OPEN (UINT32_MAX - 1)

enum { STREAM_SEARCH_NEVER, STREAM_SEARCH_MAYBE, STREAM_SEARCH_SURE };

#define STREAM_SEARCH_NO_CHAIN UINT32_MAX

enum { MOST_LOOKS = 400000000 };

/* Leaves *search fit for free_search where it fails. */
static enum status create_search(const struct graph *graph, struct stream_search *search,
                                 struct error *error)
{
    *search = (struct stream_search){.looks = MOST_LOOKS};
    TRY(stream_run_create(graph, &search->run, error));
    TRY(stream_run_follow(&search->run, NULL, error));
    struct scratch *scratch = &search->run.scratch; /* which is freed with the run */
    uint32_t operators = graph->operators, steps = search->run.steps;
    TRY(scratch_take_all(scratch, operators, error, &search->choice, &search->trail));
    TRY(scratch_take(scratch, &search->presence, graph->regions, sizeof(uint8_t), error));
    TRY(scratch_take_all(scratch, steps, error, &search->open, &search->next));
    TRY(scratch_take(scratch, &search->last, graph->streams.count, sizeof(uint32_t), error));
    for (uint32_t o = 0; o < operators; o++)
        search->choice[o] = graph->op[o].loop && graph->op[o].trip_count > 0
                                ? graph->op[o].first_region
                                : STREAM_SEARCH_OPEN;
    return STATUS_OK;
}

static void free_search(struct stream_search *search)
{
    stream_run_free(&search->run);
}

/* Whether a choice of the region's operator is one for the region. */
static bool is_for(const struct graph *graph, uint32_t choice, uint32_t region)
{
    const struct graph_operator *owner = &graph->op[graph->region[region].owner];
    return owner->loop ? choice != GRAPH_NONE : choice == region;
}

/* Keeps only the runs that make this choice if they reach the operator, whose choice is open. */
static void choose(struct stream_search *search, uint32_t op, uint32_t choice)
{
    assert(search->choice[op] == STREAM_SEARCH_OPEN);
    assert(choice != STREAM_SEARCH_OPEN && search->decided < search->run.graph->operators);
    search->choice[op] = choice;
    search->trail[search->decided++] = op;
}

static void undo_choices(struct stream_search *search, size_t decided)
{
    assert(decided <= search->decided);
    while (search->decided > decided)
        search->choice[search->trail[--search->decided]] = STREAM_SEARCH_OPEN;
}

/* Keeps only the runs that take the region; false where none remains. undo_choices with the
   earlier value of search->decided goes back. O(depth of regions). */
static bool take_region(struct stream_search *search, uint32_t region)
{
    const struct graph *graph = search->run.graph;
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t owner = graph->region[r].owner;
        if (search->choice[owner] == STREAM_SEARCH_OPEN)
            choose(search, owner, graph->op[owner].loop ? graph->op[owner].first_region : r);
        else if (!is_for(graph, search->choice[owner], r))
            return false;
    }
    return true;
}

/* Notes that a chain leads from the step on to `next`, unless a better one is known. */
static void lead_on(struct stream_search *search, uint32_t step, uint32_t next)
{
    uint8_t there = search->presence[search->run.region[step]];
    assert(step < next && search->open[next] != STREAM_SEARCH_NO_CHAIN);
    uint32_t open = search->open[next] + (there == STREAM_SEARCH_MAYBE);
    if (there == STREAM_SEARCH_NEVER || search->open[step] <= open)
        return;
    search->open[step] = open;
    search->next[step] = next;
}

/* Fills search->open from step `end` on for a later step that all remaining runs have. It is 0 for
   steps that, on each of these runs that has them, have ended when the later one starts. O(steps
   and edges). */
static void reach_back(struct stream_search *search, uint32_t later, uint32_t end)
{
    const struct stream_run *run = &search->run;
    const struct graph *graph = run->graph;
    assert(end <= later && later < run->steps);
    search->presence[0] = STREAM_SEARCH_SURE;
    for (uint32_t r = 1; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner, choice = search->choice[owner];
        uint8_t around = search->presence[graph->op[owner].region];
        assert(graph->op[owner].region < r);
        search->presence[r] = choice == STREAM_SEARCH_OPEN && around ? STREAM_SEARCH_MAYBE
                              : is_for(graph, choice, r)             ? around
                                                                     : STREAM_SEARCH_NEVER;
    }
    for (uint32_t step = end; step < later; step++)
        search->open[step] = STREAM_SEARCH_NO_CHAIN;
    for (uint32_t s = 0; s < graph->streams.count; s++)
        search->last[s] = GRAPH_NONE;
    search->open[later] = 0;
    for (uint32_t step = later + 1; step-- > end;) {
        uint32_t *last = run->stream[step] == GRAPH_NONE ? NULL : &search->last[run->stream[step]];
        if (last && *last != GRAPH_NONE)
            lead_on(search, step, *last);
        if (search->open[step] == STREAM_SEARCH_NO_CHAIN)
            continue;
        if (last && (*last == GRAPH_NONE || search->open[*last] >= search->open[step]))
            *last = step;
        for (size_t e = run->first[step]; e < run->first[step + 1]; e++)
            if (run->edge[e] >= end)
                lead_on(search, run->edge[e], step);
    }
}

/* Whether two steps that all remaining runs have are unordered on one of these runs;
   STREAM_SEARCH_MAYBE where the search gave up. With STREAM_SEARCH_SURE the choices of such a run
   stay decided, and the caller has to undo them. */
static int find_unordered(struct stream_search *search, uint32_t earlier, uint32_t later);

static int try_choice(struct stream_search *search, uint32_t op, uint32_t choice, uint32_t earlier,
                      uint32_t later)
{
    size_t decided = search->decided;
    choose(search, op, choice);
    int answer = find_unordered(search, earlier, later);
    if (answer == STREAM_SEARCH_NEVER)
        undo_choices(search, decided);
    return answer;
}

static int find_unordered(struct stream_search *search, uint32_t earlier, uint32_t later)
{
    const struct graph *graph = search->run.graph;
    const struct stream_run *run = &search->run;
    uint64_t looks =
        later - earlier + 1 + run->first[later + 1] - run->first[earlier] + graph->regions;
    assert(earlier < later);
    if (search->looks < looks)
        return STREAM_SEARCH_MAYBE;
    search->looks -= looks;
    reach_back(search, later, earlier);
    if (search->open[earlier] == STREAM_SEARCH_NO_CHAIN)
        return STREAM_SEARCH_SURE;
    if (search->open[earlier] == 0)
        return STREAM_SEARCH_NEVER;
    /* The outermost open region around the first step of the chain that only some runs have. */
    uint32_t step = earlier;
    while (search->presence[run->region[step]] == STREAM_SEARCH_SURE)
        step = search->next[step];
    uint32_t region = run->region[step];
    assert(step < later && search->presence[region] == STREAM_SEARCH_MAYBE);
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region)
        if (search->choice[graph->region[r].owner] == STREAM_SEARCH_OPEN)
            region = r;
    uint32_t op = graph->region[region].owner;
    assert(search->choice[op] == STREAM_SEARCH_OPEN);
    int answer = graph->op[op].loop ? try_choice(search, op, GRAPH_NONE, earlier, later)
                                    : STREAM_SEARCH_NEVER;
    for (uint32_t r = graph->op[op].first_region; r != GRAPH_NONE && answer == STREAM_SEARCH_NEVER;
         r = graph->region[r].next)
        if (r != region && !graph->op[op].loop)
            answer = try_choice(search, op, r, earlier, later);
    return answer == STREAM_SEARCH_NEVER ? try_choice(search, op, region, earlier, later) : answer;
}

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
        return clash.use < clash.born ? find_unordered(search, clash.use, clash.born)
                                      : STREAM_SEARCH_SURE;
    }
    output = graph_position(graph, graph->op[op].outputs, value);
    assert(graph_has_branches(graph, op) && output < graph->op[op].outputs.count);
    for (uint32_t r = graph->op[op].first_region; r != GRAPH_NONE && answer == STREAM_SEARCH_NEVER;
         r = graph->region[r].next) {
        clash.value[i] = graph_yield(graph, r, output);
        if (take_region(search, r))
            answer = decide_clash(decider, clash);
        if (answer == STREAM_SEARCH_NEVER)
            undo_choices(search, decided);
    }
    return answer;
}

static bool take_step(struct decider *decider, uint32_t step)
{
    assert(step == GRAPH_NONE || step < decider->search.run.steps);
    return step == GRAPH_NONE || take_region(&decider->search, decider->search.run.region[step]);
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
        if (take_region(search, use->region) && take_step(decider, use->step) &&
            take_step(decider, uses->born[a] - 1) && take_step(decider, clash.born))
            found = decide_clash(decider, clash);
        answer = found > answer ? found : answer;
        if (found != STREAM_SEARCH_SURE)
            undo_choices(search, 0);
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
                reach_back(search, born - 1, 0);
            for (uint32_t step = 0; step + 1 < born; step++)
                decider->ended[step] = search->open[step] == 0;
            undo_choices(search, 0);
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
    TRY(create_search(graph, &decider->search, error));
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
    free_search(&decider->search);
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
