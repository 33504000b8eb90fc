#include <string.h>

#include "byte_arena.h"
#include "core/memory.h"
#include "heuristics/exclusive/exclusion.h"
#include "planning/execute/execute.h"
#include "planning/graph/build.h"
#include "planning/lowering/level.h"
#include "planning/random_graph.h"
#include "planning/sketch.h"
#include "planning/verify/problem/plan.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

static struct scratch scratch;

/* A graph as its flat level. */
struct flat {
    struct liveness *liveness;
    struct level *level;
    struct planner_task task;
};

static struct flat make_flat(const struct graph *graph, uint64_t alignment_bytes)
{
    struct flat flat;
    must(liveness_create(graph, &flat.liveness, &error));
    must(level_create_flat(&(struct level_source){graph, flat.liveness, alignment_bytes},
                           &flat.level, &error));
    flat.task = (struct planner_task){.problem = flat.level->problem,
                                      .level = flat.level,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = UINT64_MAX};
    return flat;
}

static void free_flat(struct flat *flat)
{
    level_free(flat->level);
    liveness_free(flat->liveness);
}

static struct plan *make_plan(const char *name, const struct planner_task *task)
{
    return planned(rule_test_find(name), task);
}

/* Figure 4 with the sizes of table 2, in the order of paragraph 85's operators' numbers. */
static struct sketch make_figure4(void)
{
    struct sketch sketch =
        sketch_read("t1:5 t2:10 t3:8 t4:20 t5:2 t6:6 t7:15 t8:3", "",
                    "1: > t1; 2: t1 > t2; 3: t2 > t3; 4: t2 > t4; 5: t2 > t5; 6: t3 > t6; "
                    "7: t4 t6 > t7; 8: t7 > t8",
                    "t5 t8");
    return sketch;
}

/* Table 1: the operators that each excludes, as digits. */
static const char *const table1[] = {"2", "1345", "2456", "23567", "234678", "3457", "4568", "57"};

static void test_table1(void)
{
    struct sketch sketch = make_figure4();
    struct flat flat = make_flat(sketch.graph, 1);
    struct planner_task task = flat.task;
    task.scratch = &scratch;
    for (int lifetimes = 0; lifetimes < 2; lifetimes++) {
        struct exclusion exclusion;
        must(exclusion_create(&task, lifetimes, &exclusion, &error));
        for (uint32_t b = 0; b < 8; b++) {
            uint32_t others[8], count = exclusion_list(&exclusion, b, others);
            CU_ASSERT_EQUAL(count, strlen(table1[b]));
            for (uint32_t i = 0; i < count; i++)
                CU_ASSERT_EQUAL('1' + (char)others[i], table1[b][i]);
        }
        conflicts_free(exclusion.lifetimes);
        scratch_free(&scratch);
    }
    free_flat(&flat);
    sketch_free(&sketch);
}

/* Paragraphs 86 to 97, units of 1 MB: where each operator lies, and where the memory ends then. */
static void test_paragraphs(void)
{
    static const char *const planners[] = {"exclusive", "exclusive_published"};
    static const struct {
        uint32_t op;
        uint64_t begin, end, pool;
    } steps[] = {
        {4, 0, 20, 20},  /* 86: nothing is there yet, 20 new */
        {7, 20, 35, 35}, /* 90: excludes 4, 15 new */
        {2, 20, 30, 35}, /* 91: excludes 4, takes 10 of 7 */
        {3, 30, 38, 38}, /* 92: excludes 4 and 2, takes the 5 left of 7, 3 new */
        {6, 38, 44, 44}, /* 93: all 38 are of 3, 4 and 7, which it excludes, 6 new */
        {1, 0, 5, 44},   /* 94: excludes only 2, takes 5 of 4 */
        {8, 5, 8, 44},   /* 95: takes 3 of 4 beside 1 */
        {5, 44, 46, 46}, /* 96: excludes all but 1, which lies in 4, 2 new */
    };
    struct sketch sketch = make_figure4();
    struct flat flat = make_flat(sketch.graph, 1);
    for (int p = 0; p < 2; p++) {
        struct plan *plan = make_plan(planners[p], &flat.task);
        uint64_t pool = 0;
        for (int i = 0; i < 8; i++) {
            uint32_t b = steps[i].op - 1;
            uint64_t size = flat.task.problem->size[b];
            uint64_t end = extents_end(plan->extents, b, plan->offset[b], size);
            CU_ASSERT_EQUAL(extents_count(plan->extents, b), 0);
            CU_ASSERT_EQUAL(plan->offset[b], steps[i].begin);
            CU_ASSERT_EQUAL(end, steps[i].end);
            pool = end > pool ? end : pool;
            CU_ASSERT_EQUAL(pool, steps[i].pool);
        }
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, 46);
        plan_free(plan);
    }
    CU_ASSERT_EQUAL(problem_naive_bytes(flat.task.problem), 69); /* 97 */
    free_flat(&flat);
    sketch_free(&sketch);
}

/* a is read again at the end, past b and c: a path leads from a to c, and no edge. */
static void test_skipped_operator(void)
{
    struct sketch sketch =
        sketch_read("a:4 b:4 c:4 d:4", "", "1: > a; 2: a > b; 3: b > c; 4: c a > d", "d");
    struct flat flat = make_flat(sketch.graph, 1);
    for (int safe = 0; safe < 2; safe++) {
        struct plan *plan = make_plan(safe ? "exclusive" : "exclusive_published", &flat.task);
        struct verdict verdict;
        must(verify_plan(flat.task.problem, plan, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault, safe ? VERIFY_VALID : VERIFY_OVERLAP);
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, safe ? 12 : 8);
        for (uint32_t b = 0; b < 4; b++)
            must(placement_take(sketch.placement, flat.level->tensor[b],
                                (struct plan_buffer){plan, b}, &error));
        const struct execute_options options = EXECUTE_DEFAULTS;
        struct execution execution;
        must(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error));
        CU_ASSERT_EQUAL(execution.intact, safe);
        plan_free(plan);
    }
    free_flat(&flat);
    sketch_free(&sketch);
}

/* Two chains from one operator: run one after the other, but no path leads between them. */
static void test_parallel_branches(void)
{
    struct sketch sketch = sketch_read("a:1 b:4 c:1 d:4 e:1", "",
                                       "1: > a; 2: a > b; 3: b > c; 4: a > d; 5: d c > e", "e");
    struct flat flat = make_flat(sketch.graph, 1);
    struct plan *plan = make_plan("exclusive", &flat.task);
    CU_ASSERT_EQUAL(plan->offset[1], 0);
    CU_ASSERT_EQUAL(plan->offset[3], 4);
    flat.task.level = NULL;
    struct plan *by_lifetimes = make_plan("exclusive", &flat.task);
    CU_ASSERT_EQUAL(by_lifetimes->offset[1], 0);
    CU_ASSERT_EQUAL(by_lifetimes->offset[3], 0);
    plan_free(plan);
    plan_free(by_lifetimes);
    free_flat(&flat);
    sketch_free(&sketch);
}

static void expect_extents(const struct plan *plan, uint32_t buffer, const struct extent *expected,
                           uint32_t count)
{
    CU_ASSERT_EQUAL_FATAL(extents_count(plan->extents, buffer), count);
    for (uint32_t i = 0; i < count; i++) {
        struct extent found = plan->extents->extent[plan->extents->of[buffer].first + i];
        CU_ASSERT_EQUAL(found.offset, expected[i].offset);
        CU_ASSERT_EQUAL(found.bytes, expected[i].bytes);
    }
}

/* The fixed buffer stands between two gaps of 6 and 4 bytes; 12 bytes take both and 2 beyond. With
   alignment 4 the second gap begins at 12 and has 2 bytes, and the rest comes at 16. */
static void test_splitting(void)
{
    for (uint64_t alignment = 1; alignment <= 4; alignment += 3) {
        struct problem *problem =
            made_problem((const struct made_buffer[]){{0, 2, 4}, {0, 2, 2}, {1, 3, 12}}, 3);
        must(problem_fix(problem, 0, 6, &error));
        must(problem_fix(problem, 1, 14, &error));
        must(problem_set_alignment(problem, 2, alignment, &error));
        const struct planner_task task = planned_task(problem);
        struct plan *plan = make_plan("exclusive", &task);
        if (alignment == 1)
            expect_extents(plan, 2, (struct extent[]){{0, 6}, {10, 4}, {16, 2}}, 3);
        else
            expect_extents(plan, 2, (struct extent[]){{0, 6}, {12, 2}, {16, 4}}, 3);
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, alignment == 1 ? 18 : 20);
        plan_free(plan);
        problem_free(problem);
    }
}

static bool excludes_by_lifetime(const void *context, uint32_t a, uint32_t b)
{
    return rule_test_conflict(context, a, b);
}

static void test_random_problems(void)
{
    static struct byte_arena arena;
    static const struct random_problem kind = {.most_buffers = 10,
                                               .steps = 12,
                                               .most_size = 9,
                                               .holes = true,
                                               .windows = true,
                                               .alignment = true,
                                               .fixed = true};
    unsigned planned = 0, split = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct random_state random = random_seed(seed);
        struct random_problem drawn = kind;
        drawn.fixed = seed % 3 == 0;
        drawn.alignment = seed % 2 == 0;
        struct problem *problem = random_problem_create(&drawn, &random);
        if (planned_can_be(problem)) {
            struct verdict verdict;
            const struct planner_task task = planned_task(problem);
            struct plan *plan = make_plan("exclusive", &task);
            byte_arena_plan(&arena, problem, excludes_by_lifetime, problem);
            bool same = byte_arena_agrees(&arena, problem, plan);
            CU_ASSERT_TRUE_FATAL(same);
            must(verify_plan(problem, plan, &verdict, &error));
            CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
            planned++;
            split += plan->extents != NULL;
            plan_free(plan);
        }
        problem_free(problem);
    }
    CU_ASSERT(planned > 8000);
    CU_ASSERT(split > 1000);
}

/* The three kinds in the document's words, on operators and graph inputs. */
struct kinds {
    const struct graph *graph;
    const struct level *level;
    bool lifetimes;
    bool edge[128][128], path[128][128], read[128];
};

static uint32_t find_node(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer != GRAPH_NONE)
        return graph->inputs.count + producer;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        if (graph->list[graph->inputs.first + i] == tensor)
            return i;
    return GRAPH_NONE;
}

static void find_kinds(struct kinds *kinds)
{
    const struct graph *graph = kinds->graph;
    uint32_t nodes = graph->inputs.count + graph->operators;
    CU_ASSERT_FATAL(nodes <= 128);
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].inputs.count; i++) {
            uint32_t from = find_node(graph, graph->list[graph->op[o].inputs.first + i]);
            if (from == GRAPH_NONE)
                continue;
            kinds->edge[from][graph->inputs.count + o] = kinds->read[from] = true;
            kinds->path[from][graph->inputs.count + o] = true;
        }
    for (uint32_t k = 0; k < nodes; k++)
        for (uint32_t i = 0; i < nodes; i++)
            for (uint32_t j = 0; j < nodes; j++)
                kinds->path[i][j] |= kinds->path[i][k] && kinds->path[k][j];
}

static bool excludes_by_kind(const void *context, uint32_t a, uint32_t b)
{
    const struct kinds *kinds = context;
    uint32_t m = find_node(kinds->graph, kinds->level->tensor[a]);
    uint32_t n = find_node(kinds->graph, kinds->level->tensor[b]);
    if (kinds->lifetimes && rule_test_conflict(kinds->level->problem, a, b))
        return true;
    if (m == GRAPH_NONE || n == GRAPH_NONE)
        return false;
    bool edge = kinds->edge[m][n] || kinds->edge[n][m];
    bool parallel = !kinds->path[m][n] && !kinds->path[n][m];
    bool output_before = (m < n && !kinds->read[m]) || (n < m && !kinds->read[n]);
    return m == n || edge || parallel || output_before;
}

static void compare_graph(const struct graph *graph, bool lifetimes, uint64_t alignment,
                          unsigned *wrong)
{
    static struct byte_arena arena;
    struct flat flat = make_flat(graph, alignment);
    struct kinds *kinds = memory_allocate(1, sizeof *kinds);
    struct verdict verdict;
    CU_ASSERT_PTR_NOT_NULL_FATAL(kinds);
    kinds->graph = graph;
    kinds->level = flat.level;
    kinds->lifetimes = lifetimes;
    find_kinds(kinds);
    struct plan *plan = make_plan(lifetimes ? "exclusive" : "exclusive_published", &flat.task);
    byte_arena_plan(&arena, flat.task.problem, excludes_by_kind, kinds);
    bool same = byte_arena_agrees(&arena, flat.task.problem, plan);
    CU_ASSERT_TRUE_FATAL(same);
    must(verify_plan(flat.task.problem, plan, &verdict, &error));
    CU_ASSERT(verdict.fault == VERIFY_VALID || (!lifetimes && verdict.fault == VERIFY_OVERLAP));
    *wrong += verdict.fault != VERIFY_VALID;
    plan_free(plan);
    memory_free(kinds);
    free_flat(&flat);
}

static void test_random_graphs(void)
{
    unsigned wrong = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct random_state random = random_seed(seed / 2);
        const struct random_graph_shape shape = {.operators = 4 + (uint32_t)(seed / 2 % 9)};
        struct graph *graph = random_graph_create(&random, &shape);
        bool lifetimes = seed % 2;
        unsigned before = wrong;
        for (uint32_t t = 0; lifetimes && t < graph->tensors; t++)
            graph->tensor[t].bytes = 1 + random_below(&random, 9);
        compare_graph(graph, lifetimes, lifetimes && seed / 2 % 4 == 0 ? 4 : 1, &wrong);
        CU_ASSERT_TRUE(wrong == before || !lifetimes);
        graph_free(graph);
    }
    CU_ASSERT(wrong > 100);
}

/* With regions there are no kinds, also where lifetimes were not asked for. */
static void test_regions(void)
{
    struct sketch sketch =
        sketch_read("c:1 a:6 b:6 x:3 y:3 r:3 z:9", "c",
                    "1: c > a; 2: c > r {then(3: a > x | x) else(4: a > y | y)}; 5: r > b; "
                    "6: b > z",
                    "z");
    struct flat flat = make_flat(sketch.graph, 1);
    struct planner_task task = flat.task;
    task.scratch = &scratch;
    struct exclusion exclusion;
    must(exclusion_create(&task, false, &exclusion, &error));
    CU_ASSERT_PTR_NULL(exclusion.level);
    CU_ASSERT_PTR_NOT_NULL_FATAL(exclusion.lifetimes);
    for (uint32_t b = 0; b < flat.task.problem->buffers; b++) {
        uint32_t others[8];
        uint64_t live = exclusion.lifetimes->first[b + 1] - exclusion.lifetimes->first[b];
        CU_ASSERT_EQUAL(exclusion_list(&exclusion, b, others), live);
    }
    conflicts_free(exclusion.lifetimes);
    scratch_free(&scratch);
    free_flat(&flat);
    sketch_free(&sketch);
}

static void test_too_large(void)
{
    struct graph *graph;
    char name[16];
    must(graph_create(&graph, "long", &error));
    for (uint32_t o = 0; o <= EXCLUSION_MOST_NODES; o++) {
        uint32_t tensor, op, before = o - 1;
        snprintf(name, sizeof name, "t%u", o);
        must(graph_add_tensor(graph, &(struct graph_tensor_spec){.name = name, .bytes = 1}, &tensor,
                              &error));
        must(graph_open_operator(graph, name, "Any", &op, &error));
        must(graph_operator_inputs(graph, &before, o > 0, &error));
        must(graph_operator_outputs(graph, &tensor, 1, &error));
        graph_close_operator(graph);
    }
    const uint32_t last = EXCLUSION_MOST_NODES;
    must(graph_finish(graph, &last, 1, NULL, &error));
    struct flat flat = make_flat(graph, 1);
    struct plan *plan = make_plan("exclusive", &flat.task);
    CU_ASSERT_EQUAL(plan->status, PLAN_UNSUPPORTED);
    plan_free(plan);
    free_flat(&flat);
    graph_free(graph);
}

static void test_no_memory(void)
{
    struct sketch sketch = make_figure4();
    struct flat flat = make_flat(sketch.graph, 4);
    planned_fail_each(rule_test_find("exclusive"), &flat.task);
    free_flat(&flat);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"table 1", test_table1},
    {"paragraphs 86 to 97", test_paragraphs},
    {"a path past an operator", test_skipped_operator},
    {"parallel branches", test_parallel_branches},
    {"splitting", test_splitting},
    {"random problems, byte by byte", test_random_problems},
    {"random graphs, byte by byte", test_random_graphs},
    {"regions", test_regions},
    {"too large", test_too_large},
    {"no memory", test_no_memory},
};

TESTING_MAIN("heuristics/exclusive", cases)
