#include "results/table/order.h"

#include <string.h>

#include "support/must.h"
#include "support/testing.h"

/* Rows (name, bytes): b 10, a 9, c -, d timeout, e 100; a foot. */
static void fill(struct table *table)
{
    static const char names[] = "bacde";
    table_add_column(table, "the name", "", TABLE_LEFT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    for (unsigned i = 0; i < 5; i++) {
        table_add(table, cell_text((char[]){names[i], '\0'}));
        if (names[i] == 'c')
            table_add(table, cell_missing());
        else if (names[i] == 'd')
            table_add(table, cell_text("timeout"));
        else
            table_add(table, cell_number(names[i] == 'b' ? 10 : names[i] == 'a' ? 9 : 100));
    }
    table_mark(table, 1, 1);
    table_add(table, cell_text("foot"), cell_number(0));
    table_set_foot(table, 1);
}

static void check(const struct table *table, const char *names)
{
    CU_ASSERT_EQUAL_FATAL(table_rows(table), strlen(names) + 1);
    for (uint32_t i = 0; names[i]; i++)
        CU_ASSERT_EQUAL(*table_raw(table, i, 0), names[i]);
    CU_ASSERT_STRING_EQUAL(table_raw(table, (uint32_t)strlen(names), 0), "foot");
}

static void rows_are_sorted(void)
{
    SCOPED(table_free) struct table table = {0};
    fill(&table);
    must(table_sort(&table, "peak_bytes", &error));
    check(&table, "abedc");
    CU_ASSERT_TRUE(table_cell_at(&table, 0, 1)->marked);
    must(table_sort(&table, "-peak", &error));
    check(&table, "ebadc");
    must(table_sort(&table, "the name", &error));
    check(&table, "abcde");
    must(table_sort(&table, "-the_name", &error));
    check(&table, "edcba");
}

static void unknown_columns_are_refused(void)
{
    SCOPED(table_free) struct table table = {0};
    fill(&table);
    CU_ASSERT_EQUAL(table_sort(&table, "peek_bytes", &error), STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, "no column 'peek_bytes', did you mean peak_bytes?");
    CU_ASSERT_EQUAL(table_sort(&table, "-", &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the_name"));
    check(&table, "bacde");
}

static void the_first_are_kept(void)
{
    SCOPED(table_free) struct table table = {0};
    fill(&table);
    table_keep(&table, 5, NULL);
    check(&table, "bacde");
    CU_ASSERT_EQUAL(table.notes.count, 0);
    table_keep(&table, 2, NULL);
    check(&table, "ba");
    CU_ASSERT_STRING_EQUAL(names_get(&table.notes, 0), "The first 2 of 5 rows.");
}

static void mine_is_kept(void)
{
    SCOPED(table_free) struct table table = {0}, other = {0};
    fill(&table);
    table_keep(&table, 2, "d");
    check(&table, "bd");
    fill(&other);
    table_keep(&other, 2, "a");
    check(&other, "ba");
}

static void columns_are_chosen(void)
{
    SCOPED(table_free) struct table table = {0};
    fill(&table);
    CU_ASSERT_EQUAL(table_choose_columns(&table, "peak,peak_bytes", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(table_choose_columns(&table, "peek", &error), STATUS_USAGE);
    check(&table, "bacde");
    must(table_choose_columns(&table, "peak_bytes,the name", &error));
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "10");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 1), "b");
    CU_ASSERT_TRUE(table_cell_at(&table, 1, 0)->marked);
    must(table_choose_columns(&table, "the_name", &error));
    CU_ASSERT_EQUAL(table_columns(&table), 1);
    check(&table, "bacde");
}

static const struct test_case cases[] = {
    {"rows are sorted", rows_are_sorted},
    {"unknown columns are refused", unknown_columns_are_refused},
    {"the first are kept", the_first_are_kept},
    {"mine is kept", mine_is_kept},
    {"columns are chosen", columns_are_chosen},
};
TESTING_MAIN("results/table/order", cases)
