#include <stdio.h>
#include <stdlib.h>

#include "planning/graph/build.h"
#include "planning/liveness/sharing.h"
#include "planning/lowering/path_level.h"
#include "planning/path_reference.h"
#include "planning/plan/placement.h"
#include "planning/policies/policy.h"
#include "planning/problem/bounds.h"
#include "planning/random_graph.h"
#include "support/must.h"
#include "support/testing.h"

/* The problem of a graph against every path through it: who is in whose way, in how many bytes, and
   the load. */

enum { MOST_PATHS = 600, SEEDS = TESTING_COUNT(1500, 10), ROWS = TESTING_COUNT(600, 6) };
/* More in a row than a condition may have branches; in release builds also than tracks. */
enum { LINKS = TESTING_COUNT(400, 140) };

struct scene {
    struct graph *graph;
    struct placement *placement;
    struct result_places *places; /* NULL under the policy select */
    struct liveness *liveness;
    struct level *level;
};

static void make_level(struct scene *scene, bool places)
{
    must(placement_create(scene->graph, &scene->placement, &error));
    if (places) {
        must(result_places_create(scene->graph, scene->placement, NULL, &scene->places, &error));
        must(liveness_create_in_places(scene->graph, scene->placement, scene->places,
                                       &scene->liveness, &error));
    } else
        must(liveness_create_shared(scene->graph, scene->placement, &scene->liveness, &error));
    must(path_level_create(&(struct level_source){scene->graph, scene->liveness, 1}, scene->places,
                           &scene->level, &error));
}

static void free_scene(struct scene *scene)
{
    level_free(scene->level);
    liveness_free(scene->liveness);
    result_places_free(scene->places);
    placement_free(scene->placement);
    graph_free(scene->graph);
}

static bool compare_with_paths(const struct scene *scene, uint64_t seed)
{
    SCOPED(reference_free) struct reference reference = {0};
    uint64_t load;
    if (scene->graph->tensors > REFERENCE_MOST_TENSORS)
        return false;
    bool ran = reference_run(&reference, scene->graph, scene->places, MOST_PATHS);
    if (ran) {
        bool agreed = reference_agrees(&reference, scene->level->problem, scene->level->tensor);
        must(problem_load(scene->level->problem, &load, NULL, &error));
        if (!agreed || load != reference.load_bytes)
            printf("\nseed %llu: load %llu, on paths %llu\n", (unsigned long long)seed,
                   (unsigned long long)load, (unsigned long long)reference.load_bytes);
        CU_ASSERT_FATAL(agreed);
        CU_ASSERT_EQUAL(load, reference.load_bytes);
    }
    return ran;
}

struct row {
    struct graph *graph;
    struct random_state random;
    uint32_t names, results;
    uint32_t result[8];
};

static const char *make_name(struct row *row, char kind)
{
    static char name[16];
    snprintf(name, sizeof name, "%c%u", kind, row->names++);
    return name;
}

static uint32_t add_tensor(struct row *row)
{
    uint32_t tensor;
    const struct graph_tensor_spec spec = {.name = make_name(row, 't'),
                                           .bytes = 1 + random_below(&row->random, 100)};
    must(graph_add_tensor(row->graph, &spec, &tensor, &error));
    return tensor;
}

static void add_plain(struct row *row, uint32_t reads, uint32_t output)
{
    uint32_t inputs[2], ignored;
    for (uint32_t i = 0; i < reads; i++)
        inputs[i] = row->result[random_below(&row->random, row->results)];
    must(graph_open_operator(row->graph, make_name(row, 'o'), "Any", &ignored, &error));
    must(graph_operator_inputs(row->graph, inputs, reads, &error));
    must(graph_operator_outputs(row->graph, &output, 1, &error));
    graph_close_operator(row->graph);
}

/* Opens an If with one result, which it returns. */
static uint32_t open_if(struct row *row)
{
    uint32_t result = add_tensor(row), ignored;
    must(graph_open_operator(row->graph, make_name(row, 'o'), "Any", &ignored, &error));
    must(graph_operator_outputs(row->graph, &result, 1, &error));
    return result;
}

/* Its branches define what they yield, or pass on an earlier result. */
static void add_if(struct row *row)
{
    uint32_t result = open_if(row);
    for (uint64_t branches = 2 + random_below(&row->random, 2); branches > 0; branches--) {
        uint32_t yield = row->results ? row->result[random_below(&row->random, row->results)] : 0;
        must(graph_open_region(row->graph, make_name(row, 'r'), -1, &error));
        if (!row->results || random_below(&row->random, 4)) {
            yield = add_tensor(row);
            add_plain(row, 0, yield);
        }
        must(graph_close_region(row->graph, &yield, 1, &error));
    }
    graph_close_operator(row->graph);
    row->result[row->results++] = result;
}

/* Results of several Ifs, live together for longer and shorter. */
static struct graph *create_row(uint64_t seed, const struct random_graph_shape *unused)
{
    (void)unused;
    struct row row = {.random = random_seed(seed)};
    must(graph_create(&row.graph, "row", &error));
    for (uint64_t ifs = 2 + random_below(&row.random, 4); ifs > 0; ifs--) {
        add_if(&row);
        if (random_below(&row.random, 2))
            add_plain(&row, 1, add_tensor(&row));
    }
    for (uint64_t plain = 1 + random_below(&row.random, 4); plain > 0; plain--)
        add_plain(&row, 2, add_tensor(&row));
    must(graph_finish(row.graph, NULL, 0, NULL, &error));
    return row.graph;
}

/* The first branch of an If passes on the result of the one before, the others make something, of
   that or of nothing. */
static void add_link(struct row *row, bool reads, uint32_t *last)
{
    uint32_t result = open_if(row), branches = 2 + (uint32_t)random_below(&row->random, 2);
    for (uint32_t i = 0; i < branches; i++) {
        uint32_t yield = i ? add_tensor(row) : *last;
        must(graph_open_region(row->graph, make_name(row, 'r'), -1, &error));
        if (i)
            add_plain(row, reads || random_below(&row->random, 2), yield);
        must(graph_close_region(row->graph, &yield, 1, &error));
    }
    graph_close_operator(row->graph);
    *last = result;
}

static struct graph *create_chain(uint64_t seed, uint32_t links, bool reads)
{
    struct row row = {.random = random_seed(seed), .results = 1};
    must(graph_create(&row.graph, "chain", &error));
    row.result[0] = add_tensor(&row);
    add_plain(&row, 0, row.result[0]);
    for (uint32_t i = 0; i < links; i++)
        add_link(&row, reads, &row.result[0]);
    add_plain(&row, 1, add_tensor(&row));
    must(graph_finish(row.graph, NULL, 0, NULL, &error));
    return row.graph;
}

static struct graph *create_any(uint64_t seed, const struct random_graph_shape *shape)
{
    struct random_state random = random_seed(seed);
    return random_graph_create(&random, shape);
}

static struct graph *create_short_chain(uint64_t seed, const struct random_graph_shape *unused)
{
    (void)unused;
    return create_chain(seed, 2 + (uint32_t)seed % 5, false);
}

static void test_against_paths(void)
{
    static const struct {
        struct graph *(*create)(uint64_t seed, const struct random_graph_shape *shape);
        bool places;
        uint64_t seeds;
        struct random_graph_shape shape;
    } rows[] = {
        {create_row, false, ROWS, {0}},
        {create_row, true, ROWS, {0}},
        {create_short_chain, false, ROWS, {0}},
        {create_any, false, SEEDS, {.operators = 12, .depth = 3}},
        {create_any, false, SEEDS, {.operators = 9, .depth = 3, .loops = true}},
        {create_any, true, SEEDS, {.operators = 12, .depth = 3}},
        {create_any, true, SEEDS, {.operators = 9, .depth = 3, .loops = true}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint32_t compared = 0;
        for (uint64_t seed = 0; seed < rows[r].seeds; seed++) {
            SCOPED(free_scene) struct scene scene = {.graph = rows[r].create(seed, &rows[r].shape)};
            make_level(&scene, rows[r].places);
            compared += compare_with_paths(&scene, seed);
        }
        printf("%u compared ", compared);
        CU_ASSERT(compared > rows[r].seeds / 2);
    }
}

static bool meet(const struct problem *problem, uint32_t a, uint32_t b)
{
    uint32_t s = problem->first[a], t = problem->first[b];
    while (s < problem->first[a + 1] && t < problem->first[b + 1]) {
        if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s])
            return true;
        if (problem->upper[s] < problem->upper[t])
            s++;
        else
            t++;
    }
    return false;
}

/* The If in whose branch the tensor of the buffer is made, GRAPH_NONE for those outside. */
static uint32_t find_if(const struct level *level, uint32_t buffer)
{
    const struct graph *graph = level->graph;
    return graph->region[graph->op[graph->tensor[level->tensor[buffer]].producer].region].owner;
}

/* Whatever an earlier If made may be what a later one makes something of. */
static void test_long_chain(void)
{
    SCOPED(free_scene) struct scene scene = {.graph = create_chain(1, LINKS, true)};
    uint32_t apart = 0;
    make_level(&scene, false);
    const struct level *level = scene.level;
    for (uint32_t a = 0; a < level->problem->buffers; a++)
        for (uint32_t b = 0; b < a; b++)
            apart += find_if(level, a) != GRAPH_NONE && find_if(level, a) != find_if(level, b) &&
                     !meet(level->problem, a, b);
    CU_ASSERT_EQUAL(apart, 0);
    CU_ASSERT(level->problem->buffers > LINKS);
}

/* planning/policies/choices.c leaves out the level with copies where the other has a plan at the
 * load. */
static void test_loads_of_copies(void)
{
    uint32_t more = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct random_graph_shape shape = {.operators = 20, .depth = 3, .loops = seed % 2};
        uint64_t load_bytes[2];
        for (int places = 0; places < 2; places++) {
            SCOPED(free_scene) struct scene scene = {.graph = create_any(seed, &shape)};
            make_level(&scene, places);
            must(problem_load(scene.level->problem, &load_bytes[places], NULL, &error));
        }
        CU_ASSERT(load_bytes[1] >= load_bytes[0]);
        more += load_bytes[1] > load_bytes[0];
    }
    CU_ASSERT(more > 0);
}

static const struct test_case cases[] = {
    {"against every path: results in a row, passed on, nested branches, loops", test_against_paths},
    {"very many results passed on", test_long_chain},
    {"copies never lower the load", test_loads_of_copies},
};

TESTING_MAIN("planning/path level", cases)
