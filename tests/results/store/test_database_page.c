#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "made_up.h"
#include "support/testing.h"

/* docs/database.md tells of every table "## name" and of every column "| `name` | TYPE". */

static const char *find_section(const char *page, const char *table, size_t *length)
{
    char heading[64];
    snprintf(heading, sizeof heading, "\n## %s\n", table);
    const char *section = strstr(page, heading);
    CU_ASSERT_PTR_NOT_NULL_FATAL(section);
    const char *next = strstr(section + 1, "\n## ");
    *length = next ? (size_t)(next - section) : strlen(section);
    return section;
}

static unsigned count_rows(const char *section, size_t length)
{
    unsigned rows = 0;
    for (const char *at = section; (at = strstr(at, "\n| `")) && at < section + length; at++)
        rows++;
    return rows;
}

static void check_table(sqlite3 *database, const char *page, const char *table)
{
    size_t length;
    unsigned columns = 0;
    char sql[128];
    sqlite3_stmt *statement;
    const char *section = find_section(page, table, &length);
    snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", table);
    CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    for (; sqlite3_step(statement) == SQLITE_ROW; columns++) {
        char row[128];
        snprintf(row, sizeof row, "\n| `%s` | %s", (const char *)sqlite3_column_text(statement, 1),
                 (const char *)sqlite3_column_text(statement, 2));
        const char *found = strstr(section, row);
        if (!found || found >= section + length)
            fprintf(stderr, "docs/database.md, %s: no row '%s'\n", table, row + 1);
        CU_ASSERT(found && found < section + length);
    }
    sqlite3_finalize(statement);
    CU_ASSERT_EQUAL(count_rows(section, length), columns);
}

static void every_column_is_told(void)
{
    struct text page = {0};
    sqlite3 *database;
    sqlite3_stmt *tables;
    unsigned count = 0;
    CU_ASSERT_EQUAL_FATAL(text_read_file(DATABASE_PAGE, &page, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(the_path, &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(database,
                                             "SELECT name FROM sqlite_master WHERE type = 'table'",
                                             -1, &tables, NULL),
                          SQLITE_OK);
    for (; sqlite3_step(tables) == SQLITE_ROW; count++)
        check_table(database, page.bytes, (const char *)sqlite3_column_text(tables, 0));
    CU_ASSERT_EQUAL(count, 5);
    sqlite3_finalize(tables);
    sqlite3_close(database);
    text_free(&page);
}

/* The examples of the page are queries that the schema answers. */
static void its_queries_work(void)
{
    struct text page = {0};
    CU_ASSERT_EQUAL_FATAL(text_read_file(DATABASE_PAGE, &page, &the_error), STATUS_OK);
    char *sql = strstr(page.bytes, "```sql\n"), *end = sql ? strstr(sql + 7, "```") : NULL;
    CU_ASSERT_FATAL(sql && end);
    *end = '\0';
    made_up_run_sql(the_path, sql + 7);
    text_free(&page);
}

static const struct test_case cases[] = {
    {"every column is told", every_column_is_told},
    {"its queries work", its_queries_work},
};
MADE_UP_MAIN("results/store/database_page", cases)
