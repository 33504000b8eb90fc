#include "solvers/mip/files/program.h"

#include <assert.h>
#include <inttypes.h>

#include "planning/problem/bounds.h"
#include "planning/problem/unit.h"
#include "solvers/mip/model/build.h"

/* Above this floating point leaves whole numbers out. */
static const uint64_t most_exact_units = UINT64_C(1) << 53;

enum status mip_program_create(const struct problem *problem,
                               const struct mip_formulation *formulation, uint64_t upper_bytes,
                               struct mip_program *program, struct error *error)
{
    assert(formulation->build && formulation->to_plan);
    struct mip_setup setup = {.formulation = formulation,
                              .switches = formulation->standard,
                              .upper_bytes = upper_bytes,
                              .names = &program->names,
                              .complete = true};
    *program = (struct mip_program){0};
    if (upper_bytes / problem_unit_bytes(problem) >= most_exact_units)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a peak of up to %" PRIu64 " bytes in units of %" PRIu64
                         ", expected less than 2^53 units",
                         upper_bytes, problem_unit_bytes(problem));
    TRY(bound_peak(problem, &setup.bound_bytes, error));
    TRY(mip_model_create(problem, &setup, &program->model, error));
    if (*program->model->refusal)
        return error_set(error, STATUS_BAD_INPUT, "no integer program '%s' of this problem: %s",
                         formulation->name, program->model->refusal);
    if (program->model->is_infeasible)
        return error_set(error, STATUS_NO, "no plan has a peak of %" PRIu64 " bytes or less",
                         upper_bytes);
    assert(program->names.count == program->model->columns);
    program->objective = "peak_bytes";
    program->factor = program->model->scale;
    return STATUS_OK;
}

void mip_program_clear(struct mip_program *program)
{
    mip_model_free(program->model);
    names_free(&program->names);
}

bool mip_program_is_general(const struct mip_program *program, uint32_t column)
{
    assert(column < program->model->columns);
    const struct mip_model *model = program->model;
    bool binary = model->column_lower[column] == 0 && model->column_upper[column] == 1;
    return model->integer[column] && !binary;
}

/* Comment lines that say what is in the file. */
static void describe(const struct mip_program *program, const char *prefix, struct text *text)
{
    const struct mip_model *model = program->model;
    assert(model->scale > 0 && model->bound <= model->upper);
    text_append(text,
                "%s Least peak of a plan of %u buffers: %s.\n"
                "%s Offsets and peak are in units of %" PRIu64 " bytes, peak_bytes is in bytes.\n"
                "%s No plan has less than %" PRIu64 " bytes, and some has at most %" PRIu64 ".\n",
                prefix, model->problem->buffers, model->formulation->legend, prefix, model->scale,
                prefix, model->bound * model->scale, model->upper * model->scale);
}

enum status mip_write(const struct problem *problem, const struct mip_formulation *formulation,
                      uint64_t upper_bytes, bool as_mps, struct text *text, struct error *error)
{
    SCOPED(mip_program_clear) struct mip_program program = {0};
    TRY(mip_program_create(problem, formulation, upper_bytes, &program, error));
    describe(&program, as_mps ? "*" : "\\", text);
    return as_mps ? mip_program_write_mps(&program, text, error)
                  : mip_program_write_lp(&program, text, error);
}
