#include "planning/execute/paths.h"

#include <assert.h>

#include "core/checked.h"

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
    assert(body > 0);
    for (uint32_t turn = 0; turn < turns; turn++)
        count = multiply_paths(count, body);
    return count;
}

/* Paths through an operator without regions, through any of the branches of one that has them, or
   through a loop of any of its turn counts. */
static uint64_t count_operator(const struct execute_paths *paths, uint32_t o)
{
    const struct graph_operator *op = &paths->graph->op[o];
    uint64_t count = op->first_region == GRAPH_NONE;
    struct execute_turns turns = {1, 0};
    if (op->loop)
        turns = execute_paths_turns(paths->graph, o);
    for (uint32_t turn = turns.least; turn <= turns.most; turn++)
        count = add_paths(count, count_loop(paths, o, turn));
    for (uint32_t r = op->first_region; r != GRAPH_NONE && !op->loop;
         r = paths->graph->region[r].next)
        count = add_paths(count, paths->of_region[r]);
    return count;
}

enum status execute_paths_create(struct execute_paths *paths, const struct graph *graph,
                                 struct scratch *scratch, struct error *error)
{
    *paths = (struct execute_paths){.graph = graph};
    TRY(scratch_take(scratch, &paths->of_operator, graph->operators, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &paths->of_region, graph->regions, sizeof(uint64_t), error));
    for (uint32_t r = 0; r < graph->regions; r++)
        paths->of_region[r] = 1;
    for (uint32_t o = graph->operators; o-- > 0;) {
        uint64_t *around = &paths->of_region[graph->op[o].region];
        paths->of_operator[o] = count_operator(paths, o);
        assert(paths->of_operator[o] > 0 && graph->op[o].region < graph->regions);
        *around = multiply_paths(*around, paths->of_operator[o]);
    }
    paths->total = paths->of_region[0];
    assert(paths->total > 0);
    return STATUS_OK;
}

static uint64_t take_digit(uint64_t *number, uint64_t base)
{
    assert(base > 0);
    uint64_t digit = *number % base;
    *number /= base;
    return digit;
}

/* Which branch the path takes. Where the path's number says which, *number becomes the number of
   the path within the branch, without the paths through the branches before it. */
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

/* How many turns the loop makes. Where the path's number says how many, *number becomes the number
   of the path among those of this many turns, without the paths of fewer. */
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
    const struct execute_paths *paths = follower->paths;
    const struct graph *graph = paths->graph;
    uint64_t body = count_body(paths, o);
    uint32_t turns = choose_turns(follower, o, &number);
    assert(turns <= execute_paths_turns(graph, o).most);
    if (!visit_event(follower, EXECUTE_ENTER, o, GRAPH_NONE, turns))
        return false;
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint64_t rest = take_digit(&number, body);
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            if (!follow_region(follower, r, take_digit(&rest, paths->of_region[r])))
                return false;
        assert(follower->choices || rest == 0);
        if (!visit_event(follower, EXECUTE_TURN, o, GRAPH_NONE, turns))
            return false;
    }
    return visit_event(follower, EXECUTE_LEAVE, o, GRAPH_NONE, turns);
}

static bool follow_region(struct follower *follower, uint32_t region, uint64_t number)
{
    const struct execute_paths *paths = follower->paths;
    const struct graph *graph = paths->graph;
    bool goes_on = true;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end && goes_on;
         o = graph->op[o].end) {
        uint64_t inner = take_digit(&number, paths->of_operator[o]);
        if (graph->op[o].first_region == GRAPH_NONE) {
            goes_on = visit_event(follower, EXECUTE_PLAIN, o, GRAPH_NONE, 0);
        } else if (graph->op[o].loop) {
            goes_on = follow_loop(follower, o, inner);
        } else {
            uint32_t branch = choose_branch(follower, o, &inner);
            goes_on = visit_event(follower, EXECUTE_ENTER, o, branch, 0) &&
                      follow_region(follower, branch, inner) &&
                      visit_event(follower, EXECUTE_LEAVE, o, branch, 0);
        }
    }
    assert(!goes_on || follower->choices || number == 0);
    return goes_on;
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
