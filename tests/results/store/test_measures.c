#include "results/store/measures.h"

#include "made_up.h"

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

static void read_back(const char *run, struct measure_set *set)
{
    *set = (struct measure_set){0};
    const struct result_choice choice = {.run = run};
    CU_ASSERT_EQUAL_FATAL(measures_read(the_store, &choice, "topic", set, &the_error), STATUS_OK);
}

static void measures_come_back(void)
{
    struct measure_set set;
    int64_t value = 0;
    const struct measure measures[] = {make("zoo/'x'", "b", "bytes", INT64_MAX),
                                       make("zoo/'x'", "a", "bytes", -5)};
    CU_ASSERT_EQUAL(measures_write(the_store, measures, 2, &the_error), STATUS_OK);
    read_back(NULL, &set);
    CU_ASSERT_EQUAL_FATAL(set.count, 2);
    CU_ASSERT_STRING_EQUAL(set.measure[0].variant, "a");
    CU_ASSERT_STRING_EQUAL(set.measure[0].build, "build 1");
    CU_ASSERT_TRUE(measures_find(&set, "zoo/'x'", "b", "bytes", &value));
    CU_ASSERT_EQUAL(value, INT64_MAX);
    CU_ASSERT_TRUE(measures_find(&set, "zoo/'x'", "a", "bytes", &value));
    CU_ASSERT_EQUAL(value, -5);
    CU_ASSERT_FALSE(measures_find(&set, "zoo/'x'", "a", "ns", &value));
    measures_free(&set);
    CU_ASSERT_EQUAL(measures_read(the_store, NULL, "other", &set, &the_error), STATUS_OK);
    CU_ASSERT_EQUAL(set.count, 0);
}

/* The newest counts, whichever was written last; of older content nothing does. */
static void the_newest_counts(void)
{
    struct measure_set set;
    int64_t value = 0;
    struct measure measure = make("x", "a", "bytes", 1);
    made_up_measure(the_store, measure);
    measure.value = 2;
    made_up_measure(the_store, measure);
    measure.run = "older";
    measure.started = "2025-01-02T03:04:05Z";
    measure.value = 3;
    made_up_measure(the_store, measure);
    measure.digest = "other content";
    measure.name = "ns";
    made_up_measure(the_store, measure);
    read_back(NULL, &set);
    CU_ASSERT_EQUAL(set.count, 1);
    CU_ASSERT_TRUE(measures_find(&set, "x", "a", "bytes", &value));
    CU_ASSERT_EQUAL(value, 2);
    measures_free(&set);
    read_back("older", &set);
    CU_ASSERT_EQUAL(set.count, 1);
    CU_ASSERT_TRUE(measures_find(&set, "x", "a", "ns", &value));
    measures_free(&set);
}

/* A file that was written before there were measures. */
static void no_table_is_no_measure(void)
{
    struct measure_set set;
    made_up_run_sql(the_path, "DROP TABLE measure");
    made_up_open_again(STORE_READ);
    read_back(NULL, &set);
    CU_ASSERT_EQUAL(set.count, 0);
    struct measure measure = make("x", "a", "bytes", 1);
    CU_ASSERT_EQUAL(measures_write(the_store, &measure, 1, &the_error), STATUS_BAD_INPUT);
    made_up_open_again(STORE_WRITE);
    made_up_measure(the_store, measure);
}

/* What is written as a key is read and found as one; another word and a part without a name are
 * not. */
static void keys_come_back(void)
{
    static const struct {
        struct measure_key key;
        const char *name;
    } samples[] = {
        {{"T1", MEASURE_START, NULL}, "T1 start"},
        {{"step 3", MEASURE_BYTES, NULL}, "step 3 bytes"},
        {{"T1", MEASURE_CONFLICTS, "T2"}, "T1 conflicts with T2"},
        {{"t8", MEASURE_EXCLUDES, NULL}, "t8 excludes"},
        {{"from here", MEASURE_FROM, "a from"}, "from here from a from"},
    };
    struct measure_parts parts;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct measure_key *key = &samples[i].key;
        char name[MEASURE_NAME_BYTES];
        measure_key_write(key, name);
        CU_ASSERT_STRING_EQUAL(name, samples[i].name);
        struct measure measure = make("x", "v", name, (int64_t)i);
        const struct measure_set set = {.count = 1, .measure = &measure};
        int64_t value = -1;
        CU_ASSERT_TRUE(measures_find_part(&set, "x", "v", key, &value));
        CU_ASSERT_EQUAL(value, (int64_t)i);
        CU_ASSERT_TRUE(measure_key_read(&measure, key->word, &parts));
        CU_ASSERT_STRING_EQUAL(parts.part, key->part);
        CU_ASSERT_STRING_EQUAL(parts.other, key->other ? key->other : "");
        CU_ASSERT_FALSE(measure_key_read(&measure, MEASURE_POOL, &parts));
    }
    struct measure measure = make("x", "v", " start", 0);
    CU_ASSERT_FALSE(measure_key_read(&measure, MEASURE_START, &parts));
    measure.name = "T1 starts";
    CU_ASSERT_FALSE(measure_key_read(&measure, MEASURE_START, &parts));
}

static const struct test_case cases[] = {
    {"measures come back", measures_come_back},
    {"the newest counts", the_newest_counts},
    {"a store without the table has none", no_table_is_no_measure},
    {"keys come back", keys_come_back},
};

MADE_UP_MAIN("results/measures", cases)
