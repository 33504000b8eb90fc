#include "results/store/reading.h"

#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "results/store/columns.h"
#include "results/store/sqlite.h"

/* The first schema version that has the column origin. */
enum { ORIGIN_SINCE = 4 };

/* The columns of an answer in front of those of struct result_row. */
enum { PLACE_ID, PLACE_WANTED, PLACE_BOUND, PLACE_DIGEST, PLACE_POLICY, PLACE_INPLACE, PLACES };

/* The highest bound of each problem, which is a content, a policy and in-place rules. */
struct bounds {
    struct names problems;
    uint64_t *bytes; /* [problems.count] */
    size_t capacity;
    struct text problem; /* the name of the problem that is being looked for */
};

static void free_bounds(struct bounds *bounds)
{
    names_free(&bounds->problems);
    memory_free(bounds->bytes);
    text_free(&bounds->problem);
}

static void append_place(struct text *text, sqlite3_stmt *statement, int place)
{
    const void *bytes = sqlite3_column_text(statement, place);
    text_append_bytes(text, bytes ? bytes : "", (size_t)sqlite3_column_bytes(statement, place));
    text_append_bytes(text, "\n", 1);
}

/* Finds the problem of a row and raises its bound to that of the row; *index is the number of the
   problem. */
static enum status take_bound(struct bounds *bounds, sqlite3_stmt *statement, uint32_t *index,
                              struct error *error)
{
    uint64_t bytes = (uint64_t)sqlite3_column_int64(statement, PLACE_BOUND);
    bounds->problem.length = 0;
    for (int place = PLACE_DIGEST; place < PLACES; place++)
        append_place(&bounds->problem, statement, place);
    TRY(text_check(&bounds->problem, error));
    *index = names_find(&bounds->problems, bounds->problem.bytes);
    if (*index == NAMES_NONE) {
        *index = bounds->problems.count;
        TRY(memory_reserve(&bounds->bytes, &bounds->capacity, *index + (size_t)1,
                           sizeof *bounds->bytes, error));
        bounds->bytes[*index] = 0;
        TRY(names_add(&bounds->problems, bounds->problem.bytes, error));
    }
    if (bytes > bounds->bytes[*index])
        bounds->bytes[*index] = bytes;
    return STATUS_OK;
}

static enum status prepare(struct store *store, sqlite3_stmt **statement, struct error *error)
{
    struct text sql = {0};
    bool has_origin = store->version >= ORIGIN_SINCE;
    text_append(&sql,
                "SELECT id, ifnull(run = ?1, 1) AND ifnull(instance = ?2, 1)"
                "  AND ifnull(policy = ?3, 1) AND ifnull(planner = ?4, 1)"
                "  AND (NOT ?5 OR id IN (SELECT result FROM rectangle)),"
                " max(load_bytes, %s), digest, policy, " SQLITE_INPLACE ", ",
                has_origin ? "CASE WHEN origin IN ('', '" RESULT_BUILT_IN
                             "') THEN lower_bound_bytes ELSE 0 END"
                           : "lower_bound_bytes");
    columns_list_to_read(&columns_of_results, &sql, "result", store->version);
    text_append(&sql, " FROM result");
    enum status status = text_check(&sql, error);
    if (!status)
        status = sqlite_prepare(store, sql.bytes, statement, error);
    text_free(&sql);
    return status;
}

static enum status bind(struct store *store, sqlite3_stmt *statement,
                        const struct result_filter *filter, struct error *error)
{
    const char *run = filter->choice ? filter->choice->run : NULL;
    const char *const values[] = {run, filter->instance, filter->policy, filter->planner};
    for (int i = 0; i < 4; i++)
        if (sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return sqlite_error(store, "read the results", error);
    if (sqlite3_bind_int(statement, 5, filter->with_rectangles) != SQLITE_OK)
        return sqlite_error(store, "read the results", error);
    return STATUS_OK;
}

/* Reads a row. Its texts are stored as positions, since the text that holds them still grows and
   moves, and its bound as the number of its problem. */
static enum status read_candidate(struct reading *reading, const struct result_choice *choice,
                                  sqlite3_stmt *statement, uint32_t bound, struct error *error)
{
    TRY(memory_reserve(&reading->candidate, &reading->capacity, reading->count + (size_t)1,
                       sizeof *reading->candidate, error));
    struct candidate *candidate = &reading->candidate[reading->count];
    size_t length = reading->text.length;
    *candidate =
        (struct candidate){.id = sqlite3_column_int64(statement, PLACE_ID), .bound_bytes = bound};
    columns_read(&columns_of_results, statement, PLACES, &candidate->row, &reading->text);
    TRY(text_check(&reading->text, error));
    struct result_row row = candidate->row;
    columns_point(&columns_of_results, &row, &reading->text);
    if (choice_takes(choice, &row))
        reading->count++;
    else
        reading->text.length = length;
    return STATUS_OK;
}

static enum status read_row(struct reading *reading, const struct result_choice *choice,
                            struct bounds *bounds, sqlite3_stmt *statement, struct error *error)
{
    uint32_t bound;
    TRY(take_bound(bounds, statement, &bound, error));
    if (!sqlite3_column_int(statement, PLACE_WANTED))
        return STATUS_OK;
    return read_candidate(reading, choice, statement, bound, error);
}

static void point(struct reading *reading, const struct bounds *bounds)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        struct candidate *candidate = &reading->candidate[i];
        columns_point(&columns_of_results, &candidate->row, &reading->text);
        candidate->bound_bytes = bounds->bytes[candidate->bound_bytes];
    }
}

enum status reading_fill(struct store *store, const struct result_filter *filter,
                         struct reading *reading, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    struct bounds bounds = {0};
    int found = 1;
    enum status status;
    TRY_OR_DONE(status, prepare(store, &statement, error));
    TRY_OR_DONE(status, bind(store, statement, filter, error));
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, read_row(reading, filter->choice, &bounds, statement, error));
    }
    point(reading, &bounds);
done:
    sqlite3_finalize(statement);
    free_bounds(&bounds);
    return status;
}

void reading_free(struct reading *reading)
{
    memory_free(reading->candidate);
    text_free(&reading->text);
    *reading = (struct reading){0};
}
