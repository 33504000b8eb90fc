#include "results/store/timelines.h"

#include <string.h>

#include "core/memory.h"
#include "results/store/sqlite.h"

#define KEY "run, instance, digest, variant"
#define COLUMNS KEY ", host, build, started, lane, label, kind, position, begin_ns, end_ns"
/* The numbers of the columns in COLUMNS: first the texts of the timeline, then those of the event,
   then numbers. */
enum { TIMELINE_TEXTS = 7, TEXTS = 10, POSITION = 10, BEGIN = 11, END = 12, KEY_TEXTS = 4 };

static void list_texts(struct timelines_chart *timeline, struct timelines_event *event,
                       const char **texts[TEXTS])
{
    const char **listed[TEXTS] = {&timeline->run,     &timeline->instance, &timeline->digest,
                                  &timeline->variant, &timeline->host,     &timeline->build,
                                  &timeline->started, &event->lane,        &event->label,
                                  &event->kind};
    memcpy(texts, listed, sizeof listed);
}

static enum status bind_texts(struct store *store, sqlite3_stmt *statement,
                              const char **const *texts, int count, struct error *error)
{
    for (int i = 0; i < count; i++)
        if (sqlite3_bind_text(statement, i + 1, *texts[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return sqlite_error(store, "write a timeline", error);
    return STATUS_OK;
}

static enum status bind_number(struct store *store, sqlite3_stmt *statement, int column,
                               uint64_t value, struct error *error)
{
    if (value > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "a timeline has the time %llu ns, expected at most 2^63 - 1",
                         (unsigned long long)value);
    if (sqlite3_bind_int64(statement, column + 1, (int64_t)value) != SQLITE_OK)
        return sqlite_error(store, "write a timeline", error);
    return STATUS_OK;
}

static enum status insert_event(struct store *store, sqlite3_stmt *statement,
                                const struct timelines_chart *timeline, uint32_t i,
                                struct error *error)
{
    struct timelines_chart copy = *timeline;
    const char **texts[TEXTS];
    int found;
    list_texts(&copy, &copy.event[i], texts);
    TRY(bind_texts(store, statement, (const char **const *)texts, TEXTS, error));
    TRY(bind_number(store, statement, POSITION, i, error));
    TRY(bind_number(store, statement, BEGIN, timeline->event[i].begin_ns, error));
    TRY(bind_number(store, statement, END, timeline->event[i].end_ns, error));
    TRY(sqlite_step(store, statement, &found, error));
    sqlite3_reset(statement);
    return STATUS_OK;
}

static enum status forget(struct store *store, const struct timelines_chart *timeline,
                          struct error *error)
{
    struct timelines_chart copy = *timeline;
    struct timelines_event none = {.lane = ""};
    const char **texts[TEXTS];
    sqlite3_stmt *statement = NULL;
    int found;
    enum status status;
    list_texts(&copy, &none, texts);
    TRY_OR_DONE(status, sqlite_prepare(store,
                                       "DELETE FROM timeline WHERE run = ?1 AND instance = ?2"
                                       " AND digest = ?3 AND variant = ?4",
                                       &statement, error));
    TRY_OR_DONE(status,
                bind_texts(store, statement, (const char **const *)texts, KEY_TEXTS, error));
    status = sqlite_step(store, statement, &found, error);
done:
    sqlite3_finalize(statement);
    return status;
}

static enum status insert_events(struct store *store, const struct timelines_chart *timeline,
                                 struct error *error)
{
    sqlite3_stmt *statement = NULL;
    TRY(forget(store, timeline, error));
    enum status status =
        sqlite_prepare(store,
                       "INSERT INTO timeline (" COLUMNS
                       ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                       &statement, error);
    for (uint32_t i = 0; i < timeline->events && !status; i++)
        status = insert_event(store, statement, timeline, i, error);
    sqlite3_finalize(statement);
    return status;
}

enum status timelines_write(struct store *store, const struct timelines_chart *timeline,
                            struct error *error)
{
    TRY(sqlite_begin(store, error));
    return sqlite_end(store, insert_events(store, timeline, error), error);
}

static bool is_same(const struct timelines_chart *timeline, sqlite3_stmt *statement)
{
    return strcmp(timeline->instance, (const char *)sqlite3_column_text(statement, 1)) == 0 &&
           strcmp(timeline->variant, (const char *)sqlite3_column_text(statement, 3)) == 0;
}

static enum status read_texts(sqlite3_stmt *statement, const char **const *texts, int first,
                              int end, struct error *error)
{
    for (int i = first; i < end; i++) {
        char *copy;
        TRY(sqlite_text(statement, i, &copy, error));
        *texts[i] = copy;
    }
    return STATUS_OK;
}

static enum status add_timeline(struct timelines_set *set, sqlite3_stmt *statement,
                                struct error *error)
{
    struct timelines_event none = {.lane = NULL};
    const char **texts[TEXTS];
    TRY(memory_reserve(&set->timeline, &set->capacity, set->count + (size_t)1,
                       sizeof *set->timeline, error));
    struct timelines_chart *added = &set->timeline[set->count++];
    *added = (struct timelines_chart){.events = 0};
    list_texts(added, &none, texts);
    return read_texts(statement, (const char **const *)texts, 0, TIMELINE_TEXTS, error);
}

static enum status add_event(struct timelines_chart *timeline, size_t *capacity,
                             sqlite3_stmt *statement, struct error *error)
{
    const char **texts[TEXTS];
    TRY(memory_reserve(&timeline->event, capacity, timeline->events + (size_t)1,
                       sizeof *timeline->event, error));
    struct timelines_event *added = &timeline->event[timeline->events++];
    *added = (struct timelines_event){.begin_ns = (uint64_t)sqlite3_column_int64(statement, BEGIN),
                                      .end_ns = (uint64_t)sqlite3_column_int64(statement, END)};
    list_texts(timeline, added, texts);
    return read_texts(statement, (const char **const *)texts, TIMELINE_TEXTS, TEXTS, error);
}

static enum status read_events(struct store *store, sqlite3_stmt *statement,
                               struct timelines_set *set, struct error *error)
{
    size_t capacity = 0;
    for (int found;;) {
        TRY(sqlite_step(store, statement, &found, error));
        if (!found)
            return STATUS_OK;
        if (!set->count || !is_same(&set->timeline[set->count - 1], statement)) {
            TRY(add_timeline(set, statement, error));
            capacity = 0;
        }
        TRY(add_event(&set->timeline[set->count - 1], &capacity, statement, error));
    }
}

enum status timelines_read(struct store *store, struct timelines_set *set, struct error *error)
{
    static const char newest[] =
        "WITH known AS (SELECT " KEY ", row_number() OVER (PARTITION BY instance, variant"
        "  ORDER BY max(started) DESC, max(rowid) DESC) AS age FROM timeline GROUP BY " KEY ")"
        " SELECT " COLUMNS " FROM timeline JOIN known USING (" KEY ") WHERE age = 1"
        " ORDER BY instance, variant, position";
    sqlite3_stmt *statement = NULL;
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, sqlite_has_table(store, "timeline", &found, error));
    if (!found)
        return STATUS_OK;
    TRY_OR_DONE(status, sqlite_prepare(store, newest, &statement, error));
    status = read_events(store, statement, set, error);
done:
    sqlite3_finalize(statement);
    if (status)
        timelines_free(set);
    return status;
}

static void free_texts(const char **const *texts, int first, int end)
{
    for (int i = first; i < end; i++)
        memory_free((char *)*texts[i]);
}

static void free_timeline(struct timelines_chart *timeline)
{
    struct timelines_event none = {.lane = NULL};
    const char **texts[TEXTS];
    for (uint32_t i = 0; i < timeline->events; i++) {
        list_texts(timeline, &timeline->event[i], texts);
        free_texts((const char **const *)texts, TIMELINE_TEXTS, TEXTS);
    }
    list_texts(timeline, &none, texts);
    free_texts((const char **const *)texts, 0, TIMELINE_TEXTS);
    memory_free(timeline->event);
}

void timelines_free(struct timelines_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        free_timeline(&set->timeline[i]);
    memory_free(set->timeline);
    *set = (struct timelines_set){0};
}
