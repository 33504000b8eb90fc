#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/execute/execute.h"
#include "planning/graph/value_bytes.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* verify_paths and execute_placement against each other, on random graphs and offsets.

   What verify_paths finds valid is intact on every path: always. What it finds invalid is damaged
   on some path: without loops, and with loops whose bodies have no branches. Branches in a body
   leave execution short of turns to take them in every order.

   All this with outputs declared to overwrite inputs or to be views of them, yields to overwrite
   carried arguments and arguments their inits, rightly or wrongly, and without; and with results of
   Ifs that have places of their own, in which yields lie or into which they are copied, and
   without. */

enum { MOST_PATHS = 3000 };

struct pair_of_checks {
    struct graph *graph;
    struct placement *placement;
    uint64_t seed;
    bool exact; /* invalid means damaged */
    bool in_place;
    uint64_t *bytes; /* [tensors] of a place for it */
    struct verdict verdict;
    struct execution execution;
    unsigned valid, invalid, merged, copied; /* how often */
};

static bool lies_in_place(const struct pair_of_checks *checks)
{
    const struct placement *placement = checks->placement;
    for (uint32_t t = 0; t < placement->tensors; t++)
        if (placement->overwrites[t] != GRAPH_NONE &&
            placement->offset[t] == placement->offset[placement->overwrites[t]])
            return true;
    return false;
}

/* A branch yields into a place of the result's own. */
static bool has_copies(const struct pair_of_checks *checks)
{
    const struct graph *graph = checks->graph;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; !graph->op[o].loop && i < graph->op[o].outputs.count; i++)
            if (graph->op[o].first_region != GRAPH_NONE &&
                checks->placement->offset[graph->list[graph->op[o].outputs.first + i]] !=
                    PROBLEM_FREE)
                return true;
    return false;
}

static void compare_checks(struct pair_of_checks *checks)
{
    const struct execute_options options = {.most_paths = MOST_PATHS, .seed = checks->seed};
    must(verify_paths(checks->graph, checks->placement, &checks->verdict, &error));
    must(execute_placement(checks->graph, checks->placement, &options, &checks->execution, &error));
    bool damaged = !checks->execution.intact;
    bool agreed = checks->verdict.fault ? damaged || !checks->exact || !checks->execution.all_paths
                                        : !damaged;
    if (!agreed) {
        char verified[512], executed[512];
        verify_paths_describe(checks->graph, checks->placement, &checks->verdict, verified,
                              sizeof verified);
        must(execute_describe(
            &(struct executed){checks->graph, checks->placement, &checks->execution}, executed,
            sizeof executed, &error));
        printf("\nseed %llu: verify: %s; execute: %s\n", (unsigned long long)checks->seed, verified,
               executed);
    }
    CU_ASSERT_FATAL(agreed);
    checks->valid += !checks->verdict.fault;
    checks->merged += !checks->verdict.fault && lies_in_place(checks);
    checks->copied += !checks->verdict.fault && has_copies(checks);
    checks->invalid += checks->verdict.fault == VERIFY_OVERLAP;
}

/* Of results of Ifs, which may do without a place. */
static void take_some_places(struct pair_of_checks *checks, struct random_state *random)
{
    for (uint32_t t = 0; t < checks->graph->tensors; t++)
        if (graph_is_branch_result(checks->graph, t) && random_below(random, 2))
            checks->placement->offset[t] = PROBLEM_FREE;
}

/* Most branches make what they yield where it belongs. */
static void yield_in_place(struct pair_of_checks *checks, struct random_state *random)
{
    const struct graph *graph = checks->graph;
    uint64_t *offset = checks->placement->offset;
    for (uint32_t r = 1; r < graph->regions; r++) {
        const struct graph_operator *owner = &graph->op[graph->region[r].owner];
        for (uint32_t i = 0; !owner->loop && i < owner->outputs.count; i++) {
            uint32_t yield = graph->list[graph->region[r].yields.first + i];
            uint32_t result = graph->list[owner->outputs.first + i];
            if (offset[result] != PROBLEM_FREE && offset[yield] != PROBLEM_FREE &&
                random_below(random, 4))
                offset[yield] = offset[result];
        }
    }
}

/* An output that is in the place of what has none has none either. */
static void share_places(struct pair_of_checks *checks)
{
    must(placement_share(checks->graph, checks->placement, &error));
    for (uint32_t t = 0; t < checks->graph->tensors; t++)
        if (checks->placement->offset[t] == PROBLEM_FREE &&
            !graph_is_branch_result(checks->graph, t))
            checks->placement->offset[t] = 0;
    for (uint32_t c = 0; c < checks->graph->carried_count; c++) {
        uint32_t argument = checks->graph->carried[c].argument;
        uint32_t init = checks->placement->overwrites[argument];
        if (init != GRAPH_NONE && checks->placement->offset[init] != PROBLEM_FREE)
            checks->placement->offset[argument] = checks->placement->offset[init];
    }
}

/* All tensors apart but two: whether these two are in each other's way. */
static void compare_each_pair(struct pair_of_checks *checks, struct random_state *random)
{
    uint64_t *offset = checks->placement->offset;
    uint32_t tensors = checks->graph->tensors;
    for (uint32_t t = 0; t < tensors; t++)
        offset[t] = 4 * (uint64_t)t;
    take_some_places(checks, random);
    for (uint32_t a = 0; a < tensors; a++)
        for (uint32_t b = a % TESTING_COUNT(1, 3); b < a; b += TESTING_COUNT(1, 3)) {
            if (offset[a] == PROBLEM_FREE || offset[b] == PROBLEM_FREE)
                continue;
            offset[a] = offset[b];
            compare_checks(checks);
            offset[a] = 4 * (uint64_t)a;
        }
}

/* Random offsets, of which those found to be wrong are drawn again, ever more widely. */
static void compare_repairs(struct pair_of_checks *checks, struct random_state *random)
{
    uint64_t *offset = checks->placement->offset;
    uint64_t range = 2 + random_below(random, 8);
    for (uint32_t t = 0; t < checks->graph->tensors; t++)
        offset[t] = random_below(random, range);
    if (random_below(random, 2))
        take_some_places(checks, random);
    for (int tries = 0; tries < 150; tries++) {
        if (random_below(random, 4))
            share_places(checks);
        if (random_below(random, 4))
            yield_in_place(checks, random);
        compare_checks(checks);
        if (!checks->verdict.fault)
            return;
        uint32_t moved = random_below(random, 2) ? checks->verdict.first : checks->verdict.second;
        if (offset[moved] != PROBLEM_FREE)
            offset[moved] = random_below(random, range + (uint64_t)tries / 8);
    }
}

/* Each output overwrites mostly an input of the operator, else any tensor, which is no declaration
   at all. */
static void declare_in_place(const struct pair_of_checks *checks, struct random_state *random)
{
    const struct graph *graph = checks->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span inputs = graph->op[o].inputs, outputs = graph->op[o].outputs;
        for (uint32_t i = 0; i < outputs.count; i++) {
            uint32_t output = graph->list[outputs.first + i];
            if (!random_below(random, 3))
                continue;
            checks->placement->overwrites[output] =
                !inputs.count || !random_below(random, 10)
                    ? (uint32_t)random_below(random, graph->tensors)
                    : graph->list[inputs.first + random_below(random, inputs.count)];
            checks->placement->is_view[output] = random_below(random, 2);
        }
    }
}

static void declare_carried(const struct pair_of_checks *checks, struct random_state *random)
{
    struct placement *placement = checks->placement;
    for (uint32_t c = 0; c < checks->graph->carried_count; c++) {
        const struct graph_carried *carried = &checks->graph->carried[c];
        if (random_below(random, 2)) {
            placement->overwrites[carried->argument] = carried->init;
            placement->is_view[carried->argument] = !random_below(random, 8);
        }
        if (random_below(random, 2)) {
            placement->overwrites[carried->yield] = carried->argument;
            placement->is_view[carried->yield] = !random_below(random, 8);
        }
    }
}

/* Like compare_repairs, with every byte of a tensor in an extent of its own, at different bytes of
   the arena. */
static void scatter_tensor(struct pair_of_checks *checks, struct random_state *random,
                           uint64_t place[][4], uint32_t tensor, uint64_t range)
{
    for (uint64_t i = 0; i < checks->bytes[tensor]; i++) {
        bool again = true;
        while (again) {
            place[tensor][i] = random_below(random, range);
            again = false;
            for (uint64_t j = 0; j < i; j++)
                again = again || place[tensor][j] == place[tensor][i];
        }
    }
}

/* Where the other one has bytes; what it has more stays scattered. */
static void share_scattered(struct pair_of_checks *checks, uint64_t place[][4])
{
    for (uint32_t t = 0; t < checks->graph->tensors; t++) {
        uint32_t input = checks->placement->overwrites[t];
        if (input != GRAPH_NONE && checks->bytes[t] <= checks->bytes[input])
            memcpy(place[t], place[input], checks->bytes[t] * sizeof **place);
    }
}

static void compare_scattered(struct pair_of_checks *checks, struct random_state *random)
{
    uint64_t place[64][4], range = 6 + random_below(random, 8);
    CU_ASSERT_FATAL(checks->graph->tensors <= 64);
    for (uint32_t t = 0; t < checks->graph->tensors; t++) {
        CU_ASSERT_FATAL(checks->bytes[t] <= 4);
        scatter_tensor(checks, random, place, t, range);
    }
    for (int tries = 0; tries < 150; tries++) {
        if (random_below(random, 4))
            share_scattered(checks, place);
        extents_free(checks->placement->extents);
        checks->placement->extents = NULL;
        for (uint32_t t = 0; t < checks->graph->tensors; t++)
            for (uint64_t i = 0; i < checks->bytes[t]; i++)
                sketch_add_extent(checks->placement, t, (struct extent){place[t][i], 1});
        compare_checks(checks);
        if (!checks->verdict.fault)
            break;
        uint32_t moved = random_below(random, 2) ? checks->verdict.first : checks->verdict.second;
        scatter_tensor(checks, random, place, moved, range + (uint64_t)tries / 8);
    }
    extents_free(checks->placement->extents);
    checks->placement->extents = NULL;
}

static void compare_seed(struct pair_of_checks *checks, const struct random_graph_shape *shape)
{
    struct random_state random = random_seed(checks->seed);
    checks->graph = random_graph_create(&random, shape);
    must(placement_create(checks->graph, &checks->placement, &error));
    checks->placement->measures.peak_bytes = UINT64_MAX;
    must(value_bytes_create(checks->graph, &checks->bytes, &error));
    if (checks->in_place) {
        declare_in_place(checks, &random);
        declare_carried(checks, &random);
    }
    compare_each_pair(checks, &random);
    for (int repairs = 0; repairs < 4; repairs++)
        compare_repairs(checks, &random);
    for (int scattered = 0; scattered < 2; scattered++)
        compare_scattered(checks, &random);
    memory_free(checks->bytes);
    placement_free(checks->placement);
    graph_free(checks->graph);
}

/* First without tensors in place of each other, then with them. */
static void test_random_graphs(void)
{
    static const struct {
        struct random_graph_shape shape;
        uint64_t seeds[2];
        bool exact;
    } rows[] = {
        {{.operators = 8}, {60, 25}, true},
        {{.operators = 10, .depth = 3}, {140, 60}, true},
        {{.operators = 9, .depth = 2, .loops = true, .plain_bodies = true}, {100, 40}, true},
        {{.operators = 9, .depth = 3, .loops = true}, {60, 30}, false}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        bool in_place = i % 2;
        struct pair_of_checks checks = {.exact = rows[i / 2].exact, .in_place = in_place};
        uint64_t count = rows[i / 2].seeds[in_place] * TESTING_COUNT(6, 1) / 6;
        for (checks.seed = 0; checks.seed < count; checks.seed++)
            compare_seed(&checks, &rows[i / 2].shape);
        CU_ASSERT(checks.valid > count);
        CU_ASSERT(checks.invalid > count);
        CU_ASSERT_EQUAL(checks.merged > count / 4, in_place);
        CU_ASSERT_EQUAL(checks.copied > count / 4, rows[i / 2].shape.depth > 0);
    }
}

static const struct test_case cases[] = {
    {"without regions, nested branches, loops, branches and loops in loops", test_random_graphs},
};

TESTING_MAIN("planning/agreement", cases)
