#include "results/store/reconstructions.h"

#include "made_up.h"
#include "support/testing.h"

static void names_come_from_rows_and_measures(void)
{
    struct names names = {0};
    struct result_row row = made_up_row("a", "flat", "p", 1);
    made_up_write(the_store, row);
    row = made_up_row("b", "flat", "p", 1);
    row.reconstruction = 1;
    made_up_write(the_store, row);
    made_up_measure(the_store, (struct measure){.instance = "c", .name = RECONSTRUCTIONS_MEASURE});
    CU_ASSERT_EQUAL(reconstructions_read(the_store, &names, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(names.count, 2);
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "a"), "");
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "b"), RECONSTRUCTIONS_LABEL);
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "c"), RECONSTRUCTIONS_LABEL);
    names_free(&names);
}

static const struct test_case cases[] = {
    {"names come from rows and measures", names_come_from_rows_and_measures},
};

MADE_UP_MAIN("results/reconstructions", cases)
