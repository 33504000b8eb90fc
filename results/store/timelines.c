#include "results/store/timelines.h"

#include <string.h>

#include "core/memory.h"
#include "results/store/columns.h"
#include "results/store/sqlite.h"

#define CHART(name) COLUMN(timelines_chart, name, COLUMN_TEXT, false, 0)
static const struct column chart_columns[] = {CHART(run) CHART(instance) CHART(digest) CHART(
    variant) CHART(host) CHART(build) CHART(started)};
#undef CHART
#define EVENT(name, kind) COLUMN(timelines_event, name, kind, false, 0)
static const struct column event_columns[] = {
    EVENT(lane, COLUMN_TEXT) EVENT(label, COLUMN_TEXT) EVENT(kind, COLUMN_TEXT)
        EVENT(begin_ns, COLUMN_INTEGER) EVENT(end_ns, COLUMN_INTEGER)};
#undef EVENT
enum {
    CHART_COLUMNS = sizeof chart_columns / sizeof *chart_columns,
    EVENT_COLUMNS = sizeof event_columns / sizeof *event_columns,
    INSTANCE_COLUMN = 1,
    VARIANT_COLUMN = 3
};
static const struct column_table charts = {"timeline", chart_columns, CHART_COLUMNS};
static const struct column_table events = {"timeline", event_columns, EVENT_COLUMNS};

static enum status write_timeline(struct store *store, const struct timelines_chart *timeline,
                                  struct error *error)
{
    const char *const key[] = {timeline->run, timeline->instance, timeline->digest,
                               timeline->variant};
    struct text sql = {0};
    SCOPED(sqlite_release) sqlite3_stmt *statement = NULL;
    TRY(sqlite_ask(store,
                   "DELETE FROM timeline WHERE run = ?1 AND instance = ?2 AND digest = ?3"
                   " AND variant = ?4",
                   &(struct sqlite_question){.text = key, .texts = 4}, error));
    text_append(&sql, "INSERT INTO timeline (");
    columns_list(&charts, &sql, "", false);
    text_append(&sql, ", ");
    columns_list(&events, &sql, "", false);
    text_append(&sql, ", position) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
                      " ?13)");
    TRY(sqlite_prepare_made(store, &sql, &statement, error));
    for (uint32_t i = 0; i < timeline->events; i++) {
        struct column_binding binding = {.store = store, .statement = statement};
        TRY(columns_bind(&charts, &binding, timeline, false, error));
        TRY(columns_bind(&events, &binding, &timeline->event[i], false, error));
        TRY(columns_bind_integer(&binding, "position", i, error));
        TRY(sqlite_once(store, statement, error));
    }
    return STATUS_OK;
}

enum status timelines_write(struct store *store, const struct timelines_chart *timeline,
                            struct error *error)
{
    TRY(sqlite_begin(store, error));
    return sqlite_end(store, write_timeline(store, timeline, error), error);
}

/* A set that is being read. Its texts are positions in the text of the set until all are there. */
struct taking {
    struct timelines_set *set;
    size_t capacity; /* of the events of the last timeline */
};

static enum status take_event(void *context, sqlite3_stmt *row, struct error *error)
{
    struct taking *taking = context;
    struct timelines_set *set = taking->set;
    struct timelines_chart known = {0};
    if (set->count) {
        known = set->timeline[set->count - 1];
        columns_point(&charts, &known, &set->text);
    }
    if (!set->count ||
        strcmp(known.instance, (const char *)sqlite3_column_text(row, INSTANCE_COLUMN)) != 0 ||
        strcmp(known.variant, (const char *)sqlite3_column_text(row, VARIANT_COLUMN)) != 0) {
        TRY(memory_reserve(&set->timeline, &set->capacity, set->count + (size_t)1,
                           sizeof *set->timeline, error));
        set->timeline[set->count] = (struct timelines_chart){.events = 0};
        columns_read(&charts, row, 0, &set->timeline[set->count++], &set->text, NULL);
        taking->capacity = 0;
    }
    struct timelines_chart *last = &set->timeline[set->count - 1];
    TRY(memory_reserve(&last->event, &taking->capacity, last->events + (size_t)1,
                       sizeof *last->event, error));
    columns_read(&events, row, CHART_COLUMNS, &last->event[last->events++], &set->text, NULL);
    return text_check(&set->text, error);
}

enum status timelines_read(struct store *store, struct timelines_set *set, struct error *error)
{
    struct taking taking = {.set = set};
    struct text sql = {0};
    bool found;
    TRY(sqlite_has_table(store, "timeline", &found, error));
    if (!found)
        return STATUS_OK;
    text_append(&sql, "WITH known AS (SELECT run, instance, digest, variant, row_number() OVER"
                      "  (PARTITION BY instance, variant ORDER BY max(started) DESC,"
                      "  max(rowid) DESC) AS age FROM timeline GROUP BY 1, 2, 3, 4) SELECT ");
    columns_list(&charts, &sql, "", false);
    text_append(&sql, ", ");
    columns_list(&events, &sql, "", false);
    text_append(&sql, " FROM timeline JOIN known USING (run, instance, digest, variant)"
                      " WHERE age = 1 ORDER BY instance, variant, position");
    enum status status = sqlite_ask_made(
        store, &sql, &(struct sqlite_question){.take = take_event, .context = &taking}, error);
    for (uint32_t i = 0; i < set->count && !status; i++) {
        struct timelines_chart *timeline = &set->timeline[i];
        columns_point(&charts, timeline, &set->text);
        for (uint32_t k = 0; k < timeline->events; k++)
            columns_point(&events, &timeline->event[k], &set->text);
    }
    if (status)
        timelines_free(set);
    return status;
}

void timelines_free(struct timelines_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        memory_free(set->timeline[i].event);
    memory_free(set->timeline);
    text_free(&set->text);
    *set = (struct timelines_set){0};
}
