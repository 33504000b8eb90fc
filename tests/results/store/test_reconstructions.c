#include "results/store/reconstructions.h"

#include "made_up.h"
#include "results/store/measures.h"
#include "results/tables/tables.h"
#include "support/testing.h"

static void names_come_from_rows_and_measures(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct names names = {0};
    struct result_row row = made_up_row("a", "flat", "p", 1);
    const struct measure measure = {.run = "r",
                                    .instance = "c",
                                    .digest = "d",
                                    .topic = "t",
                                    .variant = "v",
                                    .name = RECONSTRUCTIONS_MEASURE,
                                    .value = 1,
                                    .host = "",
                                    .build = "",
                                    .started = ""};
    made_up_write(store, row);
    row = made_up_row("b", "flat", "p", 1);
    row.reconstruction = 1;
    made_up_write(store, row);
    CU_ASSERT_EQUAL(measures_write(store, &measure, 1, &error), STATUS_OK);
    CU_ASSERT_EQUAL(reconstructions_read(store, &names, &error), STATUS_OK);
    CU_ASSERT_EQUAL(names.count, 2);
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "a"), "");
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "b"), RECONSTRUCTIONS_LABEL);
    CU_ASSERT_STRING_EQUAL(reconstructions_label(&names, "c"), RECONSTRUCTIONS_LABEL);
    names_free(&names);
    made_up_remove(store, path);
}

static void tables_label_them(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    struct result_row row = made_up_row("b", "flat", "b", 1);
    row.reconstruction = 1;
    made_up_write(store, row);
    made_up_write(store, made_up_row("c", "flat", "p", 1));
    CU_ASSERT_EQUAL_FATAL(tables_build("summary", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "b" RECONSTRUCTIONS_LABEL);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 0), "c");
    table_free(&table);
    made_up_remove(store, path);
}

static const struct test_case cases[] = {
    {"names come from rows and measures", names_come_from_rows_and_measures},
    {"tables label them", tables_label_them},
};

TESTING_MAIN("results/reconstructions", cases)
