#include "harness/catalogue/groups.h"

#include <string.h>

#include "support/testing.h"

static bool has(const char *word, const char *planner)
{
    const struct registry registry = {0};
    const struct planner *found = registry_find(&registry, planner, strlen(planner));
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return groups_has(word, strlen(word), found);
}

static void planners_are_in_their_groups(void)
{
    CU_ASSERT_TRUE(has("tflite", "tflite_greedy_by_size"));
    CU_ASSERT_FALSE(has("tflite", "naive"));
    CU_ASSERT_TRUE(has("published", "tflite_greedy_by_size"));
    CU_ASSERT_FALSE(has("ours", "tflite_greedy_by_size"));
    CU_ASSERT_TRUE(has("ours", "descent"));
    CU_ASSERT_FALSE(has("published", "descent"));
    CU_ASSERT_FALSE(has("our", "descent"));
    CU_ASSERT_FALSE(has("ourselves", "descent"));
}

static void what_was_brought_along_is_in_its_family_only(void)
{
    const struct planner brought = {.name = "mine",
                                    .family = "external",
                                    .source = "ours, says its author",
                                    .content = "digest"};
    CU_ASSERT_TRUE(groups_has("external", 8, &brought));
    CU_ASSERT_FALSE(groups_has("ours", 4, &brought));
    CU_ASSERT_FALSE(groups_has("published", 9, &brought));
}

static const struct test_case cases[] = {
    {"planners are in their groups", planners_are_in_their_groups},
    {"what was brought along is in its family only", what_was_brought_along_is_in_its_family_only},
};
TESTING_MAIN("harness/catalogue/groups", cases)
