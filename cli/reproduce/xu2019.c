/* The reproduction xu2019: what the reproductions cache and quantise measured and the thesis prints
   too, as measures of the topic "xu2019". */
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "planning/graph/dtype.h"
#include "results/store/measures.h"

/* Reads the measures of a topic, as the reproduction of that name wrote them. */
static void read_topic(struct recorder *recorder, const char *topic, struct measure_set *set)
{
    const struct result_choice choice = {.run = topic};
    *set = (struct measure_set){0};
    if (!recorder->status)
        recorder->status = measures_read(recorder->store, &choice, topic, set, recorder->error);
}

/* Writes how many plans of all networks and planners came back from the cache with another offset,
   the bytes of the files of quantised weights, the modelled rates, and the ratio of types. */
static void conclude(struct recorder *recorder)
{
    static const char *const topics[] = {"cache", "quantise", "throughput"};
    int64_t changed = 0;
    uint8_t before = 0, after = 0;
    for (unsigned t = 0; t < sizeof topics / sizeof *topics; t++) {
        struct measure_set set;
        read_topic(recorder, topics[t], &set);
        for (uint32_t i = 0; i < set.count; i++) {
            const struct measure *measure = &set.measure[i];
            changed += strcmp(measure->name, "identical") == 0 && !measure->value;
            if (t > 0)
                recorder_conclude(recorder, measure->instance, measure->variant, measure->name,
                                  measure->value);
        }
        measures_free(&set);
    }
    recorder_conclude(recorder, "networks", "cache", "changed", changed);
    graph_dtype_find("float32", &before);
    graph_dtype_find("int8", &after);
    recorder_conclude(recorder, "networks", "float32 to int8", "ratio",
                      INT64_C(1000000) * graph_dtype_bits(before) / graph_dtype_bits(after));
}

const struct reproduction reproduction_xu2019 = {
    .name = "xu2019",
    .title = "A library that caches what it compiled, and quantises weights",
    .paragraph =
        "Caching of compiled networks, weights as int8. Its ratios and gains follow from the "
        "sizes and rates that it prints; its seconds and rates are those of a compiler and a "
        "chip that are not here, its accuracies those of trained models.",
    .source = "xu2019",
    .page = "xu2019",
    .builds_on = (const char *const[]){"cache", "quantise", "throughput", NULL},
    .tables = (const char *const[]){"xu2019", NULL},
    .conclude = conclude,
};
