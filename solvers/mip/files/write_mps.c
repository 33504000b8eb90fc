#include <assert.h>
#include <inttypes.h>

#include "core/memory.h"
#include "solvers/mip/files/write.h"
#include "solvers/mip/model/program.h"

/* The entries of the model by columns. */
struct columns {
    uint64_t *first; /* [columns + 1] */
    uint32_t *row;   /* [first[columns]] */
    double *value;
};

static void free_columns(struct columns *columns)
{
    memory_free(columns->first);
    memory_free(columns->row);
    memory_free(columns->value);
}

/* Lists the entries by columns. They are counted two places on, so that first[c + 1] is where the
   next entry of column c goes, and in the end where the column's entries end. */
static void fill_columns(const struct mip_model *model, struct columns *columns)
{
    uint64_t entries = model->row_first[model->rows], *first = columns->first;
    for (uint64_t i = 0; i < entries; i++)
        first[model->row_column[i] + 2]++;
    for (uint32_t c = 0; c < model->columns; c++)
        first[c + 2] += first[c + 1];
    assert(first[model->columns + 1] == entries);
    for (uint32_t r = 0; r < model->rows; r++)
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            uint64_t place = first[model->row_column[i] + 1]++;
            columns->row[place] = r;
            columns->value[place] = model->row_value[i];
        }
    assert(first[model->columns] == entries);
}

static enum status create_columns(const struct mip_model *model, struct columns *columns,
                                  struct error *error)
{
    uint64_t entries = model->row_first[model->rows];
    TRY(memory_create(&columns->first, (size_t)model->columns + 2, sizeof *columns->first, error));
    TRY(memory_create(&columns->row, entries, sizeof *columns->row, error));
    TRY(memory_create(&columns->value, entries, sizeof *columns->value, error));
    fill_columns(model, columns);
    return STATUS_OK;
}

static void write_rows(const struct mip_model *model, struct text *text)
{
    text_append(text, "ROWS\n N peak_bytes\n");
    for (uint32_t r = 0; r < model->rows; r++)
        text_append(text, " G r%u\n", r + 1);
}

static void write_column(const struct mip_program *program, const struct columns *columns,
                         uint32_t column, struct text *text)
{
    assert(column < program->model->columns);
    const char *name = names_get(&program->names, column);
    text_append(text, " %s peak_bytes %" PRIu64 "\n", name,
                column == 0 ? program->model->scale : 0);
    assert(columns->first[column] <= columns->first[column + 1]);
    for (uint64_t i = columns->first[column]; i < columns->first[column + 1]; i++)
        text_append(text, " %s r%u %.17g\n", name, columns->row[i] + 1, columns->value[i]);
}

static void write_columns(const struct mip_program *program, const struct columns *columns,
                          struct text *text)
{
    const struct mip_model *model = program->model;
    bool integer = false;
    uint32_t markers = 0;
    text_append(text, "COLUMNS\n");
    for (uint32_t c = 0; c <= model->columns; c++) {
        bool next = c < model->columns && model->integer[c];
        if (next != integer)
            text_append(text, " M%u 'MARKER' '%s'\n", ++markers, next ? "INTORG" : "INTEND");
        integer = next;
        if (c < model->columns)
            write_column(program, columns, c, text);
    }
}

static void write_right_sides(const struct mip_model *model, struct text *text)
{
    text_append(text, "RHS\n");
    for (uint32_t r = 0; r < model->rows; r++)
        if (model->row_bound[r] != 0)
            text_append(text, " RHS r%u %.17g\n", r + 1, model->row_bound[r]);
}

static void write_bounds(const struct mip_program *program, struct text *text)
{
    const struct mip_model *model = program->model;
    text_append(text, "BOUNDS\n");
    for (uint32_t c = 0; c < model->columns; c++) {
        const char *name = names_get(&program->names, c);
        double lower = model->column_lower[c], upper = model->column_upper[c];
        assert(lower <= upper);
        if (lower == upper) {
            text_append(text, " FX BOUND %s %.17g\n", name, lower);
            continue;
        }
        text_append(text, " LO BOUND %s %.17g\n", name, lower);
        text_append(text, " UP BOUND %s %.17g\n", name, upper);
    }
}

static enum status write_program(const struct mip_program *program, struct text *text,
                                 struct error *error)
{
    struct columns columns = {0};
    enum status status;
    TRY_OR_DONE(status, create_columns(program->model, &columns, error));
    mip_program_describe(program, "*", text);
    text_append(text, "NAME memplan FREE\n");
    write_rows(program->model, text);
    write_columns(program, &columns, text);
    write_right_sides(program->model, text);
    write_bounds(program, text);
    text_append(text, "ENDATA\n");
    status = text_check(text, error);
done:
    free_columns(&columns);
    return status;
}

enum status mip_write_mps(const struct problem *problem, uint64_t upper_bytes, struct text *text,
                          struct error *error)
{
    struct mip_program program;
    enum status status = mip_program_create(problem, upper_bytes, &program, error);
    if (!status)
        status = write_program(&program, text, error);
    mip_program_clear(&program);
    return status;
}
