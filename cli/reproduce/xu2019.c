/* The reproduction xu2019: the measures of the reproductions cache, quantise and throughput,
   converted to the units of the tables of Xu 2019, as measures of the topic "xu2019". */
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "results/store/measures.h"
#include "results/views/quantised.h"

/* Shares, ratios and images per second are all stored in millionths. */
static double take(double value, double second)
{
    (void)second;
    return value;
}

static double divide(double value, double second)
{
    return 1e6 * value / second;
}

static double find_excess(double value, double second)
{
    return 1e6 * (value - second) / second;
}

static double find_rate(double total_ns, double second)
{
    (void)second;
    return 1e15 / total_ns;
}

struct taken {
    const char *variant, *name;
};

/* A measure that is computed from one or two measures of another topic, which is named like the
   reproduction that writes it. */
struct derived {
    const char *topic;
    struct taken made, first, second;
    double (*make)(double value, double second);
};

static const struct derived derived[] = {
    {"cache", {"glpk", "plan_ns"}, {"glpk", "plan_ns"}, {0}, take},
    {"cache", {"glpk", "plan_and_save_ns"}, {"glpk", "plan_and_save_ns"}, {0}, take},
    {"cache", {"glpk", "hit_ns"}, {"glpk", "hit_ns"}, {0}, take},
    {"cache",
     {"glpk", "save_share"},
     {"glpk", "plan_and_save_ns"},
     {"glpk", "plan_ns"},
     find_excess},
    {"cache", {"glpk", "hit_share"}, {"glpk", "hit_ns"}, {"glpk", "plan_ns"}, divide},
    {"quantise", {"int8", "bytes_before"}, {"int8", "bytes_before"}, {0}, take},
    {"quantise", {"int8", "bytes_after"}, {"int8", "bytes_after"}, {0}, take},
    {"quantise", {"int8", "ratio"}, {"int8", "bytes_before"}, {"int8", "bytes_after"}, divide},
    {"quantise", {"int8", "share"}, {"int8", "bytes_after"}, {"int8", "bytes_before"}, divide},
    {"throughput", {"planned", "images_before"}, {"float16 planned", "total_ns"}, {0}, find_rate},
    {"throughput", {"planned", "images_after"}, {"int8 planned", "total_ns"}, {0}, find_rate},
    {"throughput",
     {"planned", "gain"},
     {"float16 planned", "total_ns"},
     {"int8 planned", "total_ns"},
     find_excess},
};

/* Finds a measured value; false where it was not measured, or is 0 and cannot be divided by. */
static bool find_taken(const struct measure_set *set, const char *instance,
                       const struct taken *taken, double *value)
{
    int64_t number = 1;
    bool found = !taken->name || measures_find(set, instance, taken->variant, taken->name, &number);
    *value = (double)number;
    return found && number > 0;
}

/* Reads the measures of a topic, as the reproduction of that name wrote them. */
static void read_topic(struct recorder *recorder, const char *topic, struct measure_set *set)
{
    const struct result_choice choice = {.run = topic};
    *set = (struct measure_set){0};
    if (!recorder->status)
        recorder->status = measures_read(recorder->store, &choice, topic, set, recorder->error);
}

/* Writes what is derived, and how many plans of all networks and planners came back from the cache
   with another offset. */
static void conclude(struct recorder *recorder)
{
    struct measure_set set;
    int64_t changed = 0;
    for (size_t d = 0; d < sizeof derived / sizeof *derived; d++) {
        const struct derived *row = &derived[d];
        read_topic(recorder, row->topic, &set);
        for (unsigned i = 0; i < QUANTISED_NETWORKS; i++) {
            const char *instance = quantised_networks[i].instance;
            double first, second;
            if (find_taken(&set, instance, &row->first, &first) &&
                find_taken(&set, instance, &row->second, &second))
                recorder_conclude(recorder, instance, row->made.variant, row->made.name,
                                  (int64_t)row->make(first, second));
        }
        measures_free(&set);
    }
    read_topic(recorder, "cache", &set);
    for (uint32_t i = 0; i < set.count; i++)
        changed += strcmp(set.measure[i].name, "identical") == 0 && !set.measure[i].value;
    measures_free(&set);
    recorder_conclude(recorder, "networks", "cache", "changed", changed);
}

const struct reproduction reproduction_xu2019 = {
    .name = "xu2019",
    .title = "A library that caches what it compiled, and quantises weights",
    .paragraph =
        "Xu 2019, chapter 6: every printed figure in the order of the thesis, beside what was "
        "measured for the tables above. Accuracies need trained models and images.",
    .source = "xu2019",
    .builds_on = (const char *const[]){"cache", "quantise", "throughput", NULL},
    .tables = (const char *const[]){"xu2019", NULL},
    .conclude = conclude,
};
