#include "datasets/instance.h"
#include "datasets/loading.h"
#include "datasets/reading.h"
#include "planning/lowering/level.h"
#include "planning/problem/bounds.h"
#include "support/must.h"

static struct level *plan_flat(const struct instance *instance)
{
    struct liveness *liveness;
    struct level *level = NULL;
    must(liveness_create(instance->graph, &liveness, &error));
    must(level_create_flat(&(struct level_source){instance->graph, liveness, 1}, &level, &error));
    liveness_free(liveness);
    return level;
}

static int is_in_conflict(const struct problem *problem, uint32_t a, uint32_t b)
{
    return problem_lower(problem, a) < problem_upper(problem, b) &&
           problem_lower(problem, b) < problem_upper(problem, a);
}

/* Table 1 of the patent: exclusive[i] are those of operator i + 1, in ascending order. */
static const char *const exclusive[] = {"2",           "1 3 4 5", "2 4 5 6", "2 3 5 6 7",
                                        "2 3 4 6 7 8", "3 4 5 7", "4 5 6 8", "5 7"};
static const uint64_t megabytes[] = {5, 10, 8, 20, 2, 6, 15, 3};

static void test_patent(void)
{
    SCOPED(instance_release) struct instance *instance = load("patent/figure4");
    struct level *level = plan_flat(instance);
    const struct problem *problem = level->problem;
    CU_ASSERT_EQUAL_FATAL(problem->buffers, 8);
    CU_ASSERT_EQUAL(problem_naive_bytes(problem), 69000000);
    for (uint32_t a = 0; a < 8; a++) {
        CU_ASSERT_EQUAL(problem->size[a], megabytes[a] * 1000000);
        for (uint32_t b = 0; b < 8; b++) {
            const char digit[] = {(char)('1' + b), '\0'};
            int published = strstr(exclusive[a], digit) != NULL;
            CU_ASSERT_EQUAL(a != b && is_in_conflict(problem, a, b), published);
        }
    }
    level_free(level);
}

static void check_load(const char *name, uint64_t naive_bytes, uint64_t load_bytes)
{
    SCOPED(instance_release) struct instance *instance = load(name);
    struct level *level = plan_flat(instance);
    uint64_t load_found = 0;
    CU_ASSERT_EQUAL(problem_naive_bytes(level->problem), naive_bytes);
    must(problem_load(level->problem, &load_found, NULL, &error));
    CU_ASSERT_EQUAL(load_found, load_bytes);
    level_free(level);
}

static void test_ge_cnn_block(void)
{
    check_load("ge/cnn_block", 150528 + 2 * 3211264 + 802816, 2 * 3211264);
}

static void test_ge_section3(void)
{
    check_load("ge/section3", 5000000, 3000000);
    SCOPED(instance_release) struct instance *instance = load("ge/section3");
    struct level *level = plan_flat(instance);
    CU_ASSERT(is_in_conflict(level->problem, 1, 2));
    CU_ASSERT(is_in_conflict(level->problem, 1, 3));
    level_free(level);
}

/* The three strategies, written again so that the claim does not rest on heuristics/. */
enum strategy { SEQUENTIAL, LARGE_FIRST, SHORT_FIRST };

static int comes_first(const struct problem *problem, enum strategy strategy, uint32_t a,
                       uint32_t b)
{
    if (strategy == LARGE_FIRST && problem->size[a] != problem->size[b])
        return problem->size[a] > problem->size[b];
    uint64_t key_a = strategy == SEQUENTIAL    ? problem_lower(problem, a)
                     : strategy == SHORT_FIRST ? problem_duration(problem, a)
                                               : 0;
    uint64_t key_b = strategy == SEQUENTIAL    ? problem_lower(problem, b)
                     : strategy == SHORT_FIRST ? problem_duration(problem, b)
                                               : 0;
    return key_a != key_b ? key_a < key_b : a < b;
}

enum { MOST_BUFFERS = 16 };

static uint64_t find_offset(const struct problem *problem, const uint64_t *offset, uint32_t buffer)
{
    uint64_t at = 0;
    for (uint32_t b = 0; b < problem->buffers;) {
        int hits = offset[b] != PROBLEM_FREE && is_in_conflict(problem, b, buffer) &&
                   at < offset[b] + problem->size[b] && offset[b] < at + problem->size[buffer];
        at = hits ? offset[b] + problem->size[b] : at;
        b = hits ? 0 : b + 1;
    }
    return at;
}

static uint64_t plan_peak(const struct problem *problem, enum strategy strategy)
{
    uint64_t offset[MOST_BUFFERS], peak = 0;
    CU_ASSERT_FATAL(problem->buffers <= MOST_BUFFERS);
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = PROBLEM_FREE;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t next = UINT32_MAX;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (offset[b] == PROBLEM_FREE &&
                (next == UINT32_MAX || comes_first(problem, strategy, b, next)))
                next = b;
        offset[next] = find_offset(problem, offset, next);
        if (offset[next] + problem->size[next] > peak)
            peak = offset[next] + problem->size[next];
    }
    return peak;
}

static uint64_t plan_recursive(const struct graph *graph, enum strategy strategy)
{
    uint64_t block[MOST_BUFFERS] = {0}, peak = 0;
    struct liveness *liveness;
    must(liveness_create(graph, &liveness, &error));
    for (uint32_t r = graph->regions; r-- > 0;) {
        struct level *level;
        must(level_create_region(&(struct level_source){graph, liveness, 1}, r, block, &level,
                                 &error));
        uint32_t owner = graph->region[r].owner;
        peak = plan_peak(level->problem, strategy);
        if (owner != GRAPH_NONE && peak > block[owner])
            block[owner] = peak;
        level_free(level);
    }
    liveness_free(liveness);
    return peak;
}

static void test_paper(void)
{
    SCOPED(instance_release) struct instance *instance = load("paper/figure1");
    struct level *level = plan_flat(instance);
    CU_ASSERT(graph_has_control_flow(instance->graph));
    CU_ASSERT_EQUAL(plan_peak(level->problem, SEQUENTIAL), 18 * 1024);
    CU_ASSERT_EQUAL(plan_peak(level->problem, LARGE_FIRST), 15 * 1024);
    CU_ASSERT_EQUAL(plan_peak(level->problem, SHORT_FIRST), 21 * 1024);
    CU_ASSERT_EQUAL(plan_recursive(instance->graph, LARGE_FIRST), 12 * 1024);
    level_free(level);
}

static const struct test_case cases[] = {
    {"the patent's Figure 4 has the conflicts of its Table 1", test_patent},
    {"GE's CNN block", test_ge_cnn_block},
    {"GE's section 3", test_ge_section3},
    {"the paper's Figures 1 and 2 do what the text says", test_paper},
};
TESTING_MAIN("datasets/worked", cases)
