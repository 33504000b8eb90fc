#include "harness/rows/noise.h"

#include "support/testing.h"

static void each_reason_is_told(void)
{
    static const struct {
        struct noise_facts facts;
        const char *reasons;
    } rows[] = {
        {{.threads = 1, .load_thousandths = 1100, .governor = "performance"}, ""},
        {{.threads = 4, .load_thousandths = 4200, .spread_ppm = 1000, .governor = ""}, ""},
        {{.load_thousandths = 250,
          .others_ppm = 20000,
          .stolen_ppm = 5000,
          .spread_ppm = 50000,
          .governor = ""},
         ""},
        {{.threads = 1, .load_thousandths = 2500, .governor = ""},
         "the load average is 2.50 where 1 would be this run's"},
        {{.others_ppm = 123000, .governor = ""},
         "other processes took 12.3% of the processor time"},
        {{.stolen_ppm = 10000, .governor = ""},
         "other virtual machines took 1.0% of the processor time"},
        {{.governor = "powersave"}, "the governor of the clock rate is powersave, not performance"},
        {{.spread_ppm = 90000, .governor = ""},
         "equal pieces of work took times that are 9.0% apart"},
        {{.spread_ppm = 90000, .throttled = true, .governor = ""},
         "a processor was slowed down for its heat; "
         "equal pieces of work took times that are 9.0% apart"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(text_free) struct text text = {0};
        noise_describe(&rows[i].facts, &text);
        CU_ASSERT_STRING_EQUAL(text.bytes ? text.bytes : "", rows[i].reasons);
    }
}

/* Work is counted as our own. */
static void shares_are_of_all_processors(void)
{
    const struct machine_state before = {.all_ns = 1000, .busy_ns = 500, .stolen_ns = 10};
    const struct machine_state after = {.all_ns = 2000, .busy_ns = 1000, .stolen_ns = 60};
    struct noise_facts facts = {.governor = ""};
    noise_find_shares(&before, &after, 300, &facts);
    CU_ASSERT(facts.others_ppm == 200000 && facts.stolen_ppm == 50000);
    noise_find_shares(&before, &after, 900, &facts);
    CU_ASSERT_EQUAL(facts.others_ppm, 0);
    noise_find_shares(&before, &before, 0, &facts);
    CU_ASSERT_EQUAL(facts.others_ppm, 0);
    uint64_t before_ns = noise_own_ns();
    noise_measure_spread();
    CU_ASSERT(noise_own_ns() > before_ns);
}

static const struct test_case cases[] = {

    {"each reason is told", each_reason_is_told},
    {"shares are of all processors", shares_are_of_all_processors},

};
TESTING_MAIN("harness/rows/noise", cases)
