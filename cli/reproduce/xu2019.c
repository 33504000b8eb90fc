/* The reproduction xu2019: what the reproductions cache, quantise and throughput measured, as
   measures of the topic "xu2019", in the terms of the thesis' tables. */
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

/* Where measures are read, and where those go that are computed from them. */
struct deriver {
    struct store *store;
    const struct record_context *context;
    struct measure_set set; /* the measures of one topic */
    struct error *error;
};

static enum status write_measure(const struct deriver *deriver, const char *instance,
                                 const struct taken *made, int64_t value)
{
    const struct measure measure = {.run = deriver->context->run,
                                    .instance = instance,
                                    .digest = "",
                                    .topic = "xu2019",
                                    .variant = made->variant,
                                    .name = made->name,
                                    .value = value,
                                    .host = deriver->context->host,
                                    .build = deriver->context->build,
                                    .started = deriver->context->started};
    return measures_write(deriver->store, &measure, 1, deriver->error);
}

/* Finds a measured value; false where it was not measured, or is 0 and cannot be divided by. */
static bool find_taken(const struct deriver *deriver, const char *instance,
                       const struct taken *taken, double *value)
{
    int64_t number = 1;
    bool found = !taken->name ||
                 measures_find(&deriver->set, instance, taken->variant, taken->name, &number);
    *value = (double)number;
    return found && number > 0;
}

static enum status derive_network(const struct deriver *deriver, const struct derived *row,
                                  const char *instance)
{
    double first, second;
    if (!find_taken(deriver, instance, &row->first, &first) ||
        !find_taken(deriver, instance, &row->second, &second))
        return STATUS_OK;
    return write_measure(deriver, instance, &row->made, (int64_t)row->make(first, second));
}

static enum status derive_row(struct deriver *deriver, const struct derived *row)
{
    const struct result_choice choice = {.run = row->topic};
    TRY(measures_read(deriver->store, &choice, row->topic, &deriver->set, deriver->error));
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < QUANTISED_NETWORKS && !status; i++)
        status = derive_network(deriver, row, quantised_networks[i].instance);
    measures_free(&deriver->set);
    return status;
}

/* Counts the plans of all networks and planners that came back from the cache with another
   offset. */
static enum status count_changed(struct deriver *deriver)
{
    static const struct taken changed = {"cache", "changed"};
    int64_t count = 0;
    const struct result_choice choice = {.run = "cache"};
    TRY(measures_read(deriver->store, &choice, "cache", &deriver->set, deriver->error));
    for (uint32_t i = 0; i < deriver->set.count; i++)
        count += strcmp(deriver->set.measure[i].name, "identical") == 0 &&
                 !deriver->set.measure[i].value;
    measures_free(&deriver->set);
    return write_measure(deriver, "networks", &changed, count);
}

static enum status conclude(struct store *store, const struct record_context *context,
                            struct error *error)
{
    struct deriver deriver = {.store = store, .context = context, .error = error};
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        TRY(derive_row(&deriver, &derived[i]));
    return count_changed(&deriver);
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
