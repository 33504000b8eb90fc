#include "core/set_table.h"

#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

enum { SETS = 300 };

/* Sets of two words; every fourth one has the hash of all others that do. */
static enum status add_sets(struct set_table *table, struct error *reported)
{
    for (uint64_t i = 0; i < SETS; i++)
        TRY(set_table_add(table, (uint64_t[]){i / 7, i}, i % 4 ? i : 0, reported));
    return STATUS_OK;
}

static void finds_what_was_added(void)
{
    struct set_table table = {.words = 2};
    CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){0, 0}, 0), SET_TABLE_NONE);
    must(add_sets(&table, &error));
    for (uint64_t i = 0; i < SETS; i++) {
        CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){i / 7, i}, i % 4 ? i : 0), i);
        CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){i / 7 + 1, i}, i % 4 ? i : 0),
                        SET_TABLE_NONE);
        CU_ASSERT_EQUAL(set_table_at(&table, (uint32_t)i)[1], i);
    }
    /* The same set once more: its new number is found. */
    must(set_table_add(&table, (uint64_t[]){0, 5}, 5, &error));
    CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){0, 5}, 5), SETS);
    uint64_t bytes = set_table_bytes(&table);
    set_table_hide(&table);
    CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){0, 5}, 5), SET_TABLE_NONE);
    CU_ASSERT_EQUAL(set_table_at(&table, SETS)[1], 5);
    must(set_table_add(&table, (uint64_t[]){0, 5}, 5, &error));
    CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){0, 5}, 5), SETS + 1);
    set_table_clear(&table);
    CU_ASSERT_EQUAL(set_table_find(&table, (uint64_t[]){0, 5}, 5), SET_TABLE_NONE);
    must(add_sets(&table, &error));
    CU_ASSERT_EQUAL(table.count, SETS);
    CU_ASSERT_EQUAL(set_table_bytes(&table), bytes);
    set_table_free(&table);
}

static enum status add_to_new(const void *input, struct error *reported)
{
    SCOPED(set_table_free) struct set_table table = {.words = 2};
    (void)input;
    return add_sets(&table, reported);
}

static void no_memory(void)
{
    fail_each(add_to_new, NULL);
}

static const struct test_case cases[] = {
    {"finds what was added", finds_what_was_added},
    {"no memory", no_memory},
};

TESTING_MAIN("core/set_table", cases)
