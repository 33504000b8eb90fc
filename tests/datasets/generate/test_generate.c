#include "datasets/generate/generate.h"

#include <string.h>
#include <unistd.h>

#include "datasets/csv/problem.h"
#include "datasets/instance.h"
#include "datasets/reading.h"
#include "planning/problem/bounds.h"
#include "planning/problem/pair.h"
#include "planning/verify/plan.h"
#include "support/must.h"

/* A generated instance, and the witness of one that has it. */
struct made {
    const struct generate_kind *kind;
    struct generate_settings settings;
    struct graph *graph;
    struct problem *problem;
    struct plan *witness;
};

static struct made make(const char *name)
{
    struct made made;
    struct generated generated = {.witness = &made.witness};
    enum status status = generate_parse_name(name, &made.kind, &made.settings, &error);
    if (!status)
        status = generate_create(made.kind, &made.settings, "made", &generated, &error);
    made.graph = generated.graph;
    made.problem = generated.problem;
    if (status)
        printf("\n    %s: %s\n", name, error.text);
    must(status);
    return made;
}

static void clear(struct made *made)
{
    graph_free(made->graph);
    problem_free(made->problem);
    plan_free(made->witness);
}

static void test_determinism(void)
{
    static const char *const names[] = {"generate:layered?buffers=300&live=20&seed=5",
                                        "generate:tight?buffers=50&seed=5",
                                        "generate:gap?seed=5",
                                        "generate:control_flow?operators=80&seed=5",
                                        "generate:random_graph?seed=5",
                                        "generate:known_order?seed=5",
                                        "generate:sync_pattern?pattern=irregular&seed=5",
                                        "generate:concurrent_tiling?seed=5",
                                        "generate:two_plus_two?noise=30&seed=5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(instance_release) struct instance *first = NULL;
        SCOPED(instance_release) struct instance *again = NULL;
        SCOPED(instance_release) struct instance *other = NULL;
        char name[128];
        snprintf(name, sizeof name, "%s1", names[i]);
        must(instance_load(names[i], NULL, &first, &error));
        must(instance_load(names[i], NULL, &again, &error));
        must(instance_load(name, NULL, &other, &error));
        CU_ASSERT_STRING_EQUAL(first->name, names[i]);
        CU_ASSERT_STRING_EQUAL(first->digest, again->digest);
        CU_ASSERT_STRING_NOT_EQUAL(first->digest, other->digest);
    }
}

/* Bytes and buffers live at each step. */
static void sum_live(const struct problem *problem, uint64_t *bytes, uint64_t *count)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t t = problem_lower(problem, b); t < problem_upper(problem, b); t++) {
            bytes[t] += problem->size[b];
            count[t]++;
        }
}

enum { MOST_STEPS = 20000 };

static void test_layered(void)
{
    static uint64_t bytes[MOST_STEPS], count[MOST_STEPS];
    struct made made = make("generate:layered?buffers=20000&live=100&seed=3");
    uint32_t steps = problem_steps(made.problem);
    uint64_t sum = 0;
    CU_ASSERT_FATAL(steps < MOST_STEPS);
    sum_live(made.problem, bytes, count);
    for (uint32_t t = 0; t < steps; t++)
        sum += count[t];
    CU_ASSERT_EQUAL(made.problem->buffers, 20000);
    CU_ASSERT(sum > 85 * (uint64_t)steps && sum < 115 * (uint64_t)steps);
    for (uint32_t b = 0; b < made.problem->buffers; b++)
        CU_ASSERT(made.problem->size[b] >= 64 && made.problem->size[b] <= 1 << 20);
    clear(&made);
}

/* As many operators as asked for, each with one tensor, or one for each reader of its and the last
   one's; of a tree each is read by at most one. */
static void test_random_graphs(void)
{
    static const char *const families[] = {
        "erdos_renyi", "barabasi_albert", "block_model", "layered",
        "tree",        "series_parallel", "chain",       "fan"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (int operators = 2; operators < 200; operators += 39) {
            char name[128];
            snprintf(name, sizeof name, "generate:random_graph?family=%s&operators=%d&seed=%d",
                     families[i], operators, operators);
            struct made made = make(name);
            const struct graph *graph = made.graph;
            uint32_t reads = 0;
            CU_ASSERT_EQUAL(graph->operators, (uint32_t)operators);
            for (uint32_t o = 0; o < graph->operators; o++)
                reads += graph->op[o].inputs.count;
            CU_ASSERT(reads > 0 && reads <= 22 * (uint32_t)operators / 10);
            CU_ASSERT_EQUAL(graph->tensors, i == 5 ? reads + 1 : (uint32_t)operators);
            if (i == 4)
                CU_ASSERT_EQUAL(reads, (uint32_t)operators - 1);
            if (i == 7)
                CU_ASSERT_EQUAL(reads, 2 * (uint32_t)operators - 3);
            clear(&made);
        }
}

static void check_filled(const struct problem *problem, uint64_t capacity)
{
    uint64_t bytes[200] = {0}, count[200] = {0};
    uint32_t steps = problem_steps(problem);
    CU_ASSERT_FATAL(steps <= 200);
    sum_live(problem, bytes, count);
    for (uint32_t t = 0; t < steps; t++)
        CU_ASSERT_EQUAL(bytes[t], capacity);
}

static void check_witness(const struct made *made, uint64_t peak_bytes)
{
    struct verdict verdict;
    CU_ASSERT_PTR_NOT_NULL_FATAL(made->witness);
    CU_ASSERT_EQUAL(made->witness->measures.peak_bytes, peak_bytes);
    must(verify_plan(made->problem, made->witness, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
}

static void test_tight(void)
{
    for (int seed = 0; seed < 40; seed++) {
        char name[128];
        snprintf(name, sizeof name, "generate:tight?buffers=%d&capacity=64k&unit=1000&seed=%d",
                 1 + 7 * seed, seed);
        struct made made = make(name);
        CU_ASSERT_EQUAL(made.problem->buffers, 1 + 7 * (uint32_t)seed);
        check_filled(made.problem, 64000);
        check_witness(&made, 64000);
        clear(&made);
    }
}

/* Every order of placing each buffer on top of the conflicting ones before it, lowest first: the
   least peak is among them, since pushing the buffers of any plan down in order of their offsets
   raises none. Shares nothing with the argument of the generator. */
static bool fits(const struct problem *problem, uint64_t capacity, uint32_t placed, uint64_t lowest,
                 uint64_t *top)
{
    if (placed == (1u << problem->buffers) - 1)
        return true;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t floor = 0;
        if (placed >> b & 1)
            continue;
        for (uint32_t c = 0; c < problem->buffers; c++)
            if ((placed >> c & 1) && problem_lower(problem, b) < problem_upper(problem, c) &&
                problem_lower(problem, c) < problem_upper(problem, b) && top[c] > floor)
                floor = top[c];
        top[b] = floor + problem->size[b];
        if (floor >= lowest && top[b] <= capacity &&
            fits(problem, capacity, placed | 1u << b, floor, top))
            return true;
    }
    return false;
}

static void test_gap(void)
{
    for (int seed = 0; seed < 2; seed++) {
        char name[64];
        uint64_t top[32];
        snprintf(name, sizeof name, "generate:gap?buffers=12&capacity=12&seed=%d", seed);
        struct made made = make(name);
        CU_ASSERT_EQUAL(made.problem->buffers, 12);
        check_filled(made.problem, 12 * 1024);
        CU_ASSERT_FALSE(fits(made.problem, 12 * 1024, 0, 0, top));
        clear(&made);
    }
}

static uint32_t measure_depth(const struct graph *graph)
{
    uint32_t deepest = 0;
    for (uint32_t r = 0; r < graph->regions; r++) {
        uint32_t depth = 0;
        for (uint32_t at = r; at != 0; depth++)
            at = graph->op[graph->region[at].owner].region;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static void test_control_flow(void)
{
    for (uint32_t depth = 0; depth <= 12; depth++) {
        char name[128];
        uint32_t loops = 0, ifs = 0;
        snprintf(name, sizeof name, "generate:control_flow?operators=%u&depth=%u&loops=30&seed=%u",
                 100 + depth, depth, depth);
        struct made made = make(name);
        CU_ASSERT_EQUAL(made.graph->operators, 100 + depth);
        CU_ASSERT_EQUAL(measure_depth(made.graph), depth);
        for (uint32_t o = 0; o < made.graph->operators; o++) {
            loops += made.graph->op[o].loop;
            ifs += !made.graph->op[o].loop && made.graph->op[o].first_region != GRAPH_NONE;
        }
        CU_ASSERT(!depth == !(loops + ifs));
        clear(&made);
    }
}

/* By hand: 4^2 units grow to 1 + 2 / 2 times as much, stairs of height 5 have loads of 3. */
static void test_adversarial(void)
{
    uint64_t load;
    struct made made = make("generate:adversarial?target=sequential&level=2");
    CU_ASSERT_EQUAL(made.problem->buffers, 16 + 4 + 2);
    CU_ASSERT_EQUAL(problem_load(made.problem, &load, NULL, &error), STATUS_OK);
    CU_ASSERT_EQUAL(load, 16 * 1024);
    clear(&made);
    made = make("generate:adversarial?target=large_first&level=2");
    CU_ASSERT_EQUAL(made.problem->buffers, 16);
    CU_ASSERT_EQUAL(problem_load(made.problem, &load, NULL, &error), STATUS_OK);
    CU_ASSERT(load <= 3 << 24 && load > (3 << 24) - 3 * 16);
    clear(&made);
}

/* Components of the clock's end that are not 0: streams that the buffer's thread has heard of. */
static uint32_t count_heard(const struct problem *problem, uint32_t buffer)
{
    struct clock clock = problem_clock(problem, buffer);
    uint32_t heard = 0;
    for (uint32_t s = 0; s < clock.streams; s++)
        heard += clock.end[s] > 0;
    return heard;
}

/* Of the eleven patterns: how many others a thread hears of at most, of eight in groups of two. */
static void test_sync_pattern(void)
{
    static const struct {
        const char *pattern;
        uint32_t least, most;
    } rows[] = {{"independent", 1, 1}, {"pairs", 2, 2},     {"subset", 4, 4}, {"sparse", 2, 8},
                {"irregular", 8, 8},   {"ring", 8, 8},      {"tree", 8, 8},   {"groups", 8, 8},
                {"barrier", 8, 8},     {"fork_join", 8, 8}, {"dense", 8, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[128];
        uint32_t most = 0;
        snprintf(name, sizeof name, "generate:sync_pattern?buffers=500&streams=8&pattern=%s",
                 rows[i].pattern);
        struct made made = make(name);
        CU_ASSERT_EQUAL(made.problem->buffers, 500);
        CU_ASSERT_EQUAL_FATAL(problem_streams(made.problem), 8);
        for (uint32_t b = 0; b < made.problem->buffers; b++) {
            uint32_t heard = count_heard(made.problem, b);
            most = heard > most ? heard : most;
            CU_ASSERT(made.problem->size[b] >= 1 << 10 && made.problem->size[b] <= 1 << 20);
        }
        CU_ASSERT(rows[i].least <= most && most <= rows[i].most);
        clear(&made);
    }
}

/* Threads that tick every step, every other step, and so on. */
static void test_skew(void)
{
    struct made made = make("generate:sync_pattern?pattern=independent&streams=3&skew=3&steps=60");
    for (uint32_t b = 0; b < made.problem->buffers; b++) {
        struct clock clock = problem_clock(made.problem, b);
        CU_ASSERT(clock.end[0] <= 60 && clock.end[1] <= 30 && clock.end[2] <= 20);
        CU_ASSERT(clock.end[0] - clock.start[0] <= 15);
    }
    clear(&made);
}

static void test_concurrent_tiling(void)
{
    for (int seed = 0; seed < 40; seed++) {
        char name[128];
        uint32_t streams = 2 + (uint32_t)seed % 5;
        uint64_t bytes = 0, capacity = 64000 / streams * streams;
        snprintf(name, sizeof name,
                 "generate:concurrent_tiling?buffers=%d&streams=%u&capacity=64k&syncs=%d&seed=%d",
                 10 + seed, streams, seed, seed);
        struct made made = make(name);
        CU_ASSERT_EQUAL(made.problem->buffers, 10 + (uint32_t)seed);
        check_witness(&made, capacity);
        for (uint32_t b = 0; b < made.problem->buffers && problem_streams(made.problem); b++) {
            struct clock clock = problem_clock(made.problem, b);
            uint64_t started = 0;
            for (uint32_t s = 0; s < clock.streams; s++)
                started += clock.start[s];
            bytes += started ? 0 : made.problem->size[b];
        }
        CU_ASSERT(!problem_streams(made.problem) || bytes == capacity);
        clear(&made);
    }
}

/* In each group every buffer of a chain conflicts with those of the other one, and with nothing
   else. */
static void test_two_plus_two(void)
{
    struct made made = make("generate:two_plus_two?buffers=40");
    CU_ASSERT_EQUAL(made.problem->buffers, 40);
    for (uint32_t a = 0; a < 40; a++)
        for (uint32_t b = 0; b < a; b++)
            CU_ASSERT_EQUAL(problem_conflicts_in_time(made.problem, a, b, PROBLEM_NO_LINE_END),
                            a / 4 == b / 4 && a % 4 / 2 != b % 4 / 2);
    clear(&made);
    made = make("generate:two_plus_two?buffers=40&noise=100");
    CU_ASSERT_EQUAL(made.problem->buffers, 40);
    clear(&made);
}

/* What is streamed is what is made in memory, and its first line is the name that makes it again.
 */
static void check_csv(const char *name)
{
    struct made made = make(name);
    struct text file = {0}, expected = {0};
    struct problem *read;
    char path[64];
    snprintf(path, sizeof path, "/tmp/memplan-generate-%ld.csv", (long)getpid());
    must(generate_write_csv(made.kind, &made.settings, path, &error));
    must(text_read_file(path, &file, &error));
    unlink(path);
    CU_ASSERT_EQUAL(problem_csv_write_noted(made.problem, &expected, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(file.bytes, expected.bytes);
    must(problem_csv_read(&file, path, NULL, &read, &error));
    CU_ASSERT_STRING_EQUAL(read->note, made.problem->note);
    struct made again = make(read->note);
    CU_ASSERT_EQUAL(again.settings.value[1], made.settings.value[1]);
    clear(&again);
    problem_free(read);
    text_free(&file);
    text_free(&expected);
    clear(&made);
}

static void test_csv(void)
{
    check_csv("generate:layered?buffers=500&live=30&seed=9");
    check_csv("generate:sync_pattern?buffers=300&streams=5&pattern=irregular&seed=9");
}

static enum status load_and_free(const struct text *text, struct error *found)
{
    struct instance *instance;
    TRY(instance_load(text->bytes, NULL, &instance, found));
    instance_free(instance);
    return STATUS_OK;
}

static void test_allocations(void)
{
    reading_check_allocations(load_and_free, "generate:layered?buffers=20&live=4");
    reading_check_allocations(load_and_free, "generate:sync_pattern?buffers=20");
    reading_check_allocations(load_and_free, "generate:concurrent_tiling?buffers=20");
    reading_check_allocations(load_and_free, "generate:tight?buffers=10");
    reading_check_allocations(load_and_free, "generate:control_flow?operators=20&depth=2");
}

static const struct test_case cases[] = {
    {"the same for the same name", test_determinism},
    {"layered", test_layered},
    {"random graphs have what is asked for", test_random_graphs},
    {"tight", test_tight},
    {"gap", test_gap},
    {"control_flow", test_control_flow},
    {"adversarial", test_adversarial},
    {"sync_pattern", test_sync_pattern},
    {"sync_pattern with skew", test_skew},
    {"concurrent_tiling", test_concurrent_tiling},
    {"two_plus_two", test_two_plus_two},
    {"streamed files", test_csv},
    {"no memory", test_allocations},
};

TESTING_MAIN("datasets/generate", cases)
