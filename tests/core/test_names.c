#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "support/must.h"
#include "support/testing.h"

enum { MANY = 20000, NAME_BYTES = 16 };

static void add(struct names *names, const char *name)
{
    must(names_add(names, name, &error));
}

/* The first of equal names is found. */
static void test_add_and_find(void)
{
    struct names names = {0}, full = {.count = UINT32_MAX / 4};
    char copied[] = "before";
    CU_ASSERT_EQUAL(names_find(&names, "any"), NAMES_NONE);
    add(&names, "conv");
    add(&names, "");
    add(&names, "con");
    add(&names, copied);
    memcpy(copied, "after!", sizeof copied);
    add(&names, "con");
    CU_ASSERT_EQUAL(names.count, 5);
    CU_ASSERT_STRING_EQUAL(names_get(&names, 0), "conv");
    CU_ASSERT_STRING_EQUAL(names_get(&names, 1), "");
    CU_ASSERT_STRING_EQUAL(names_get(&names, 4), "con");
    static const struct {
        const char *name;
        uint32_t index;
    } rows[] = {{"conv", 0},
                {"", 1},
                {"con", 2},
                {"before", 3},
                {"after!", NAMES_NONE},
                {"co", NAMES_NONE},
                {"conv2", NAMES_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(names_find(&names, rows[i].name), rows[i].index);
    names_free(&names);
    CU_ASSERT_EQUAL(names.count, 0);
    CU_ASSERT_EQUAL(names_add(&full, "one more", &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, "more than 1073741823 names");
}

static void make_name(char name[NAME_BYTES], uint32_t number)
{
    snprintf(name, NAME_BYTES, "tensor_%u", number);
}

/* Each name twice, in two rounds, so that the index is rebuilt over equal names. It keeps room,
   else looking for what is not there would not end. */
static void test_thousands(void)
{
    struct names names = {0};
    char name[NAME_BYTES];
    uint32_t right = 0;
    for (uint32_t i = 0; i < 2 * MANY; i++) {
        make_name(name, i % MANY);
        add(&names, name);
        CU_ASSERT_TRUE_FATAL(names.count <= names.slots / 4 * 3);
        CU_ASSERT_EQUAL_FATAL(names.slots & (names.slots - 1), 0);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        make_name(name, i);
        right += names_find(&names, name) == i && strcmp(names_get(&names, MANY + i), name) == 0;
    }
    CU_ASSERT_EQUAL(right, MANY);
    make_name(name, MANY);
    CU_ASSERT_EQUAL(names_find(&names, name), NAMES_NONE);
    names_free(&names);
}

static bool knows_first(const struct names *names, uint32_t count)
{
    char name[NAME_BYTES];
    for (uint32_t i = 0; i < count; i++) {
        make_name(name, i);
        if (names_find(names, name) != i)
            return false;
    }
    make_name(name, count);
    return names->count == count && names_find(names, name) == NAMES_NONE;
}

/* Adding fails at every allocation it makes, and leaves the list as it was. */
static void test_no_memory(void)
{
    uint64_t live = memory_live_blocks(), failures = 0;
    struct names names = {0};
    char name[NAME_BYTES];
    for (uint32_t i = 0; i < 100; i++) {
        enum status status;
        make_name(name, i);
        for (uint64_t n = 0;; n++) {
            memory_fail_after(n);
            status = names_add(&names, name, &error);
            memory_fail_after(UINT64_MAX);
            if (status == STATUS_OK)
                break;
            CU_ASSERT_EQUAL_FATAL(status, STATUS_INTERNAL);
            CU_ASSERT_TRUE_FATAL(knows_first(&names, i));
            failures++;
        }
    }
    CU_ASSERT_TRUE(knows_first(&names, 100));
    CU_ASSERT_TRUE(failures > 10);
    names_free(&names);
    CU_ASSERT_EQUAL(memory_live_blocks(), live);
}

/* tests/core/test_known_names.c has the rest. */
static void test_refuse(void)
{
    struct names names = {0};
    add(&names, "large_first");
    add(&names, "large_last");
    CU_ASSERT_EQUAL(names_refuse(&names, "planner", "lage_last", "list", &error), STATUS_USAGE);
    CU_ASSERT_STRING_EQUAL(error.text, "no planner 'lage_last', did you mean large_last?");
    names_free(&names);
    names_refuse(&names, "planner", "naive", "list", &error);
    CU_ASSERT_STRING_EQUAL(error.text, "no planner 'naive', list names them");
}

static const struct test_case cases[] = {
    {"add and find", test_add_and_find},
    {"thousands of names", test_thousands},
    {"every allocation may fail", test_no_memory},
    {"an unknown name is refused", test_refuse},
};

TESTING_MAIN("core/names", cases)
