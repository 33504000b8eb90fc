#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "datasets/json/document.h"
#include "datasets/memories/memory_file.h"
#include "harness/catalogue/planners.h"
#include "harness/memories/memory_planners.h"
#include "planning/memories/model.h"
#include "planning/verify/memories/memories.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Planners of several memories. Random problems are held against all plans by
   tests/oracles/memories.py. */

/* A problem for which dsa-solver's own planners were run. */
static const char published[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"published\", \"memories\": "
    "[{\"name\": \"m\", \"capacity\": 12}], \"buffers\": ["
    "{\"name\": \"A\", \"size\": 5, \"segments\": [[0, 2]]},"
    "{\"name\": \"B\", \"size\": 3, \"segments\": [[2, 5]]},"
    "{\"name\": \"C\", \"size\": 3, \"segments\": [[0, 1]]},"
    "{\"name\": \"D\", \"size\": 5, \"segments\": [[1, 2]]},"
    "{\"name\": \"E\", \"size\": 3, \"segments\": [[3, 6]]}], \"penalties\": [[0, 1, 3], [1, 2, 8],"
    "[1, 3, 8], [2, 3, 7], [2, 4, 8], [3, 4, 9]]}";

/* The example of runtimes' rules for a fast memory of 7 bytes and a slow one. */
static const char banks[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"banks\", \"memories\": "
    "[{\"name\": \"fast\", \"capacity\": 7}, {\"name\": \"slow\", \"read_ns_per_byte\": 1, "
    "\"write_ns_per_byte\": 1}], \"buffers\": ["
    "{\"name\": \"A\", \"size\": 3, \"segments\": [[0, 2]]},"
    "{\"name\": \"B\", \"size\": 4, \"segments\": [[1, 5]]},"
    "{\"name\": \"C\", \"size\": 2, \"segments\": [[1, 4]]},"
    "{\"name\": \"D\", \"size\": 3, \"segments\": [[3, 4]]},"
    "{\"name\": \"E\", \"size\": 1, \"segments\": [[4, 6]]},"
    "{\"name\": \"F\", \"size\": 5, \"segments\": [[4, 5]]}]}";

/* The published problem beside a buffer that may lie only in a second memory. */
static const char kept_out[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"kept_out\", \"memories\": "
    "[{\"name\": \"m\", \"capacity\": 12}, {\"name\": \"far\", \"capacity\": 5}], \"buffers\": ["
    "{\"name\": \"F\", \"size\": 5, \"segments\": [[0, 6]], \"memories\": [\"far\"]},"
    "{\"name\": \"A\", \"size\": 5, \"segments\": [[0, 2]], \"memories\": [\"m\"]},"
    "{\"name\": \"B\", \"size\": 3, \"segments\": [[2, 5]], \"memories\": [\"m\"]},"
    "{\"name\": \"C\", \"size\": 3, \"segments\": [[0, 1]], \"memories\": [\"m\"]},"
    "{\"name\": \"D\", \"size\": 5, \"segments\": [[1, 2]], \"memories\": [\"m\"]},"
    "{\"name\": \"E\", \"size\": 3, \"segments\": [[3, 6]], \"memories\": [\"m\"]}], "
    "\"penalties\": [[1, 2, 3], [2, 3, 8], [2, 4, 8], [3, 4, 7], [3, 5, 8], [4, 5, 9]]}";

static const char chunks[] =
    "{\"format\": \"memplan-memories/1\", \"name\": \"chunks\", \"memories\": "
    "[{\"name\": \"m\", \"capacity\": 12, \"chunk\": 4, \"reserved\": [[9, 10]]}], \"buffers\": ["
    "{\"name\": \"A\", \"size\": 3, \"segments\": [[0, 2]]},"
    "{\"name\": \"B\", \"size\": 3, \"segments\": [[1, 3]]},"
    "{\"name\": \"C\", \"size\": 2, \"segments\": [[1, 3]]},"
    "{\"name\": \"D\", \"size\": 4, \"segments\": [[2, 4]]}],"
    "\"penalties\": [[0, 3, 2]], \"exclusions\": [[1, 3]]}";

struct asked {
    const char *words, *planner;
};

static void read_words(const char *words, struct memory_file *file)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    text_append(&text, "%s", words);
    must(json_document_read(&text, "words", &document, &error));
    must(memory_file_read(document, file, &error));
}

static enum status ask(const struct memory_problem *problem, const char *name,
                       struct memory_plan **plan, struct error *failure)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    const struct memory_planner *planner = memory_planner_find(name);
    TRY(memory_model_create(problem, &model, failure));
    const struct memory_task task = {.model = model,
                                     .deadline_ns = UINT64_MAX,
                                     .rounds = 200,
                                     .exact = planners_find("exact"),
                                     .best = planners_find("exact")};
    TRY(memory_plan_create(problem, plan, failure));
    return memory_planner_plan(planner, &task, *plan, failure);
}

static uint64_t find_cost(const char *words, const char *name)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct memory_verdict verdict;
    read_words(words, &file);
    must(ask(file.problem, name, &plan, &error));
    if (!memory_plan_found(plan))
        return UINT64_MAX;
    must(verify_memories(file.problem, plan, &verdict, &error));
    CU_ASSERT_TRUE(verdict.valid);
    CU_ASSERT_EQUAL(verdict.cost, plan->cost);
    return plan->cost / MEMORY_COST_PARTS;
}

static void test_published(void)
{
    CU_ASSERT_EQUAL(find_cost(published, "first_fit"), 27);
    CU_ASSERT_EQUAL(find_cost(published, "promote_repair"), 15);
    CU_ASSERT_EQUAL(find_cost(published, "cypress_relaxation"), 26);
    CU_ASSERT_EQUAL(find_cost(published, "hitting_set"), 10);
    CU_ASSERT_EQUAL(find_cost(published, "best"), 10);
    CU_ASSERT_EQUAL(find_cost(kept_out, "hitting_set"), 10);
}

/* B lies in the slow memory by the rules, which is also the cheapest plan. */
static void test_banks(void)
{
    CU_ASSERT_EQUAL(find_cost(banks, "executorch_banked"), 8);
    CU_ASSERT_EQUAL(find_cost(banks, "usmp_pools"), 8);
    CU_ASSERT_EQUAL(find_cost(banks, "lp_rounding"), 8);
    CU_ASSERT_EQUAL(find_cost(banks, "vela_fast_storage"), 8);
    CU_ASSERT_EQUAL(find_cost(banks, "choose_and_pack"), 8);
    CU_ASSERT_EQUAL(find_cost(banks, "push_and_swap"), 8);
    CU_ASSERT_EQUAL(find_cost(chunks, "push_and_swap"), UINT64_MAX);
    CU_ASSERT_EQUAL(find_cost(chunks, "vela_fast_storage"), UINT64_MAX);
    CU_ASSERT_EQUAL(find_cost(banks, "best"), 8);
    CU_ASSERT_EQUAL(find_cost(chunks, "executorch_banked"), UINT64_MAX);
    CU_ASSERT_EQUAL(find_cost(chunks, "best"), 0);
}

/* The offsets that ggml gives the same buffers in one memory, with chunks of this size. */
static void expect_ggml(uint64_t chunk, const uint64_t offset[6])
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct memory_verdict verdict;
    read_words(banks, &file);
    file.problem->memory[0].capacity_bytes = UINT64_MAX;
    file.problem->memory[0].chunk_bytes = chunk;
    must(ask(file.problem, "ggml_chunks", &plan, &error));
    CU_ASSERT_TRUE(memory_plan_found(plan));
    must(verify_memories(file.problem, plan, &verdict, &error));
    CU_ASSERT_TRUE(verdict.valid);
    for (uint32_t b = 0; b < 6; b++) {
        CU_ASSERT_EQUAL(plan->memory[b], 0);
        CU_ASSERT_EQUAL(plan->offset[b], offset[b]);
    }
}

static void test_ggml(void)
{
    expect_ggml(0, (const uint64_t[]){0, 3, 7, 0, 0, 7});
    expect_ggml(8, (const uint64_t[]){0, 3, 8, 0, 0, 8});
    expect_ggml(6, (const uint64_t[]){0, 6, 3, 0, 0, 1});
    CU_ASSERT_EQUAL(find_cost(chunks, "ggml_chunks"), UINT64_MAX);
}

/* A plan that is moved somewhere is called valid only where no two places meet that must not. */
static void test_altered(void)
{
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct random_state random = random_seed(7);
    read_words(banks, &file);
    must(ask(file.problem, "best", &plan, &error));
    const struct problem *plain = file.problem->problem;
    for (int i = 0; i < 1000; i++) {
        struct memory_verdict verdict;
        uint32_t b = (uint32_t)random_below(&random, plan->buffers), memory = plan->memory[b];
        uint64_t offset = plan->offset[b];
        plan->memory[b] = (uint32_t)random_below(&random, 2);
        plan->offset[b] = random_below(&random, 9);
        bool safe = plan->memory[b] || plan->offset[b] + plain->size[b] <= 7;
        for (uint32_t a = 0; a < plan->buffers; a++)
            safe &= a == b || plan->memory[a] != plan->memory[b] ||
                    plan->offset[a] + plain->size[a] <= plan->offset[b] ||
                    plan->offset[b] + plain->size[b] <= plan->offset[a] ||
                    plain->upper[a] <= plain->lower[b] || plain->upper[b] <= plain->lower[a];
        must(verify_memories(file.problem, plan, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.valid, safe);
        plan->memory[b] = memory;
        plan->offset[b] = offset;
    }
}

/* Random words of a problem of 70 buffers, few of which are live at once, for a fast memory with
   reserved bytes and a slow one, with penalties, separations and a pin. The last two buffers never
   lie in one memory; `unpaid` gives them a penalty. */
static void write_random(struct random_state *random, bool all, bool unpaid, struct text *words)
{
    enum { BUFFERS = 70 };
    text_append(words,
                "{\"format\": \"memplan-memories/1\", \"name\": \"random\", \"memories\": ["
                "{\"name\": \"fast\", \"capacity\": 60, \"reserved\": [[50, 52]]}, {\"name\": "
                "\"slow\", \"read_ns_per_byte\": 1}], \"buffers\": [");
    for (int b = 0; b < BUFFERS; b++) {
        uint64_t size = b < BUFFERS - 2 ? 1 + random_below(random, 25) : 26 + (uint64_t)b % 2;
        uint64_t lower = random_below(random, 60);
        uint64_t upper = lower + 1 + random_below(random, 8);
        text_append(words,
                    "%s{\"name\": \"b%d\", \"size\": %d, \"segments\": [[%d, %d]], \"read_bytes\": "
                    "%d, \"memories\": "
                    "[%s]}",
                    b ? ", " : "", b, (int)size, (int)lower, (int)upper,
                    (int)(size * (1 + random_below(random, 8))),
                    b < BUFFERS - 2    ? "\"fast\", \"slow\""
                    : b == BUFFERS - 2 ? "\"fast\""
                                       : "\"slow\"");
    }
    text_append(words, "], \"penalties\": [");
    for (int b = 0; b < BUFFERS / 2 && all; b++)
        text_append(words, "[%d, %d, %d], ", b, (b + 1 + (int)random_below(random, 9)) % BUFFERS,
                    (int)random_below(random, 20));
    text_append(words, "[%d, %d, %d]], \"separations\": [[3, 4], [10, 30]], ", BUFFERS - 2,
                BUFFERS - 1, unpaid);
    text_append(words, "\"pins\": [{\"buffer\": %d, \"memory\": \"fast\", \"offset\": 0}]}",
                BUFFERS - 2);
}

/* Leaves nothing but loads and capacities, and offsets that are multiples of the alignment. */
static void make_plain(struct memory_problem *problem, uint64_t alignment)
{
    problem->reserved_ranges = problem->penalties = problem->separations = problem->pins = 0;
    problem->memory[0].alignment = alignment;
}

/* A search that begins with a plan keeps all rules, and makes it cheaper. */
static void expect_cheaper(const char *name, bool plain)
{
    struct random_state random = random_seed(3);
    const struct memory_planner *planner = memory_planner_find(name);
    uint64_t before = 0, after = 0;
    for (int i = 0; i < 4; i++) {
        SCOPED(memory_file_clear) struct memory_file file = {0};
        SCOPED(memory_plan_release) struct memory_plan *start = NULL, *plan = NULL;
        SCOPED(memory_model_release) struct memory_model *model = NULL;
        SCOPED(text_free) struct text words = {0};
        struct memory_verdict verdict;
        write_random(&random, i % 2, false, &words);
        read_words(words.bytes, &file);
        if (plain)
            make_plain(file.problem, i % 2 ? 4 : 1);
        must(ask(file.problem, "canonical_greedy", &start, &error));
        CU_ASSERT_TRUE_FATAL(memory_plan_found(start));
        must(memory_model_create(file.problem, &model, &error));
        must(memory_plan_create(file.problem, &plan, &error));
        const struct memory_task task = {.model = model,
                                         .deadline_ns = UINT64_MAX,
                                         .rounds = 2000,
                                         .start = start,
                                         .exact = planners_find("exact")};
        must(memory_planner_plan(planner, &task, plan, &error));
        must(verify_memories(file.problem, plan, &verdict, &error));
        CU_ASSERT_TRUE(verdict.valid);
        CU_ASSERT_EQUAL(verdict.cost, plan->cost);
        CU_ASSERT_TRUE(plan->cost <= start->cost);
        before += start->cost;
        after += plan->cost;
    }
    CU_ASSERT_TRUE(after < before - before / 20);
}

static void test_searches(void)
{
    expect_cheaper("ruin_recreate", false);
    expect_cheaper("ruin_recreate", true);
    expect_cheaper("push_and_swap", true);
}

/* A penalty that no plan pays changes nothing but the way: without one, orders are not tried
   again. */
static void test_unpaid(void)
{
    uint64_t cost[2];
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (int unpaid = 0; unpaid < 2; unpaid++) {
            SCOPED(text_free) struct text words = {0};
            struct random_state random = random_seed(seed);
            write_random(&random, false, unpaid, &words);
            cost[unpaid] = find_cost(words.bytes, "canonical_greedy");
        }
        CU_ASSERT_NOT_EQUAL(cost[0], UINT64_MAX);
        CU_ASSERT_EQUAL(cost[0], cost[1]);
    }
}

static enum status ask_words(const void *input, struct error *failure)
{
    const struct asked *asked = input;
    SCOPED(memory_file_clear) struct memory_file file = {0};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct memory_verdict verdict;
    text_append(&text, "%s", asked->words);
    TRY(text_check(&text, failure));
    TRY(json_document_read(&text, "words", &document, failure));
    TRY(memory_file_read(document, &file, failure));
    TRY(ask(file.problem, asked->planner, &plan, failure));
    return memory_plan_found(plan) ? verify_memories(file.problem, plan, &verdict, failure)
                                   : STATUS_OK;
}

static void test_allocations(void)
{
    static const char *const inputs[] = {published, banks, chunks};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        for (uint32_t p = 0; p < memory_planner_count(); p++) {
            const struct memory_planner *planner = memory_planner_at(p);
            const struct asked asked = {inputs[i], planner->name};
            if (!(planner->flags & MEMORY_PLANNER_EXACT)) /* GLPK ends where it has no memory */
                fail_each(ask_words, &asked);
        }
}

static const struct test_case cases[] = {
    {"the published costs of an example", test_published},
    {"banks, pools and chunks", test_banks},
    {"chunks as ggml fills them", test_ggml},
    {"altered plans", test_altered},
    {"a search that begins with a plan", test_searches},
    {"a penalty that is never paid", test_unpaid},
    {"every allocation of a heuristic may fail", test_allocations},
};
TESTING_MAIN("harness/memories", cases)
