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

/* Finds the columns of a list; place: [columns]. */
static enum status find_columns(const struct table *table, const char *list, uint32_t *place,
                                uint32_t *count, struct error *error)
{
    *count = 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        SCOPED(text_free) struct text name = {0};
        uint32_t column;
        text_append(&name, "%.*s", (int)strcspn(at, ","), at);
        TRY(text_check(&name, error));
        TRY(find_column(table, name.bytes, &column, error));
        for (uint32_t i = 0; i < *count; i++)
            if (place[i] == column)
                return error_set(error, STATUS_USAGE, "column '%s' is named twice", name.bytes);
        place[(*count)++] = column;
    }
    return STATUS_OK;
}

enum status table_choose_columns(struct table *table, const char *list, struct error *error)
{
    SCOPED(memory_release) uint32_t *place = NULL;
    SCOPED(memory_release) struct table_cell *cell = NULL;
    struct table chosen = {0};
    uint32_t count, columns = table_columns(table), rows = table_rows(table);
    TRY(table_check(table, error));
    TRY(memory_create(&place, columns, sizeof *place, error));
    TRY(find_columns(table, list, place, &count, error));
    TRY(memory_create(&cell, (size_t)rows * count + 1, sizeof *cell, error));
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < count; i++)
            cell[(size_t)row * count + i] = table->cell[(size_t)row * columns + place[i]];
    for (uint32_t i = 0; i < count; i++) {
        table_add_column(&chosen, names_get(&table->headings, place[i]),
                         names_get(&table->units, place[i]), table->alignment[place[i]]);
        if (!chosen.failed)
            table_rank_column(&chosen, i, table->rank[place[i]]);
    }
    /* The columns are those of the new table, everything else stays. */
    struct table old = {.headings = table->headings,
                        .units = table->units,
                        .alignment = table->alignment,
                        .rank = table->rank};
    table->headings = chosen.headings;
    table->units = chosen.units;
    table->alignment = chosen.alignment;
    table->alignment_capacity = chosen.alignment_capacity;
    table->rank = chosen.rank;
    table->rank_capacity = chosen.rank_capacity;
    table->failed |= chosen.failed;
    table->cells = rows * count;
    if (rows)
        memcpy(table->cell, cell, (size_t)rows * count * sizeof *cell);
    table_free(&old);
    return table_check(table, error);
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
