#include "planning/execute/paths.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

struct follower {
    const struct execute_paths *paths;
    const struct execute_choices *choices; /* NULL: the digits of the path's number say */
    execute_visit *visit;
    void *context;
};

static uint64_t add_paths(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return checked_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t multiply_paths(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_multiply(a, b, &product) ? product : UINT64_MAX;
}

struct execute_turns execute_paths_turns(const struct graph *graph, uint32_t loop)
{
    int64_t count = graph->op[loop].trip_count;
    assert(graph->op[loop].loop);
    if (count < 0)
        return (struct execute_turns){0, EXECUTE_MOST_TURNS};
    uint32_t turns = count < EXECUTE_MOST_TURNS ? (uint32_t)count : EXECUTE_MOST_TURNS;
    return (struct execute_turns){turns, turns};
}

/* Paths through all regions of a loop, which run one after another. */
static uint64_t count_body(const struct execute_paths *paths, uint32_t loop)
{
    const struct graph *graph = paths->graph;
    uint64_t count = 1;
    assert(graph->op[loop].loop);
    for (uint32_t r = graph->op[loop].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        count = multiply_paths(count, paths->of_region[r]);
    return count;
}

/* Paths through a loop of this many turns, each of which takes any path through the body. */
static uint64_t count_loop(const struct execute_paths *paths, uint32_t loop, uint32_t turns)
{
    uint64_t count = 1, body = count_body(paths, loop);
    for (uint32_t turn = 0; turn < turns; turn++)
        count = multiply_paths(count, body);
    return count;
}

static uint64_t count_operator(const struct execute_paths *paths, uint32_t o)
{
    const struct graph *graph = paths->graph;
    uint64_t count = 0;
    if (graph->op[o].first_region == GRAPH_NONE)
        return 1;
    if (graph->op[o].loop) {
        struct execute_turns counts = execute_paths_turns(graph, o);
        for (uint32_t turns = counts.least; turns <= counts.most; turns++)
            count = add_paths(count, count_loop(paths, o, turns));
        return count;
    }
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        count = add_paths(count, paths->of_region[r]);
    return count;
}

enum status execute_paths_create(struct execute_paths *paths, const struct graph *graph,
                                 struct error *error)
{
    *paths = (struct execute_paths){.graph = graph};
    TRY(memory_create(&paths->of_operator, graph->operators, sizeof *paths->of_operator, error));
    TRY(memory_create(&paths->of_region, graph->regions, sizeof *paths->of_region, error));
    for (uint32_t r = 0; r < graph->regions; r++)
        paths->of_region[r] = 1;
    for (uint32_t o = graph->operators; o-- > 0;) {
        uint64_t *around = &paths->of_region[graph->op[o].region];
        paths->of_operator[o] = count_operator(paths, o);
        *around = multiply_paths(*around, paths->of_operator[o]);
    }
    paths->total = paths->of_region[0];
    assert(paths->total > 0);
    return STATUS_OK;
}

void execute_paths_free(struct execute_paths *paths)
{
    memory_free(paths->of_operator);
    memory_free(paths->of_region);
}

static uint64_t take_digit(uint64_t *number, uint64_t base)
{
    assert(base > 0);
    uint64_t digit = *number % base;
    *number /= base;
    return digit;
}

/* Which branch the path takes. Where its number says so, *number becomes that of the path within
   the branch: without the paths through the branches before it. */
static uint32_t choose_branch(struct follower *follower, uint32_t o, uint64_t *number)
{
    const struct execute_paths *paths = follower->paths;
    uint32_t region = paths->graph->op[o].first_region;
    assert(region != GRAPH_NONE);
    if (follower->choices)
        return follower->choices->branch(follower->choices->context, o);
    while (*number >= paths->of_region[region]) {
        *number -= paths->of_region[region];
        region = paths->graph->region[region].next;
        assert(region != GRAPH_NONE);
    }
    return region;
}

static bool visit_event(struct follower *follower, enum execute_event_kind kind, uint32_t o,
                        uint32_t region, uint32_t turns)
{
    const struct execute_event event = {kind, o, region, turns};
    return follower->visit(follower->context, &event);
}

static bool follow_region(struct follower *follower, uint32_t region, uint64_t number);

static bool follow_branches(struct follower *follower, uint32_t o, uint64_t number)
{
    uint32_t region = choose_branch(follower, o, &number);
    return visit_event(follower, EXECUTE_ENTER, o, region, 0) &&
           follow_region(follower, region, number) &&
           visit_event(follower, EXECUTE_LEAVE, o, region, 0);
}

static bool follow_turn(struct follower *follower, uint32_t loop, uint64_t number)
{
    const struct execute_paths *paths = follower->paths;
    const struct graph *graph = paths->graph;
    for (uint32_t r = graph->op[loop].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (!follow_region(follower, r, take_digit(&number, paths->of_region[r])))
            return false;
    assert(follower->choices || number == 0);
    return true;
}

/* How many turns the loop makes. Where the path's number says so, *number becomes that of the path
   among those of this many turns: without the paths of fewer. */
static uint32_t choose_turns(struct follower *follower, uint32_t o, uint64_t *number)
{
    const struct execute_paths *paths = follower->paths;
    uint32_t turns = execute_paths_turns(paths->graph, o).least;
    if (follower->choices)
        return follower->choices->turns(follower->choices->context, o);
    for (uint64_t of; *number >= (of = count_loop(paths, o, turns)); turns++)
        *number -= of;
    return turns;
}

static bool follow_loop(struct follower *follower, uint32_t o, uint64_t number)
{
    uint64_t body = count_body(follower->paths, o);
    uint32_t turns = choose_turns(follower, o, &number);
    assert(turns <= execute_paths_turns(follower->paths->graph, o).most);
    if (!visit_event(follower, EXECUTE_ENTER, o, GRAPH_NONE, turns))
        return false;
    for (uint32_t turn = 0; turn < turns; turn++)
        if (!follow_turn(follower, o, take_digit(&number, body)) ||
            !visit_event(follower, EXECUTE_TURN, o, GRAPH_NONE, turns))
            return false;
    return visit_event(follower, EXECUTE_LEAVE, o, GRAPH_NONE, turns);
}

static bool follow_operator(struct follower *follower, uint32_t o, uint64_t number)
{
    const struct graph *graph = follower->paths->graph;
    if (graph->op[o].first_region == GRAPH_NONE)
        return visit_event(follower, EXECUTE_PLAIN, o, GRAPH_NONE, 0);
    if (graph->op[o].loop)
        return follow_loop(follower, o, number);
    return follow_branches(follower, o, number);
}

static bool follow_region(struct follower *follower, uint32_t region, uint64_t number)
{
    const struct execute_paths *paths = follower->paths;
    const struct graph *graph = paths->graph;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end)
        if (!follow_operator(follower, o, take_digit(&number, paths->of_operator[o])))
            return false;
    assert(follower->choices || number == 0);
    return true;
}

bool execute_paths_follow(const struct execute_paths *paths, uint64_t number, execute_visit *visit,
                          void *context)
{
    struct follower follower = {.paths = paths, .visit = visit, .context = context};
    assert(number < paths->total);
    return follow_region(&follower, 0, number);
}

bool execute_paths_choose(const struct execute_paths *paths, const struct execute_choices *choices,
                          execute_visit *visit, void *context)
{
    struct follower follower = {
        .paths = paths, .choices = choices, .visit = visit, .context = context};
    return follow_region(&follower, 0, 0);
}
