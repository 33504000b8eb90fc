#include "harness/rows/noise.h"

#include "support/testing.h"

static const struct noise_facts quiet = {
    .threads = 1, .load_thousandths = 1100, .spread_ppm = 1000, .governor = "performance"};

static void expect(struct noise_facts facts, const char *reasons)
{
    SCOPED(text_free) struct text text = {0};
    noise_describe(&facts, &text);
    CU_ASSERT_STRING_EQUAL(text.bytes ? text.bytes : "", reasons);
}

static void a_quiet_machine_is_trusted(void)
{
    struct noise_facts facts = quiet;
    expect(facts, "");
    facts.governor = "";
    expect(facts, "");
    facts.threads = 4;
    facts.load_thousandths = 4200;
    expect(facts, "");
}

static void each_reason_is_told(void)
{
    struct noise_facts facts = quiet;
    facts.load_thousandths = 2500;
    expect(facts, "the load average is 2.50 where 1 would be this run's");
    facts = quiet;
    facts.others_ppm = 123000;
    expect(facts, "other processes took 12.3% of the processor time");
    facts = quiet;
    facts.stolen_ppm = 10000;
    expect(facts, "other virtual machines took 1.0% of the processor time");
    facts = quiet;
    facts.governor = "powersave";
    expect(facts, "the governor of the clock rate is powersave, not performance");
    facts = quiet;
    facts.spread_ppm = 90000;
    expect(facts, "equal pieces of work took times that are 9.0% apart");
    facts.throttled = true;
    expect(facts, "a processor was slowed down for its heat; "
                  "equal pieces of work took times that are 9.0% apart");
}

static void shares_are_of_all_processors(void)
{
    const struct machine_state before = {.all_ns = 1000, .busy_ns = 500, .stolen_ns = 10};
    const struct machine_state after = {.all_ns = 2000, .busy_ns = 1000, .stolen_ns = 60};
    struct noise_facts facts = quiet;
    noise_find_shares(&before, &after, 300, &facts);
    CU_ASSERT_EQUAL(facts.others_ppm, 200000);
    CU_ASSERT_EQUAL(facts.stolen_ppm, 50000);
    noise_find_shares(&before, &after, 900, &facts);
    CU_ASSERT_EQUAL(facts.others_ppm, 0);
    noise_find_shares(&before, &before, 0, &facts);
    CU_ASSERT_EQUAL(facts.others_ppm, 0);
}

static void work_is_counted_as_our_own(void)
{
    uint64_t before_ns = noise_own_ns();
    noise_measure_spread();
    CU_ASSERT(noise_own_ns() > before_ns);
}

static const struct test_case cases[] = {
    {"a quiet machine is trusted", a_quiet_machine_is_trusted},
    {"each reason is told", each_reason_is_told},
    {"shares are of all processors", shares_are_of_all_processors},
    {"work is counted as our own", work_is_counted_as_our_own},
};
TESTING_MAIN("harness/rows/noise", cases)
