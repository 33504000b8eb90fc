#include "datasets/generate/generate.h"

#include <stdarg.h>
#include <unistd.h>

#include "datasets/csv/problem.h"
#include "datasets/loading.h"
#include "datasets/reading.h"
#include "planning/problem/bounds.h"
#include "planning/problem/pair.h"
#include "planning/verify/problem/plan.h"
#include "support/must.h"

/* A generated instance, and the witness of one that has it. */
struct made {
    const struct generate_kind *kind;
    struct generate_settings settings;
    struct graph *graph;
    struct problem *problem;
    struct plan *witness;
};

static struct made make(const char *format, ...) __attribute__((format(printf, 1, 2)));

static struct made make(const char *format, ...)
{
    struct made made;
    struct generated generated = {.witness = &made.witness};
    char name[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    must(generate_parse_name(name, &made.kind, &made.settings, &error));
    must(generate_create(made.kind, &made.settings, "made", &generated, &error));
    made.graph = generated.graph;
    made.problem = generated.problem;
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
                                        "generate:tight?choose=area&buffers=50&slack=5&seed=5",
                                        "generate:boxes?sizes=3&seed=5",
                                        "generate:gap?seed=5",
                                        "generate:control_flow?operators=80&seed=5",
                                        "generate:random_graph?seed=5",
                                        "generate:known_order?seed=5",
                                        "generate:sync_pattern?pattern=irregular&seed=5",
                                        "generate:concurrent_tiling?seed=5",
                                        "generate:two_plus_two?noise=30&seed=5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s1", names[i]);
        SCOPED(instance_release) struct instance *first = load(names[i]);
        SCOPED(instance_release) struct instance *again = load(names[i]);
        SCOPED(instance_release) struct instance *other = load(name);
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
    SCOPED(clear) struct made made = make("generate:layered?buffers=20000&live=100&seed=3");
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
}

/* As many operators as asked for, each with one tensor, or one for each reader of its and the last
   one's; of a tree each is read by at most one. */
static void test_random_graphs(void)
{
    static const char *const families[] = {
        "erdos_renyi", "barabasi_albert", "block_model", "layered",
        "tree",        "series_parallel", "chain",       "fan"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (uint32_t operators = 2; operators < 200; operators += 39) {
            SCOPED(clear)
            struct made made = make("generate:random_graph?family=%s&operators=%u&seed=%u",
                                    families[i], operators, operators);
            const struct graph *graph = made.graph;
            uint32_t reads = 0;
            CU_ASSERT_EQUAL(graph->operators, operators);
            for (uint32_t o = 0; o < graph->operators; o++)
                reads += graph->op[o].inputs.count;
            CU_ASSERT(reads > 0 && reads <= 22 * operators / 10);
            CU_ASSERT_EQUAL(graph->tensors, i == 5 ? reads + 1 : operators);
            if (i == 4)
                CU_ASSERT_EQUAL(reads, operators - 1);
            if (i == 7)
                CU_ASSERT_EQUAL(reads, 2 * operators - 3);
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
    for (uint32_t seed = 0; seed < 40; seed++) {
        SCOPED(clear)
        struct made made =
            make("generate:tight?buffers=%u&capacity=64k&unit=1000&seed=%u", 1 + 7 * seed, seed);
        CU_ASSERT_EQUAL(made.problem->buffers, 1 + 7 * seed);
        check_filled(made.problem, 64000);
        check_witness(&made, 64000);
    }
}

/* Whatever makes a piece likely to be cut, nothing is wasted; with slack the load is not above the
   capacity. */
static void test_cuts_of_other_shapes(void)
{
    static const char *const choose[] = {"largest", "area", "time", "space"};
    for (uint32_t seed = 0; seed < 40; seed++) {
        uint64_t load_bytes;
        SCOPED(clear)
        struct made made = make("generate:tight?choose=%s&across=%u&pinwheels=%u&joins=%u&seed=%u",
                                choose[seed % 4], seed, 2 * seed, seed % 3, seed);
        check_filled(made.problem, 1 << 20);
        check_witness(&made, 1 << 20);
        SCOPED(clear)
        struct made slack =
            make("generate:tight?choose=%s&slack=9&seed=%u", choose[seed % 4], seed);
        CU_ASSERT_EQUAL(slack.problem->buffers, 100);
        CU_ASSERT_PTR_NULL(slack.witness);
        must(problem_load(slack.problem, &load_bytes, NULL, &error));
        CU_ASSERT(load_bytes <= 1 << 20);
    }
}

static void test_boxes(void)
{
    SCOPED(clear)
    struct made boxes = make("generate:boxes?sizes=3&shortest=4&longest=9&smallest=7&largest=900");
    SCOPED(clear)
    struct made chain = make("generate:boxes?begins=chain&shortest=2&longest=2&buffers=50");
    const struct problem *problem = boxes.problem;
    uint64_t sizes[4];
    uint32_t count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t i = 0, life = problem_upper(problem, b) - problem_lower(problem, b);
        while (i < count && sizes[i] != problem->size[b])
            i++;
        CU_ASSERT_FATAL(i < 3);
        sizes[i] = problem->size[b];
        count = i == count ? count + 1 : count;
        CU_ASSERT(life >= 4 && life <= 9 && sizes[i] >= 7 && sizes[i] <= 900);
    }
    for (uint32_t b = 0; b < 50; b++)
        CU_ASSERT(problem_lower(chain.problem, b) == b && problem_upper(chain.problem, b) == b + 2);
}

/* Every order of placing each buffer on top of the conflicting ones before it, lowest first: the
   least peak is among them, since pushing the buffers of any plan down in order of their offsets
   raises none. Shares nothing with the argument of the generator. meets[b] has the bits of those
   that conflict with b. */
static bool fits(const struct problem *problem, const uint32_t *meets, uint64_t capacity,
                 uint32_t placed, uint64_t lowest, uint64_t *top)
{
    if (placed == (1u << problem->buffers) - 1)
        return true;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t floor = 0;
        if (placed >> b & 1)
            continue;
        for (uint32_t c = 0; c < problem->buffers; c++)
            if ((placed & meets[b]) >> c & 1 && top[c] > floor)
                floor = top[c];
        top[b] = floor + problem->size[b];
        if (floor >= lowest && top[b] <= capacity &&
            fits(problem, meets, capacity, placed | 1u << b, floor, top))
            return true;
    }
    return false;
}

static void test_gap(void)
{
    for (int seed = 0; seed < 2; seed++) {
        uint64_t top[32];
        uint32_t meets[32] = {0};
        SCOPED(clear)
        struct made made = make("generate:gap?buffers=12&capacity=12&seed=%d", seed);
        const struct problem *problem = made.problem;
        CU_ASSERT_EQUAL_FATAL(problem->buffers, 12);
        check_filled(problem, 12 * 1024);
        for (uint32_t b = 0; b < 12; b++)
            for (uint32_t c = 0; c < 12; c++)
                if (problem_lower(problem, b) < problem_upper(problem, c) &&
                    problem_lower(problem, c) < problem_upper(problem, b))
                    meets[b] |= 1u << c;
        CU_ASSERT_FALSE(fits(problem, meets, 12 * 1024, 0, 0, top));
    }
}

static void test_control_flow(void)
{
    for (uint32_t depth = 0; depth <= 12; depth++) {
        uint32_t loops = 0, ifs = 0, deepest = 0;
        SCOPED(clear)
        struct made made = make("generate:control_flow?operators=%u&depth=%u&loops=30&seed=%u",
                                100 + depth, depth, depth);
        const struct graph *graph = made.graph;
        CU_ASSERT_EQUAL(graph->operators, 100 + depth);
        for (uint32_t r = 0; r < graph->regions; r++) {
            uint32_t nested = 0;
            for (uint32_t at = r; at != 0; nested++)
                at = graph->op[graph->region[at].owner].region;
            deepest = nested > deepest ? nested : deepest;
        }
        CU_ASSERT_EQUAL(deepest, depth);
        for (uint32_t o = 0; o < graph->operators; o++) {
            loops += graph->op[o].loop;
            ifs += !graph->op[o].loop && graph->op[o].first_region != GRAPH_NONE;
        }
        CU_ASSERT(!depth == !(loops + ifs));
    }
}

/* By hand: 4^2 units grow to 1 + 2 / 2 times as much, stairs of height 5 have loads of 3. */
static void test_adversarial(void)
{
    uint64_t load_bytes;
    SCOPED(clear) struct made holes = make("generate:adversarial?target=sequential&level=2");
    SCOPED(clear) struct made stairs = make("generate:adversarial?target=large_first&level=2");
    CU_ASSERT_EQUAL(holes.problem->buffers, 16 + 4 + 2);
    must(problem_load(holes.problem, &load_bytes, NULL, &error));
    CU_ASSERT_EQUAL(load_bytes, 16 * 1024);
    CU_ASSERT_EQUAL(stairs.problem->buffers, 16);
    must(problem_load(stairs.problem, &load_bytes, NULL, &error));
    CU_ASSERT(load_bytes <= 3 << 24 && load_bytes > (3 << 24) - 3 * 16);
}

/* Of the eleven patterns: how many threads, itself among them, a thread hears of at most, of eight
   in groups of two. */
static void test_sync_pattern(void)
{
    static const struct {
        const char *pattern;
        uint32_t least, most;
    } rows[] = {{"independent", 1, 1}, {"pairs", 2, 2},     {"subset", 4, 4}, {"sparse", 2, 8},
                {"irregular", 8, 8},   {"ring", 8, 8},      {"tree", 8, 8},   {"groups", 8, 8},
                {"barrier", 8, 8},     {"fork_join", 8, 8}, {"dense", 8, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t most = 0;
        SCOPED(clear)
        struct made made =
            make("generate:sync_pattern?buffers=250&streams=8&pattern=%s", rows[i].pattern);
        CU_ASSERT_EQUAL(made.problem->buffers, 250);
        CU_ASSERT_EQUAL_FATAL(problem_streams(made.problem), 8);
        for (uint32_t b = 0; b < made.problem->buffers; b++) {
            struct clock clock = problem_clock(made.problem, b);
            uint32_t heard = 0;
            for (uint32_t s = 0; s < clock.streams; s++)
                heard += clock.end[s] > 0;
            most = heard > most ? heard : most;
            CU_ASSERT(made.problem->size[b] >= 1 << 10 && made.problem->size[b] <= 1 << 20);
        }
        CU_ASSERT(rows[i].least <= most && most <= rows[i].most);
    }
}

/* Threads that tick every step, every other step, and so on. */
static void test_skew(void)
{
    SCOPED(clear)
    struct made made = make("generate:sync_pattern?pattern=independent&streams=3&skew=3&steps=60");
    for (uint32_t b = 0; b < made.problem->buffers; b++) {
        struct clock clock = problem_clock(made.problem, b);
        CU_ASSERT(clock.end[0] <= 60 && clock.end[1] <= 30 && clock.end[2] <= 20);
        CU_ASSERT(clock.end[0] - clock.start[0] <= 15);
    }
}

static void test_concurrent_tiling(void)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        uint32_t streams = 2 + seed % 5;
        uint64_t bytes = 0, capacity = 64000 / streams * streams;
        SCOPED(clear)
        struct made made =
            make("generate:concurrent_tiling?buffers=%u&streams=%u&capacity=64k&syncs=%u&seed=%u",
                 10 + seed, streams, seed, seed);
        CU_ASSERT_EQUAL(made.problem->buffers, 10 + seed);
        check_witness(&made, capacity);
        for (uint32_t b = 0; b < made.problem->buffers && problem_streams(made.problem); b++) {
            struct clock clock = problem_clock(made.problem, b);
            uint64_t started = 0;
            for (uint32_t s = 0; s < clock.streams; s++)
                started += clock.start[s];
            bytes += started ? 0 : made.problem->size[b];
        }
        CU_ASSERT(!problem_streams(made.problem) || bytes == capacity);
    }
}

/* In each group every buffer of a chain conflicts with those of the other one, and with nothing
   else. */
static void test_two_plus_two(void)
{
    SCOPED(clear) struct made made = make("generate:two_plus_two?buffers=40");
    SCOPED(clear) struct made noise = make("generate:two_plus_two?buffers=40&noise=100");
    CU_ASSERT(made.problem->buffers == 40 && noise.problem->buffers == 40);
    for (uint32_t a = 0; a < 40; a++)
        for (uint32_t b = 0; b < a; b++)
            CU_ASSERT_EQUAL(problem_conflicts_in_time(made.problem, a, b, PROBLEM_NO_LINE_END),
                            a / 4 == b / 4 && a % 4 / 2 != b % 4 / 2);
}

/* What is streamed is what is made in memory, and its first line is the name that makes it
   again. */
static void check_csv(const char *name)
{
    SCOPED(clear) struct made made = make("%s", name);
    SCOPED(text_free) struct text file = {0};
    SCOPED(text_free) struct text expected = {0};
    SCOPED(problem_release) struct problem *read = NULL;
    char path[64];
    snprintf(path, sizeof path, "/tmp/memplan-generate-%ld.csv", (long)getpid());
    must(generate_write_csv(made.kind, &made.settings, path, &error));
    must(text_read_file(path, &file, &error));
    unlink(path);
    must(problem_csv_write_noted(made.problem, &expected, &error));
    CU_ASSERT_STRING_EQUAL(file.bytes, expected.bytes);
    must(problem_csv_read(&file, path, NULL, &read, &error));
    CU_ASSERT_STRING_EQUAL(read->note, made.problem->note);
    SCOPED(clear) struct made again = make("%s", read->note);
    CU_ASSERT_EQUAL(again.settings.value[1], made.settings.value[1]);
}

static void test_csv(void)
{
    check_csv("generate:layered?buffers=500&live=30&seed=9");
    check_csv("generate:sync_pattern?buffers=300&streams=5&pattern=irregular&seed=9");
}

static void test_allocations(void)
{
    static const char *const names[] = {
        "generate:layered?buffers=20&live=4", "generate:sync_pattern?buffers=20",
        "generate:concurrent_tiling?buffers=20", "generate:tight?buffers=10",
        "generate:control_flow?operators=20&depth=2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        reading_check_allocations(load_and_free, names[i]);
}

static const struct test_case cases[] = {
    {"the same for the same name", test_determinism},
    {"layered", test_layered},
    {"random graphs have what is asked for", test_random_graphs},
    {"tight", test_tight},
    {"cuts of other shapes", test_cuts_of_other_shapes},
    {"boxes", test_boxes},
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
