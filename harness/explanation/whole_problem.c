#include "harness/explanation/whole_problem.h"

enum status whole_problem_create(const struct job *job, struct whole_problem *whole,
                                 struct error *error)
{
    const struct instance *instance = job->instance;
    *whole = (struct whole_problem){.problem = instance->problem};
    if (instance->problem)
        return STATUS_OK;
    TRY(placement_create(instance->graph, &whole->placement, error));
    TRY(inplace_apply(instance->graph, &job->inplace, whole->placement, error));
    TRY(policy_level_create(
        job->policy,
        &(struct policy_input){instance->graph, whole->placement, job->alignment_bytes},
        &whole->made, error));
    whole->problem = whole->made.level->problem;
    return STATUS_OK;
}

void whole_problem_clear(struct whole_problem *whole)
{
    policy_level_free(&whole->made);
    placement_free(whole->placement);
    *whole = (struct whole_problem){0};
}
