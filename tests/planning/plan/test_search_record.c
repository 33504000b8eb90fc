#include "planning/plan/search_record.h"

#include <string.h>

#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static const struct search_point points[] = {
    {10, UINT64_MAX, 5}, {20, UINT64_MAX, 5}, {30, 9, 5}, {40, 9, 5}, {50, 9, 7}, {60, 8, 7},
};

enum { POINTS = sizeof points / sizeof *points };

static enum status fill(struct search_record *record, struct error *found)
{
    for (int i = 0; i < POINTS; i++)
        TRY(search_record_add(record, &points[i], found));
    return STATUS_OK;
}

static void test_only_news_is_kept(void)
{
    static const uint64_t kept_ns[] = {10, 30, 50, 60};
    struct search_record *record;
    must(search_record_create(&record, &error));
    must(fill(record, &error));
    CU_ASSERT_EQUAL_FATAL(record->points, 4);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(record->point[i].time_ns, kept_ns[i]);
    CU_ASSERT_EQUAL(record->time_to_best_ns, 60);
    search_record_free(record);
}

static void test_counters_have_names(void)
{
    for (int i = 0; i < SEARCH_COUNTERS; i++) {
        CU_ASSERT_TRUE(strlen(search_counter_name((enum search_counter)i)) > 0);
        for (int j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(search_counter_name((enum search_counter)i),
                                       search_counter_name((enum search_counter)j));
    }
}

/* Without a relaxation no bound of one is told; 0 would be read as one. */
static void test_counters_that_apply(void)
{
    struct search_record record = {.counter = {[SEARCH_COLUMNS] = 5}};
    CU_ASSERT_TRUE(search_counter_applies(&record, SEARCH_ROWS));
    CU_ASSERT_TRUE(search_counter_applies(&record, SEARCH_SEPARATED));
    CU_ASSERT_FALSE(search_counter_applies(&record, SEARCH_PLACEMENTS));
    for (int i = SEARCH_ROOT_BOUND; i <= SEARCH_ROOT_NS; i++)
        CU_ASSERT_FALSE(search_counter_applies(&record, (enum search_counter)i));
    record.counter[SEARCH_ROOT_NS] = 1;
    for (int i = SEARCH_FIRST_OF_PROGRAM; i < SEARCH_COUNTERS; i++)
        CU_ASSERT_TRUE(search_counter_applies(&record, (enum search_counter)i));
    record.counter[SEARCH_COLUMNS] = 0;
    CU_ASSERT_TRUE(search_counter_applies(&record, SEARCH_PLACEMENTS));
    CU_ASSERT_FALSE(search_counter_applies(&record, SEARCH_ROWS));
}

static enum status make_and_fill(const void *input, struct error *found)
{
    struct search_record *record;
    (void)input;
    TRY(search_record_create(&record, found));
    enum status status = fill(record, found);
    search_record_free(record);
    return status;
}

static void test_allocations(void)
{
    fail_each(make_and_fill, NULL);
}

static const struct test_case cases[] = {
    {"only news is kept", test_only_news_is_kept},
    {"counters have names", test_counters_have_names},
    {"counters that apply", test_counters_that_apply},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("planning/search_record", cases)
