#include "results/store/measures.h"

#include <sqlite3.h>
#include <string.h>

#include "made_up.h"
#include "results/tables/tables.h"
#include "support/testing.h"

static struct measure make(const char *instance, const char *variant, const char *name,
                           int64_t value)
{
    return (struct measure){.run = "made-up",
                            .instance = instance,
                            .digest = instance,
                            .topic = "topic",
                            .variant = variant,
                            .name = name,
                            .value = value,
                            .host = "host",
                            .build = "build 1",
                            .started = "2026-01-02T03:04:05Z"};
}

static void write(struct store *store, struct measure measure)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(measures_write(store, &measure, 1, &error), STATUS_OK);
}

static void read_back(struct store *store, const char *run, struct measure_set *set)
{
    struct error error = ERROR_NONE;
    *set = (struct measure_set){0};
    const struct result_choice choice = {.run = run};
    CU_ASSERT_EQUAL_FATAL(measures_read(store, &choice, "topic", set, &error), STATUS_OK);
}

static void measures_come_back(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct measure_set set;
    int64_t value = 0;
    const struct measure measures[] = {make("zoo/'x'", "b", "bytes", INT64_MAX),
                                       make("zoo/'x'", "a", "bytes", -5)};
    CU_ASSERT_EQUAL(measures_write(store, measures, 2, &error), STATUS_OK);
    read_back(store, NULL, &set);
    CU_ASSERT_EQUAL_FATAL(set.count, 2);
    CU_ASSERT_STRING_EQUAL(set.measure[0].variant, "a");
    CU_ASSERT_STRING_EQUAL(set.measure[0].build, "build 1");
    CU_ASSERT_TRUE(measures_find(&set, "zoo/'x'", "b", "bytes", &value));
    CU_ASSERT_EQUAL(value, INT64_MAX);
    CU_ASSERT_TRUE(measures_find(&set, "zoo/'x'", "a", "bytes", &value));
    CU_ASSERT_EQUAL(value, -5);
    CU_ASSERT_FALSE(measures_find(&set, "zoo/'x'", "a", "ns", &value));
    measures_free(&set);
    CU_ASSERT_EQUAL(measures_read(store, NULL, "other", &set, &error), STATUS_OK);
    CU_ASSERT_EQUAL(set.count, 0);
    made_up_remove(store, path);
}

/* The newest counts, whichever was written last; of older content nothing does. */
static void the_newest_counts(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct measure_set set;
    int64_t value = 0;
    struct measure measure = make("x", "a", "bytes", 1);
    write(store, measure);
    measure.value = 2;
    write(store, measure);
    measure.run = "older";
    measure.started = "2025-01-02T03:04:05Z";
    measure.value = 3;
    write(store, measure);
    measure.digest = "other content";
    measure.name = "ns";
    write(store, measure);
    read_back(store, NULL, &set);
    CU_ASSERT_EQUAL(set.count, 1);
    CU_ASSERT_TRUE(measures_find(&set, "x", "a", "bytes", &value));
    CU_ASSERT_EQUAL(value, 2);
    measures_free(&set);
    read_back(store, "older", &set);
    CU_ASSERT_EQUAL(set.count, 1);
    CU_ASSERT_TRUE(measures_find(&set, "x", "a", "ns", &value));
    measures_free(&set);
    made_up_remove(store, path);
}

/* A file that was written before there were measures. */
static void no_table_is_no_measure(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct measure_set set;
    sqlite3 *database;
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &database), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(database, "DROP TABLE measure", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_READ, &store, &error), STATUS_OK);
    read_back(store, NULL, &set);
    CU_ASSERT_EQUAL(set.count, 0);
    struct measure measure = make("x", "a", "bytes", 1);
    CU_ASSERT_EQUAL(measures_write(store, &measure, 1, &error), STATUS_BAD_INPUT);
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    write(store, measure);
    made_up_remove(store, path);
}

/* The row of a network in the table "quantise". */
static void quantised_networks(void)
{
    static const char instance[] = "zoo/resnet18?dtype=float16";
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("quantise", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    struct measure measures[] = {make(instance, "int8", "bytes_before", 300),
                                 make(instance, "int8", "bytes_after", 150),
                                 make(instance, "int8", "snr_millidecibels", 40125)};
    for (int i = 0; i < 3; i++)
        measures[i].topic = "quantise";
    CU_ASSERT_EQUAL(measures_write(store, measures, 3, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(tables_build("quantise", store, NULL, &table, &error), STATUS_OK);
    static const char *const expected[] = {"Resnet18", "17",   "9.6",   "1.77", instance, "300",
                                           "150",      "2.00", "40.12", "",     "",       ""};
    CU_ASSERT_EQUAL(table_rows(&table), 12);
    for (uint32_t i = 0; i < 12; i++)
        CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, i), expected[i]);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 11, 1), "49");
    table_free(&table);
    made_up_remove(store, path);
}

static void quantised_transfers(void)
{
    static const char *const expected[] = {"Resnet18", "sync",  "4.000", "2.000",
                                           "50.00",    "1.000", "75.00"};
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("quantise-dma", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    made_up_fill(store);
    CU_ASSERT_EQUAL_FATAL(tables_build("quantise-dma", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 60);
    for (uint32_t i = 0; i < 7; i++)
        CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, i), expected[i]);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 2), "");
    table_free(&table);
    made_up_remove(store, path);
}

static const char *find_last(const struct table *table, const char *network, const char *second,
                             uint32_t column)
{
    for (uint32_t row = 0; row < table_rows(table); row++)
        if (strcmp(table_raw(table, row, 0), network) == 0 &&
            (!second || strcmp(table_raw(table, row, 6), second) == 0))
            return table_raw(table, row, column);
    return "";
}

/* The table "cache": a row for each network and planner. */
static void cached_plans(void)
{
    static const char *const expected[] = {
        "Inception_v3", "2875.930", "3025.540", "5.20",  "165.192", "5.74", "glpk", "2.000",
        "4.000",        "5.000",    "25.00",    "1.000", "25.00",   "2048", "yes"};
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("cache", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    made_up_fill(store);
    CU_ASSERT_EQUAL_FATAL(tables_build("cache", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 24);
    for (uint32_t i = 0; i < 15; i++)
        CU_ASSERT_STRING_EQUAL(find_last(&table, "Inception_v3", "glpk", i), expected[i]);
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Inception_v3", "glpk", 15),
                           "agrees: same result, sooner than it is planned");
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Vgg16", "glpk", 15), "not measured");
    table_free(&table);
    made_up_remove(store, path);
}

/* The table "throughput": printed rates are below the bound or not. */
static void images_per_second(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("throughput", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    made_up_fill(store);
    CU_ASSERT_EQUAL_FATAL(tables_build("throughput", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 12);
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Resnet18", NULL, 1), "1741.00");
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Resnet18", NULL, 3), "20.79");
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Resnet18", NULL, 4), "2000.00");
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Resnet18", NULL, 9), "100.00");
    CU_ASSERT_PTR_NOT_NULL(strstr(find_last(&table, "Resnet18", NULL, 10), "not reproducible"));
    CU_ASSERT_PTR_NOT_NULL(strstr(find_last(&table, "AlexNet", NULL, 10), "differs"));
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Vgg16", NULL, 10), "not measured");
    CU_ASSERT_STRING_EQUAL(find_last(&table, "Vgg16", NULL, 12), "70.37 / 88.53");
    table_free(&table);
    made_up_remove(store, path);
}

/* The table "dma-front": modes first, then the points of each planner, fastest first. */
static void fronts(void)
{
    static const char *const modes[] = {"sync", "pingpong", "planned", "planned", "planned"};
    static const char *const times[] = {"2.000", "1.500", "1.250", "1.250", "1.750"};
    static const char *const above[] = {"100.00", "50.00", "25.00", "25.00", "75.00"};
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("dma-front", store, NULL, &table, &error), STATUS_NO);
    table_free(&table);
    made_up_fill(store);
    CU_ASSERT_EQUAL_FATAL(tables_build("dma-front", store, NULL, &table, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 5);
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT_STRING_EQUAL(table_raw(&table, i, 1), modes[i]);
        CU_ASSERT_STRING_EQUAL(table_raw(&table, i, 4), times[i]);
        CU_ASSERT_STRING_EQUAL(table_raw(&table, i, 5), above[i]);
    }
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 2, 2), "large_first");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 3, 3), "3500");
    table_free(&table);
    made_up_remove(store, path);
}

static const struct test_case cases[] = {
    {"transfers of quantised weights", quantised_transfers},
    {"plans from the cache", cached_plans},
    {"images per second", images_per_second},
    {"fronts of time against memory", fronts},
    {"measures come back", measures_come_back},
    {"the newest counts", the_newest_counts},
    {"a store without the table has none", no_table_is_no_measure},
    {"a network that was quantised", quantised_networks},
};

TESTING_MAIN("results/measures", cases)
