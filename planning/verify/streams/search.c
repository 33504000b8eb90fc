#include "planning/verify/streams/search.h"

#include <assert.h>

enum { MOST_LOOKS = 400000000 };

enum status stream_search_create(const struct graph *graph, struct stream_search *search,
                                 struct error *error)
{
    *search = (struct stream_search){.looks = MOST_LOOKS};
    TRY(stream_run_create(graph, &search->run, error));
    TRY(stream_run_follow(&search->run, NULL, error));
    struct scratch *scratch = &search->run.scratch; /* which is freed with the run */
    uint32_t operators = graph->operators, steps = search->run.steps;
    TRY(scratch_take(scratch, &search->choice, operators, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &search->trail, operators, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &search->presence, graph->regions, sizeof(uint8_t), error));
    TRY(scratch_take(scratch, &search->open, steps, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &search->next, steps, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &search->last, graph->streams.count, sizeof(uint32_t), error));
    for (uint32_t o = 0; o < operators; o++)
        search->choice[o] = graph->op[o].loop && graph->op[o].trip_count > 0
                                ? graph->op[o].first_region
                                : STREAM_SEARCH_OPEN;
    return STATUS_OK;
}

void stream_search_free(struct stream_search *search)
{
    stream_run_free(&search->run);
}

/* Whether a choice of the region's operator is one for the region. */
static bool is_for(const struct graph *graph, uint32_t choice, uint32_t region)
{
    const struct graph_operator *owner = &graph->op[graph->region[region].owner];
    return owner->loop ? choice != GRAPH_NONE : choice == region;
}

void stream_search_choose(struct stream_search *search, uint32_t op, uint32_t choice)
{
    assert(search->choice[op] == STREAM_SEARCH_OPEN);
    assert(choice != STREAM_SEARCH_OPEN && search->decided < search->run.graph->operators);
    search->choice[op] = choice;
    search->trail[search->decided++] = op;
}

void stream_search_undo(struct stream_search *search, size_t decided)
{
    assert(decided <= search->decided);
    while (search->decided > decided)
        search->choice[search->trail[--search->decided]] = STREAM_SEARCH_OPEN;
}

bool stream_search_take(struct stream_search *search, uint32_t region)
{
    const struct graph *graph = search->run.graph;
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t owner = graph->region[r].owner;
        if (search->choice[owner] == STREAM_SEARCH_OPEN)
            stream_search_choose(search, owner,
                                 graph->op[owner].loop ? graph->op[owner].first_region : r);
        else if (!is_for(graph, search->choice[owner], r))
            return false;
    }
    return true;
}

/* A chain leads on from the step to `next`, unless a better one does. */
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

/* Goes back from the later step to step `end`. */
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

void stream_search_reach(struct stream_search *search, uint32_t later)
{
    reach_back(search, later, 0);
}

static int try_choice(struct stream_search *search, uint32_t op, uint32_t choice, uint32_t earlier,
                      uint32_t later)
{
    size_t decided = search->decided;
    stream_search_choose(search, op, choice);
    int answer = stream_search_unordered(search, earlier, later);
    if (answer == STREAM_SEARCH_NEVER)
        stream_search_undo(search, decided);
    return answer;
}

int stream_search_unordered(struct stream_search *search, uint32_t earlier, uint32_t later)
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
    /* The outermost region that is open around the first step of the chain which is there only
       perhaps. */
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
