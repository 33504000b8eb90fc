#include "solvers/memories/files.h"

#include <inttypes.h>

#include "core/memory.h"
#include "solvers/memories/whole.h"
#include "solvers/mip/files/solution.h"

/* A program with names, as files need it. Its model is that of the whole program. */
struct named_program {
    struct memory_model *model;
    struct whole_program whole;
    struct mip_program file;
};

static void clear(struct named_program *named)
{
    names_free(&named->file.names);
    whole_program_clear(&named->whole);
    memory_model_free(named->model);
}

static enum status create(const struct memory_problem *problem, struct named_program *named,
                          struct error *error)
{
    TRY(memory_model_create(problem, &named->model, error));
    TRY(whole_program_create(named->model, &named->file.names, &named->whole, error));
    named->file.model = named->whole.choice.program;
    named->file.objective = "cost_thousandths";
    named->file.factor = named->whole.choice.unit;
    return STATUS_OK;
}

enum status memory_program_write(const struct memory_problem *problem, bool as_mps,
                                 struct text *text, struct error *error)
{
    SCOPED(clear) struct named_program named = {.model = NULL};
    const char *prefix = as_mps ? "*" : "\\";
    TRY(create(problem, &named, error));
    text_append(text,
                "%s Least cost of a plan of %u buffers: %s.\n"
                "%s Offsets are in units of %" PRIu64 " bytes, cost in units of %" PRIu64
                " thousandths.\n",
                prefix, problem->problem->buffers, WHOLE_LEGEND, prefix, named.whole.unit_bytes,
                named.file.factor);
    return as_mps ? mip_program_write_mps(&named.file, text, error)
                  : mip_program_write_lp(&named.file, text, error);
}

enum status memory_solution_read(const struct memory_problem *problem, const struct text *text,
                                 const char *file, struct memory_plan **read, struct error *error)
{
    SCOPED(clear) struct named_program named = {.model = NULL};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    SCOPED(memory_release) double *values = NULL;
    SCOPED(memory_release) uint32_t *arena = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    double objective;
    TRY(create(problem, &named, error));
    TRY(memory_create(&values, named.file.model->columns, sizeof *values, error));
    TRY(memory_create_all(named.model->classes.count, error, &arena, &offset));
    TRY(memory_plan_create(problem, &plan, error));
    TRY(mip_solution_read_values(text, file, &named.file, values, &objective, error));
    if (!whole_program_read(&named.whole, values, arena, offset))
        return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                            "found offsets that are no numbers of bytes, expected a solution");
    memory_model_fill(named.model, arena, offset, plan);
    plan->status = PLAN_FEASIBLE;
    HAND_OVER(plan, read);
}
