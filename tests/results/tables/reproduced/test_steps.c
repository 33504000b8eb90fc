#include "results/tables/reproduced/steps.h"

#include <string.h>

#include "support/testing.h"

static struct measure measures[] = {
    {.instance = "i", .variant = "v", .name = "late place", .value = 2},
    {.instance = "i", .variant = "v", .name = "late bytes", .value = 1},
    {.instance = "i", .variant = "other", .name = "else place", .value = 1},
    {.instance = "i", .variant = "v", .name = " place", .value = 1},
    {.instance = "i", .variant = "v", .name = "also place", .value = 3},
    {.instance = "i", .variant = "v", .name = "early place", .value = 1},
    {.instance = "j", .variant = "v", .name = "apart place", .value = 1},
};

/* By instance and place; other variants, other measures and no names are none. */
static void steps_come_by_place(void)
{
    const struct measure_set set = {.count = sizeof measures / sizeof *measures,
                                    .measure = measures};
    static const char *const wanted[] = {"early", "late", "also", "apart"};
    static const int64_t places[] = {1, 2, 3, 1};
    struct step step = {0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        CU_ASSERT_TRUE_FATAL(steps_next(&set, "v", &step));
        CU_ASSERT_STRING_EQUAL(step.tensor, wanted[i]);
        CU_ASSERT_EQUAL(step.place, places[i]);
        CU_ASSERT_STRING_EQUAL(step.instance, i == 3 ? "j" : "i");
    }
    CU_ASSERT_FALSE(steps_next(&set, "v", &step));
}

static void long_names_are_passed_over(void)
{
    char name[MEASURE_PART_BYTES + sizeof " place"];
    struct measure measure = {.instance = "i", .variant = "v", .name = name, .value = 1};
    const struct measure_set set = {.count = 1, .measure = &measure};
    struct step step = {0};
    memset(name, 'n', MEASURE_PART_BYTES);
    strcpy(name + MEASURE_PART_BYTES, " place");
    CU_ASSERT_FALSE(steps_next(&set, "v", &step));
    strcpy(name + MEASURE_PART_BYTES - 1, " place");
    step = (struct step){0};
    CU_ASSERT_TRUE(steps_next(&set, "v", &step));
    CU_ASSERT_EQUAL(strlen(step.tensor), MEASURE_PART_BYTES - 1);
}

static const struct test_case cases[] = {
    {"steps come by place", steps_come_by_place},
    {"long names are passed over", long_names_are_passed_over},
};

TESTING_MAIN("results/tables/reproduced/steps", cases)
