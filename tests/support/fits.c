#include "support/fits.h"

#include "core/memory.h"

static const char *const names[] = {
#define FIT(name, ...) #name,
#include "planning/arena/fits.def"
#undef FIT
};

uint32_t fits_count(void)
{
    return sizeof names / sizeof *names;
}

const char *fits_name(uint32_t index)
{
    return names[index];
}

enum status fits_place_all(const struct fit *fit, const struct problem *problem,
                           const uint32_t *sorted, struct plan *plan, struct error *error)
{
    struct conflicts *conflicts;
    TRY(conflicts_create(problem, &conflicts, error));
    struct fit_neighbours neighbours = {.problem = problem, .conflicts = conflicts};
    enum status status = memory_create(&neighbours.taken, fit_most_taken(problem, conflicts),
                                       sizeof *neighbours.taken, error);
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0; i < problem->buffers && !status; i++) {
        uint32_t b = sorted ? sorted[i] : i;
        if (plan->offset[b] == PROBLEM_FREE)
            status = fit_place(fit, &neighbours, b, plan, error);
    }
    memory_free(neighbours.taken);
    conflicts_free(conflicts);
    return status;
}
