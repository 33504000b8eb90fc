/* The tables streams and streams-time: for each instance on several streams, what each policy for
   streams needs in relation to the policy streams: bytes, and the critical path with the waits that
   its plan asks for. */

#include <math.h>

#include "results/views/recipe.h"
#include "results/views/streams.h"

struct comparison {
    struct table *table;
    bool of_time;                    /* of critical paths; else of bytes */
    double log_ratio[STREAMS_COUNT]; /* sums */
    uint32_t compared[STREAMS_COUNT], refused[STREAMS_COUNT];
};

/* Adds a ratio: in brackets where a check refused the plan, with a star where it is not proved to
   be the least. */
static void add_ratio(struct comparison *comparison, const struct stream_facts *facts,
                      unsigned policy)
{
    struct stream_ratio ratio;
    if (!streams_compare(facts, policy, &ratio)) {
        table_add(comparison->table, cell_missing());
        return;
    }
    double shown = comparison->of_time ? ratio.time : ratio.bytes;
    table_add(comparison->table, ratio.refused  ? cell_words("(%.2f)", shown)
                                 : ratio.proved ? cell_words("%.2f", shown)
                                                : cell_words("%.2f*", shown));
    comparison->log_ratio[policy] += log(shown);
    comparison->compared[policy]++;
    comparison->refused[policy] += ratio.refused;
}

static enum status make(struct table_making *making, bool of_time)
{
    const struct result_set *set = &making->contest.set;
    struct table *table = making->table;
    struct comparison comparison = {.table = table, .of_time = of_time};
    struct stream_facts facts;
    uint32_t next, before = table_columns(table);
    for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
        table_add_column(table, streams_policy(p), "", TABLE_RIGHT);
    for (uint32_t i = 0; i < set->count; i = next) {
        next = streams_find(set, i, &facts);
        if (streams_is_wanted(&facts)) {
            const struct result_row *row = facts.best[STREAMS_STREAMS];
            table_add(comparison.table, cell_instance(set->row[i].instance));
            if (comparison.of_time) {
                table_add(comparison.table,
                          cell_real((double)row->work / (double)row->critical_path, 2));
            } else {
                table_add(comparison.table, cell_known(facts.one_bytes, facts.one_bytes),
                          cell_number(row->peak_bytes));
            }
            for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
                add_ratio(&comparison, &facts, p);
        }
    }
    making->picker.used = table_rows(table) > 0;
    table_add(table, cell_text("geometric mean"));
    table_repeat(table, before - 1, cell_text(""));
    for (unsigned p = STREAMS_STREAMS + 1; p < STREAMS_COUNT; p++)
        table_add(table, cell_known_real(comparison.compared[p] && !comparison.refused[p],
                                         exp(comparison.log_ratio[p] / comparison.compared[p]), 2));
    table_set_foot(table, 1);
    table_add_note(table, "in relation to the policy streams; a star: the peak is not proved least "
                          "under the policy; in brackets: a check refused the plan.");
    return STATUS_OK;
}

static enum status fill_bytes(struct table_making *making)
{
    TRY(make(making, false));
    table_add_note(making->table,
                   "one: the least peak of the instance on one stream, where it is known.");
    return STATUS_OK;
}

static enum status fill_time(struct table_making *making)
{
    TRY(make(making, true));
    table_add_note(making->table,
                   "speed-up: all work one after another in relation to the critical path "
                   "under streams; operators take their times, else their flops, else 1.");
    return STATUS_OK;
}

static const char wanted[] = "instances on several streams under the policy streams: memplan bench "
                             "--suite zoo-streams";

const struct table_recipe table_streams = {
    .name = "streams",
    .title = "policies for several streams: bytes in relation to the exact one",
    .caption = "Policies for several streams: least peaks",
    .columns = "instance | one (bytes): | streams (bytes):",
    .wanted = wanted,
    .fill = fill_bytes,
};

const struct table_recipe table_streams_time = {
    .name = "streams-time",
    .title = "policies for several streams: what their waits do to the critical path",
    .caption = "Policies for several streams: critical paths",
    .columns = "instance | speed-up:",
    .wanted = wanted,
    .fill = fill_time,
};
