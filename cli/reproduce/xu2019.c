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
   the bytes of the files of quantised weights, and the ratio of types. */
static void conclude(struct recorder *recorder)
{
    struct measure_set set;
    int64_t changed = 0;
    uint8_t before = 0, after = 0;
    read_topic(recorder, "cache", &set);
    for (uint32_t i = 0; i < set.count; i++)
        changed += strcmp(set.measure[i].name, "identical") == 0 && !set.measure[i].value;
    measures_free(&set);
    recorder_conclude(recorder, "networks", "cache", "changed", changed);
    read_topic(recorder, "quantise", &set);
    for (uint32_t i = 0; i < set.count; i++)
        if (strncmp(set.measure[i].name, "bytes", strlen("bytes")) == 0)
            recorder_conclude(recorder, set.measure[i].instance, set.measure[i].variant,
                              set.measure[i].name, set.measure[i].value);
    measures_free(&set);
    graph_dtype_find("float32", &before);
    graph_dtype_find("int8", &after);
    recorder_conclude(recorder, "networks", "float32 to int8", "ratio",
                      INT64_C(1000000) * graph_dtype_bits(before) / graph_dtype_bits(after));
}

const struct reproduction reproduction_xu2019 = {
    .name = "xu2019",
    .title = "A library that caches what it compiled, and quantises weights",
    .paragraph =
        "Its ratios and gains follow from the sizes and rates that it prints; its seconds and "
        "rates "
        "are those of a compiler and a chip that are not here, its accuracies those of trained "
        "models.",
    .source = "xu2019",
    .page = "xu2019",
    .builds_on = (const char *const[]){"cache", "quantise", "throughput", NULL},
    .tables = (const char *const[]){"xu2019", NULL},
    .conclude = conclude,
};
