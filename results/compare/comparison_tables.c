#include "results/compare/comparison_tables.h"

#include "core/rows.h"
#include "results/store/reconstructions.h"

static const struct comparison_table *const recipes[] = {
#define COMPARISON_TABLE(name) &comparison_table_##name,
#include "results/compare/comparison_tables.def"
#undef COMPARISON_TABLE
};

ROWS_DEFINE_POINTERS(comparison_tables, struct comparison_table, recipes);

enum status comparison_tables_build(const struct comparison_table *recipe,
                                    const struct comparison *comparison, struct table *table,
                                    struct error *error)
{
    struct names reconstructions = {0};
    enum status status = STATUS_OK;
    table_set_title(table, recipe->title);
    for (int side = 0; side < 2 && !status; side++)
        status = reconstructions_list(comparison->sides->set[side], &reconstructions, error);
    table_set_label(table, &reconstructions, RECONSTRUCTIONS_LABEL);
    if (recipe->columns)
        table_add_columns(table, recipe->columns);
    if (!status)
        status = recipe->fill(comparison, table, error);
    if (!status)
        status = table_check(table, error);
    table_set_label(table, NULL, NULL);
    names_free(&reconstructions);
    return status;
}

struct cell comparison_tables_peak(const struct result_row *row)
{
    if (query_worth(row) == RESULT_NUMBER)
        return cell_number(row->peak_bytes);
    return cell_text(query_worth(row) == RESULT_INVALID ? "invalid" : row->status);
}
