#include "plots/report/rows.h"

#include <string.h>

#include "plots/report/data_script.h"

const char *rows_outcome(const struct result_row *row)
{
    if (query_worth(row) != RESULT_INVALID)
        return row->status;
    return strcmp(row->verdict, RESULT_VALID) == 0 ? RESULT_DAMAGED : "refused";
}

static const char *const text_names[] = {"instance", "policy",  "planner", "options",
                                         "run",      "outcome", "reason",  "reconstruction"};
enum { TEXT_COLUMNS = sizeof text_names / sizeof *text_names };

static const char *get_text(const struct result_row *row, unsigned column)
{
    const char *const texts[TEXT_COLUMNS] = {row->instance,
                                             row->policy,
                                             row->planner,
                                             row->options,
                                             row->run,
                                             rows_outcome(row),
                                             *row->fault ? row->fault : row->stop_reason,
                                             row->reconstruction ? "yes" : "no"};
    return texts[column];
}

enum { PEAK, BOUND, NAIVE, BUFFERS, NODES, WALL, JOBS, JOBS_WITHOUT, NUMBER_COLUMNS };
static const char *const number_names[NUMBER_COLUMNS] = {"peak_bytes", "bound_bytes", "naive_bytes",
                                                         "buffers",    "nodes",       "wall_ns",
                                                         "jobs",       "jobs_without"};

/* Finds a number of a row; false where it is not known. */
static bool find_number(const struct result_set *set, uint32_t i, unsigned column, uint64_t *value)
{
    const struct result_row *row = &set->row[i];
    const struct result_spread *spread = &set->spread[i];
    const uint64_t values[NUMBER_COLUMNS] = {
        row->peak_bytes, set->bound_bytes[i], row->naive_bytes, row->buffers,
        row->nodes,      row->wall_ns,        spread->rows,     spread->rows - spread->valid};
    *value = values[column];
    return column == PEAK ? query_worth(row) == RESULT_NUMBER : column >= JOBS || *value;
}

static enum status append_texts(struct text *json, const struct result_set *set, unsigned column,
                                struct error *error)
{
    struct data_script_texts texts = {.names = {0}};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < set->count && !status; i++)
        status = data_script_add_text(&texts, get_text(&set->row[i], column), error);
    text_append(json, "\"%s\": ", text_names[column]);
    data_script_append_texts(json, &texts);
    text_append(json, ",\n");
    data_script_free_texts(&texts);
    return status;
}

static void append_numbers(struct text *json, const struct result_set *set, unsigned column)
{
    uint64_t value;
    text_append(json, "\"%s\": [", number_names[column]);
    for (uint32_t i = 0; i < set->count; i++) {
        text_append_bytes(json, ",", i != 0);
        if (find_number(set, i, column, &value))
            data_script_add_number(json, value);
        else
            text_append_bytes(json, "null", 4);
    }
    text_append(json, "],\n");
}

enum status rows_write(const char *folder, const struct result_set *set, const bool *kept,
                       struct error *error)
{
    struct text json = {0};
    enum status status = STATUS_OK;
    text_append(&json, "{");
    for (unsigned i = 0; i < TEXT_COLUMNS && !status; i++)
        status = append_texts(&json, set, i, error);
    for (unsigned i = 0; i < NUMBER_COLUMNS; i++)
        append_numbers(&json, set, i);
    text_append(&json, "\"kept\": [");
    for (uint32_t i = 0; i < set->count; i++) {
        text_append_bytes(&json, ",", i != 0);
        data_script_add_number(&json, kept[i]);
    }
    text_append(&json, "],\n\"count\": %u}\n", set->count);
    if (!status)
        status = data_script_write(folder, "rows", &json, error);
    text_free(&json);
    return status;
}
