#include "results/views/order_lines.h"

#include "made_up.h"
#include "support/testing.h"

static struct result_row make_row(const char *instance, const char *order, const char *planner,
                                  uint64_t peak_bytes)
{
    struct result_row row = made_up_row(instance, "flat", planner, peak_bytes);
    row.digest = instance;
    row.order_name = order;
    row.load_bytes = 90;
    return row;
}

static void graphs_are_told_by_their_names(void)
{
    struct result_set set;
    struct order_lines lines;
    const struct result_filter filter = {.choice = NULL};
    struct result_row failed = make_row("a", "lost", "p", 0);
    struct result_row proved = make_row("a@best", "best", "p", 100);
    failed.status = "crash";
    failed.verdict = "";
    proved.order_load_bytes = 90;
    proved.order_bound_bytes = 80;
    made_up_write(the_store, make_row("a", "stored", "p", 120));
    made_up_write(the_store, make_row("a", "stored", "q", 110));
    made_up_write(the_store, failed);
    made_up_write(the_store, proved);
    made_up_write(the_store, make_row("b", "stored", "p", 120));
    CU_ASSERT_EQUAL_FATAL(query_newest(the_store, &filter, &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(order_lines_create(&set, &lines, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(order_lines_end(&lines, 0), lines.count - 1);
    CU_ASSERT_EQUAL(lines.line[lines.count - 1].name_length, 1);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i + 1 < lines.count; i++)
        if (order_rows_is_stored(lines.line[i].best))
            least = lines.line[i].peak_bytes;
        else if (lines.line[i].best->order_bound_bytes)
            CU_ASSERT_EQUAL(lines.line[i].name_length, 1);
    CU_ASSERT_EQUAL(least, 110);
    const struct order_lines_bound bound = order_lines_bound(&lines, 0, lines.count - 1);
    CU_ASSERT_EQUAL(bound.bytes, 80);
    CU_ASSERT(bound.is_exact);
    order_lines_free(&lines);
    query_free(&set);
}

static const struct test_case cases[] = {
    {"graphs are told by their names", graphs_are_told_by_their_names}};

MADE_UP_MAIN("order lines", cases)
