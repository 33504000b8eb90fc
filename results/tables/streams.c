/* The tables streams and streams-time: for each instance on several streams what each policy for
   such needs, in relation to the policy streams: bytes, and the critical path with the waits that
   its plan asks for. */

#include <math.h>
#include <stdio.h>

#include "results/tables/tables.h"
#include "results/views/streams.h"

/* What differs between the two tables. */
struct aspect {
    const char *title;
    double (*get)(const struct stream_ratio *ratio);
    void (*add_columns)(struct table *table);
    void (*add_facts)(const struct stream_facts *facts, struct table *table);
    unsigned facts; /* number of columns between the instance and the policies */
};

struct comparison {
    const struct aspect *aspect;
    struct table *table;
    double log_ratio[STREAMS_COUNT]; /* sums */
    uint32_t compared[STREAMS_COUNT], refused[STREAMS_COUNT], instances;
};

static double get_bytes(const struct stream_ratio *ratio)
{
    return ratio->bytes;
}

static double get_time(const struct stream_ratio *ratio)
{
    return ratio->time;
}

static void add_bytes_columns(struct table *table)
{
    table_add_column(table, "one", "bytes", TABLE_RIGHT);
    table_add_column(table, "streams", "bytes", TABLE_RIGHT);
}

static void add_time_columns(struct table *table)
{
    table_add_column(table, "speed-up", "", TABLE_RIGHT);
}

static void add_bytes_facts(const struct stream_facts *facts, struct table *table)
{
    table_add_known(table, facts->one_bytes, facts->one_bytes);
    table_add_number(table, facts->best[STREAMS_STREAMS]->peak_bytes);
}

static void add_time_facts(const struct stream_facts *facts, struct table *table)
{
    const struct result_row *row = facts->best[STREAMS_STREAMS];
    table_add_real(table, (double)row->work / (double)row->critical_path, 2);
}

/* Adds a ratio: in brackets where a check refused the plan, with a star where it is not proved to
   be the least. */
static void add_ratio(struct comparison *comparison, const struct stream_facts *facts,
                      unsigned policy)
{
    struct stream_ratio ratio;
    char text[32];
    if (!streams_compare(facts, policy, &ratio)) {
        table_add_missing(comparison->table);
        return;
    }
    double shown = comparison->aspect->get(&ratio);
    snprintf(text, sizeof text, ratio.refused ? "(%.2f)" : ratio.proved ? "%.2f" : "%.2f*", shown);
    table_add_text(comparison->table, text);
    comparison->log_ratio[policy] += log(shown);
    comparison->compared[policy]++;
    comparison->refused[policy] += ratio.refused;
}

static void add_instance(struct comparison *comparison, const char *instance,
                         const struct stream_facts *facts)
{
    comparison->instances++;
    table_add_instance(comparison->table, instance);
    comparison->aspect->add_facts(facts, comparison->table);
    for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
        add_ratio(comparison, facts, p);
}

static void add_columns(const struct aspect *aspect, struct table *table)
{
    table_set_title(table, aspect->title);
    table_add_column(table, "instance", "", TABLE_LEFT);
    aspect->add_columns(table);
    for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
        table_add_column(table, streams_policy(p), "", TABLE_RIGHT);
}

static void add_means(struct comparison *comparison)
{
    struct table *table = comparison->table;
    table_add_text(table, "geometric mean");
    for (unsigned i = 0; i < comparison->aspect->facts; i++)
        table_add_text(table, "");
    for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
        if (comparison->compared[p] && !comparison->refused[p])
            table_add_real(table, exp(comparison->log_ratio[p] / comparison->compared[p]), 2);
        else
            table_add_missing(table);
    table_set_foot(table, 1);
}

static void add_instances(struct comparison *comparison, const struct result_set *set)
{
    struct stream_facts facts;
    uint32_t next;
    for (uint32_t i = 0; i < set->count; i = next) {
        next = streams_find(set, i, &facts);
        if (streams_is_wanted(&facts))
            add_instance(comparison, set->row[i].instance, &facts);
    }
}

static enum status build(const struct aspect *aspect, struct store *store,
                         const struct result_choice *choice, struct table *table,
                         struct error *error)
{
    struct result_set set = {0};
    struct comparison comparison = {.aspect = aspect, .table = table};
    TRY(query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    add_columns(aspect, table);
    add_instances(&comparison, &set);
    query_free(&set);
    if (!comparison.instances)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected instances on several streams under "
                         "the policy streams: memplan bench --suite zoo-streams");
    add_means(&comparison);
    table_add_note(table, "in relation to the policy streams; a star: the peak is not proved least "
                          "under the policy; in brackets: a check refused the plan.");
    return table_check(table, error);
}

static enum status build_bytes(struct store *store, const struct result_choice *choice,
                               struct table *table, struct error *error)
{
    static const struct aspect bytes = {"Policies for several streams: least peaks", get_bytes,
                                        add_bytes_columns, add_bytes_facts, 2};
    TRY(build(&bytes, store, choice, table, error));
    table_add_note(table, "one: the least peak of the instance on one stream, where it is known.");
    return table_check(table, error);
}

static enum status build_time(struct store *store, const struct result_choice *choice,
                              struct table *table, struct error *error)
{
    static const struct aspect time = {"Policies for several streams: critical paths", get_time,
                                       add_time_columns, add_time_facts, 1};
    TRY(build(&time, store, choice, table, error));
    table_add_note(table, "speed-up: all work one after another in relation to the critical path "
                          "under streams; operators take their times, else their flops, else 1.");
    return table_check(table, error);
}

const struct table_recipe table_streams = {
    .name = "streams",
    .title = "policies for several streams: bytes in relation to the exact one",
    .build = build_bytes,
};

const struct table_recipe table_streams_time = {
    .name = "streams-time",
    .title = "policies for several streams: what their waits do to the critical path",
    .build = build_time,
};
