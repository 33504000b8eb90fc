#include "results/views/common_lines.h"

#include "made_up.h"
#include "support/testing.h"

/* Builds the grid of what the writer stores, finds its common lines and lets check look at them. */
static void with_common_lines(void (*write)(struct store *store),
                              void (*check)(const struct grid *grid,
                                            const struct common_lines *common))
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct result_set set = {0};
    struct grid grid = {0};
    struct common_lines common = {0};
    const struct result_filter any = {0};
    write(store);
    CU_ASSERT_EQUAL_FATAL(query_newest(store, &any, &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(grid_create(&set, &grid, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(common_lines_find(&grid, &common, &error), STATUS_OK);
    check(&grid, &common);
    common_lines_free(&common);
    grid_free(&grid);
    query_free(&set);
    made_up_remove(store, path);
}

static void write_peak(struct store *store, const char *instance, const char *planner,
                       uint64_t peak_bytes)
{
    struct result_row row = made_up_row(instance, "flat", planner, peak_bytes);
    row.load_bytes = 10;
    made_up_write(store, row);
}

/* a has four numbers, b three and c one. */
static void write_unequal(struct store *store)
{
    const char *const instances[] = {"w", "x", "y", "z"};
    for (int i = 0; i < 4; i++)
        write_peak(store, instances[i], "a", 20);
    for (int i = 0; i < 3; i++)
        write_peak(store, instances[i], "b", 40);
    write_peak(store, "z", "c", 10);
}

static void check_unequal(const struct grid *grid, const struct common_lines *common)
{
    uint32_t lines;
    CU_ASSERT_EQUAL(common->ranked, 2);
    CU_ASSERT_TRUE(common->is_ranked[0] && common->is_ranked[1] && !common->is_ranked[2]);
    CU_ASSERT_EQUAL(common->common, 3);
    CU_ASSERT_EQUAL(common->comparable, 4);
    CU_ASSERT_TRUE(common->is_common[0] && common->is_common[2] && !common->is_common[3]);
    CU_ASSERT_DOUBLE_EQUAL(common_lines_mean_ratio(common, grid, 1, &lines), 4.0, 1e-9);
    CU_ASSERT_EQUAL(lines, 3);
    CU_ASSERT_EQUAL(common_lines_mean_ratio(common, grid, 2, &lines), 0);
    CU_ASSERT_EQUAL(lines, 0);
}

/* b has an unsafe plan on one of two instances, where nobody but a has a number. */
static void write_unsafe(struct store *store)
{
    struct result_row row = made_up_row("y", "flat", "b", 5);
    row.load_bytes = 10;
    row.verdict = "overlap";
    write_peak(store, "x", "a", 20);
    write_peak(store, "y", "a", 30);
    write_peak(store, "x", "b", 10);
    made_up_write(store, row);
}

static void check_unsafe(const struct grid *grid, const struct common_lines *common)
{
    uint32_t lines;
    CU_ASSERT_TRUE(common->is_ranked[0] && !common->is_ranked[1]);
    CU_ASSERT_EQUAL(common->common, 2);
    CU_ASSERT_DOUBLE_EQUAL(common_lines_mean_ratio(common, grid, 0, &lines), 2.449489742783178,
                           1e-9);
    CU_ASSERT_EQUAL(lines, 2);
    CU_ASSERT_DOUBLE_EQUAL(common_lines_mean_ratio(common, grid, 1, &lines), 1.0, 1e-9);
    CU_ASSERT_EQUAL(lines, 1);
}

static void the_fewest_numbers_leave_first(void)
{
    with_common_lines(write_unequal, check_unequal);
}

static void unsafe_planners_are_not_ranked(void)
{
    with_common_lines(write_unsafe, check_unsafe);
}

static void write_refused(struct store *store, const char *instance, const char *policy,
                          const char *planner, const char *verdict)
{
    struct result_row row = made_up_row(instance, policy, planner, 20);
    row.load_bytes = 10;
    row.verdict = verdict;
    made_up_write(store, row);
}

/* Under max both plans of x are refused, and one of y: the policy is unsafe, not b. */
static void write_unsafe_policy(struct store *store)
{
    write_refused(store, "x", "max", "a", "overlap");
    write_refused(store, "x", "max", "b", "overlap");
    write_refused(store, "y", "max", "a", "valid");
    write_refused(store, "y", "max", "b", "overlap");
    write_refused(store, "x", "flat", "a", "valid");
    write_refused(store, "x", "flat", "b", "valid");
}

static void check_unsafe_policy(const struct grid *grid, const struct common_lines *common)
{
    CU_ASSERT_EQUAL(grid->lines, 3);
    CU_ASSERT_EQUAL(common->ranked, 2);
    CU_ASSERT_EQUAL(common->common, 1);
    CU_ASSERT_EQUAL(common->comparable, 1);
}

static void unsafe_policies_are_left_out(void)
{
    with_common_lines(write_unsafe_policy, check_unsafe_policy);
}

/* Half of the lines are enough: nobody leaves. */
static void write_half(struct store *store)
{
    write_peak(store, "x", "a", 20);
    write_peak(store, "y", "a", 20);
    write_peak(store, "x", "b", 20);
}

static void check_half(const struct grid *grid, const struct common_lines *common)
{
    (void)grid;
    CU_ASSERT_EQUAL(common->ranked, 2);
    CU_ASSERT_EQUAL(common->common, 1);
}

static void half_of_the_lines_are_enough(void)
{
    with_common_lines(write_half, check_half);
}

static void write_nothing(struct store *store)
{
    (void)store;
}

static void check_nothing(const struct grid *grid, const struct common_lines *common)
{
    CU_ASSERT_EQUAL(grid->lines, 0);
    CU_ASSERT_EQUAL(common->ranked + common->common + common->comparable, 0);
}

static void nothing_has_nothing_in_common(void)
{
    with_common_lines(write_nothing, check_nothing);
}

static const struct test_case cases[] = {
    {"the fewest numbers leave first", the_fewest_numbers_leave_first},
    {"unsafe planners are not ranked", unsafe_planners_are_not_ranked},
    {"unsafe policies are left out", unsafe_policies_are_left_out},
    {"half of the lines are enough", half_of_the_lines_are_enough},
    {"nothing has nothing in common", nothing_has_nothing_in_common},
};

TESTING_MAIN("results/common_lines", cases)
