#include "results/store/query.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "results/store/schema.h"
#include "results/store/sqlite.h"

static enum status prepare_newest(struct store *store, sqlite3_stmt **statement,
                                  struct error *error)
{
    struct text sql = {0};
    text_append(&sql,
                "WITH wanted AS (SELECT *, " SQLITE_INPLACE " FROM result WHERE ifnull(run = ?1, 1)"
                "  AND ifnull(instance = ?2, 1) AND ifnull(policy = ?3, 1)"
                "  AND ifnull(planner = ?4, 1)"
                "  AND (NOT ?5 OR id IN (SELECT result FROM rectangle))),"
                " content AS (SELECT instance, digest, row_number() OVER (PARTITION BY"
                "  instance ORDER BY started DESC, id DESC) AS place FROM wanted),"
                " newest AS (SELECT *, row_number() OVER (PARTITION BY instance, policy,"
                "  planner, options, seed ORDER BY started DESC, id DESC) AS place"
                "  FROM wanted WHERE (instance, digest) IN"
                "  (SELECT instance, digest FROM content WHERE place = 1))"
                ", bound AS (SELECT digest, policy, " SQLITE_INPLACE ","
                "  max(max(lower_bound_bytes, load_bytes)) AS bytes FROM result"
                "  GROUP BY digest, policy, inplace)"
                " SELECT id, bound.bytes, ");
    schema_list_to_read(&sql, "newest", store->version);
    text_append(&sql, " FROM newest JOIN bound USING (digest, policy, inplace) WHERE place = 1"
                      " ORDER BY instance, policy, planner, options, seed");
    enum status status = text_check(&sql, error);
    if (!status)
        status = sqlite_prepare(store, sql.bytes, statement, error);
    text_free(&sql);
    return status;
}

static enum status read_row(sqlite3_stmt *statement, struct result_row *row, struct error *error)
{
    for (unsigned i = 0; i < schema_columns_count(); i++) {
        char *field = (char *)row + schema_column_at(i)->offset;
        if (schema_column_at(i)->kind == COLUMN_TEXT) {
            char *copy;
            TRY(sqlite_text(statement, 2 + (int)i, &copy, error));
            memcpy(field, &copy, sizeof copy);
        } else {
            uint64_t value = (uint64_t)sqlite3_column_int64(statement, 2 + (int)i);
            memcpy(field, &value, sizeof value);
        }
    }
    return STATUS_OK;
}

static enum status add_row(struct result_set *set, sqlite3_stmt *statement, struct error *error)
{
    size_t needed = set->count + (size_t)1;
    TRY(memory_reserve(&set->row, &set->rows_capacity, needed, sizeof *set->row, error));
    TRY(memory_reserve(&set->id, &set->ids_capacity, needed, sizeof *set->id, error));
    TRY(memory_reserve(&set->bound_bytes, &set->bounds_capacity, needed, sizeof *set->bound_bytes,
                       error));
    struct result_row *row = &set->row[set->count];
    set->bound_bytes[set->count] = (uint64_t)sqlite3_column_int64(statement, 1);
    set->id[set->count++] = sqlite3_column_int64(statement, 0);
    *row = (struct result_row){0};
    return read_row(statement, row, error);
}

static enum status bind_filter(struct store *store, sqlite3_stmt *statement,
                               const struct result_filter *filter, struct error *error)
{
    const char *const values[] = {filter->run, filter->instance, filter->policy, filter->planner};
    for (int i = 0; i < 4; i++)
        if (sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return sqlite_error(store, "read the results", error);
    if (sqlite3_bind_int(statement, 5, filter->with_rectangles) != SQLITE_OK)
        return sqlite_error(store, "read the results", error);
    return STATUS_OK;
}

enum status query_newest(struct store *store, const struct result_filter *filter,
                         struct result_set *set, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status;
    TRY_OR_DONE(status, prepare_newest(store, &statement, error));
    TRY_OR_DONE(status, bind_filter(store, statement, filter, error));
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_row(set, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        query_free(set);
    return status;
}

static void free_row(struct result_row *row)
{
    for (unsigned i = 0; i < schema_columns_count(); i++) {
        char *text;
        if (schema_column_at(i)->kind != COLUMN_TEXT)
            continue;
        memcpy(&text, (char *)row + schema_column_at(i)->offset, sizeof text);
        memory_free(text);
    }
}

void query_free(struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        free_row(&set->row[i]);
    memory_free(set->row);
    memory_free(set->id);
    memory_free(set->bound_bytes);
    *set = (struct result_set){0};
}

static bool matches(const char *value, const char *wanted)
{
    return !wanted || strcmp(value, wanted) == 0;
}

bool query_prefers(const struct result_row *row, const struct result_row *other)
{
    bool plain = !*row->options, other_plain = !*other->options;
    if (plain != other_plain)
        return plain;
    return strcmp(row->started, other->started) > 0;
}

uint32_t query_find(const struct result_set *set, const char *instance, const char *policy,
                    const char *planner)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (strcmp(row->instance, instance) != 0 || !matches(row->policy, policy) ||
            !matches(row->planner, planner))
            continue;
        if (best == UINT32_MAX || query_prefers(row, &set->row[best]))
            best = i;
    }
    return best;
}

enum result_worth query_worth(const struct result_row *row)
{
    bool planned =
        strcmp(row->status, RESULT_OPTIMAL) == 0 || strcmp(row->status, RESULT_FEASIBLE) == 0;
    if (!*row->verdict && !planned)
        return RESULT_NO_PLAN;
    bool intact = !*row->execution || strcmp(row->execution, RESULT_INTACT) == 0;
    return strcmp(row->verdict, RESULT_VALID) == 0 && intact ? RESULT_NUMBER : RESULT_INVALID;
}

double query_gap_percent(uint64_t peak_bytes, uint64_t bound_bytes)
{
    assert(bound_bytes > 0);
    return 100.0 * ((double)peak_bytes - (double)bound_bytes) / (double)bound_bytes;
}

static uint64_t read_u64(sqlite3_stmt *statement, int place)
{
    return (uint64_t)sqlite3_column_int64(statement, place);
}

static enum status add_rectangle(struct rectangle_set *set, sqlite3_stmt *statement,
                                 struct error *error)
{
    char *label;
    TRY(memory_reserve(&set->rectangle, &set->capacity, set->count + (size_t)1,
                       sizeof *set->rectangle, error));
    TRY(sqlite_text(statement, 0, &label, error));
    set->rectangle[set->count++] = (struct result_rectangle){
        .label = label,
        .lower = read_u64(statement, 1),
        .upper = read_u64(statement, 2),
        .offset = read_u64(statement, 3),
        .size = read_u64(statement, 4),
        .group = read_u64(statement, 5),
        .block = sqlite3_column_int(statement, 6),
    };
    return STATUS_OK;
}

enum status query_rectangles(struct store *store, int64_t id, struct rectangle_set *rectangles,
                             struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status;
    TRY_OR_DONE(status,
                sqlite_prepare(store,
                               "SELECT label, lower, upper, bytes_offset, size_bytes, region_group,"
                               " block FROM rectangle WHERE result = ?1 ORDER BY position",
                               &statement, error));
    sqlite3_bind_int64(statement, 1, id);
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_rectangle(rectangles, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        query_rectangles_free(rectangles);
    return status;
}

void query_rectangles_free(struct rectangle_set *rectangles)
{
    for (uint32_t i = 0; i < rectangles->count; i++)
        memory_free((char *)rectangles->rectangle[i].label);
    memory_free(rectangles->rectangle);
    *rectangles = (struct rectangle_set){0};
}

enum status query_facts(struct store *store, struct result_facts *facts, struct error *error)
{
    static const char sql[] = "SELECT count(*), ifnull(min(started), ''), ifnull(max(started), ''),"
                              " (SELECT ifnull(group_concat(run, ', '), '')"
                              "  FROM (SELECT DISTINCT run FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(host, ', '), '')"
                              "  FROM (SELECT DISTINCT host FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(build, ', '), '')"
                              "  FROM (SELECT DISTINCT build FROM result ORDER BY 1)) FROM result";
    sqlite3_stmt *statement = NULL;
    int found;
    enum status status;
    *facts = (struct result_facts){0};
    TRY_OR_DONE(status, sqlite_prepare(store, sql, &statement, error));
    TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
    facts->rows = read_u64(statement, 0);
    TRY_OR_DONE(status, sqlite_text(statement, 1, &facts->first_started, error));
    TRY_OR_DONE(status, sqlite_text(statement, 2, &facts->last_started, error));
    TRY_OR_DONE(status, sqlite_text(statement, 3, &facts->runs, error));
    TRY_OR_DONE(status, sqlite_text(statement, 4, &facts->hosts, error));
    TRY_OR_DONE(status, sqlite_text(statement, 5, &facts->builds, error));
done:
    sqlite3_finalize(statement);
    if (status)
        query_facts_free(facts);
    return status;
}

void query_facts_free(struct result_facts *facts)
{
    memory_free(facts->runs);
    memory_free(facts->hosts);
    memory_free(facts->builds);
    memory_free(facts->first_started);
    memory_free(facts->last_started);
    *facts = (struct result_facts){0};
}
