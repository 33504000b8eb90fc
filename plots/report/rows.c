#include "plots/report/rows.h"

#include <string.h>

#include "plots/report/data_script.h"

const char *rows_outcome(const struct result_row *row)
{
    if (query_worth(row) != RESULT_INVALID)
        return row->status;
    return strcmp(row->verdict, RESULT_VALID) == 0 ? RESULT_DAMAGED : "refused";
}

static const char *get_reason(const struct result_row *row)
{
    return *row->fault ? row->fault : row->stop_reason;
}

static const char *get_reconstruction(const struct result_row *row)
{
    return row->reconstruction ? "yes" : "no";
}

#define GET(name)                                                                                  \
    static const char *get_##name(const struct result_row *row)                                    \
    {                                                                                              \
        return row->name;                                                                          \
    }
GET(instance)
GET(policy)
GET(planner)
GET(options)
GET(run)
#undef GET

static const struct {
    const char *name;
    const char *(*get)(const struct result_row *row);
} text_columns[] = {
    {"instance", get_instance}, {"policy", get_policy},
    {"planner", get_planner},   {"options", get_options},
    {"run", get_run},           {"outcome", rows_outcome},
    {"reason", get_reason},     {"reconstruction", get_reconstruction},
};
enum { TEXT_COLUMNS = sizeof text_columns / sizeof *text_columns };

/* Finds the peak of a row; false where it has none. */
static bool find_peak(const struct result_set *set, uint32_t i, uint64_t *value)
{
    *value = set->row[i].peak_bytes;
    return query_worth(&set->row[i]) == RESULT_NUMBER;
}

static bool find_bound(const struct result_set *set, uint32_t i, uint64_t *value)
{
    *value = set->bound_bytes[i];
    return *value != 0;
}

static bool find_jobs(const struct result_set *set, uint32_t i, uint64_t *value)
{
    *value = set->spread[i].rows;
    return true;
}

static bool find_failed_jobs(const struct result_set *set, uint32_t i, uint64_t *value)
{
    *value = set->spread[i].rows - set->spread[i].valid;
    return true;
}

#define FIND(name)                                                                                 \
    static bool find_##name(const struct result_set *set, uint32_t i, uint64_t *value)             \
    {                                                                                              \
        *value = set->row[i].name;                                                                 \
        return *value != 0;                                                                        \
    }
FIND(naive_bytes)
FIND(buffers)
FIND(nodes)
FIND(wall_ns)
#undef FIND

static const struct {
    const char *name;
    bool (*find)(const struct result_set *set, uint32_t index, uint64_t *value);
} number_columns[] = {
    {"peak_bytes", find_peak},
    {"bound_bytes", find_bound},
    {"naive_bytes", find_naive_bytes},
    {"buffers", find_buffers},
    {"nodes", find_nodes},
    {"wall_ns", find_wall_ns},
    {"jobs", find_jobs},
    {"jobs_without", find_failed_jobs},
};
enum { NUMBER_COLUMNS = sizeof number_columns / sizeof *number_columns };

static enum status append_text_column(struct text *json, const struct result_set *set,
                                      unsigned column, struct error *error)
{
    struct data_script_texts texts = {.names = {0}};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < set->count && !status; i++)
        status = data_script_add_text(&texts, text_columns[column].get(&set->row[i]), error);
    text_append(json, "\"%s\": ", text_columns[column].name);
    data_script_append_texts(json, &texts);
    text_append(json, ",\n");
    data_script_free_texts(&texts);
    return status;
}

static void append_number_column(struct text *json, const struct result_set *set, unsigned column)
{
    uint64_t value;
    text_append(json, "\"%s\": [", number_columns[column].name);
    for (uint32_t i = 0; i < set->count; i++) {
        text_append_bytes(json, ",", i != 0);
        if (number_columns[column].find(set, i, &value))
            data_script_add_number(json, value);
        else
            text_append_bytes(json, "null", 4);
    }
    text_append(json, "],\n");
}

static void append_kept(struct text *json, const struct result_set *set, const bool *kept)
{
    text_append(json, "\"kept\": [");
    for (uint32_t i = 0; i < set->count; i++) {
        text_append_bytes(json, ",", i != 0);
        data_script_add_number(json, kept[i]);
    }
    text_append(json, "],\n\"count\": %u}\n", set->count);
}

enum status rows_write(const char *folder, const struct result_set *set, const bool *kept,
                       struct error *error)
{
    struct text json = {0};
    enum status status = STATUS_OK;
    text_append(&json, "{");
    for (unsigned i = 0; i < TEXT_COLUMNS && !status; i++)
        status = append_text_column(&json, set, i, error);
    for (unsigned i = 0; i < NUMBER_COLUMNS; i++)
        append_number_column(&json, set, i);
    append_kept(&json, set, kept);
    if (!status)
        status = data_script_write(folder, "rows", &json, error);
    text_free(&json);
    return status;
}
