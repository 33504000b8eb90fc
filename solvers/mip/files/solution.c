#include "solvers/mip/files/solution.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "solvers/mip/files/solution_lines.h"
#include "solvers/mip/model/program.h"

/* How far below a whole number a solver may leave an offset. */
static const double offset_tolerance = 1e-5;

static enum status take_offset(const struct mip_solution *solution, uint32_t buffer,
                               struct plan *plan, struct error *error)
{
    static const double most_units = 9007199254740992.0;
    const struct problem *problem = solution->program.model->problem;
    double units = floor(solution->value[1 + buffer] + offset_tolerance);
    unsigned line = solution->line_of[1 + buffer];
    uint64_t end;
    if (units < 0 || units >= most_units ||
        !checked_multiply((uint64_t)units, solution->program.model->scale, &plan->offset[buffer]) ||
        !checked_add(plan->offset[buffer], problem->size[buffer], &end))
        return error_set_at(
            error, STATUS_BAD_INPUT, solution->file, line,
            "found offset %.17g of buffer '%s', expected 0 or more units of %" PRIu64
            " bytes, below 2^64 bytes",
            solution->value[1 + buffer], names_get(&problem->names, buffer),
            solution->program.model->scale);
    return STATUS_OK;
}

static uint64_t find_stated_bytes(const struct mip_solution *solution)
{
    if (!solution->has_objective || solution->objective >= 18446744073709551615.0)
        return UINT64_MAX;
    return solution->objective > 0 ? (uint64_t)(solution->objective + 0.5) : 0;
}

static enum status take_offsets(const struct mip_solution *solution, struct plan *plan,
                                struct error *error)
{
    const struct problem *problem = solution->program.model->problem;
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(take_offset(solution, b, plan, error));
    TRY(plan_set_peak(plan, problem, error));
    if (find_stated_bytes(solution) < plan->measures.peak_bytes)
        plan->measures.peak_bytes = find_stated_bytes(solution);
    plan->status = PLAN_FEASIBLE;
    return STATUS_OK;
}

static enum status read_solution(struct mip_solution *solution, const struct text *text,
                                 const struct problem *problem, struct plan *plan,
                                 struct error *error)
{
    TRY(mip_program_create(problem, problem_ample_bytes(problem), &solution->program, error));
    uint32_t columns = solution->program.model->columns;
    TRY(memory_create(&solution->value, columns, sizeof *solution->value, error));
    TRY(memory_create(&solution->line_of, columns, sizeof *solution->line_of, error));
    TRY(mip_solution_read_lines(solution, text, error));
    return take_offsets(solution, plan, error);
}

enum status mip_solution_read(const struct text *text, const char *file,
                              const struct problem *problem, struct plan *plan, struct error *error)
{
    struct mip_solution solution = {.file = file};
    enum status status = read_solution(&solution, text, problem, plan, error);
    mip_program_clear(&solution.program);
    memory_free(solution.value);
    memory_free(solution.line_of);
    return status;
}
