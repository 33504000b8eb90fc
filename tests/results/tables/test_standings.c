/* The tables that set planners against each other: leaderboard, versus, instance, hardest, scaling.
 */
#include <string.h>

#include "made_up.h"
#include "results/tables/tables.h"
#include "support/testing.h"

static struct error error;

static const char *look_up(const struct table *table, const char *name, uint32_t name_column,
                           const char *heading)
{
    for (uint32_t row = 0; row < table_rows(table); row++)
        for (uint32_t i = 0; i < table_columns(table); i++)
            if (strcmp(table_raw(table, row, name_column), name) == 0 &&
                strcmp(names_get(&table->headings, i), heading) == 0)
                return table_raw(table, row, i);
    return "none";
}

static void check_row(const struct table *table, uint32_t row, const char *cells)
{
    struct text found = {0};
    text_append_bytes(&found, "", 0);
    for (uint32_t i = 0; i < table_columns(table) && row < table_rows(table); i++)
        text_append(&found, "%s%s", i ? "|" : "", table_raw(table, row, i));
    CU_ASSERT_STRING_EQUAL(found.bytes, cells);
    text_free(&found);
}

static void write(struct store *store, const char *instance, const char *planner, uint64_t peak)
{
    struct result_row row = made_up_row(instance, "flat", planner, peak);
    row.load_bytes = row.lower_bound_bytes = 100;
    row.buffers = 10;
    row.wall_ns = 1000000;
    made_up_write(store, row);
}

/* Peaks over a bound of 100: a is best on three of four, b on two; slow has no plan of the last. */
static struct store *open_field(char path[64])
{
    struct store *store = made_up_open(path);
    write(store, "w", "a", 100);
    write(store, "w", "b", 100);
    write(store, "w", "slow", 200);
    write(store, "x", "a", 100);
    write(store, "x", "b", 121);
    write(store, "x", "slow", 200);
    write(store, "y", "a", 144);
    write(store, "y", "b", 121);
    write(store, "y", "slow", 200);
    write(store, "z", "a", 100);
    write(store, "z", "b", 144);
    struct result_row row = made_up_row("z", "flat", "slow", 0);
    row.status = "timeout";
    row.verdict = row.execution = "";
    made_up_write(store, row);
    row = made_up_row("w", "flat", "unsafe", 50);
    row.verdict = "overlap";
    made_up_write(store, row);
    write(store, "x", "unsafe", 100);
    return store;
}

static void leaderboard(void)
{
    char path[64];
    struct store *store = open_field(path);
    struct table table = {0};
    CU_ASSERT_EQUAL_FATAL(tables_build("leaderboard", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL(table_rows(&table), 4);
    /* Over w, x and y: the cubic roots of 1.44, of 1.4641 and of 8. On w two of three are lowest.
     */
    check_row(&table, 0, "1|a|4|2|3|1.1292|1.2000|44.00|y|1.000|0|0");
    check_row(&table, 1, "2|b|4|2|1|1.1355|1.2100|44.00|z|1.000|0|0");
    check_row(&table, 2, "3|slow|3|0|0|2.0000|2.0000|100.00|w|1.000|1|0");
    check_row(&table, 3, "|unsafe|1||1|1.0000||0.00|x|1.000|0|1");
    CU_ASSERT_PTR_NOT_NULL(strstr(names_get(&table.notes, 0), "the 3 of 4 rows"));
    CU_ASSERT_PTR_NOT_NULL(strstr(names_get(&table.notes, 1), "over the 2 of those"));
    table_free(&table);
    made_up_remove(store, path);
}

static void equal_planners_share_a_rank(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    write(store, "x", "a", 100);
    write(store, "x", "b", 100);
    write(store, "x", "c", 101);
    CU_ASSERT_EQUAL_FATAL(tables_build("leaderboard", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "b", 1, "rank"), "1");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "c", 1, "rank"), "3");
    table_free(&table);
    made_up_remove(store, path);
}

static void versus(void)
{
    char path[64];
    struct store *store = open_field(path);
    struct table table = {0};
    struct names subject = {0};
    const struct result_choice choice = {.subject = &subject};
    CU_ASSERT_EQUAL(names_add(&subject, "b", &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tables_build("versus", store, &choice, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(table_title(&table), "b against the others");
    /* b / a is 1, 1.21, 121/144 and 1.44: its mean is 1.1, the fourth root of 1.4641. */
    check_row(&table, 0, "a|4|1|1|2|1.1000|1.4400|z|flat|4|1.0000|0.5000|");
    check_row(&table, 1, "slow|3|3|0|0|0.5678|0.6050|||3|0.2500|0.2500|");
    check_row(&table, 2, "unsafe|1|0|0|1|1.2100|1.2100|x|flat|1|1.0000|1.0000|has unsafe plans");
    CU_ASSERT_EQUAL(table_rows(&table), 3);
    table_free(&table);
    CU_ASSERT_EQUAL(names_add(&subject, "slow", &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tables_build("versus", store, &choice, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL(table_rows(&table), 1);
    table_free(&table);
    names_free(&subject);
    CU_ASSERT_EQUAL_FATAL(tables_build("versus", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(table_title(&table), "a against the others");
    table_free(&table);
    CU_ASSERT_EQUAL(names_add(&subject, "nobody", &error), STATUS_OK);
    CU_ASSERT_EQUAL(tables_build("versus", store, &choice, &table, &error), STATUS_NO);
    table_free(&table);
    names_free(&subject);
    made_up_remove(store, path);
}

static void instance(void)
{
    char path[64];
    struct store *store = open_field(path);
    struct table table = {0};
    struct names subject = {0};
    const struct result_choice choice = {.subject = &subject};
    CU_ASSERT_EQUAL(names_add(&subject, "x", &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tables_build("instance", store, &choice, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(table_title(&table), "All planners on x");
    CU_ASSERT_EQUAL(table_rows(&table), 4);
    check_row(&table, 0, "flat|a||100|0.00|0.00|feasible|1.000||");
    check_row(&table, 2, "flat|b||121|21.00|21.00|feasible|1.000||");
    CU_ASSERT_TRUE(table_cell_at(&table, 1, 3)->marked);
    CU_ASSERT_FALSE(table_cell_at(&table, 2, 3)->marked);
    table_free(&table);
    names_free(&subject);
    CU_ASSERT_EQUAL(names_add(&subject, "w", &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tables_build("instance", store, &choice, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "unsafe", 1, "peak"), "invalid");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 3, 1), "unsafe");
    table_free(&table);
    names_free(&subject);
    CU_ASSERT_EQUAL(tables_build("instance", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    made_up_remove(store, path);
}

static void hardest(void)
{
    char path[64];
    struct store *store = open_field(path);
    struct table table = {0};
    CU_ASSERT_EQUAL_FATAL(tables_build("hardest", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL(table_rows(&table), 4);
    check_row(&table, 0, "y|flat|10|100|121|21.00|44.00|1|3|b");
    check_row(&table, 1, "x|flat|10|100|100|0.00|21.00|1|3|a");
    check_row(&table, 3, "w|flat|10|100|100|0.00|0.00|2|3|a");
    table_free(&table);
    made_up_remove(store, path);
}

/* Memory grows as the square of the buffers; of the planner called short it is not known. */
static void write_time(struct store *store, const char *instance, const char *planner,
                       uint64_t buffers, uint64_t wall_ns)
{
    struct result_row row = made_up_row(instance, "flat", planner, 100);
    row.load_bytes = 100;
    row.buffers = buffers;
    row.wall_ns = wall_ns;
    row.planner_bytes = strcmp(planner, "short") == 0 ? 0 : buffers * buffers;
    made_up_write(store, row);
}

static void scaling(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    write_time(store, "x", "square", 10, 100);
    write_time(store, "y", "square", 100, 10000);
    write_time(store, "z", "square", 1000, 1000000);
    write_time(store, "x", "line", 10, 5000);
    write_time(store, "y", "line", 100, 50000);
    write_time(store, "z", "line", 1000, 500000);
    write_time(store, "x", "short", 10, 5000);
    write_time(store, "y", "short", 100, 50000);
    struct result_row row = made_up_row("z", "flat", "short", 100);
    row.buffers = 1000;
    row.wall_ns = 1;
    row.stop_reason = "time limit";
    made_up_write(store, row);
    CU_ASSERT_EQUAL_FATAL(tables_build("scaling", store, NULL, &table, &error), STATUS_OK);
    check_row(&table, 0, "line|3|10|1000|1.00|0.00|1.00|0.500|||2.00|0.00|1000||");
    check_row(&table, 1, "square|3|10|1000|2.00|0.00|1.00|1.000|||2.00|0.00|1000||");
    check_row(&table, 2, "short|2|10|100|||||||||||");
    table_free(&table);
    made_up_remove(store, path);
}

static void nothing_to_show(void)
{
    static const char *const names[] = {"leaderboard", "versus", "hardest", "scaling"};
    char path[64];
    struct store *store = made_up_open(path);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct table table = {0};
        CU_ASSERT_EQUAL(tables_build(names[i], store, NULL, &table, &error), STATUS_NO);
        table_free(&table);
    }
    made_up_remove(store, path);
}

static const struct test_case cases[] = {
    {"leaderboard", leaderboard},
    {"equal planners share a rank", equal_planners_share_a_rank},
    {"versus", versus},
    {"instance", instance},
    {"hardest", hardest},
    {"scaling", scaling},
    {"nothing to show", nothing_to_show},
};
TESTING_MAIN("results/tables/standings", cases)
