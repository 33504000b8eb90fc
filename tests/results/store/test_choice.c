#include "results/store/choice.h"

#include "made_up.h"
#include "results/store/measures.h"
#include "results/store/query.h"
#include "support/must.h"
#include "support/testing.h"

static void add(struct names *names, const char *name)
{
    must(names_add(names, name, &error));
}

static void write(struct store *store, const char *instance, const char *policy,
                  const char *planner)
{
    struct result_row row = made_up_row(instance, policy, planner, 8);
    row.path = "/here/b/file.csv";
    made_up_write(store, row);
}

static uint32_t count_rows(struct store *store, const struct result_choice *choice)
{
    struct result_set set = {0};
    must(query_newest(store, &(struct result_filter){.choice = choice}, &set, &error));
    uint32_t count = set.count;
    query_free(&set);
    return count;
}

static void rows_are_chosen(void)
{
    struct names names = {0}, none = {0};
    write(the_store, "x", "flat", "a");
    write(the_store, "x", "path", "a");
    write(the_store, "y", "flat", "b");
    CU_ASSERT_EQUAL(count_rows(the_store, NULL), 3);
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.run = "nothing"}), 0);
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.planners = &none}), 0);
    add(&names, "a");
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.planners = &names}), 2);
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.policies = &names}), 0);
    add(&names, "flat");
    CU_ASSERT_EQUAL(
        count_rows(the_store, &(struct result_choice){.planners = &names, .policies = &names}), 1);
    add(&names, "y");
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.instances = &names}), 1);
    add(&names, "/here/b/file.csv");
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.instances = &names}), 3);
    names_free(&names);
}

/* A row that does not say which limit it had is of none, and no number is taken for another. */
static void rows_of_a_limit_are_chosen(void)
{
    static const char *const settings[] = {"time_limit_ns=1", "time_limit_ns=10 threads=2", ""};
    struct names questions = {0};
    struct result_row row = made_up_row("x", "flat", "a", 8);
    for (int i = 0; i < 3; i++) {
        row.settings = settings[i];
        row.planner = i ? i == 1 ? "b" : "c" : "a";
        made_up_write(the_store, row);
    }
    for (uint64_t limit_ns = 1; limit_ns <= 10; limit_ns += 9)
        CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.time_limit_ns = limit_ns}),
                        1);
    CU_ASSERT_EQUAL(count_rows(the_store, &(struct result_choice){.time_limit_ns = 2}), 0);
    must(store_list_questions(the_store, settings[0], &questions, &error));
    CU_ASSERT_EQUAL(questions.count, 1);
    must(store_list_questions(the_store, NULL, &questions, &error));
    CU_ASSERT_EQUAL(questions.count, 3);
    names_free(&questions);
}

/* The highest bound is that of all rows, chosen or not. */
static void bounds_are_those_of_all_rows(void)
{
    struct names names = {0};
    struct result_set set = {0};
    const struct result_choice choice = {.planners = &names};
    struct result_row row = made_up_row("x", "flat", "prover", 8);
    row.lower_bound_bytes = 7;
    made_up_write(the_store, row);
    write(the_store, "x", "flat", "a");
    add(&names, "a");
    CU_ASSERT_EQUAL_FATAL(
        query_newest(the_store, &(struct result_filter){.choice = &choice}, &set, &the_error),
        STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(set.count, 1);
    CU_ASSERT_EQUAL(set.bound_bytes[0], 7);
    query_free(&set);
    names_free(&names);
}

static void texts_of_a_column_are_listed_once(void)
{
    struct names names = {0};
    write(the_store, "x", "flat", "a");
    write(the_store, "y", "flat", "a");
    made_up_measure(the_store, (struct measure){.instance = "measured"});
    CU_ASSERT_EQUAL(choice_list(the_store, "result", "planner", &names, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(names.count, 1);
    CU_ASSERT_EQUAL(choice_list(the_store, "result", "instance", &names, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(names.count, 3);
    CU_ASSERT_EQUAL(choice_list(the_store, "measure", "instance", &names, &the_error), STATUS_OK);
    CU_ASSERT_NOT_EQUAL(names_find(&names, "measured"), NAMES_NONE);
    CU_ASSERT_EQUAL(choice_list(the_store, "result", "no_such_column", &names, &the_error),
                    STATUS_OK);
    CU_ASSERT_EQUAL(choice_list(the_store, "no_such_table", "name", &names, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(names.count, 4);
    names_free(&names);
}

static const struct test_case cases[] = {
    {"rows are chosen", rows_are_chosen},
    {"rows of a limit are chosen", rows_of_a_limit_are_chosen},
    {"bounds are those of all rows", bounds_are_those_of_all_rows},
    {"texts of a column are listed once", texts_of_a_column_are_listed_once},
};
MADE_UP_MAIN("results/store/choice", cases)
