#include <assert.h>
#include <inttypes.h>

#include "core/groups.h"
#include "core/memory.h"
#include "solvers/mip/files/program.h"

/* Writes the entries of the model column by column, with markers around those of integers. */
static enum status write_columns(const struct mip_program *program, struct text *text,
                                 struct error *error)
{
    const struct mip_model *model = program->model;
    uint64_t entries = model->row_first[model->rows];
    SCOPED(groups_free) struct groups by_column = {0};
    SCOPED(memory_release) uint32_t *row = NULL; /* [entries] */
    bool integer = false;
    uint32_t markers = 0;
    TRY(memory_create(&row, entries, sizeof *row, error));
    for (uint32_t r = 0; r < model->rows; r++)
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++)
            row[i] = r;
    TRY(groups_create(&by_column, model->columns, model->row_column, (uint32_t)entries, error));
    text_append(text, "COLUMNS\n");
    for (uint32_t c = 0; c < model->columns; c++) {
        const char *name = names_get(&program->names, c);
        if (model->integer[c] != integer) {
            integer = model->integer[c];
            text_append(text, " M%u 'MARKER' '%s'\n", ++markers, integer ? "INTORG" : "INTEND");
        }
        text_append(text, " %s %s %" PRIu64 "\n", name, program->objective,
                    c == 0 ? program->factor : 0);
        for (uint64_t i = by_column.first[c]; i < by_column.first[c + 1]; i++) {
            uint32_t entry = by_column.item[i];
            text_append(text, " %s r%u %.17g\n", name, row[entry] + 1, model->row_value[entry]);
        }
    }
    if (integer)
        text_append(text, " M%u 'MARKER' 'INTEND'\n", ++markers);
    return STATUS_OK;
}

enum status mip_program_write_mps(const struct mip_program *program, struct text *text,
                                  struct error *error)
{
    const struct mip_model *model = program->model;
    assert(model->row_first[model->rows] <= MIP_MOST_ENTRIES);
    text_append(text, "NAME memplan FREE\nROWS\n N %s\n", program->objective);
    for (uint32_t r = 0; r < model->rows; r++)
        text_append(text, " %c r%u\n", model->row_equal[r] ? 'E' : 'G', r + 1);
    TRY(write_columns(program, text, error));
    text_append(text, "RHS\n");
    for (uint32_t r = 0; r < model->rows; r++)
        if (model->row_bound[r] != 0)
            text_append(text, " RHS r%u %.17g\n", r + 1, model->row_bound[r]);
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
    text_append(text, "ENDATA\n");
    return text_check(text, error);
}
