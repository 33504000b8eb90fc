#include "support/made_problem.h"

#include "support/testing.h"

static struct error error;

struct problem *made_problem_start(void)
{
    struct problem *problem;
    CU_ASSERT_EQUAL_FATAL(problem_create(&problem, "made", &error), STATUS_OK);
    return problem;
}

void made_problem_buffer(struct problem *problem, const char *name, uint64_t size,
                         uint64_t alignment, uint64_t fixed_offset)
{
    const struct problem_buffer buffer = {name, size, alignment, fixed_offset, -1};
    CU_ASSERT_EQUAL_FATAL(problem_add_buffer(problem, &buffer, &error), STATUS_OK);
}

void made_problem_add(struct problem *problem, struct made_buffer row)
{
    const char name[2] = {(char)('a' + problem->buffers % 26), '\0'};
    made_problem_buffer(problem, name, row.size, 1, PROBLEM_FREE);
    if (row.lower < row.upper)
        made_problem_segment(problem, (struct problem_segment){row.lower, row.upper, 0, row.size});
}

void made_problem_segment(struct problem *problem, struct problem_segment segment)
{
    CU_ASSERT_EQUAL_FATAL(problem_add_segment(problem, segment, &error), STATUS_OK);
}

void made_problem_finish(struct problem *problem)
{
    CU_ASSERT_EQUAL_FATAL(problem_finish(problem, &error), STATUS_OK);
}

struct problem *made_problem(const struct made_buffer *rows, uint32_t count)
{
    struct problem *problem = made_problem_start();
    for (uint32_t i = 0; i < count; i++)
        made_problem_add(problem, rows[i]);
    made_problem_finish(problem);
    return problem;
}

struct problem *made_problem_pile(uint32_t buffers)
{
    struct problem *problem = made_problem_start();
    for (uint32_t b = 0; b < buffers; b++)
        made_problem_add(problem, (struct made_buffer){0, 1, 3});
    made_problem_finish(problem);
    return problem;
}
