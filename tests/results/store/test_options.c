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

static void options_are_found_by_name(void)
{
    expect("", "capacity", NULL);
    expect("capacity=12", "capacity", "12");
    expect("capacity=12 inplace=nnvm", "capacity", "12");
    expect("capacity=12 inplace=nnvm", "inplace", "nnvm");
    expect("inplace=nnvm disable_inplace=Relu", "disable_inplace", "Relu");
    expect("disable_inplace=Relu", "inplace", NULL);
    expect("inplace=nnvm", "disable_inplace", NULL);
    expect("alignment=8 capacity=30", "capacity", "30");
    expect("capacity=", "capacity", "");
}

static void a_value_may_contain_blanks(void)
{
    expect("disable_inplace=Add, Relu capacity=3", "disable_inplace", "Add, Relu");
    expect("disable_inplace=Add, Relu capacity=3", "capacity", "3");
    expect(" word capacity=3", "capacity", "3");
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
    {"a value may contain blanks", a_value_may_contain_blanks},
    {"what was added is found", what_was_added_is_found},
    {"a capacity makes no other problem", a_capacity_makes_no_other_problem},
};
TESTING_MAIN("results/options", cases)
