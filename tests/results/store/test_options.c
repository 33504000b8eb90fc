#include "results/store/options.h"

#include <string.h>

#include "support/testing.h"

static void expect(const char *options, const char *name, const char *wanted)
{
    const char *value;
    size_t length;
    bool found = options_find(options, name, &value, &length);
    CU_ASSERT_EQUAL(found, wanted != NULL);
    if (found && wanted)
        CU_ASSERT(length == strlen(wanted) && strncmp(value, wanted, length) == 0);
}

/* A value may contain blanks. */
static void options_are_found_by_name(void)
{
    static const char *const cases[][3] = {
        {"", "capacity", NULL},
        {"capacity=12", "capacity", "12"},
        {"capacity=12 inplace=nnvm", "capacity", "12"},
        {"capacity=12 inplace=nnvm", "inplace", "nnvm"},
        {"inplace=nnvm disable_inplace=Relu", "disable_inplace", "Relu"},
        {"disable_inplace=Relu", "inplace", NULL},
        {"inplace=nnvm", "disable_inplace", NULL},
        {"alignment=8 capacity=30", "capacity", "30"},
        {"capacity=", "capacity", ""},
        {"disable_inplace=Add, Relu capacity=3", "disable_inplace", "Add, Relu"},
        {"disable_inplace=Add, Relu capacity=3", "capacity", "3"},
        {" word capacity=3", "capacity", "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(cases[i][0], cases[i][1], cases[i][2]);
}

static void what_was_added_is_found(void)
{
    struct text options = {0};
    options_add(&options, OPTIONS_CAPACITY, "30");
    options_add(&options, OPTIONS_INPLACE, "nnvm");
    CU_ASSERT_STRING_EQUAL(options.bytes, "capacity=30 inplace=nnvm");
    expect(options.bytes, OPTIONS_CAPACITY, "30");
    expect(options.bytes, OPTIONS_INPLACE, "nnvm");
    expect(options.bytes, OPTIONS_ALIGNMENT, NULL);
    text_free(&options);
}

static void expect_of_problem(const char *options, const char *expected)
{
    struct text text = {0};
    text_append(&text, "%s", "");
    options_add_of_problem(&text, options);
    CU_ASSERT_STRING_EQUAL(text.bytes, expected);
    text_free(&text);
}

static void a_capacity_makes_no_other_problem(void)
{
    expect_of_problem("", "");
    expect_of_problem("capacity=3", "");
    expect_of_problem("capacity=3 alignment=8", "alignment=8");
    expect_of_problem("alignment=8 capacity=3 inplace=nnvm", "alignment=8 inplace=nnvm");
    expect_of_problem("disable_inplace=Add, Relu capacity=3", "disable_inplace=Add, Relu");
    expect_of_problem("capacity_of=3", "capacity_of=3");
}

static const struct test_case cases[] = {
    {"options are found by name", options_are_found_by_name},
    {"what was added is found", what_was_added_is_found},
    {"a capacity makes no other problem", a_capacity_makes_no_other_problem},
};
TESTING_MAIN("results/options", cases)
