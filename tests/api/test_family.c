#include <memplan/memplan.h>
#include <string.h>

#include "support/testing.h"

static const char family_json[] =
    "{\"format\": \"memplan-problem/1\", \"name\": \"f\", \"parameters\": {\"n\": [1, 64]}, "
    "\"buffers\": [{\"name\": \"a\", \"size\": \"4*n\", \"segments\": [[0, 2]]}, "
    "{\"name\": \"b\", \"size\": \"n*n\", \"segments\": [[1, 3]], \"alignment\": 16}, "
    "{\"name\": \"c\", \"size\": \"4*n\", \"segments\": [[2, 3]]}]}";

static struct memplan_family make_family(void)
{
    return (struct memplan_family){.struct_bytes = sizeof(struct memplan_family),
                                   .json = family_json,
                                   .buffers = 3,
                                   .parameters = 1};
}

/* The greatest sizes are 256, 4096, 256; a and c may lie in one place. */
static void test_families(void)
{
    static const uint64_t value[] = {64, 10, 100}, loads[] = {4352, 140, 10400};
    uint32_t first[4], below[6];
    uint64_t offset[3][3], peak_bytes[3];
    struct memplan_family family = make_family();
    struct memplan_family_plan plan = {
        .struct_bytes = sizeof plan, .first = first, .below = below, .most_below = 6};
    const struct memplan_points points = {.struct_bytes = sizeof points,
                                          .count = 3,
                                          .value = value,
                                          .offset = offset[0],
                                          .peak_bytes = peak_bytes};
    for (family.flags = 0; family.flags <= MEMPLAN_WORST_FIRST; family.flags++) {
        CU_ASSERT_EQUAL(memplan_plan_family("exact", &family, &plan), MEMPLAN_OPTIMAL);
        CU_ASSERT(plan.peak_bytes == 4352 && plan.lower_bound_bytes == 4352);
        CU_ASSERT(plan.worst_ratio == 1 && plan.proved_ratio == 1);
        CU_ASSERT_EQUAL(memplan_verify_family(&family, &plan), MEMPLAN_FOUND);
        CU_ASSERT_EQUAL(memplan_place_family(&family, &plan, &points), MEMPLAN_FOUND);
        for (int i = 0; i < 3; i++) {
            CU_ASSERT_EQUAL(peak_bytes[i], loads[i]);
            CU_ASSERT(offset[i][0] == offset[i][2] && offset[i][0] != offset[i][1]);
        }
    }
}

static void test_wrong_families(void)
{
    uint32_t first[4] = {0, 0, 0, 1}, below[6] = {1};
    uint64_t offset[3], peak_bytes, value = UINT64_MAX;
    struct memplan_family family = make_family();
    struct memplan_family_plan plan = {
        .struct_bytes = sizeof plan, .first = first, .below = below, .most_below = 6};
    struct memplan_points points = {.struct_bytes = sizeof points,
                                    .count = 1,
                                    .value = &value,
                                    .offset = offset,
                                    .peak_bytes = &peak_bytes};
    CU_ASSERT_EQUAL(memplan_verify_family(&family, &plan), MEMPLAN_WRONG);
    CU_ASSERT_STRING_EQUAL(plan.message,
                           "buffers 'a' and 'b' conflict, and the plan does not say which lies "
                           "below");
    CU_ASSERT_EQUAL(memplan_place_family(&family, &plan, &points), MEMPLAN_WRONG);
    first[1] = first[2] = 1;
    first[3] = 2;
    below[1] = 1;
    CU_ASSERT_EQUAL(memplan_verify_family(&family, &plan), MEMPLAN_FOUND);
    CU_ASSERT_EQUAL(memplan_place_family(&family, &plan, &points), MEMPLAN_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(plan.message, "above 2^63 - 1 bytes"));
    below[1] = 2;
    CU_ASSERT_EQUAL(memplan_verify_family(&family, &plan), MEMPLAN_WRONG);
    const char *const texts[] = {"expected the 3 and 1 of the JSON",
                                 "found flags 4",
                                 "found no text json",
                                 "json:1: ",
                                 "found a struct_bytes of 0 in the family",
                                 "found no array below",
                                 "found lists that are none"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        family = make_family();
        family.buffers -= i == 0;
        family.flags = i == 1 ? 4 : 0;
        family.json = i == 2 ? NULL : family.json;
        family.json_bytes = i == 3 ? 50 : 0;
        family.struct_bytes = i == 4 ? 0 : family.struct_bytes;
        plan.below = i == 5 ? NULL : below;
        plan.most_below = i == 6 ? 1 : 6;
        CU_ASSERT_EQUAL(memplan_verify_family(&family, &plan), MEMPLAN_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(plan.message, texts[i]));
    }
    family = make_family();
    plan.most_below = 1;
    CU_ASSERT_EQUAL(memplan_plan_family(NULL, &family, &plan), MEMPLAN_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(plan.message, "expected 6, two for each segment"));
    CU_ASSERT_EQUAL(memplan_plan_family("x", &family, &plan), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_plan_family(NULL, NULL, &plan), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_plan_family(NULL, &family, NULL), MEMPLAN_BAD_INPUT);
    CU_ASSERT_EQUAL(memplan_place_family(&family, &plan, NULL), MEMPLAN_BAD_INPUT);
}

static const struct test_case cases[] = {
    {"families", test_families},
    {"wrong families", test_wrong_families},
};

TESTING_MAIN("api/family", cases)
