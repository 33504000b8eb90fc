#include "results/table/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

void table_free(struct table *table)
{
    memory_free(table->title);
    names_free(&table->notes);
    names_free(&table->headings);
    names_free(&table->units);
    names_free(&table->addresses);
    text_free(&table->raw);
    memory_free_all(table->alignment, table->rank, table->cell);
    *table = (struct table){0};
}

void table_set_title(struct table *table, const char *title)
{
    char *copy = memory_copy_text(title);
    if (!copy) {
        table->failed = true;
        return;
    }
    memory_free(table->title);
    table->title = copy;
}

static enum status add_column(struct table *table, const char *heading, const char *unit,
                              enum table_alignment alignment, struct error *error)
{
    TRY(memory_reserve(&table->alignment, &table->alignment_capacity,
                       table->headings.count + (size_t)1, sizeof *table->alignment, error));
    TRY(memory_reserve(&table->rank, &table->rank_capacity, table->headings.count + (size_t)1,
                       sizeof *table->rank, error));
    table->alignment[table->headings.count] = alignment;
    table->rank[table->headings.count] = 0;
    TRY(names_add(&table->headings, heading, error));
    return names_add(&table->units, unit, error);
}

void table_add_column(struct table *table, const char *heading, const char *unit,
                      enum table_alignment alignment)
{
    struct error ignored;
    if (table->failed || add_column(table, heading, unit, alignment, &ignored))
        table->failed = true;
}

void table_add_columns(struct table *table, const char *columns)
{
    static const char between[] = " | ";
    for (const char *at = columns, *end; *at; at = *end ? end + strlen(between) : end) {
        end = strstr(at, between);
        end = end ? end : at + strlen(at);
        char column[160];
        assert(end - at < (ptrdiff_t)sizeof column);
        snprintf(column, sizeof column, "%.*s", (int)(end - at), at);
        char *rank = strstr(column, " ~"), *unit = strstr(column, " (");
        if (rank)
            *rank = '\0';
        bool right = column[strlen(column) - 1] == ':';
        column[strlen(column) - right] = '\0';
        if (unit) {
            *unit = '\0';
            unit += 2;
            unit[strlen(unit) - 1] = '\0';
        }
        table_add_column(table, column, unit ? unit : "", right ? TABLE_RIGHT : TABLE_LEFT);
        if (rank && !table->failed)
            table_rank_column(table, table_columns(table) - 1, (uint32_t)(rank[2] - '0'));
    }
}

void table_rank_column(struct table *table, uint32_t column, uint32_t rank)
{
    assert(column < table->headings.count || table->failed);
    if (!table->failed)
        table->rank[column] = rank;
}

void table_add_note(struct table *table, const char *format, ...)
{
    struct error ignored;
    char note[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    if (table->failed || names_add(&table->notes, note, &ignored))
        table->failed = true;
}

static enum status add_cell(struct table *table, enum table_kind kind, const char *raw,
                            struct error *error)
{
    if (table->cells == UINT32_MAX)
        return error_set(error, STATUS_BAD_INPUT, "more than %u cells", UINT32_MAX);
    TRY(memory_reserve(&table->cell, &table->cell_capacity, table->cells + (size_t)1,
                       sizeof *table->cell, error));
    /* Columns of many rows repeat themselves: a text that is that of the cell above is
       kept once. */
    size_t columns = table_columns(table);
    const struct table_cell *above =
        columns && table->cells >= columns ? &table->cell[table->cells - columns] : NULL;
    bool repeats = above && strcmp(table->raw.bytes + above->start, raw) == 0;
    table->cell[table->cells++] =
        (struct table_cell){.start = repeats ? above->start : table->raw.length, .kind = kind};
    if (!repeats)
        text_append_bytes(&table->raw, raw, strlen(raw) + 1);
    return text_check(&table->raw, error);
}

void table_set_label(struct table *table, const struct names *labelled, const char *label)
{
    table->labelled = labelled;
    table->label = label;
}

/* A number without the sign that a zero with decimals may have. */
static const char *write_real(const struct cell *cell, char raw[400])
{
    snprintf(raw, 400, "%.*f", (int)cell->decimals, cell->real);
    bool zero = strspn(raw, "-0.") == strlen(raw);
    return zero && *raw == '-' ? raw + 1 : raw;
}

/* A whole number in decimal; tables of many rows have millions, and printf is slow. */
static const char *write_whole(uint64_t number, char raw[33])
{
    char *at = raw + 32;
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    return at;
}

static enum status add_value(struct table *table, const struct cell *cell, struct error *error)
{
    char raw[400];
    struct text labelled = {0};
    switch (cell->kind) {
    case CELL_MISSING:
        return add_cell(table, TABLE_MISSING, "", error);
    case CELL_REAL:
        return add_cell(table, TABLE_NUMBER, write_real(cell, raw), error);
    case CELL_NUMBER:
        return add_cell(table, TABLE_NUMBER, write_whole(cell->number, raw), error);
    case CELL_WORDS:
        return add_cell(table, TABLE_TEXT, cell->words, error);
    case CELL_INSTANCE:
        if (!table->labelled || names_find(table->labelled, cell->text) == NAMES_NONE)
            break;
        text_append(&labelled, "%s%s", cell->text, table->label);
        enum status status = text_check(&labelled, error);
        if (!status)
            status = add_cell(table, TABLE_TEXT, labelled.bytes, error);
        text_free(&labelled);
        return status;
    case CELL_TEXT:
        break;
    }
    return add_cell(table, TABLE_TEXT, cell->text, error);
}

void table_add_cells(struct table *table, const struct cell *cell, size_t count)
{
    struct error ignored;
    for (size_t i = 0; i < count && !table->failed; i++)
        table->failed = add_value(table, &cell[i], &ignored) != STATUS_OK;
}

void table_repeat(struct table *table, unsigned count, struct cell cell)
{
    for (unsigned i = 0; i < count && !table->failed; i++)
        table_add_cells(table, &cell, 1);
}

void table_set_foot(struct table *table, uint32_t count)
{
    assert(count <= table_rows(table) || table->failed);
    table->foot_rows = count;
}

void table_mark(struct table *table, uint32_t row, uint32_t column)
{
    if (!table->failed)
        table->cell[(size_t)row * table_columns(table) + column].marked = true;
}

void table_link(struct table *table, uint32_t row, uint32_t column, const char *address)
{
    struct error error;
    uint32_t found = names_find(&table->addresses, address);
    if (found == NAMES_NONE) {
        found = table->addresses.count;
        table->failed |= names_add(&table->addresses, address, &error) != STATUS_OK;
    }
    if (!table->failed)
        table->cell[(size_t)row * table_columns(table) + column].link = (found + 1) & 0x7ffffff;
}

uint32_t table_columns(const struct table *table)
{
    return table->headings.count;
}

uint32_t table_rows(const struct table *table)
{
    return table->headings.count ? table->cells / table->headings.count : 0;
}

const char *table_title(const struct table *table)
{
    return table->title ? table->title : "";
}

const char *table_raw(const struct table *table, uint32_t row, uint32_t column)
{
    assert(column < table->headings.count);
    return table->raw.bytes + table_cell_at(table, row, column)->start;
}

const struct table_cell *table_cell_at(const struct table *table, uint32_t row, uint32_t column)
{
    assert(column < table->headings.count && row < table_rows(table));
    return &table->cell[(size_t)row * table->headings.count + column];
}

enum status table_check(const struct table *table, struct error *error)
{
    if (table->failed)
        return error_no_memory(error);
    if (!table->headings.count || table->cells % table->headings.count)
        return error_set(error, STATUS_INTERNAL, "%u cells, expected rows of %u", table->cells,
                         table->headings.count);
    return STATUS_OK;
}
