#include "results/table/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/table/formats.h"

struct sorted_row {
    double number;
    const char *text;
    enum table_kind kind;
    bool descending;
    uint32_t row;
};

/* Skips a "-" in front of the name of a column, which puts the greatest first. */
static const char *skip_sign(const char *column)
{
    return column + (*column == '-' && column[1]);
}

static bool is_column(const struct table *table, uint32_t column, const char *name)
{
    struct text key = {0};
    table_append_key(&key, table, column);
    bool is = strcmp(names_get(&table->headings, column), name) == 0 ||
              (!key.failed && key.length && strcmp(key.bytes, name) == 0);
    text_free(&key);
    return is;
}

static enum status refuse_column(const struct table *table, const char *name, struct error *error)
{
    SCOPED(names_free) struct names keys = {0};
    for (uint32_t i = 0; i < table_columns(table); i++) {
        const char *heading = names_get(&table->headings, i);
        SCOPED(text_free) struct text key = {0};
        table_append_key(&key, table, i);
        TRY(text_check(&key, error));
        TRY(names_add(&keys, key.length ? key.bytes : "", error));
        if (strcmp(names_get(&keys, keys.count - 1), heading) != 0)
            TRY(names_add(&keys, heading, error));
    }
    return names_refuse(&keys, "column", name, "the first line of --format csv", error);
}

static enum status find_column(const struct table *table, const char *name, uint32_t *column,
                               struct error *error)
{
    for (*column = 0; *column < table_columns(table); ++*column)
        if (is_column(table, *column, name))
            return STATUS_OK;
    return refuse_column(table, name, error);
}

static int compare_values(const struct sorted_row *a, const struct sorted_row *b)
{
    if (a->kind == TABLE_NUMBER)
        return (a->number > b->number) - (a->number < b->number);
    return a->kind == TABLE_TEXT ? strcmp(a->text, b->text) : 0;
}

static int compare_rows(const void *left, const void *right)
{
    static const int place[TABLE_KINDS] = {
        [TABLE_NUMBER] = 0, [TABLE_TEXT] = 1, [TABLE_MISSING] = 2};
    const struct sorted_row *a = left, *b = right;
    if (a->kind != b->kind)
        return place[a->kind] - place[b->kind];
    int order = compare_values(a, b);
    order = a->descending ? -order : order;
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

enum status table_sort(struct table *table, const char *column, struct error *error)
{
    uint32_t rows, place = 0;
    SCOPED(memory_release) struct sorted_row *sorted = NULL;
    SCOPED(memory_release) struct table_cell *scratch = NULL;
    TRY(table_check(table, error));
    rows = table_rows(table) - table->foot_rows;
    TRY(find_column(table, skip_sign(column), &place, error));
    TRY(memory_create(&sorted, rows + (size_t)1, sizeof *sorted, error));
    TRY(memory_create(&scratch, (rows + (size_t)1) * table_columns(table), sizeof *scratch, error));
    for (uint32_t i = 0; i < rows; i++) {
        const char *raw = table_raw(table, i, place);
        enum table_kind kind = table_cell_at(table, i, place)->kind;
        sorted[i] = (struct sorted_row){.number = kind == TABLE_NUMBER ? strtod(raw, NULL) : 0,
                                        .text = raw,
                                        .kind = kind,
                                        .descending = skip_sign(column) != column,
                                        .row = i};
    }
    qsort(sorted, rows, sizeof *sorted, compare_rows);
    size_t columns = table_columns(table);
    for (uint32_t i = 0; i < rows; i++)
        memcpy(&scratch[i * columns], &table->cell[sorted[i].row * columns],
               columns * sizeof *scratch);
    memcpy(table->cell, scratch, rows * columns * sizeof *scratch);
    return STATUS_OK;
}

static bool has_text(const struct table *table, uint32_t row, const char *text)
{
    for (uint32_t i = 0; i < table_columns(table); i++)
        if (strcmp(table_raw(table, row, i), text) == 0)
            return true;
    return false;
}

void table_keep(struct table *table, uint32_t rows, const char *mine)
{
    size_t columns = table_columns(table);
    uint32_t body = table_rows(table) - table->foot_rows;
    if (table->failed || rows >= body)
        return;
    bool is_shown = !mine;
    for (uint32_t i = 0; i < rows && !is_shown; i++)
        is_shown = has_text(table, i, mine);
    for (uint32_t i = rows; i < body && !is_shown; i++) {
        is_shown = has_text(table, i, mine);
        if (is_shown)
            memcpy(&table->cell[(rows - 1) * columns], &table->cell[i * columns],
                   columns * sizeof *table->cell);
    }
    memmove(&table->cell[rows * columns], &table->cell[body * columns],
            table->foot_rows * columns * sizeof *table->cell);
    table->cells = (uint32_t)((rows + table->foot_rows) * columns);
    table_add_note(table, "The first %u of %u rows.", rows, body);
}
