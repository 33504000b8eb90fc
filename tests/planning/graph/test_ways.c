#include "planning/graph/ways.h"

#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

enum { BRANCHES = 8 };

static enum status mark_branches(void *context, const uint32_t *choice)
{
    uint32_t *visits = context;
    visits[(choice[0] == 2) + 2 * (choice[1] == 4) + 4 * (choice[2] == 6)]++;
    return STATUS_OK;
}

/* Three Ifs have eight ways. They are counted up to a limit, and where it is that number each is
   visited once; where it is lower, there are samples. */
static void test_limits(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 a:4 b:4 c:4", "x",
                                       "f: x > a {then(| x) else(| x)}; "
                                       "g: a > b {then(| a) else(| a)}; "
                                       "h: b > c {then(| b) else(| b)}",
                                       "c");
    const struct graph *graph = sketch.graph;
    CU_ASSERT_EQUAL(graph_count_ways(graph, BRANCHES - 1), BRANCHES);
    CU_ASSERT_EQUAL(graph_count_ways(graph, BRANCHES), BRANCHES);
    CU_ASSERT_EQUAL(graph_count_ways(graph, 100), BRANCHES);
    for (uint32_t most = 1; most <= BRANCHES + 1; most++) {
        uint32_t visits[BRANCHES] = {0}, sum = 0;
        must(graph_visit_ways(graph, most, &(struct graph_way_visitor){mark_branches, visits},
                              &error));
        for (uint32_t way = 0; way < BRANCHES; way++) {
            sum += visits[way];
            CU_ASSERT(most < BRANCHES || visits[way] == 1);
        }
        CU_ASSERT_EQUAL(sum, most < 2 ? 2 : most < BRANCHES ? most : BRANCHES);
    }
}

static const struct test_case cases[] = {{"limits on the number of ways", test_limits}};

TESTING_MAIN("planning/graph/ways", cases)
