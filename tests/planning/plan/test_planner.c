#include "planning/plan/planner.h"

#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static const struct planner_option options[] = {
    {"first", "a number", 2, 0, 5}, {"second", "another", 7, 1, 9}, {NULL, NULL, 0, 0, 0}};
static const struct planner with_options = {.name = "rule", .options = options};
static const struct planner without_options = {.name = "plain"};

#define KNOWN ", expected first=0..5, second=1..9"

static void test_settings(void)
{
    SCOPED(planner_release) struct planner *configured = NULL;
    CU_ASSERT_EQUAL(planner_option_value(&with_options, 1), 7);
    must(planner_configure(&with_options, "second=9", &configured, &error));
    CU_ASSERT_STRING_EQUAL(configured->name, "rule?second=9");
    CU_ASSERT_EQUAL(planner_option_value(configured, 0), 2);
    CU_ASSERT_EQUAL(planner_option_value(configured, 1), 9);
    planner_free(configured);
    must(planner_configure(&with_options, NULL, &configured, &error));
    CU_ASSERT_STRING_EQUAL(configured->name, "rule");
    CU_ASSERT_EQUAL(planner_option_value(configured, 1), 7);
    planner_free(NULL);
}

/* The bounds themselves are allowed, what is next to them is not. */
static void test_what_is_refused(void)
{
    struct planner *configured;
    static const char *const allowed[] = {"first=0&second=1", "first=5&second=9"};
    for (int i = 0; i < 2; i++) {
        must(planner_configure(&with_options, allowed[i], &configured, &error));
        planner_free(configured);
    }
    static const struct {
        const struct planner *planner;
        const char *settings, *text;
    } refused[] = {
        {&with_options, "third=1", "found 'third=1' as an option of planner rule" KNOWN},
        {&with_options, "first=1&second=0", "found 'second=0' as an option of planner rule" KNOWN},
        {&with_options, "first=6", "found 'first=6' as an option of planner rule" KNOWN},
        {&with_options, "first=1&second=2&first=1",
         "option first of planner rule is given twice, expected once"},
        {&without_options, "first=1",
         "found 'first=1' as an option of planner plain, expected none"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CU_ASSERT_EQUAL(
            planner_configure(refused[i].planner, refused[i].settings, &configured, &error),
            STATUS_USAGE);
        CU_ASSERT_STRING_EQUAL(error.text, refused[i].text);
    }
}

static enum status configure(const void *input, struct error *found)
{
    SCOPED(planner_release) struct planner *configured = NULL;
    return planner_configure(input, "first=1", &configured, found);
}

static void test_allocations(void)
{
    fail_each(configure, &with_options);
}

static const struct test_case cases[] = {
    {"settings are kept with the name", test_settings},
    {"what there is, is named", test_what_is_refused},
    {"allocations", test_allocations},
};

TESTING_MAIN("planning/planner", cases)
