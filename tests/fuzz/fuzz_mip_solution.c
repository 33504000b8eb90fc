#include "fuzzing.h"
#include "planning/problem/problem.h"
#include "solvers/mip/files/solution.h"

static void add_buffer(struct problem *problem, const char *name, uint64_t size, uint64_t alignment)
{
    const struct problem_buffer buffer = {name, size, alignment, PROBLEM_FREE, -1};
    struct error error;
    fuzzing_require(problem_add_buffer(problem, &buffer, &error) == STATUS_OK);
    fuzzing_require(problem_add_segment(problem, (struct problem_segment){0, 2, 0, size}, &error) ==
                    STATUS_OK);
}

static struct problem *make_problem(void)
{
    struct problem *problem;
    struct error error;
    fuzzing_require(problem_create(&problem, "three", &error) == STATUS_OK);
    add_buffer(problem, "a", 4, 1);
    add_buffer(problem, "b", 6, 8);
    add_buffer(problem, "c d", 2, 1);
    fuzzing_require(problem_finish(problem, &error) == STATUS_OK);
    return problem;
}

/* The file as a solution of one problem: refused, or a place for each buffer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    SCOPED(problem_release) struct problem *problem = make_problem();
    struct plan *plan;
    struct error error = ERROR_NONE;
    fuzzing_require(plan_create(problem, &plan, &error) == STATUS_OK);
    enum status status = mip_solution_read(&text, "input", problem, plan, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    for (uint32_t b = 0; b < problem->buffers && !status; b++)
        fuzzing_require(plan->offset[b] <= UINT64_MAX - problem->size[b]);
    plan_free(plan);
    text_free(&text);
    return 0;
}
