#include <stdio.h>

#include "core/clock.h"
#include "datasets/instance.h"
#include "solvers/find_solver.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

/* What best promises: it is never worse than one of its parts that has a share of the time to
   itself. Time is counted here, not measured, so that plans are the same on every machine: these
   functions stand in for those of core/clock.c, and each look at the clock takes as long as a
   placement of the exact search does, which looks once for each. */

static uint64_t now_ns;
static const uint64_t LOOK_NS = 4000;

uint64_t clock_monotonic_ns(void)
{
    return now_ns += LOOK_NS;
}

uint64_t clock_deadline_ns(uint64_t limit_ns)
{
    uint64_t now = clock_monotonic_ns();
    return limit_ns < UINT64_MAX - now ? now + limit_ns : UINT64_MAX;
}

uint64_t clock_left_ns(uint64_t deadline_ns)
{
    if (deadline_ns == UINT64_MAX)
        return UINT64_MAX;
    uint64_t now = clock_monotonic_ns();
    return now < deadline_ns ? deadline_ns - now : 0;
}

static const char *const names[] = {
    "minimalloc/D",
    "perturbed:mirror:minimalloc/D",
    "perturbed:jitter_sizes?seed=7227:minimalloc/D",
    "perturbed:thin?seed=7205:minimalloc/D",
    "perturbed:jitter_sizes?seed=7098:minimalloc/B",
    "perturbed:jitter_sizes?seed=3:minimalloc/C",
    "perturbed:jitter_sizes?seed=7365:minimalloc/F",
    "generate:tight?buffers=300&seed=6",
    "generate:layered?buffers=400&live=20&seed=2",
};

enum { NAMES = sizeof names / sizeof *names };

/* The part and how many times as long best may take. */
static const struct {
    const char *planner;
    uint64_t times, most_ns;
} promises[] = {{"exact", 2, 80000000}, {"window_search", 25, 10000000}};

enum { PROMISES = sizeof promises / sizeof *promises };

static uint64_t find_peak(const char *planner, const struct problem *problem, uint64_t limit_ns)
{
    struct planner_task task = planned_task(problem);
    task.time_limit_ns = limit_ns;
    SCOPED(plan_release) struct plan *plan = planned(find_solver(planner), &task);
    uint64_t peak_bytes = plan->measures.peak_bytes;
    CU_ASSERT_TRUE(plan_found(plan) && planned_is_valid(problem, plan));
    return peak_bytes;
}

static void compare(int promise, const char *name, uint64_t limit_ns)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load(name, NULL, &instance, &error));
    const char *planner = promises[promise].planner;
    uint64_t part = find_peak(planner, instance->problem, limit_ns),
             best = find_peak("best", instance->problem, promises[promise].times * limit_ns);
    if (best > part) {
        printf("%s %llu: %s %llu, best %llu\n", name, (unsigned long long)limit_ns, planner,
               (unsigned long long)part, (unsigned long long)best);
        CU_FAIL("best is worse than a part of it");
    }
}

static void test_each_part_has_its_share(void)
{
    for (int p = 0; p < PROMISES; p++)
        for (int i = TESTING_COUNT(0, 8 * p); i < NAMES; i += TESTING_COUNT(1, 8))
            for (uint64_t limit_ns = 10000000; limit_ns <= promises[p].most_ns;
                 limit_ns *= TESTING_COUNT(2, 16))
                compare(p, names[i], limit_ns);
}

static const struct test_case cases[] = {
    {"each part has its share", test_each_part_has_its_share},
};

TESTING_MAIN("solvers/best/shares", cases)
