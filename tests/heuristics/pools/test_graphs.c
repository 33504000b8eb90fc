#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "heuristics/heuristics.h"
#include "heuristics/pools/nnvm_colour.h"
#include "heuristics/pools/reference.h"
#include "planning/graph/dtype.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

static struct scratch scratch;

/* The caller frees both. */
static struct level *make_level(const struct graph *graph, struct liveness **liveness)
{
    struct level *level;
    must(liveness_create(graph, liveness, &error));
    must(level_create_flat(&(struct level_source){graph, *liveness, 1}, &level, &error));
    return level;
}

static void set_shape(const struct sketch *sketch, const char *name, const char *dtype,
                      uint64_t rows, uint64_t columns)
{
    struct graph_tensor *tensor = &sketch->graph->tensor[sketch_find(sketch, name)];
    tensor->has_shape = true;
    tensor->rank = 2;
    tensor->dimension[0] = rows;
    tensor->dimension[1] = columns;
    CU_ASSERT_TRUE_FATAL(graph_dtype_find(dtype, &tensor->dtype));
    CU_ASSERT_TRUE_FATAL(graph_shape_bytes(tensor->dtype, tensor->dimension, 2, &tensor->bytes));
}

static void expect_offsets(const char *planner, const struct sketch *sketch, const char *names,
                           const uint64_t *offsets, uint32_t pools, uint64_t pool_bytes)
{
    struct liveness *liveness;
    struct level *level = make_level(sketch->graph, &liveness);
    struct plan *plan = rule_test_run_level(planner, level->problem, level);
    for (uint32_t i = 0; names[i]; i++) {
        const char name[] = {names[i], '\0'};
        uint32_t b = 0;
        while (level->tensor[b] != sketch_find(sketch, name))
            b++;
        if (plan->offset[b] != offsets[i])
            printf("\n    %s: %s at %llu ", planner, name, (unsigned long long)plan->offset[b]);
        CU_ASSERT_EQUAL(plan->offset[b], offsets[i]);
    }
    CU_ASSERT_EQUAL(plan->measures.pools, pools);
    CU_ASSERT_EQUAL(plan->measures.pool_bytes, pool_bytes);
    plan_free(plan);
    level_free(level);
    liveness_free(liveness);
}

/* The larger output first, 4 bytes per element whatever the type, the input kept apart: b 80, a 40,
   c 160 of which 41 bytes are real, d in the smaller free block. */
static void test_elements(void)
{
    struct sketch sketch =
        sketch_read("x:1 a:1 b:1 c:1 d:1", "x", "o: x > a b; p: a b > c; q: c > d", "d");
    set_shape(&sketch, "x", "float32", 10, 1);
    set_shape(&sketch, "a", "float32", 10, 1);
    set_shape(&sketch, "b", "float32", 10, 2);
    set_shape(&sketch, "c", "int8", 41, 1);
    set_shape(&sketch, "d", "float32", 5, 1);
    expect_offsets("nnvm", &sketch, "bacdx", (const uint64_t[]){0, 80, 120, 80, 164}, 4, 284);
    expect_offsets("nnvm?numel=0", &sketch, "bacdx", (const uint64_t[]){0, 80, 120, 80, 164}, 4,
                   161);
    expect_offsets("relay", &sketch, "xabcd", (const uint64_t[]){0, 40, 80, 160, 40}, 4, 201);
    sketch_free(&sketch);
}

/* b is read last at the step at which a is, and a comes after it in the list: of the two free
   blocks c takes the one freed first. An unread output is freed after the inputs,
   in Relay before. */
static void test_release_order(void)
{
    struct sketch sketch = sketch_read("x:8 a:8 b:8 u:8 c:8 d:8", "x",
                                       "o: x > a b; p: b a > u; q: x > c; r: c x > d", "d");
    expect_offsets("nnvm", &sketch, "baucdx", (const uint64_t[]){0, 8, 16, 0, 8, 24}, 4, 24);
    expect_offsets("relay", &sketch, "xabucd", (const uint64_t[]){0, 8, 16, 24, 24, 16}, 4, 32);
    expect_offsets("ort", &sketch, "xabucd", (const uint64_t[]){0, 8, 16, 24, 24, 32}, 5, 40);
    sketch_free(&sketch);
}

/* Equal bytes are not equal shapes; the output of the graph has a buffer of its own. */
static void test_shapes(void)
{
    struct sketch sketch = sketch_read("x:1 a:1 b:1 c:1 d:1 e:1", "x",
                                       "1: x > a; 2: a > b; 3: b > c; 4: c > d; 5: d > e", "e");
    set_shape(&sketch, "x", "float32", 10, 1);
    set_shape(&sketch, "a", "float32", 2, 5);
    set_shape(&sketch, "b", "float32", 10, 1);
    set_shape(&sketch, "c", "float32", 5, 2);
    set_shape(&sketch, "d", "int32", 2, 5);
    set_shape(&sketch, "e", "float32", 10, 1);
    expect_offsets("ort", &sketch, "xabcde", (const uint64_t[]){0, 40, 80, 120, 40, 160}, 5, 200);
    sketch_free(&sketch);
}

static struct sketch sketch_chains(void)
{
    struct sketch sketch =
        sketch_read("x:8 a:8 b:8 c:8 d:8 e:8 f:8 g:8", "x",
                    "0: x > a; 1: a > b; 2: b > c; 3: c > d; 4: a > e; 5: e > f; 6: d f > g", "g");
    return sketch;
}

static void expect_colours(const struct graph *graph, uint32_t colours, const uint32_t *expected)
{
    uint32_t colour[16] = {0};
    must(nnvm_colour(graph, colours, colour, &scratch, &error));
    scratch_free(&scratch);
    CU_ASSERT_EQUAL(memcmp(colour, expected, graph->operators * sizeof *colour), 0);
}

/* The longest path first, then what is left of the next; the tail of it keeps its colour. */
static void test_colours(void)
{
    struct sketch sketch = sketch_chains();
    expect_colours(sketch.graph, 1, (const uint32_t[7]){0});
    expect_colours(sketch.graph, 2, (const uint32_t[]){0, 0, 0, 0, 1, 1, 0});
    expect_colours(sketch.graph, 16, (const uint32_t[]){0, 0, 0, 0, 1, 1, 0});
    expect_offsets("nnvm", &sketch, "abcdefgx", (const uint64_t[]){0, 8, 16, 8, 16, 0, 16, 24}, 4,
                   24);
    expect_offsets("nnvm?colours=2", &sketch, "abcdefgx",
                   (const uint64_t[]){0, 8, 16, 8, 24, 0, 16, 32}, 5, 32);
    sketch_free(&sketch);
}

/* c takes the block that a left, of its own device; then d finds none of its device. */
static void test_devices(void)
{
    struct sketch sketch =
        sketch_read("x:8! a:8 b:8 c:8 d:8", "", "0: x > a; 1: x > b; 2: x > c; 3: x > d", "d");
    expect_offsets("nnvm", &sketch, "abcd", (const uint64_t[]){0, 0, 0, 0}, 1, 8);
    sketch.graph->tensor[sketch_find(&sketch, "b")].device = 1;
    sketch.graph->tensor[sketch_find(&sketch, "d")].device = 255;
    expect_offsets("nnvm", &sketch, "abcd", (const uint64_t[]){0, 8, 0, 16}, 3, 24);
    expect_offsets("relay", &sketch, "abcd", (const uint64_t[]){0, 8, 0, 16}, 3, 24);
    expect_offsets("nnvm?colours=16", &sketch, "abcd", (const uint64_t[]){0, 8, 16, 24}, 4, 32);
    sketch_free(&sketch);
}

/* Of two paths of equal length the one that starts last; with few colours the rest shares one. */
static void test_colour_ties(void)
{
    struct sketch sketch = sketch_read("a:1 b:1 c:1", "", "0: > a; 1: > b; 2: > c", "a b c");
    expect_colours(sketch.graph, 2, (const uint32_t[]){1, 1, 0});
    expect_colours(sketch.graph, 3, (const uint32_t[]){2, 1, 0});
    expect_colours(sketch.graph, 4, (const uint32_t[]){2, 1, 0});
    sketch_free(&sketch);
}

/* Storage as NNVM and Relay say it, by counting readers; no lifetimes. */
struct storage {
    const struct graph *graph;
    struct reference blocks;        /* bytes and when released, per storage id */
    uint32_t id[256], readers[256]; /* [tensors] */
    uint64_t range;
    bool relay;
};

static uint64_t count_bytes(const struct storage *storage, uint32_t tensor)
{
    const struct graph_tensor *of = &storage->graph->tensor[tensor];
    if (storage->relay || !of->has_shape)
        return of->bytes;
    return 4 * of->dimension[0] * of->dimension[1];
}

static bool is_listed(const struct graph *graph, struct span span, uint32_t tensor)
{
    for (uint32_t i = 0; i < span.count; i++)
        if (graph->list[span.first + i] == tensor)
            return true;
    return false;
}

static void give(struct storage *storage, uint32_t tensor)
{
    if (storage->id[tensor] != REFERENCE_NONE)
        storage->blocks.released[storage->id[tensor]] = ++storage->blocks.releases;
}

static void take(struct storage *storage, uint32_t tensor)
{
    uint64_t bytes = count_bytes(storage, tensor);
    uint32_t id = reference_nnvm(&storage->blocks, bytes, storage->range);
    if (id == REFERENCE_NONE)
        id = storage->blocks.objects++;
    CU_ASSERT_FATAL(id < REFERENCE_MOST);
    storage->blocks.released[id] = 0;
    if (storage->blocks.bytes[id] < bytes)
        storage->blocks.bytes[id] = bytes;
    storage->id[tensor] = id;
}

/* Largest first, of equals the later; Relay in their order. */
static void take_outputs(struct storage *storage, struct span outputs)
{
    const uint32_t *list = &storage->graph->list[outputs.first];
    for (uint32_t taken = 0; taken < outputs.count; taken++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < outputs.count; i++)
            if (storage->id[list[i]] == UINT32_MAX &&
                (best == UINT32_MAX || (!storage->relay && count_bytes(storage, list[i]) >=
                                                               count_bytes(storage, list[best]))))
                best = i;
        if (storage->graph->tensor[list[best]].external)
            storage->id[list[best]] = REFERENCE_NONE;
        else
            take(storage, list[best]);
    }
}

static void run_operator(struct storage *storage, const struct graph_operator *op)
{
    const struct graph *graph = storage->graph;
    take_outputs(storage, op->outputs);
    for (int inputs = 0; inputs < 2; inputs++) /* Relay gives unread outputs back before inputs */
        if (inputs == storage->relay) {
            for (uint32_t i = 0; i < op->inputs.count; i++) {
                uint32_t tensor = graph->list[op->inputs.first + i];
                if (--storage->readers[tensor] == 0 && !is_listed(graph, graph->inputs, tensor))
                    give(storage, tensor);
            }
        } else {
            for (uint32_t i = 0; i < op->outputs.count; i++)
                if (!storage->readers[graph->list[op->outputs.first + i]])
                    give(storage, graph->list[op->outputs.first + i]);
        }
}

static void run_storage(struct storage *storage)
{
    const struct graph *graph = storage->graph;
    struct span results = graph->region[0].yields;
    CU_ASSERT_FATAL(graph->tensors <= 256);
    memset(storage->id, 0xff, sizeof storage->id);
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].inputs.count; i++)
            storage->readers[graph->list[graph->op[o].inputs.first + i]]++;
    for (uint32_t i = 0; i < results.count; i++)
        storage->readers[graph->list[results.first + i]]++;
    for (uint32_t o = 0; o < graph->operators; o++)
        run_operator(storage, &graph->op[o]);
}

/* Buffers share an offset as their tensors share storage: no object is empty, so each has its own
   start. */
static bool shares_as(const struct storage *storage, const struct level *level,
                      const struct plan *plan)
{
    for (uint32_t a = 0; a < plan->buffers; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint32_t s = level->tensor[a], t = level->tensor[b];
            bool variable = is_listed(storage->graph, storage->graph->inputs, s) ||
                            is_listed(storage->graph, storage->graph->inputs, t);
            bool same = !variable && storage->id[s] == storage->id[t];
            if (same != (plan->offset[a] == plan->offset[b]))
                return false;
        }
    return true;
}

static void compare_storage(const char *planner, const struct graph *graph, bool relay,
                            uint64_t range, uint64_t seed)
{
    static struct storage storage;
    struct liveness *liveness;
    struct level *level = make_level(graph, &liveness);
    struct plan *plan = rule_test_run_level(planner, level->problem, level);
    uint64_t sum = 0;
    storage = (struct storage){.graph = graph, .relay = relay, .range = range};
    run_storage(&storage);
    for (uint32_t o = 0; o < storage.blocks.objects; o++)
        sum += storage.blocks.bytes[o];
    for (uint32_t b = 0; relay && b < plan->buffers; b++)
        if (is_listed(graph, graph->inputs, level->tensor[b]))
            sum += level->problem->size[b];
    bool same = sum == plan->measures.pool_bytes && shares_as(&storage, level, plan);
    if (!same)
        printf("\n    %s: another plan for seed %llu ", planner, (unsigned long long)seed);
    CU_ASSERT_TRUE_FATAL(same);
    plan_free(plan);
    level_free(level);
    liveness_free(liveness);
}

/* Shapes whose elements and bytes differ. */
static void give_shapes(struct graph *graph, struct random_state *random)
{
    for (uint32_t t = 0; t < graph->tensors; t++) {
        struct graph_tensor *tensor = &graph->tensor[t];
        if (random_below(random, 4) == 0)
            continue;
        tensor->has_shape = true;
        tensor->rank = 2;
        tensor->dimension[0] = 1 + random_below(random, 4);
        tensor->dimension[1] = 1 + random_below(random, 2);
        CU_ASSERT_TRUE_FATAL(
            graph_dtype_find(random_below(random, 2) ? "float32" : "int8", &tensor->dtype));
        graph_shape_bytes(tensor->dtype, tensor->dimension, 2, &tensor->bytes);
    }
}

static void test_against_counting_readers(void)
{
    static const struct random_graph_shape shape = {.operators = 12};
    for (uint64_t seed = 0; seed < TESTING_COUNT(10000, 3000); seed++) {
        struct random_state random = random_seed(seed);
        struct graph *graph = random_graph_create(&random, &shape);
        give_shapes(graph, &random);
        compare_storage("nnvm", graph, false, 16, seed);
        compare_storage("nnvm?match_range=2", graph, false, 2, seed);
        compare_storage("relay", graph, true, 16, seed);
        graph_free(graph);
    }
}

static void check_level(const struct level *level)
{
    for (uint32_t i = 0; i < heuristics_count(); i++)
        if (heuristics_at(i)->flags & PLANNER_POOLED)
            plan_free(rule_test_run_level(heuristics_at(i)->name, level->problem, level));
    plan_free(rule_test_run_level("nnvm?colours=4&auto_search=1", level->problem, level));
}

/* With branches and loops, all in one level and each region with blocks for the operators in it. */
static void test_control_flow(void)
{
    static const struct random_graph_shape shape = {.operators = 14, .depth = 3, .loops = true};
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct random_state random = random_seed(seed);
        struct graph *graph = random_graph_create(&random, &shape);
        struct liveness *liveness;
        struct level *level = make_level(graph, &liveness);
        uint64_t block_bytes[512] = {0};
        check_level(level);
        level_free(level);
        CU_ASSERT_FATAL(graph->operators <= 512);
        for (uint32_t o = 0; o < graph->operators; o++)
            block_bytes[o] = graph->op[o].first_region == GRAPH_NONE ? 0 : 1 + o % 5;
        for (uint32_t r = 0; r < graph->regions; r++) {
            must(level_create_region(&(struct level_source){graph, liveness, 1}, r, block_bytes,
                                     &level, &error));
            check_level(level);
            level_free(level);
        }
        liveness_free(liveness);
        graph_free(graph);
    }
}

static const struct test_case cases[] = {
    {"NNVM counts elements", test_elements},
    {"release order", test_release_order},
    {"ONNX Runtime compares shapes", test_shapes},
    {"NNVM's colours", test_colours},
    {"ties of colours", test_colour_ties},
    {"devices", test_devices},
    {"NNVM and Relay against counting readers", test_against_counting_readers},
    {"control flow", test_control_flow},
};

TESTING_MAIN("heuristics/pool_graphs", cases)
