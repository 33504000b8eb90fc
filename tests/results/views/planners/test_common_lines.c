#include "results/views/planners/common_lines.h"

#include "made_up.h"
#include "support/testing.h"

/* A row over a bound of 10; verdict NULL: valid. */
struct peak {
    const char *instance, *policy, *planner;
    uint64_t bytes;
    const char *verdict;
};

static struct result_set set;
static struct grid grid;
static struct common_lines common;

/* Finds the common lines of these rows; the first without an instance ends them. */
static void look(const struct peak *peak)
{
    for (; peak->instance; peak++) {
        struct result_row row =
            made_up_row(peak->instance, peak->policy, peak->planner, peak->bytes);
        row.load_bytes = 10;
        row.verdict = peak->verdict ? peak->verdict : "valid";
        made_up_write(the_store, row);
    }
    const struct result_filter any = {0};
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, &any, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid_create(&set, &grid, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(common_lines_find(&grid, &common, &the_error), STATUS_OK);
}

static void forget(void)
{
    common_lines_free(&common);
    grid_free(&grid);
    query_free(&set);
}

static void expect_mean(uint32_t planner, double mean, uint32_t lines)
{
    uint32_t found;
    CU_ASSERT_DOUBLE_EQUAL(common_lines_mean_ratio(&common, &grid, planner, &found), mean, 1e-9);
    CU_ASSERT_EQUAL(found, lines);
}

/* a has four numbers, b three and c one. */
static void the_fewest_numbers_leave_first(void)
{
    look((const struct peak[]){{"w", "flat", "a", 20, NULL},
                               {"x", "flat", "a", 20, NULL},
                               {"y", "flat", "a", 20, NULL},
                               {"z", "flat", "a", 20, NULL},
                               {"w", "flat", "b", 40, NULL},
                               {"x", "flat", "b", 40, NULL},
                               {"y", "flat", "b", 40, NULL},
                               {"z", "flat", "c", 10, NULL},
                               {0}});
    CU_ASSERT_EQUAL(common.ranked, 2);
    CU_ASSERT_TRUE(common.is_ranked[0] && common.is_ranked[1] && !common.is_ranked[2]);
    CU_ASSERT_EQUAL(common.common, 3);
    CU_ASSERT_EQUAL(common.comparable, 4);
    CU_ASSERT_TRUE(common.is_common[0] && common.is_common[2] && !common.is_common[3]);
    expect_mean(1, 4, 3);
    expect_mean(2, 0, 0);
    forget();
}

/* b has an unsafe plan on one of two instances, where nobody but a has a number. */
static void unsafe_planners_are_not_ranked(void)
{
    look((const struct peak[]){{"x", "flat", "a", 20, NULL},
                               {"y", "flat", "a", 30, NULL},
                               {"x", "flat", "b", 10, NULL},
                               {"y", "flat", "b", 5, "overlap"},
                               {0}});
    CU_ASSERT_TRUE(common.is_ranked[0] && !common.is_ranked[1]);
    CU_ASSERT_EQUAL(common.common, 2);
    expect_mean(0, 2.449489742783178, 2);
    expect_mean(1, 1, 1);
    forget();
}

/* Under max both plans of x are refused, and one of y: the policy is unsafe, not b. */
static void unsafe_policies_are_left_out(void)
{
    look((const struct peak[]){{"x", "max", "a", 20, "overlap"},
                               {"x", "max", "b", 20, "overlap"},
                               {"y", "max", "a", 20, NULL},
                               {"y", "max", "b", 20, "overlap"},
                               {"x", "flat", "a", 20, NULL},
                               {"x", "flat", "b", 20, NULL},
                               {0}});
    CU_ASSERT_EQUAL(grid.lines, 3);
    CU_ASSERT_EQUAL(common.ranked, 2);
    CU_ASSERT_EQUAL(common.common, 1);
    CU_ASSERT_EQUAL(common.comparable, 1);
    forget();
}

/* Half of the lines are enough: nobody leaves. */
static void half_of_the_lines_are_enough(void)
{
    look((const struct peak[]){{"x", "flat", "a", 20, NULL},
                               {"y", "flat", "a", 20, NULL},
                               {"x", "flat", "b", 20, NULL},
                               {0}});
    CU_ASSERT_EQUAL(common.ranked, 2);
    CU_ASSERT_EQUAL(common.common, 1);
    forget();
}

static void nothing_has_nothing_in_common(void)
{
    look((const struct peak[]){{0}});
    CU_ASSERT_EQUAL(grid.lines, 0);
    CU_ASSERT_EQUAL(common.ranked + common.common + common.comparable, 0);
    forget();
}

/* No two have a number on one line, so all but one leave. */
static void the_last_stays(void)
{
    look((const struct peak[]){{"x", "flat", "a", 20, NULL},
                               {"y", "flat", "b", 20, NULL},
                               {"z", "flat", "c", 20, NULL},
                               {0}});
    CU_ASSERT_EQUAL(common.ranked, 1);
    CU_ASSERT_EQUAL(common.common, 1);
    forget();
}

static const struct test_case cases[] = {
    {"the fewest numbers leave first", the_fewest_numbers_leave_first},
    {"unsafe planners are not ranked", unsafe_planners_are_not_ranked},
    {"unsafe policies are left out", unsafe_policies_are_left_out},
    {"the last one stays", the_last_stays},
    {"half of the lines are enough", half_of_the_lines_are_enough},
    {"nothing has nothing in common", nothing_has_nothing_in_common},
};
MADE_UP_MAIN("results/common_lines", cases)
