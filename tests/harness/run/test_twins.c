/* Jobs are twins where two orders of one graph came to the same permutation, and nowhere else. */

#include "harness/run/twins.h"

#include <string.h>

#include "support/must.h"
#include "support/testing.h"

static const struct planner planners[] = {{.name = "naive"}, {.name = "exact"}};

enum { JOBS = 8 };

static void test_twins(void)
{
    struct graph graph;
    struct instance stored = {.name = "g", .digest = "0", .graph = &graph};
    struct instance other = {.name = "h", .digest = "0", .graph = &graph};
    struct instance fifo = {.name = "g@fifo", .digest = "1", .graph = &graph};
    struct instance lifo = {.name = "g@lifo", .digest = "1", .graph = &graph};
    struct instance eager = {.name = "g@eager", .digest = "0", .graph = &graph};
    struct ordered_entry entry[] = {
        {.stored = &stored}, {.stored = &stored}, {.stored = &stored}, {.stored = &stored}};
    const struct job jobs[JOBS] = {
        {.instance = &stored, .planner = &planners[0]},
        {.instance = &other, .planner = &planners[0]},
        {.instance = &fifo, .ordered = &entry[0], .planner = &planners[0]},
        {.instance = &fifo, .ordered = &entry[0], .planner = &planners[1]},
        {.instance = &lifo, .ordered = &entry[1], .planner = &planners[0]},
        {.instance = &lifo, .ordered = &entry[1], .planner = &planners[1], .seed = 1},
        {.instance = &eager, .ordered = &entry[2], .planner = &planners[0]},
        {.instance = &stored, .ordered = &entry[3], .planner = &planners[0]},
    };
    static const uint32_t next[JOBS] = {6,          TWINS_NONE, 4,          TWINS_NONE,
                                        TWINS_NONE, TWINS_NONE, TWINS_NONE, TWINS_NONE};
    bool left_out[JOBS] = {false};
    SCOPED(twins_free) struct twins twins = {0};
    entry[3].error.status = STATUS_LIMIT;
    must(twins_find(jobs, JOBS, left_out, &twins, &error));
    for (uint32_t i = 0; i < JOBS; i++) {
        CU_ASSERT_EQUAL(twins.next[i], next[i]);
        CU_ASSERT_EQUAL(twins.follows[i], i == 4 || i == 6);
    }
    twins_free(&twins);
    left_out[2] = true;
    must(twins_find(jobs, JOBS, left_out, &twins, &error));
    CU_ASSERT(!twins.follows[4] && twins.follows[6]);
}

static const struct test_case cases[] = {{"twins", test_twins}};

TESTING_MAIN("twins", cases)
