#include "results/views/streams.h"

#include "made_up.h"
#include "support/testing.h"

static void ratios_need_critical_paths(void)
{
    struct result_row streams = made_up_row("a", "streams", "p", 100), other = streams;
    struct stream_facts facts = {.best = {[STREAMS_STREAMS] = &streams, [STREAMS_WAVES] = &other}};
    struct stream_ratio ratio;
    streams.critical_path = 20;
    other.peak_bytes = 150;
    other.critical_path = 30;
    facts.bound_bytes[STREAMS_WAVES] = 150;
    CU_ASSERT_FATAL(streams_compare(&facts, STREAMS_WAVES, &ratio));
    CU_ASSERT_DOUBLE_EQUAL(ratio.bytes, 1.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ratio.time, 1.5, 1e-9);
    CU_ASSERT(ratio.proved && !ratio.refused);
    CU_ASSERT_FALSE(streams_compare(&facts, STREAMS_SERIALISED, &ratio));
    other.critical_path = 0;
    CU_ASSERT_FALSE(streams_compare(&facts, STREAMS_WAVES, &ratio));
    streams.critical_path = 0;
    CU_ASSERT_FALSE(streams_is_wanted(&facts));
}

/* The same network on one stream is the instance without the option, wherever it stands. */
static void the_option_may_stand_anywhere(void)
{
    static const char *const instances[] = {"net", "net?a=1", "net?a=1&streams=4",
                                            "net?streams=16&a=1", "net?streams=2"};
    static const uint32_t streams[] = {0, 0, 4, 16, 2};
    static const uint64_t one_bytes[] = {0, 0, 20, 20, 10};
    enum { ROWS = sizeof instances / sizeof *instances };
    struct result_row row[ROWS];
    uint64_t bound_bytes[ROWS] = {0};
    const struct result_set set = {.count = ROWS, .row = row, .bound_bytes = bound_bytes};
    for (uint32_t i = 0; i < ROWS; i++)
        row[i] = made_up_row(instances[i], "streams", "p", 10 + 10 * i);
    for (uint32_t i = 0; i < ROWS; i++) {
        struct stream_facts facts;
        CU_ASSERT_EQUAL(streams_count(instances[i]), streams[i]);
        CU_ASSERT_EQUAL(streams_find(&set, i, &facts), i + 1);
        CU_ASSERT_EQUAL(facts.one_bytes, one_bytes[i]);
        CU_ASSERT_PTR_EQUAL(facts.best[STREAMS_STREAMS], &row[i]);
    }
}

static const struct test_case cases[] = {
    {"ratios need critical paths", ratios_need_critical_paths},
    {"the option may stand anywhere", the_option_may_stand_anywhere}};

TESTING_MAIN("results/views/streams", cases)
