#include "plots/report/rows.h"

#include <string.h>

#include "core/memory.h"
#include "plots/report/data_script.h"

const char *rows_outcome(const struct result_row *row)
{
    if (query_worth(row) != RESULT_INVALID)
        return row->status;
    return strcmp(row->verdict, RESULT_VALID) == 0 ? RESULT_DAMAGED : "refused";
}

/* What the page shows of a row: the texts, then the numbers, of which one that is not known is
   UINT64_MAX. */
enum { TEXTS = 8, NUMBERS = 8 };
struct shown_row {
    const char *text[TEXTS];
    uint64_t number[NUMBERS];
};
static const char *const names[TEXTS + NUMBERS] = {
    "instance", "policy",         "planner",    "options",     "run",         "outcome",
    "reason",   "reconstruction", "peak_bytes", "bound_bytes", "naive_bytes", "buffers",
    "nodes",    "wall_ns",        "jobs",       "jobs_without"};

static uint64_t if_known(bool known, uint64_t number)
{
    return known ? number : UINT64_MAX;
}

static struct shown_row show_row(const struct result_set *set, uint32_t i)
{
    const struct result_row *row = &set->row[i];
    const struct result_spread *spread = &set->spread[i];
    return (struct shown_row){
        {row->instance, row->policy, row->planner, row->options, row->run, rows_outcome(row),
         *row->fault ? row->fault : row->stop_reason, row->reconstruction ? "yes" : "no"},
        {if_known(query_worth(row) == RESULT_NUMBER, row->peak_bytes),
         if_known(set->bound_bytes[i], set->bound_bytes[i]),
         if_known(row->naive_bytes, row->naive_bytes), if_known(row->buffers, row->buffers),
         if_known(row->nodes, row->nodes), if_known(row->wall_ns, row->wall_ns), spread->rows,
         spread->rows - spread->valid}};
}

enum status rows_write(const char *folder, const struct result_set *set, const bool *kept,
                       struct error *error)
{
    struct text json = {0};
    struct shown_row *shown;
    enum status status;
    TRY(memory_create(&shown, set->count, sizeof *shown, error));
    for (uint32_t i = 0; i < set->count; i++)
        shown[i] = show_row(set, i);
    text_append(&json, "{");
    for (unsigned i = 0; i < TEXTS; i++) {
        TRY_OR_DONE(status, data_script_add_texts(&json, names[i], &shown->text[i], set->count,
                                                  sizeof *shown, error));
        text_append(&json, ",\n");
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        text_append(&json, "\"%s\": [", names[TEXTS + i]);
        for (uint32_t k = 0; k < set->count; k++) {
            text_append_bytes(&json, ",", k != 0);
            if (shown[k].number[i] != UINT64_MAX)
                data_script_add_number(&json, shown[k].number[i]);
            else
                text_append_bytes(&json, "null", 4);
        }
        text_append(&json, "],\n");
    }
    text_append(&json, "\"kept\": [");
    for (uint32_t i = 0; i < set->count; i++)
        text_append(&json, "%s%d", i ? "," : "", kept[i]);
    text_append(&json, "],\n\"count\": %u}\n", set->count);
    status = data_script_write(folder, "rows", &json, error);
done:
    memory_free(shown);
    text_free(&json);
    return status;
}
