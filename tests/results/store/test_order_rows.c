#include "results/store/order_rows.h"

#include "made_up.h"
#include "support/testing.h"

static void write_row(const char *instance, const char *order, const char *planner,
                      uint64_t peak_bytes, uint64_t order_ns)
{
    struct result_row row = made_up_row(instance, "flat", planner, peak_bytes);
    row.digest = instance;
    row.order_name = order;
    row.order_ns = order_ns;
    row.wall_ns = 5;
    made_up_write(the_store, row);
}

static const struct result_row *find(const struct result_set *set, const char *instance,
                                     const char *planner)
{
    uint32_t at = query_find(set, instance, "flat", planner);
    return at == UINT32_MAX ? NULL : &set->row[at];
}

/* Only p planned both orders of a, so q's lower peak does not count. */
static void orders_compete_with_the_same_planners(void)
{
    struct result_set set;
    const struct result_filter filter = {.choice = NULL};
    write_row("a", "stored", "p", 120, 0);
    write_row("a", "stored", "q", 90, 0);
    write_row("a@best", "best", "p", 110, 7);
    write_row("b", "stored", "p", 120, 0);
    write_row("c@best", "best", "p", 30, 2);
    write_row("c@best", "best", "q", 20, 2);
    write_row("c", "", "p", 40, 0);
    write_row("c", "", "q", 25, 0);
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, &filter, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(order_rows_compete(&set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, 4);
    CU_ASSERT_EQUAL(find(&set, "a", "stored")->peak_bytes, 120);
    CU_ASSERT_EQUAL(find(&set, "a", "best")->peak_bytes, 110);
    CU_ASSERT_EQUAL(find(&set, "a", "best")->wall_ns, 12);
    CU_ASSERT_EQUAL(find(&set, "c", "stored")->peak_bytes, 25);
    CU_ASSERT_EQUAL(find(&set, "c", "best")->peak_bytes, 20);
    CU_ASSERT_PTR_NULL(find(&set, "b", NULL));
    for (uint32_t i = 0; i < set.count; i++)
        CU_ASSERT_EQUAL(set.bound_bytes[i], *set.row[i].instance == 'a' ? 110 : 20);
    query_free(&set);
}

static const struct test_case cases[] = {
    {"orders compete with the same planners", orders_compete_with_the_same_planners}};

MADE_UP_MAIN("order rows", cases)
