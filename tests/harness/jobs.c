#include "harness/jobs.h"

#include <stdio.h>
#include <string.h>

#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "planning/policies/policy.h"
#include "support/must.h"
#include "support/testing.h"

struct instance *jobs_load(const char *name)
{
    struct instance *instance;
    must(instance_load(name, NULL, &instance, &error));
    return instance;
}

struct instance *jobs_own(struct graph *graph, struct problem *problem)
{
    struct instance *instance;
    must(instance_create("test", graph, problem, &instance, &error));
    return instance;
}

struct job jobs_name(const struct instance *instance, const char *policy, const char *planner)
{
    return job_make(instance, policy ? policy_find(policy) : NULL, planners_find(planner));
}

struct outcome jobs_run(const struct job *job)
{
    struct outcome outcome;
    enum status status = job_run(job, &outcome, &error);
    if (status)
        printf("\n    %s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    return outcome;
}

static void compare_arrays(const void *a, const void *b, size_t count, size_t item_bytes)
{
    CU_ASSERT_EQUAL_FATAL(!a, !b);
    CU_ASSERT(!a || memcmp(a, b, count * item_bytes) == 0);
}

static void compare_extents(const struct extents *a, const struct extents *b)
{
    CU_ASSERT_EQUAL_FATAL(!a, !b);
    for (uint32_t i = 0; a && i < a->items; i++) {
        CU_ASSERT_EQUAL_FATAL(extents_count(a, i), extents_count(b, i));
        compare_arrays(a->extent + a->of[i].first, b->extent + b->of[i].first, a->of[i].count,
                       sizeof *a->extent);
    }
}

void jobs_compare(const struct outcome *a, const struct outcome *b)
{
    const struct placement *p = a->placement, *q = b->placement;
    CU_ASSERT_EQUAL(a->status, b->status);
    CU_ASSERT_EQUAL(memcmp(&a->measures, &b->measures, sizeof a->measures), 0);
    CU_ASSERT_EQUAL(a->buffers, b->buffers);
    CU_ASSERT_EQUAL(a->in_place, b->in_place);
    CU_ASSERT_EQUAL(a->verdict.fault, b->verdict.fault);
    CU_ASSERT_EQUAL(a->execution.paths_run, b->execution.paths_run);
    CU_ASSERT_EQUAL(a->execution.intact, b->execution.intact);
    CU_ASSERT_EQUAL(a->samples, b->samples);
    CU_ASSERT_EQUAL_FATAL(!a->plan, !b->plan);
    if (a->plan) {
        compare_arrays(a->plan->offset, b->plan->offset, a->plan->buffers, sizeof(uint64_t));
        compare_arrays(a->plan->storage_id, b->plan->storage_id, a->plan->buffers,
                       sizeof(uint32_t));
        compare_extents(a->plan->extents, b->plan->extents);
        return;
    }
    compare_arrays(p->offset, q->offset, p->tensors, sizeof *p->offset);
    compare_arrays(p->block_offset, q->block_offset, p->operators, sizeof *p->block_offset);
    compare_arrays(p->block_bytes, q->block_bytes, p->operators, sizeof *p->block_bytes);
    compare_arrays(p->overwrites, q->overwrites, p->tensors, sizeof *p->overwrites);
    compare_arrays(p->storage_id, q->storage_id, p->tensors, sizeof *p->storage_id);
    compare_extents(p->extents, q->extents);
}
