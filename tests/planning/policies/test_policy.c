#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/lowering/level.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* A level planner that does one thing on the levels it is meant for and places the others well. */
enum trick {
    TRICK_NONE,
    TRICK_ALL_AT_ZERO,
    TRICK_UNSAFE, /* the same, by a planner that is marked so */
    TRICK_WRONG_PEAK,
    TRICK_NO_OFFSET,
    TRICK_TIMEOUT,
    TRICK_INFEASIBLE,
    TRICK_REFUSE,
    TRICK_END_TO_END,
    TRICK_CLAIM,      /* end to end, and claims that this is optimal */
    TRICK_HALVES,     /* the halves of each tensor are exchanged */
    TRICK_ALL_HALVES, /* those of blocks too */
    TRICK_OBJECTS,    /* each buffer is an object of its own */
};

struct scene {
    enum trick trick;
    const char *level; /* the region's name, "" for the graph itself; NULL for every level */
    uint32_t calls;
};

/* What was one run from offset on is now two extents of the same bytes. */
static enum status exchange_halves(const struct level *level, bool blocks, struct plan *plan,
                                   struct error *failure)
{
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint64_t offset = plan->offset[b], size = level->problem->size[b], half = size / 2;
        if (!half || (!blocks && level->tensor[b] == GRAPH_NONE))
            continue;
        TRY(plan_add_extent(plan, b, offset + size - half, half, failure));
        TRY(plan_add_extent(plan, b, offset, size - half, failure));
    }
    return STATUS_OK;
}

static enum status play(enum trick trick, const struct problem *problem, struct plan *plan,
                        struct error *failure)
{
    uint64_t end = 0;
    plan->status = PLAN_FEASIBLE;
    if (trick == TRICK_ALL_AT_ZERO || trick == TRICK_UNSAFE)
        memset(plan->offset, 0, problem->buffers * sizeof *plan->offset);
    bool end_to_end = trick == TRICK_END_TO_END || trick == TRICK_CLAIM;
    for (uint32_t b = 0; b < problem->buffers && end_to_end; end += problem->size[b++])
        plan->offset[b] = end;
    TRY(plan_set_peak(plan, problem, failure));
    if (trick == TRICK_WRONG_PEAK)
        plan->measures.peak_bytes++;
    if (trick == TRICK_NO_OFFSET)
        plan->offset[0] = PROBLEM_FREE;
    if (trick == TRICK_TIMEOUT)
        plan->status = PLAN_TIMEOUT;
    if (trick == TRICK_INFEASIBLE)
        plan->status = PLAN_INFEASIBLE;
    if (trick == TRICK_CLAIM)
        plan->measures.lower_bound_bytes = plan->measures.peak_bytes;
    for (uint32_t b = 0; b < problem->buffers && trick == TRICK_OBJECTS; b++)
        TRY(storage_ids_set(&plan->storage_id, problem->buffers, b, b, failure));
    return trick == TRICK_REFUSE ? error_set(failure, STATUS_LIMIT, "refused") : STATUS_OK;
}

static enum status plan_level(void *context, const struct level *level, struct plan *plan,
                              struct error *failure)
{
    const struct problem *problem = level->problem;
    struct scene *scene = context;
    const char *name = names_get(&problem->name, 0);
    bool meant = !scene->level || strcmp(scene->level, name) == 0;
    scene->calls++;
    plan->measures.nodes = 10;
    TRY(placing_first_fit(problem, plan, failure));
    if (meant && (scene->trick == TRICK_HALVES || scene->trick == TRICK_ALL_HALVES))
        TRY(exchange_halves(level, scene->trick == TRICK_ALL_HALVES, plan, failure));
    return play(meant ? scene->trick : TRICK_NONE, problem, plan, failure);
}

static enum status place(struct sketch *sketch, const char *policy, struct scene *scene,
                         uint64_t alignment_bytes)
{
    const struct level_planner planner = {.plan = plan_level,
                                          .context = scene,
                                          .alignment_bytes = alignment_bytes,
                                          .unchecked = scene->trick == TRICK_UNSAFE};
    placement_free(sketch->placement);
    must(placement_create(sketch->graph, &sketch->placement, &error));
    return policy_place(policy_find(policy), sketch->graph, &planner, sketch->placement, &error);
}

/* The nodes of all levels count; flat asks for one level. */
static void test_levels(void)
{
    SCOPED(sketch_free) struct sketch sketch = placing_nested();
    struct scene scene = {0};
    must(place(&sketch, "recursive", &scene, 1));
    CU_ASSERT_EQUAL(scene.calls, 5);
    CU_ASSERT_EQUAL(sketch.placement->measures.nodes, 50);
    CU_ASSERT_EQUAL(sketch.placement->block_offset[2], PROBLEM_FREE);
    scene.calls = 0;
    must(place(&sketch, "flat", &scene, 1));
    CU_ASSERT_EQUAL(scene.calls, 1);
    for (uint32_t o = 0; o < sketch.placement->operators; o++)
        CU_ASSERT_EQUAL(sketch.placement->block_offset[o], PROBLEM_FREE);
}

static void test_alignment(void)
{
    for (uint32_t q = 0; q < policy_count(); q++) {
        SCOPED(sketch_free) struct sketch sketch = placing_nested();
        struct scene scene = {0};
        must(place(&sketch, policy_at(q)->name, &scene, 8));
        for (uint32_t t = 0; t < sketch.placement->tensors; t++)
            CU_ASSERT_TRUE(sketch.placement->offset[t] == PROBLEM_FREE ||
                           sketch.placement->offset[t] % 8 == 0);
    }
}

/* x 4, an If with { a 6, then b 3 } or { e 1 }, y 3. End to end the block has 9 bytes though 6 are
   enough, and the whole takes 4 + 9 + 3. */
static struct sketch sketch_wasteful(void)
{
    return sketch_read(
        "x:4 a:6 b:3 e:1 r:3 y:3", "x",
        "choose: x > r {then(one: > a; two: > b | b) else(three: > e | e)}; last: r > y", "y");
}

/* Ids of different levels would look like one object. */
static void test_storage_ids_are_of_the_outermost_level(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_wasteful();
    struct scene scene = {.trick = TRICK_OBJECTS};
    uint32_t placed = 0, with_id = 0;
    must(place(&sketch, "recursive", &scene, 1));
    for (uint32_t t = 0; t < sketch.graph->tensors; t++) {
        uint32_t producer = sketch.graph->tensor[t].producer;
        bool outer = producer == GRAPH_NONE || sketch.graph->op[producer].region == 0;
        bool has_id = storage_ids_get(sketch.placement->storage_id, t) != STORAGE_IDS_NONE;
        if (sketch.placement->offset[t] == PROBLEM_FREE)
            continue;
        CU_ASSERT_EQUAL(has_id, outer);
        placed++;
        with_id += has_id;
    }
    CU_ASSERT_TRUE(with_id > 0 && with_id < placed);
}

/* What is proved about a level counts only where none of its blocks could be smaller. */
static void test_bounds(void)
{
    static const struct {
        enum trick trick;
        const char *level;
        uint64_t peak, bound;
        enum plan_status status;
    } rows[] = {
        {TRICK_NONE, NULL, 10, 10, PLAN_OPTIMAL},
        {TRICK_END_TO_END, NULL, 16, 10, PLAN_FEASIBLE},
        {TRICK_END_TO_END, "then", 13, 10, PLAN_FEASIBLE},
        {TRICK_CLAIM, "then", 13, 13, PLAN_OPTIMAL},
        {TRICK_CLAIM, NULL, 16, 16, PLAN_OPTIMAL},
        {TRICK_CLAIM, "", 13, 13, PLAN_OPTIMAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_wasteful();
        struct scene scene = {rows[i].trick, rows[i].level, 0};
        must(place(&sketch, "recursive", &scene, 1));
        CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, rows[i].peak);
        CU_ASSERT_EQUAL(sketch.placement->measures.lower_bound_bytes, rows[i].bound);
        CU_ASSERT_EQUAL(sketch.placement->measures.load_bytes, 10);
        CU_ASSERT_EQUAL(sketch.placement->status, rows[i].status);
    }
}

/* Wasteful inside and sure of itself outside. */
static enum status plan_unsure_inside(void *context, const struct level *level, struct plan *plan,
                                      struct error *failure)
{
    const struct problem *problem = level->problem;
    bool outer = *names_get(&problem->name, 0) == '\0';
    (void)context;
    return play(outer ? TRICK_CLAIM : TRICK_END_TO_END, problem, plan, failure);
}

static void test_claims_over_a_wasteful_block(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_wasteful();
    const struct level_planner planner = {.plan = plan_unsure_inside, .alignment_bytes = 1};
    must(policy_place(policy_find("recursive"), sketch.graph, &planner, sketch.placement, &error));
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 16);
    CU_ASSERT_EQUAL(sketch.placement->measures.lower_bound_bytes, 10);
    CU_ASSERT_EQUAL(sketch.placement->status, PLAN_FEASIBLE);
}

static void expect_failure(const char *policy, struct scene scene, enum status status,
                           const char *text)
{
    SCOPED(sketch_free) struct sketch sketch = placing_nested();
    CU_ASSERT_EQUAL(place(&sketch, policy, &scene, 1), status);
    if (strncmp(error.text, text, strlen(text)) != 0)
        printf("\nfound: %s\nexpected: %s...\n", error.text, text);
    CU_ASSERT_EQUAL(strncmp(error.text, text, strlen(text)), 0);
}

/* On any level; and planners that refuse. */
static void test_invalid_plans(void)
{
    static const enum trick tricks[] = {TRICK_ALL_AT_ZERO, TRICK_WRONG_PEAK, TRICK_NO_OFFSET};
    static const char *const levels[] = {"", "then", "yes", "else"};
    const char *text = "planner made an invalid plan: ";
    for (int t = 0; t < 3; t++) {
        expect_failure("flat", (struct scene){tricks[t], NULL, 0}, STATUS_NO, text);
        for (int l = 0; l < 4; l++)
            expect_failure("recursive", (struct scene){tricks[t], levels[l], 0}, STATUS_NO, text);
        expect_failure("hoist", (struct scene){tricks[t], "", 0}, STATUS_NO, text);
    }
    expect_failure("flat", (struct scene){TRICK_REFUSE, NULL, 0}, STATUS_LIMIT, "refused");
    expect_failure("recursive", (struct scene){TRICK_REFUSE, "then", 0}, STATUS_LIMIT, "refused");
}

static void expect_checks(const struct sketch *sketch, enum verify_fault fault, bool intact)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    must(verify_paths(sketch->graph, sketch->placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, fault);
    must(execute_placement(sketch->graph, sketch->placement, &options, &execution, &error));
    CU_ASSERT_EQUAL(execution.intact, intact);
}

/* The invalid plan of an unsafe planner is for the placement's checks to find. */
static void test_unsafe_plans(void)
{
    for (uint32_t q = 0; q < policy_count(); q++) {
        SCOPED(sketch_free) struct sketch sketch = placing_nested();
        struct scene scene = {.trick = TRICK_UNSAFE};
        must(place(&sketch, policy_at(q)->name, &scene, 1));
        CU_ASSERT_EQUAL(sketch.placement->status, PLAN_FEASIBLE);
        expect_checks(&sketch, VERIFY_OVERLAP, false);
    }
}

/* Offsets and peak are as without splitting but for the half that comes first. */
static void expect_halves(const struct sketch *split, const struct sketch *whole)
{
    for (uint32_t t = 0; t < whole->graph->tensors; t++) {
        uint64_t offset = whole->placement->offset[t], bytes = whole->graph->tensor[t].bytes;
        bool is_split = offset != PROBLEM_FREE && bytes > 1;
        CU_ASSERT_EQUAL(extents_count(split->placement->extents, t), is_split ? 2 : 0);
        if (is_split)
            offset += bytes - bytes / 2;
        CU_ASSERT_EQUAL(split->placement->offset[t], offset);
    }
    CU_ASSERT_EQUAL(split->placement->measures.peak_bytes, whole->placement->measures.peak_bytes);
}

static void test_split_tensors(void)
{
    for (uint32_t q = 0; q < policy_count(); q++) {
        const struct policy *policy = policy_at(q);
        struct scene halves = {.trick = TRICK_HALVES}, none = {0};
        if (policy->flags & POLICY_PATHS)
            continue; /* a window is in other bytes when halves change places */
        SCOPED(sketch_free) struct sketch split = placing_nested(), whole = placing_nested();
        must(place(&split, policy->name, &halves, 1));
        must(place(&whole, policy->name, &none, 1));
        if (policy != &policy_hoist)
            expect_halves(&split, &whole);
        if (!(policy->flags & POLICY_UNSAFE))
            expect_checks(&split, VERIFY_VALID, true);
    }
}

/* The place of i has 5 bytes, s the first 3 of them and q all; r and what is in it 2. */
static void test_split_results(void)
{
    SCOPED(sketch_free) struct sketch sketch = placing_nested();
    struct scene scene = {.trick = TRICK_HALVES};
    must(place(&sketch, "hoist", &scene, 1));
    const struct extents *extents = sketch.placement->extents;
    static const struct {
        const char *tensor;
        struct extent extent[2];
    } rows[] = {{"s", {{13, 2}, {10, 1}}},
                {"q", {{13, 2}, {10, 3}}},
                {"i", {{13, 2}, {10, 3}}},
                {"j", {{16, 1}, {15, 1}}},
                {"r", {{16, 1}, {15, 1}}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t tensor = sketch_find(&sketch, rows[i].tensor);
        CU_ASSERT_EQUAL_FATAL(extents_count(extents, tensor), 2);
        CU_ASSERT_EQUAL(memcmp(&extents->extent[extents->of[tensor].first], rows[i].extent,
                               sizeof rows[i].extent),
                        0);
    }
    CU_ASSERT_EQUAL(sketch.placement->offset[sketch_find(&sketch, "l")], 16);
    CU_ASSERT_EQUAL(extents_count(extents, sketch_find(&sketch, "l")), 0);
}

static void test_split_blocks(void)
{
    static const struct {
        const char *policy;
        enum plan_status status;
    } rows[] = {
        {"flat", PLAN_FEASIBLE}, {"recursive", PLAN_UNSUPPORTED}, {"hoist", PLAN_UNSUPPORTED}};
    SCOPED(sketch_free) struct sketch sketch = placing_nested();
    struct scene scene = {.trick = TRICK_ALL_HALVES};
    for (int i = 0; i < 3; i++) {
        must(place(&sketch, rows[i].policy, &scene, 1));
        CU_ASSERT_EQUAL(sketch.placement->status, rows[i].status);
    }
}

static void expect_no_plan(const char *policy, struct scene scene, enum plan_status ended,
                           uint32_t calls)
{
    SCOPED(sketch_free) struct sketch sketch = placing_nested();
    must(place(&sketch, policy, &scene, 1));
    CU_ASSERT_EQUAL(sketch.placement->status, ended);
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 0);
    CU_ASSERT_EQUAL(sketch.placement->measures.naive_bytes,
                    policy_find(policy) == &policy_hoist ? 27 : 31);
    CU_ASSERT_EQUAL(scene.calls, calls);
    CU_ASSERT_EQUAL(sketch.placement->measures.nodes, 10 * calls);
}

/* The levels around one without a plan are not asked for: else, no, yes, then, the graph. */
static void test_no_plan(void)
{
    expect_no_plan("flat", (struct scene){TRICK_TIMEOUT, NULL, 0}, PLAN_TIMEOUT, 1);
    expect_no_plan("flat", (struct scene){TRICK_INFEASIBLE, NULL, 0}, PLAN_INFEASIBLE, 1);
    static const char *const blocks[] = {"sum", "max", "recursive", "hoist"};
    for (int q = 0; q < 4; q++) {
        expect_no_plan(blocks[q], (struct scene){TRICK_TIMEOUT, "else", 0}, PLAN_TIMEOUT, 1);
        expect_no_plan(blocks[q], (struct scene){TRICK_TIMEOUT, "yes", 0}, PLAN_TIMEOUT, 3);
        expect_no_plan(blocks[q], (struct scene){TRICK_INFEASIBLE, "then", 0}, PLAN_INFEASIBLE, 4);
        expect_no_plan(blocks[q], (struct scene){TRICK_TIMEOUT, "", 0}, PLAN_TIMEOUT, 5);
    }
}

static void test_table(void)
{
    for (uint32_t q = 0; q < policy_count(); q++) {
        CU_ASSERT_PTR_EQUAL(policy_find(policy_at(q)->name), policy_at(q));
        CU_ASSERT_TRUE(*policy_at(q)->title && *policy_at(q)->source);
    }
    CU_ASSERT_PTR_NULL(policy_find("no such policy"));
}

/* Without control flow there is one level and policies do not differ. */
static void test_plain_graphs_do_not_care(void)
{
    struct scene scene = {0};
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 a:6 b:3 y:1", "x", "one: x > a; two: a > b; three: b > y", "y");
    for (uint32_t q = 0; q < policy_count(); q++) {
        must(place(&sketch, policy_at(q)->name, &scene, 1));
        placing_expect_offsets(&sketch, "x@0 a@4 b@0 y@3");
        CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 10);
    }
}

static const struct test_case cases[] = {
    {"levels", test_levels},
    {"alignment", test_alignment},
    {"storage ids", test_storage_ids_are_of_the_outermost_level},
    {"bounds", test_bounds},
    {"claims over a wasteful block", test_claims_over_a_wasteful_block},
    {"invalid plans", test_invalid_plans},
    {"unsafe plans", test_unsafe_plans},
    {"split tensors", test_split_tensors},
    {"split results", test_split_results},
    {"split blocks", test_split_blocks},
    {"no plan", test_no_plan},
    {"the table", test_table},
    {"plain graphs", test_plain_graphs_do_not_care},
};

TESTING_MAIN("planning/policy", cases)
