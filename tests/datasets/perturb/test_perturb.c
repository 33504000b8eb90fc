#include "datasets/perturb/perturb.h"
#include "support/must.h"

#include "datasets/loading.h"
#include "datasets/reading.h"
#include "planning/problem/bounds.h"
#include "support/made_problem.h"
#include "support/random_problem.h"

/* The latest problems of a test; each goes when its place is needed again. */
static struct problem *kept[32];
static size_t kept_count;

static void free_kept(void)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        problem_free(kept[i]);
}

static struct problem *keep(struct problem *problem)
{
    struct problem **place = &kept[kept_count % (sizeof kept / sizeof *kept)];
    if (!kept_count++)
        atexit(free_kept);
    problem_free(*place);
    return *place = problem;
}

/* Applies a rule, "perturbed:thin?seed=2", to problems at hand. */
static struct problem *perturb_two(const char *rule, const struct problem *first,
                                   const struct problem *second)
{
    char name[128];
    const struct problem *const source[2] = {first, second};
    SCOPED(perturb_free) struct perturbation perturbation = {.rule = NULL};
    struct problem *made;
    snprintf(name, sizeof name, "%s:%s", rule, second ? "a+b" : "a");
    must(perturb_parse_name(name, &perturbation, &error));
    must(perturb_create(&perturbation, name, source, &made, &error));
    return keep(made);
}

static struct problem *perturb(const char *rule, const struct problem *problem)
{
    return perturb_two(rule, problem, NULL);
}

static uint64_t get_load(const struct problem *problem)
{
    uint64_t load;
    must(problem_load(problem, &load, NULL, &error));
    return load;
}

static bool is_same_buffer(const struct problem *left, uint32_t a, const struct problem *right,
                           uint32_t b)
{
    uint32_t s = left->first[a], t = right->first[b];
    if (strcmp(names_get(&left->names, a), names_get(&right->names, b)) != 0 ||
        left->size[a] != right->size[b] ||
        problem_alignment(left, a) != problem_alignment(right, b) ||
        problem_fixed_offset(left, a) != problem_fixed_offset(right, b) ||
        left->first[a + 1] - s != right->first[b + 1] - t)
        return false;
    for (; s < left->first[a + 1]; s++, t++)
        if (left->lower[s] != right->lower[t] || left->upper[s] != right->upper[t] ||
            problem_window_lower(left, s) != problem_window_lower(right, t) ||
            problem_window_upper(left, s) != problem_window_upper(right, t))
            return false;
    return true;
}

static bool is_same(const struct problem *left, const struct problem *right)
{
    if (left->buffers != right->buffers || left->line_end != right->line_end)
        return false;
    for (uint32_t b = 0; b < left->buffers; b++)
        if (!is_same_buffer(left, b, right, b))
            return false;
    return true;
}

enum { PROBLEMS = TESTING_COUNT(2000, 200) };

/* Of every kind: holes, windows, fixed offsets, conflict steps. */
static struct problem *make_random(struct random_state *random)
{
    const struct random_problem kind = {
        .most_buffers = 12,
        .steps = 12,
        .most_size = 40,
        .holes = true,
        .windows = random_below(random, 2) != 0,
        .alignment = random_below(random, 2) != 0,
        .fixed = random_below(random, 4) == 0,
        .conflicts = random_below(random, 2) != 0,
    };
    return keep(random_problem_create(&kind, random));
}

static void test_rows(void)
{
    const struct made_buffer three[] = {{0, 4, 3}, {2, 6, 5}, {6, 10, 7}};
    const struct made_buffer backwards[] = {{6, 10, 3}, {4, 8, 5}, {0, 4, 7}};
    struct problem *wanted = keep(made_problem(backwards, 3));
    CU_ASSERT_TRUE(is_same(perturb("perturbed:mirror", keep(made_problem(three, 3))), wanted));

    const struct made_buffer long_ends[] = {{0, 100, 3}, {0, 1, 5}, {99, 100, 7}};
    for (int seed = 0; seed < 20; seed++) {
        char rule[64];
        snprintf(rule, sizeof rule, "perturbed:cut?percent=10&seed=%d", seed);
        struct problem *part = perturb(rule, keep(made_problem(long_ends, 3)));
        CU_ASSERT_EQUAL(part->buffers, 2);
        CU_ASSERT_EQUAL(part->size[0], 3);
        CU_ASSERT_EQUAL(part->upper[0] - part->lower[0], part->size[1] == 5 ? 10 : 1);
    }

    const struct made_buffer one[] = {{0, 10, 3}};
    struct problem *single = keep(made_problem(one, 1));
    struct problem *joined = perturb_two("perturbed:join", single, single);
    CU_ASSERT_EQUAL_FATAL(joined->buffers, 2);
    CU_ASSERT_STRING_EQUAL(names_get(&joined->names, 0), "1.a");
    CU_ASSERT_STRING_EQUAL(names_get(&joined->names, 1), "2.a");
    CU_ASSERT(joined->lower[0] == 0 && joined->upper[0] == 10);
    CU_ASSERT(joined->lower[1] == 8 && joined->upper[1] == 18);

    struct problem *pile = keep(made_problem_pile(30));
    CU_ASSERT_FALSE(is_same(perturb("perturbed:shuffle?seed=3", pile), pile));
    CU_ASSERT_TRUE(is_same(perturb("perturbed:thin?percent=0", pile), pile));
    CU_ASSERT_EQUAL(perturb("perturbed:thin?percent=100", pile)->buffers, 1);
}

/* Each pair of buffers conflicts after as before, so every plan is one of both. */
static void test_mirror_twice(void)
{
    struct random_state random = random_seed(1);
    unsigned changed = 0, same = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        struct problem *problem = make_random(&random);
        struct problem *once = perturb("perturbed:mirror", problem);
        struct problem *twice = perturb("perturbed:mirror", once);
        struct problem *again = perturb("perturbed:mirror", twice);
        CU_ASSERT_EQUAL(get_load(once), get_load(problem));
        CU_ASSERT_EQUAL(problem_steps(twice), problem_steps(problem));
        /* Segments that adjoin become one. */
        CU_ASSERT_TRUE(is_same(twice, problem) || twice->segments < problem->segments);
        CU_ASSERT_TRUE(is_same(again, once));
        same += is_same(twice, problem);
        changed += !is_same(once, problem);
    }
    CU_ASSERT(changed > PROBLEMS / 2);
    CU_ASSERT(same > PROBLEMS / 2);
}

/* Positions in `problem` of the buffers of `made`, each once; UINT32_MAX for one that it lacks. */
static uint32_t find_buffer(const struct problem *made, uint32_t buffer,
                            const struct problem *problem, bool *taken)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!taken[b] && is_same_buffer(made, buffer, problem, b)) {
            taken[b] = true;
            return b;
        }
    return UINT32_MAX;
}

enum { MOST_BUFFERS = 400 };

static void test_shuffle(void)
{
    struct random_state random = random_seed(2);
    for (int i = 0; i < PROBLEMS; i++) {
        bool taken[MOST_BUFFERS] = {false};
        struct problem *problem = make_random(&random);
        struct problem *shuffled = perturb("perturbed:shuffle?seed=3", problem);
        CU_ASSERT_EQUAL(shuffled->buffers, problem->buffers);
        CU_ASSERT_EQUAL(shuffled->line_end, problem->line_end);
        CU_ASSERT_EQUAL(get_load(shuffled), get_load(problem));
        for (uint32_t b = 0; b < shuffled->buffers; b++)
            CU_ASSERT_NOT_EQUAL(find_buffer(shuffled, b, problem, taken), UINT32_MAX);
    }
}

static void test_thin_only_removes(void)
{
    struct random_state random = random_seed(3);
    uint32_t before = 0, after = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        bool taken[MOST_BUFFERS] = {false};
        struct problem *problem = make_random(&random);
        struct problem *thinned = perturb("perturbed:thin?percent=30&seed=4", problem);
        uint32_t last = 0;
        for (uint32_t b = 0; b < thinned->buffers; b++) {
            uint32_t at = find_buffer(thinned, b, problem, taken);
            CU_ASSERT_FATAL(at < problem->buffers && at >= last);
            last = at;
        }
        before += problem->buffers;
        after += thinned->buffers;
    }
    CU_ASSERT(after > 6 * before / 10 && after < 8 * before / 10);
}

/* Sizes within a fifth and in their unit of 64 bytes; times within a tenth of 20 steps. */
static void test_jitter(void)
{
    struct made_buffer sized[50], timed[50];
    unsigned smaller = 0, larger = 0, earlier = 0, later = 0;
    for (uint32_t b = 0; b < 50; b++) {
        sized[b] = (struct made_buffer){b, b + 3, 64 * (1 + b)};
        timed[b] = (struct made_buffer){b, b + 20, 64};
    }
    struct problem *sizes =
        perturb("perturbed:jitter_sizes?percent=20&seed=5", keep(made_problem(sized, 50)));
    struct problem *times = perturb("perturbed:jitter_times?seed=5", keep(made_problem(timed, 50)));
    for (uint32_t b = 0; b < 50; b++) {
        uint64_t size = sized[b].size, most = size / 5 > 64 ? size / 5 : 64;
        CU_ASSERT_EQUAL(sizes->size[b] % 64, 0);
        CU_ASSERT(sizes->size[b] >= 64);
        CU_ASSERT(sizes->size[b] <= size + most && sizes->size[b] + most >= size);
        CU_ASSERT_EQUAL(problem_window_upper(sizes, b), sizes->size[b]);
        CU_ASSERT(sizes->lower[b] == b && sizes->upper[b] == b + 3);
        smaller += sizes->size[b] < size;
        larger += sizes->size[b] > size;
        CU_ASSERT(times->lower[b] <= b + 2 && times->lower[b] + 2 >= b);
        CU_ASSERT(times->upper[b] <= b + 22 && times->upper[b] + 2 >= b + 20);
        CU_ASSERT(times->upper[b] <= 49 + 20);
        CU_ASSERT_EQUAL(times->size[b], 64);
        earlier += times->lower[b] < b;
        later += times->lower[b] > b;
    }
    CU_ASSERT(smaller > 10 && larger > 10);
    CU_ASSERT(earlier > 10 && later > 10);
}

/* Fixed places, windows and conflict steps are not touched; what comes out is a problem. */
static void test_jitter_of_any(void)
{
    struct random_state random = random_seed(6);
    for (int i = 0; i < PROBLEMS; i++) {
        struct problem *problem = make_random(&random);
        struct problem *sizes = perturb("perturbed:jitter_sizes?percent=100&seed=7", problem);
        struct problem *times = perturb("perturbed:jitter_times?percent=100&seed=7", problem);
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (problem_fixed_offset(problem, b) != PROBLEM_FREE) {
                CU_ASSERT_TRUE(is_same_buffer(sizes, b, problem, b));
                CU_ASSERT_TRUE(is_same_buffer(times, b, problem, b));
            }
        CU_ASSERT_EQUAL(sizes->segments, problem->segments);
        CU_ASSERT_EQUAL(times->segments, problem->segments);
        CU_ASSERT_EQUAL(times->line_end, problem->line_end);
        CU_ASSERT(problem_steps(times) <= problem_steps(problem));
    }
}

/* All of the time is all of the problem; a part has no higher load. */
static void test_cut(void)
{
    struct random_state random = random_seed(8);
    uint32_t before = 0, after = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        struct problem *problem = make_random(&random);
        struct problem *part = perturb("perturbed:cut?percent=25&seed=2", problem);
        CU_ASSERT(part->buffers >= 1 && part->buffers <= problem->buffers);
        CU_ASSERT(get_load(part) <= get_load(problem));
        CU_ASSERT(problem_steps(part) <= problem_steps(problem));
        before += problem->buffers;
        after += part->buffers;
    }
    CU_ASSERT(after < before);
}

static void test_join(void)
{
    struct random_state random = random_seed(9);
    for (int i = 0; i < PROBLEMS; i++) {
        struct problem *first = make_random(&random), *second = make_random(&random);
        struct problem *apart = perturb_two("perturbed:join?percent=0", first, second);
        struct problem *both = perturb_two("perturbed:join?percent=100", first, second);
        const struct problem *const summed[4] = {first, second, apart, both};
        uint64_t loads[] = {get_load(first), get_load(second)}, times[4] = {0};
        uint64_t most = loads[0] > loads[1] ? loads[0] : loads[1];
        for (int k = 0; k < 4; k++)
            for (uint32_t b = 0; b < summed[k]->buffers; b++)
                times[k] += problem_duration(summed[k], b) * summed[k]->size[b];
        CU_ASSERT_EQUAL(both->buffers, first->buffers + second->buffers);
        CU_ASSERT_EQUAL(problem_naive_bytes(both),
                        problem_naive_bytes(first) + problem_naive_bytes(second));
        CU_ASSERT(times[2] == times[0] + times[1] && times[3] == times[2]);
        CU_ASSERT_EQUAL(get_load(apart), most);
        CU_ASSERT(get_load(both) >= most && get_load(both) <= loads[0] + loads[1]);
    }
}

static void test_refused(void)
{
    const struct made_buffer rows[] = {{0, UINT32_MAX - 1, 3}};
    struct problem *problem = keep(made_problem(rows, 1)), *made;
    const struct problem *const source[2] = {problem, problem};
    SCOPED(perturb_free) struct perturbation perturbation = {.rule = NULL};
    char name[1024];
    must(perturb_parse_name("perturbed:join?percent=0:a+a", &perturbation, &error));
    CU_ASSERT_EQUAL(perturb_create(&perturbation, "a", source, &made, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "steps"));
    struct perturbation refused;
    snprintf(name, sizeof name, "perturbed:thin?percent=%0600d:minimalloc/A", 1);
    CU_ASSERT_EQUAL(perturb_parse_name(name, &refused, &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "609 characters"));
}

static void test_names_in_names(void)
{
    SCOPED(instance_release) struct instance *plain = load("minimalloc/A");
    SCOPED(instance_release)
    struct instance *twice = load("perturbed:mirror:perturbed:mirror:minimalloc/A");
    SCOPED(instance_release)
    struct instance *joined =
        load("perturbed:join:minimalloc/A+perturbed:join:minimalloc/A+minimalloc/A");
    CU_ASSERT_STRING_EQUAL(plain->digest, twice->digest);
    CU_ASSERT_EQUAL(joined->problem->buffers, 3 * plain->problem->buffers);
}

static void test_allocations(void)
{
    static const char *const names[] = {
        "perturbed:mirror:generate:tight?buffers=5", "perturbed:shuffle:generate:tight?buffers=5",
        "perturbed:join:generate:tight?buffers=3+generate:tight?buffers=2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        reading_check_allocations(load_and_free, names[i]);
}

/* Sizes come from those that there are, and lives stay; lives move within the steps, and sizes
   stay. */
static void test_redraw(void)
{
    SCOPED(instance_release) struct instance *instance = load("minimalloc/A");
    const struct problem *problem = instance->problem;
    const struct problem *sizes = perturb("perturbed:redraw_sizes?seed=4", problem);
    const struct problem *times = perturb("perturbed:redraw_times?seed=4", problem);
    uint32_t resized = 0, moved = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t from = 0, life = problem_upper(problem, b) - problem_lower(problem, b);
        while (from < problem->buffers && problem->size[from] != sizes->size[b])
            from++;
        CU_ASSERT(from < problem->buffers);
        CU_ASSERT_EQUAL(problem_lower(sizes, b), problem_lower(problem, b));
        CU_ASSERT_EQUAL(problem_upper(sizes, b), problem_upper(problem, b));
        CU_ASSERT_EQUAL(times->size[b], problem->size[b]);
        CU_ASSERT_EQUAL(problem_upper(times, b) - problem_lower(times, b), life);
        CU_ASSERT(problem_upper(times, b) <= problem_steps(problem));
        resized += sizes->size[b] != problem->size[b];
        moved += problem_lower(times, b) != problem_lower(problem, b);
    }
    CU_ASSERT(2 * resized > problem->buffers && 2 * moved > problem->buffers);
}

static const struct test_case cases[] = {
    {"redraw", test_redraw},
    {"a few rows, after every rule, as counted by hand", test_rows},
    {"mirror twice is the same", test_mirror_twice},
    {"shuffle keeps the buffers and the load", test_shuffle},
    {"thin only removes", test_thin_only_removes},
    {"jitter of sizes and of times", test_jitter},
    {"jitter of any problem", test_jitter_of_any},
    {"cut", test_cut},
    {"join has the sum of both", test_join},
    {"too many steps and options that are too long", test_refused},
    {"names in names", test_names_in_names},
    {"allocations", test_allocations},
};

TESTING_MAIN("datasets/perturb", cases)
