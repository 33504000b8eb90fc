/* The table rows: what is stored, as it is, for other programs. */
#include <string.h>

#include "results/store/columns.h"
#include "results/views/recipe.h"

/* Adds a field of a row as the cell, which is given since there are millions. */
static void add_field(const struct column *column, const struct result_row *row, struct cell *cell,
                      struct table *table)
{
    const char *field = (const char *)row + column->offset;
    if (column->kind == COLUMN_TEXT) {
        cell->kind = CELL_TEXT;
        memcpy(&cell->text, field, sizeof cell->text);
    } else {
        cell->kind = CELL_NUMBER;
        memcpy(&cell->number, field, sizeof cell->number);
    }
    table_add_cells(table, cell, 1);
}

static enum status fill(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    struct cell cell = {0};
    making->picker.used = set->count > 0;
    for (unsigned i = 0; i < columns_of_results.columns; i++) {
        const struct column *column = &columns_of_results.column[i];
        table_add_column(making->table, column->name, "",
                         column->kind == COLUMN_TEXT ? TABLE_LEFT : TABLE_RIGHT);
    }
    for (uint32_t row = 0; row < set->count; row++)
        for (unsigned i = 0; i < columns_of_results.columns; i++)
            add_field(&columns_of_results.column[i], &set->row[row], &cell, making->table);
    return STATUS_OK;
}

const struct table_recipe table_rows_stored = {
    .name = "rows",
    .title =
        "the stored rows as they are, for other programs: csv, json and jsonl have all columns",
    .caption = "Rows",
    .filter = {.stored = true},
    .wanted = "the results of any bench run",
    .shown = "run,instance,policy,planner,options,seed,repetition,status,verdict,execution,"
             "stop_reason,peak_bytes,wall_ns,fault,settings",
    .example = "rows -f csv",
    .fill = fill,
};
