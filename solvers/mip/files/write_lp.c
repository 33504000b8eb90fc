#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "solvers/mip/files/write.h"
#include "solvers/mip/model/program.h"

/* Readers take lines of at least 255 characters. */
enum { LINE_WIDTH = 90 };

struct writer {
    const struct mip_program *program;
    struct text *text;
    size_t line_start;
};

static void begin_line(struct writer *writer)
{
    writer->line_start = writer->text->length;
}

static void break_line(struct writer *writer)
{
    if (writer->text->length - writer->line_start < LINE_WIDTH)
        return;
    text_append(writer->text, "\n   ");
    begin_line(writer);
}

static void write_term(struct writer *writer, double value, uint32_t column)
{
    assert(column < writer->program->model->columns);
    const char *name = names_get(&writer->program->names, column);
    break_line(writer);
    text_append(writer->text, value < 0 ? " -" : " +");
    if (fabs(value) != 1)
        text_append(writer->text, " %.17g", fabs(value));
    text_append(writer->text, " %s", name);
}

/* Writes the objective. All offsets are in it, so that every reader numbers the columns as the
   model does. */
static void write_objective(struct writer *writer)
{
    const struct mip_model *model = writer->program->model;
    begin_line(writer);
    text_append(writer->text, "Minimize\n peak_bytes: %" PRIu64 " peak", model->scale);
    for (uint32_t c = 1; c < model->columns; c++)
        write_term(writer, 0, c);
    text_append(writer->text, "\n");
}

static void write_rows(struct writer *writer)
{
    const struct mip_model *model = writer->program->model;
    text_append(writer->text, "Subject To\n");
    for (uint32_t r = 0; r < model->rows; r++) {
        assert(model->row_first[r] < model->row_first[r + 1]);
        begin_line(writer);
        text_append(writer->text, " r%u:", r + 1);
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++)
            write_term(writer, model->row_value[i], model->row_column[i]);
        text_append(writer->text, " >= %.17g\n", model->row_bound[r]);
    }
}

static bool is_binary(const struct mip_program *program, uint32_t column)
{
    return program->model->integer[column] && !mip_program_is_general(program, column);
}

static void write_bounds(struct writer *writer)
{
    const struct mip_program *program = writer->program;
    const struct mip_model *model = program->model;
    text_append(writer->text, "Bounds\n");
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        const char *name = names_get(&program->names, c);
        if (is_binary(program, c))
            continue;
        assert(lower <= upper);
        if (lower == upper)
            text_append(writer->text, " %s = %.17g\n", name, lower);
        else
            text_append(writer->text, " %.17g <= %s <= %.17g\n", lower, name, upper);
    }
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

static enum status write_program(const struct mip_program *program, struct text *text,
                                 struct error *error)
{
    struct writer writer = {.program = program, .text = text};
    mip_program_describe(program, "\\", text);
    write_objective(&writer);
    write_rows(&writer);
    write_bounds(&writer);
    write_kinds(&writer, "Generals", mip_program_is_general);
    write_kinds(&writer, "Binaries", is_binary);
    text_append(text, "End\n");
    return text_check(text, error);
}

enum status mip_write_lp(const struct problem *problem, uint64_t upper_bytes, struct text *text,
                         struct error *error)
{
    struct mip_program program;
    enum status status = mip_program_create(problem, upper_bytes, &program, error);
    if (!status)
        status = write_program(&program, text, error);
    mip_program_clear(&program);
    return status;
}
