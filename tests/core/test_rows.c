#include "core/rows.h"

#include "core/memory.h"
#include "support/testing.h"

struct thing {
    const char *name;
    int legs;
};

static const struct thing animals[] = {{"cat", 4}, {"hen", 2}, {"cat", 3}};
static const struct thing ant = {"ant", 6}, bee = {"bee", 6};
static const struct thing *const insects[] = {&ant, &bee};

uint32_t animal_count(void);
const struct thing *animal_at(uint32_t index);
const struct thing *animal_find(const char *name);
uint32_t insect_count(void);
const struct thing *insect_at(uint32_t index);
const struct thing *insect_find(const char *name);

ROWS_DEFINE(animal, struct thing, animals);
ROWS_DEFINE_FIND(animal, struct thing);
ROWS_DEFINE_POINTERS(insect, struct thing, insects);
ROWS_DEFINE_FIND(insect, struct thing);

static void rows_by_index(void)
{
    CU_ASSERT_EQUAL(animal_count(), 3);
    for (uint32_t i = 0; i < 3; i++)
        CU_ASSERT_PTR_EQUAL(animal_at(i), &animals[i]);
    CU_ASSERT_EQUAL(insect_count(), 2);
    CU_ASSERT_PTR_EQUAL(insect_at(0), &ant);
    CU_ASSERT_PTR_EQUAL(insect_at(1), &bee);
}

/* The first of equal names. */
static void rows_by_name(void)
{
    CU_ASSERT_PTR_EQUAL(animal_find("cat"), &animals[0]);
    CU_ASSERT_PTR_EQUAL(animal_find("hen"), &animals[1]);
    CU_ASSERT_PTR_EQUAL(insect_find("bee"), &bee);
    CU_ASSERT_PTR_NULL(animal_find("bee"));
    CU_ASSERT_PTR_NULL(animal_find("ca"));
    CU_ASSERT_PTR_NULL(animal_find("cats"));
    CU_ASSERT_PTR_NULL(insect_find(""));
    CU_ASSERT_EQUAL(rows_find("hen", animal_count(), animal_name), 1);
    CU_ASSERT_EQUAL(rows_find("hen", 1, animal_name), 1);
    CU_ASSERT_EQUAL(rows_find("ant", animal_count(), animal_name), 3);
}

static void an_unknown_name_is_refused(void)
{
    const struct rows_kind rows = {"insect", NULL, NULL, insect_count(), insect_name};
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(rows_refuse(&rows, "cat", 3, &error), STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, "no insect 'cat', expected one of: ant, bee");
    CU_ASSERT_EQUAL(rows_refuse(&rows, "antelope", 2, &error), STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, "no insect 'an', did you mean ant?");
    memory_fail_after(0);
    CU_ASSERT_EQUAL(rows_refuse(&rows, "cat", 3, &error), STATUS_USAGE);
    memory_fail_after(UINT64_MAX);
}

static const struct test_case cases[] = {
    {"rows by index", rows_by_index},
    {"rows by name", rows_by_name},

    {"an unknown name is refused", an_unknown_name_is_refused},
};

TESTING_MAIN("core/rows", cases)
