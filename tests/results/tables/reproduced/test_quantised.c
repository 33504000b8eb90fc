#include "results/tables/reproduced/quantised.h"

#include "support/testing.h"

static const struct {
    const char *table, *what[7];
} printed[] = {
    {"Table 6.2",
     {"compile", "compile and save", "after a hit", "top1; first run", "top5; first run",
      "top1; second run", "top5; second run"}},
    {"Table 6.3", {"before", "after", "ratio"}},
    {"Table 6.4",
     {"before", "after", "gain", "top1 before", "top1 after", "top5 before", "top5 after"}},
};

/* Each network is in each table of the thesis, under one name. */
static void every_network_is_printed(void)
{
    for (unsigned t = 0; t < 3; t++)
        for (unsigned n = 0; n < QUANTISED_NETWORKS; n++)
            for (unsigned w = 0; w < 7 && printed[t].what[w]; w++) {
                struct published_value value;
                CU_ASSERT(published_of(QUANTISED_SOURCE, printed[t].table,
                                       quantised_networks[n].published, printed[t].what[w],
                                       &value));
            }
}

/* The thesis prints 27.36 % for Resnet34 and 2.11 % for GoogleNet, where its rates give 27.42 %
   and 2.12 %. */
static void figures_agree_among_themselves(void)
{
    for (unsigned n = 0; n < QUANTISED_NETWORKS; n++) {
        const char *name = quantised_networks[n].published;
        double ratio = quantised_number("Table 6.3", name, "before") /
                       quantised_number("Table 6.3", name, "after");
        double gain = 100 * (quantised_number("Table 6.4", name, "after") /
                                 quantised_number("Table 6.4", name, "before") -
                             1);
        CU_ASSERT_DOUBLE_EQUAL(quantised_number("Table 6.3", name, "ratio"), ratio, 0.011);
        CU_ASSERT_DOUBLE_EQUAL(quantised_number("Table 6.4", name, "gain"), gain, 0.065);
        CU_ASSERT(quantised_number("Table 6.2", name, "after a hit") <
                  quantised_number("Table 6.2", name, "compile"));
    }
}

static void what_is_not_printed(void)
{
    struct published_value value;
    CU_ASSERT_FALSE(published_of(QUANTISED_SOURCE, "Table 6.3", "Resnet18", "gain", &value));
    CU_ASSERT_FALSE(published_of(QUANTISED_SOURCE, "Table 6.5", "Resnet18", "ratio", &value));
    CU_ASSERT_EQUAL(quantised_number("Table 6.3", "Resnet19", "ratio"), 0);
    CU_ASSERT_DOUBLE_EQUAL(quantised_number("Table 6.3", "Resnet152", "ratio"), 2.87, 1e-9);
}

static const struct test_case cases[] = {
    {"every network is printed in every table", every_network_is_printed},
    {"ratios and gains are those of what is beside them", figures_agree_among_themselves},
    {"what is not printed", what_is_not_printed},
};

TESTING_MAIN("results/tables/reproduced/quantised", cases)
