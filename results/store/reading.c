#include "results/store/reading.h"

#include <string.h>

#include "core/memory.h"
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

/* Finds the problem of a row and raises its bound to that of the row; *index is the number of the
   problem. */
static enum status take_bound(struct bounds *bounds, sqlite3_stmt *statement, uint32_t *index,
                              struct error *error)
{
    uint64_t bytes = (uint64_t)sqlite3_column_int64(statement, PLACE_BOUND);
    bounds->problem.length = 0;
    for (int place = PLACE_DIGEST; place < PLACES; place++) {
        const void *text = sqlite3_column_text(statement, place);
        text_append_bytes(&bounds->problem, text ? text : "",
                          (size_t)sqlite3_column_bytes(statement, place));
        text_append_bytes(&bounds->problem, "\n", 1);
    }
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

struct taking {
    struct reading *reading;
    const struct result_choice *choice;
    struct bounds bounds;
    size_t *recent; /* of columns_read */
};

/* Reads a row. Its texts are stored as positions, since the text that holds them still grows and
   moves, and its bound as the number of its problem. */
static enum status take_row(void *context, sqlite3_stmt *statement, struct error *error)
{
    struct taking *taking = context;
    struct reading *reading = taking->reading;
    uint32_t bound;
    TRY(take_bound(&taking->bounds, statement, &bound, error));
    if (!sqlite3_column_int(statement, PLACE_WANTED))
        return STATUS_OK;
    TRY(memory_reserve(&reading->candidate, &reading->capacity, reading->count + (size_t)1,
                       sizeof *reading->candidate, error));
    struct candidate *candidate = &reading->candidate[reading->count];
    size_t length = reading->text.length;
    *candidate =
        (struct candidate){.id = sqlite3_column_int64(statement, PLACE_ID), .bound_bytes = bound};
    columns_read(&columns_of_results, statement, PLACES, &candidate->row, &reading->text,
                 taking->recent);
    TRY(text_check(&reading->text, error));
    struct result_row row = candidate->row;
    columns_point(&columns_of_results, &row, &reading->text);
    if (choice_takes(taking->choice, &row))
        reading->count++;
    else
        reading->text.length = length;
    return STATUS_OK;
}

static enum status read_rows(struct store *store, const struct result_filter *filter,
                             struct reading *reading, struct error *error)
{
    const char *const texts[] = {filter->choice ? filter->choice->run : NULL, filter->instance,
                                 filter->policy, filter->planner};
    SCOPED(memory_release) size_t *recent = NULL;
    TRY(memory_create(&recent, COLUMNS_RECENT, sizeof *recent, error));
    struct taking taking = {.reading = reading, .choice = filter->choice, .recent = recent};
    const struct sqlite_question question = {texts, 4, take_row, &taking};
    struct text sql = {0};
    text_append(&sql,
                "SELECT id, ifnull(run = ?1, 1) AND ifnull(instance = ?2, 1)"
                "  AND ifnull(policy = ?3, 1) AND ifnull(planner = ?4, 1)%s,"
                " max(load_bytes, %s), digest, policy, " SQLITE_INPLACE ", ",
                filter->with_rectangles ? " AND id IN (SELECT result FROM rectangle)" : "",
                store->version >= ORIGIN_SINCE ? "CASE WHEN origin IN ('', '" RESULT_BUILT_IN
                                                 "') THEN lower_bound_bytes ELSE 0 END"
                                               : "lower_bound_bytes");
    columns_list_to_read(&columns_of_results, &sql, "result", store->version);
    text_append(&sql, " FROM result");
    enum status status = sqlite_ask_made(store, &sql, &question, error);
    for (uint32_t i = 0; i < reading->count && !status; i++) {
        struct candidate *candidate = &reading->candidate[i];
        columns_point(&columns_of_results, &candidate->row, &reading->text);
        candidate->bound_bytes = taking.bounds.bytes[candidate->bound_bytes];
    }
    names_free(&taking.bounds.problems);
    memory_free(taking.bounds.bytes);
    text_free(&taking.bounds.problem);
    return status;
}

static bool is_wanted(const char *wanted, const char *found)
{
    return !wanted || strcmp(wanted, found) == 0;
}

enum status reading_fill(struct store *store, const struct result_filter *filter,
                         struct reading *reading, struct error *error)
{
    static const struct result_filter any = {0};
    struct reading *kept = store->kept;
    if (!kept || filter->with_rectangles)
        return read_rows(store, filter, reading, error);
    if (!kept->candidate)
        TRY(read_rows(store, &any, kept, error));
    TRY(memory_create(&reading->candidate, kept->count, sizeof *reading->candidate, error));
    for (uint32_t i = 0; i < kept->count; i++) {
        const struct result_row *row = &kept->candidate[i].row;
        if (is_wanted(filter->choice ? filter->choice->run : NULL, row->run) &&
            is_wanted(filter->instance, row->instance) && is_wanted(filter->policy, row->policy) &&
            is_wanted(filter->planner, row->planner) && choice_takes(filter->choice, row))
            reading->candidate[reading->count++] = kept->candidate[i];
    }
    return STATUS_OK;
}

void reading_free(struct reading *reading)
{
    memory_free(reading->candidate);
    text_free(&reading->text);
    *reading = (struct reading){0};
}
