#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "solvers/mip/files/program.h"

/* Readers take lines of at least 255 characters. */
enum { LINE_WIDTH = 90 };

struct writer {
    const struct mip_program *program;
    struct text *text;
    size_t line_start;
};

static void write_term(struct writer *writer, double value, uint32_t column)
{
    const char *name = names_get(&writer->program->names, column);
    assert(column < writer->program->model->columns);
    if (writer->text->length - writer->line_start >= LINE_WIDTH) {
        text_append(writer->text, "\n   ");
        writer->line_start = writer->text->length;
    }
    text_append(writer->text, value < 0 ? " -" : " +");
    if (fabs(value) != 1)
        text_append(writer->text, " %.17g", fabs(value));
    text_append(writer->text, " %s", name);
}

static bool is_binary(const struct mip_program *program, uint32_t column)
{
    return program->model->integer[column] && !mip_program_is_general(program, column);
}

static void write_kinds(struct writer *writer, const char *title,
                        bool is_of_kind(const struct mip_program *program, uint32_t column))
{
    const struct mip_program *program = writer->program;
    bool any = false;
    for (uint32_t c = 0; c < program->model->columns; c++)
        if (is_of_kind(program, c)) {
            text_append(writer->text, "%s%s %s\n", any ? "" : title, any ? "" : "\n",
                        names_get(&program->names, c));
            any = true;
        }
}

enum status mip_program_write_lp(const struct mip_program *program, struct text *text,
                                 struct error *error)
{
    const struct mip_model *model = program->model;
    struct writer writer = {.program = program, .text = text};
    /* All columns are in the objective, so that every reader numbers them as the model does. */
    writer.line_start = text->length;
    text_append(text, "Minimize\n %s: %" PRIu64 " %s", program->objective, program->factor,
                names_get(&program->names, 0));
    for (uint32_t c = 1; c < model->columns; c++)
        write_term(&writer, 0, c);
    text_append(text, "\nSubject To\n");
    for (uint32_t r = 0; r < model->rows; r++) {
        assert(model->row_first[r] < model->row_first[r + 1]);
        writer.line_start = text->length;
        text_append(text, " r%u:", r + 1);
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++)
            write_term(&writer, model->row_value[i], model->row_column[i]);
        text_append(text, " %s %.17g\n", model->row_equal[r] ? "=" : ">=", model->row_bound[r]);
    }
    text_append(text, "Bounds\n");
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        const char *name = names_get(&program->names, c);
        if (is_binary(program, c))
            continue;
        assert(lower <= upper);
        if (lower == upper)
            text_append(text, " %s = %.17g\n", name, lower);
        else
            text_append(text, " %.17g <= %s <= %.17g\n", lower, name, upper);
    }
    write_kinds(&writer, "Generals", mip_program_is_general);
    write_kinds(&writer, "Binaries", is_binary);
    text_append(text, "End\n");
    return text_check(text, error);
}
