#include "core/groups.h"

#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static const uint32_t list_of[] = {2, 0, 2, 4, 0, 2};
enum { LISTS = 5, ITEMS = sizeof list_of / sizeof *list_of };

static void numbers_by_their_lists(void)
{
    static const uint64_t first[LISTS + 1] = {0, 2, 2, 5, 5, 6};
    static const uint32_t item[ITEMS] = {1, 4, 0, 2, 5, 3};
    struct groups groups;
    must(groups_create(&groups, LISTS, list_of, ITEMS, &error));
    for (int l = 0; l <= LISTS; l++)
        CU_ASSERT_EQUAL(groups.first[l], first[l]);
    for (int i = 0; i < ITEMS; i++)
        CU_ASSERT_EQUAL(groups.item[i], item[i]);
    groups_free(&groups);
    must(groups_create(&groups, 0, NULL, 0, &error));
    CU_ASSERT_EQUAL(groups.first[0], 0);
    groups_free(&groups);
}

static enum status create_lists(const void *input, struct error *reported)
{
    struct groups groups;
    (void)input;
    enum status status = groups_create(&groups, LISTS, list_of, ITEMS, reported);
    groups_free(&groups);
    return status;
}

static void no_memory(void)
{
    fail_each(create_lists, NULL);
}

static const struct test_case cases[] = {
    {"numbers by their lists", numbers_by_their_lists},
    {"no memory", no_memory},
};

TESTING_MAIN("core/groups", cases)
