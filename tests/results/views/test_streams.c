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

static const struct test_case cases[] = {
    {"ratios need critical paths", ratios_need_critical_paths}};

TESTING_MAIN("results/views/streams", cases)
