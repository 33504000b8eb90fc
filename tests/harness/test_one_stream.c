/* One stream gives exactly what there is without streams: problems whose buffers have clocks of one
   stream, and graphs all of whose operators name the same one, against those with steps and without
   names, under every policy and with every planner, row for row. */

#include <string.h>

#include "datasets/json/text.h"
#include "datasets/memplan_json/graph.h"
#include "harness/catalogue/planners.h"
#include "harness/jobs.h"
#include "planning/problem/clocks_resolve.h"
#include "support/must.h"
#include "support/random_problem.h"

enum { STREAMS = 3 };

/* How the steps of a buffer stand in its clock beside components that say nothing. */
enum form { ALONE, BESIDE_CONSTANTS, TWICE, FORMS };

static struct instance *copy_with_clocks(const struct problem *problem, enum form form)
{
    static const uint32_t constant[STREAMS] = {7, 0, 3};
    struct problem *copy;
    must(problem_create(&copy, names_get(&problem->name, 0), &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct problem_buffer buffer = {
            names_get(&problem->names, b), problem->size[b], problem_alignment(problem, b),
            problem_fixed_offset(problem, b), problem_hint(problem, b)};
        uint32_t start[STREAMS], end[STREAMS];
        for (uint32_t s = 0; s < STREAMS; s++) {
            bool is_constant = form == BESIDE_CONSTANTS && s != 1;
            start[s] = is_constant ? constant[s] : problem_lower(problem, b);
            end[s] = is_constant ? constant[s] : problem_upper(problem, b);
        }
        const struct clock clock = {form == ALONE ? 1 : STREAMS, start, end};
        must(problem_add_buffer(copy, &buffer, &error));
        must(problem_add_clock(copy, clock, &error));
    }
    must(problem_clocks_resolve(&copy, &error));
    must(problem_finish(copy, &error));
    return jobs_own(NULL, copy);
}

/* What searches make until a time is up differs from run to run; small problems they end by a
   proof, or after as many turns as they are given. */
static void compare_jobs(struct job job, const struct instance *other, bool is_small)
{
    for (uint32_t i = 0; i < planners_count(); i++) {
        job.planner = planners_at(i);
        bool proves = job.planner->flags & PLANNER_EXACT;
        bool searches = job.planner->flags & PLANNER_SEARCHES;
        if (is_small ? searches && !proves : searches || proves)
            continue;
        struct job second = job;
        second.instance = other;
        SCOPED(outcome_clear) struct outcome a = jobs_run(&job);
        SCOPED(outcome_clear) struct outcome b = jobs_run(&second);
        jobs_compare(&a, &b);
        CU_ASSERT_EQUAL(a.path.longest, b.path.longest);
        CU_ASSERT_STRING_EQUAL(a.stop_reason, b.stop_reason);
    }
}

static void compare_problem(const struct instance *instance, bool is_small)
{
    for (enum form form = ALONE; form < FORMS; form++) {
        SCOPED(instance_release)
        struct instance *clocks = copy_with_clocks(instance->problem, form);
        CU_ASSERT_STRING_EQUAL(clocks->digest, instance->digest);
        compare_jobs(job_make(instance, NULL, NULL), clocks, is_small);
    }
}

/* Small random ones with proofs. */
static void test_problems(void)
{
    static const char *const names[] = {
        "generate:layered?buffers=300&live=20&seed=3",
        "generate:tight?buffers=60&capacity=4000&unit=1&steps=50&seed=4",
        "generate:tight?buffers=200&steps=40&seed=5",
    };
    const struct random_problem kind = {
        .most_buffers = 7, .steps = 30, .most_size = 9, .alignment = true};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(names[i]);
        compare_problem(instance, false);
    }
    for (uint64_t seed = 0; seed < TESTING_COUNT(40, 4); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(instance_release)
        struct instance *instance = jobs_own(NULL, random_problem_create(&kind, &random));
        compare_problem(instance, true);
    }
}

/* The graph's text with "stream": "only" in each operator, also in regions. */
static struct instance *name_stream(const struct instance *instance)
{
    static const char type[] = "\"type\": ", stream[] = "\"stream\": \"only\", ";
    SCOPED(text_free) struct text text = {0};
    SCOPED(text_free) struct text named = {0};
    struct graph *graph;
    must(graph_json_write(instance->graph, &text, &error));
    for (const char *at = text.bytes, *next; *at; at = next + sizeof type - 1) {
        next = strstr(at, type);
        text_append(&named, "%.*s", (int)(next ? next - at : (ptrdiff_t)strlen(at)), at);
        if (!next)
            break;
        text_append(&named, "%s%s", stream, type);
    }
    must(graph_json_read(&named, "named", &graph, &error));
    CU_ASSERT_STRING_EQUAL(names_get(&graph->streams, graph->op[0].stream), "only");
    return jobs_own(graph, NULL);
}

static void test_graphs(void)
{
    static const char *const names[] = {"patent/figure4", "luna/denoise", "zoo/tree_lstm",
                                        "wired/heads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SCOPED(instance_release) struct instance *plain = jobs_load(names[i]);
        SCOPED(instance_release) struct instance *named = name_stream(plain);
        CU_ASSERT_FALSE(graph_has_streams(named->graph));
        CU_ASSERT_STRING_EQUAL(named->digest, plain->digest);
        for (uint32_t p = 0; p < policy_count(); p++)
            if (policy_suits(policy_at(p), plain->graph))
                compare_jobs(job_make(plain, policy_at(p), NULL), named, false);
    }
}

static const struct test_case cases[] = {
    {"clocks of one stream are steps", test_problems},

    {"graphs all of whose operators name one stream", test_graphs},
};

TESTING_MAIN("harness/one_stream", cases)
