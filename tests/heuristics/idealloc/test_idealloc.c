#include <math.h>
#include <string.h>

#include "heuristics/idealloc/boxing.h"
#include "heuristics/idealloc/live_jobs.h"
#include "planning/problem/bounds.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/testing.h"

static struct scratch scratch;

static struct boxing *make_jobs(uint32_t count, uint64_t seed, double most_height)
{
    struct random_state random = random_seed(seed);
    struct boxing *boxing;
    must(boxing_create(count, seed, &boxing, &scratch, &error));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t birth = 2 * random_below(&random, 50), length = 2 + 2 * random_below(&random, 20);
        double height = floor(pow(most_height, (double)random_below(&random, 1000) / 1000));
        must(boxing_add_buffer(boxing, birth, birth + length, height, &error));
    }
    return boxing;
}

static void end_jobs(struct boxing *boxing)
{
    boxing_free(boxing);
    scratch_free(&scratch);
}

static double find_load(const struct boxing *boxing, const uint32_t *list, uint32_t count)
{
    double most = 0;
    for (uint64_t time = 1; time < 200; time += 2) {
        double load = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct boxing_job *job = &boxing->job[list[i]];
            load += job->birth < time && time < job->death ? job->height : 0;
        }
        most = load > most ? load : most;
    }
    return most;
}

static void count_contents(const struct boxing *boxing, uint32_t job, uint32_t *times)
{
    const struct boxing_job *box = &boxing->job[job];
    times[job]++;
    for (uint32_t i = 0; i < box->count; i++)
        count_contents(boxing, boxing->content[box->first + i], times);
}

/* Boxes hold what they contain, in height and time, and every buffer is in one of them. */
static void check_boxes(const struct boxing *boxing, struct boxing_list list, uint32_t buffers)
{
    uint32_t times[4096] = {0};
    for (uint32_t i = 0; i < list.count; i++)
        count_contents(boxing, list.job[i], times);
    for (uint32_t j = 0; j < boxing->jobs; j++) {
        const struct boxing_job *box = &boxing->job[j];
        CU_ASSERT_TRUE_FATAL(times[j] <= 1);
        if (j < buffers)
            CU_ASSERT_EQUAL_FATAL(times[j], 1);
        if (!box->count || !times[j])
            continue;
        CU_ASSERT_TRUE_FATAL(find_load(boxing, boxing->content + box->first, box->count) <=
                             box->height);
        for (uint32_t i = 0; i < box->count; i++) {
            const struct boxing_job *job = &boxing->job[boxing->content[box->first + i]];
            CU_ASSERT_TRUE_FATAL(box->birth <= job->birth && job->death <= box->death);
        }
    }
}

static void list_jobs(uint32_t count, uint32_t *list)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = i;
}

static void test_corollary_15(void)
{
    static const double epsilons[] = {0.05, 0.3, 0.6};
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint32_t list[200], boxed[200], count = 1 + (uint32_t)(seed * 7 % 200);
        struct boxing *boxing = make_jobs(count, seed, 60);
        struct boxing_list boxes = {boxed, 0};
        list_jobs(count, list);
        const struct boxing_target target = {.height = 60.0 * (double)(1 + seed % 7),
                                             .epsilon = epsilons[seed % 3],
                                             .boxed = &boxes};
        must(boxing_corollary_15(boxing, (struct boxing_list){list, count}, target, &error));
        check_boxes(boxing, boxes, count);
        end_jobs(boxing);
    }
}

/* Heights that differ by a million, where the practical Theorem 16 boxes in several rounds. */
static void test_theorem_16(void)
{
    uint32_t shrunk = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t job[300];
        struct boxing *boxing = make_jobs(300, seed, 1e9);
        struct boxing_list list = {job, 300};
        double least, greatest;
        list_jobs(300, job);
        boxing_epsilon_range(boxing_examine(boxing, list, 1).ratio, &least, &greatest);
        CU_ASSERT_TRUE_FATAL(least < greatest);
        must(boxing_theorem_16(boxing, least + (greatest - least) * 0.5, &list, &error));
        check_boxes(boxing, list, 300);
        shrunk += list.count < 300;
        end_jobs(boxing);
    }
    CU_ASSERT_TRUE(shrunk > 50);
}

/* The planner's own bound: a ratio above 2216.53 leaves room for epsilon. */
static void test_epsilon_range(void)
{
    double least, greatest;
    boxing_epsilon_range(2216.54, &least, &greatest);
    CU_ASSERT_TRUE(least < greatest);
    boxing_epsilon_range(2216.0, &least, &greatest);
    CU_ASSERT_TRUE(least > greatest);
}

/* As many rows as jobs overlap, and no overlap in a row. */
static void test_colouring(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint32_t list[60], row[60];
        struct boxing *boxing = make_jobs(60, seed, 1);
        list_jobs(60, list);
        boxing_sort(boxing, BOXING_BIRTH, (struct boxing_list){list, 60});
        uint32_t rows = boxing_colour(boxing, (struct boxing_list){list, 60}, row);
        CU_ASSERT_EQUAL(rows, (uint32_t)find_load(boxing, list, 60));
        for (uint32_t i = 0; i < 60; i++)
            for (uint32_t k = 0; k < i; k++)
                CU_ASSERT_TRUE(row[i] != row[k] ||
                               boxing->job[list[k]].death <= boxing->job[list[i]].birth);
        end_jobs(boxing);
    }
}

/* Jobs are taken out at one time after another; what is said of the rest is counted by hand. */
static void test_live_jobs(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t list[40], gone[40], count = 1 + (uint32_t)(seed % 40);
        bool taken[40] = {false};
        struct random_state random = random_seed(seed);
        struct boxing *boxing = make_jobs(count, seed, 1);
        struct live_jobs jobs;
        list_jobs(count, list);
        const struct boxing_list all = {list, count};
        boxing_sort(boxing, BOXING_BIRTH, all);
        must(live_jobs_create(boxing, all, &jobs, &scratch, &error));
        for (int round = 0; round < 20; round++) {
            uint64_t time = random_below(&random, 80);
            uint32_t begin = (uint32_t)random_below(&random, count), born = 0, left = 0, live = 0;
            struct boxing_list found = {gone, 0};
            for (uint32_t i = 0; i < count; i++) {
                const struct boxing_job *job = &boxing->job[list[i]];
                born += job->birth < time;
                if (i < begin || taken[i])
                    continue;
                CU_ASSERT_EQUAL(live_jobs_find(&jobs, begin, left), i);
                left++;
                live += job->birth < time && job->death > time;
            }
            CU_ASSERT_EQUAL(live_jobs_find_birth(&jobs, time), born);
            CU_ASSERT_EQUAL(live_jobs_count(&jobs, begin, count), left);
            CU_ASSERT_EQUAL(live_jobs_any_at(&jobs, begin, time), live > 0);
            live_jobs_take_at(&jobs, begin, time, &found);
            CU_ASSERT_EQUAL(found.count, live);
            for (uint32_t i = begin; i < count; i++)
                taken[i] |= boxing->job[list[i]].birth < time && boxing->job[list[i]].death > time;
            CU_ASSERT_FALSE(live_jobs_any_at(&jobs, begin, time));
        }
        end_jobs(boxing);
    }
}

/* Six jobs that live at one time, strips of one job and boxes of one: early births and late deaths
   in turn, the first of either left over. */
static void test_lemma_1(void)
{
    static const uint64_t times[][2] = {{0, 20}, {2, 30}, {4, 22}, {6, 28}, {8, 24}, {10, 26}};
    uint32_t list[6], boxed[6], left[6];
    struct boxing *boxing;
    struct boxing_list boxes = {boxed, 0}, rest = {left, 0};
    const struct boxing_target target = {1, 5, 1, &boxes};
    must(boxing_create(6, 1, &boxing, &scratch, &error));
    for (int i = 0; i < 6; i++)
        must(boxing_add_buffer(boxing, times[i][0], times[i][1], 5, &error));
    list_jobs(6, list);
    must(boxing_lemma_1(boxing, (struct boxing_list){list, 6}, &target, &rest, &error));
    CU_ASSERT_EQUAL_FATAL(rest.count, 2);
    CU_ASSERT_TRUE(left[0] == 0 && left[1] == 1);
    CU_ASSERT_EQUAL_FATAL(boxes.count, 4);
    static const uint32_t expected[] = {2, 3, 4, 5};
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(boxing->content[boxing->job[boxed[i]].first], expected[i]);
    end_jobs(boxing);
}

/* A box of two rows on a box of two that do not overlap: rows from the bottom, larger first. */
static void test_opening(void)
{
    struct boxing *boxing;
    uint32_t top[2];
    double offset[4];
    struct boxing_list list = {top, 0};
    must(boxing_create(6, 1, &boxing, &scratch, &error));
    static const struct {
        uint64_t birth, death;
        double height;
    } jobs[] = {{0, 4, 2}, {2, 6, 3}, {0, 2, 4}, {4, 8, 1}};
    for (int i = 0; i < 4; i++)
        must(boxing_add_buffer(boxing, jobs[i].birth, jobs[i].death, jobs[i].height, &error));
    const struct boxing_target target = {.height = 5, .boxed = &list};
    for (uint32_t first = 0; first < 4; first += 2) {
        uint32_t two[] = {first, first + 1};
        must(boxing_add_box(boxing, (struct boxing_list){two, 2}, &target, &error));
    }
    must(boxing_unbox(boxing, list, 4, offset, &error));
    static const double expected[] = {3, 0, 5, 5};
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(offset[i], expected[i]);
    end_jobs(boxing);
}

/* Rows of equal buffers need no more than the load, whatever their lives. */
static void test_equal_sizes(void)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct random_state random = random_seed(seed);
        struct made_buffer rows[30];
        for (int i = 0; i < 30; i++) {
            uint32_t lower = (uint32_t)random_below(&random, 20);
            rows[i] =
                (struct made_buffer){lower, lower + 1 + (uint32_t)random_below(&random, 9), 7};
        }
        struct problem *problem = made_problem(rows, 30);
        struct plan *plan = rule_test_run("idealloc", problem);
        uint64_t load;
        must(problem_load(problem, &load, NULL, &error));
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, load);
        plan_free(plan);
        problem_free(problem);
    }
}

static void test_trivial(void)
{
    static const struct made_buffer one[] = {{3, 4, 5}};
    static const struct made_buffer apart[] = {{3, 4, 5}, {4, 6, 9}, {0, 3, 2}};
    rule_test_expect("idealloc", one, 1, (const uint64_t[]){0});
    rule_test_expect("idealloc", apart, 3, (const uint64_t[]){0, 0, 0});
    struct problem *none = made_problem(one, 0);
    plan_free(rule_test_run("idealloc", none));
    problem_free(none);
}

static void test_valid(void)
{
    rule_test_validate("idealloc", 10000);
    rule_test_validate("idealloc?lives=5&max_frag=110", 1000);
}

static uint64_t find_peak(const char *planner, const struct problem *problem, uint64_t *first)
{
    struct plan *plan = rule_test_run(planner, problem);
    uint64_t peak = plan->measures.peak_bytes;
    *first = plan->offset[0];
    plan_free(plan);
    return peak;
}

/* Never above the order that it starts from, below it now and then, and the same for a seed. */
static void test_improves(void)
{
    uint32_t better = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const struct random_problem kind = {.most_buffers = 200, .steps = 60, .most_size = 5000};
        struct problem *problem = rule_test_draw(&kind, seed);
        uint64_t offset, again;
        uint64_t start = find_peak("size_duration_first_fit", problem, &offset);
        uint64_t peak = find_peak("idealloc?lives=5", problem, &offset);
        CU_ASSERT_TRUE(peak <= start);
        CU_ASSERT_EQUAL(find_peak("idealloc?lives=5", problem, &again), peak);
        CU_ASSERT_EQUAL(again, offset);
        better += peak < start;
        problem_free(problem);
    }
    CU_ASSERT_TRUE(better > 0);
}

static void test_no_memory(void)
{
    rule_test_fail_each("idealloc?lives=2");
}

static const struct test_case cases[] = {
    {"jobs that are left", test_live_jobs},
    {"colouring", test_colouring},
    {"Lemma 1 by hand", test_lemma_1},
    {"Corollary 15 gives boxes that hold", test_corollary_15},
    {"the rogue loop gives boxes that hold", test_theorem_16},
    {"the range of epsilon", test_epsilon_range},
    {"opening by hand", test_opening},
    {"equal sizes", test_equal_sizes},
    {"one buffer, none, and no overlap", test_trivial},
    {"valid plans", test_valid},
    {"improves on its start", test_improves},
    {"no memory", test_no_memory},
};
TESTING_MAIN("heuristics/idealloc", cases)
