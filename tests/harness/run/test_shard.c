#include "harness/run/shard.h"

#include <string.h>

#include "support/must.h"
#include "support/testing.h"

enum { INSTANCES = 9, PLANNERS = 4, SEEDS = 3, JOBS = INSTANCES * PLANNERS * SEEDS };

static struct instance instances[INSTANCES];
static char names[INSTANCES][8];
static const struct planner planners[PLANNERS] = {
    {.name = "naive"}, {.name = "exact"}, {.name = "large_first"}, {.name = "x?setting=1"}};

/* Jobs of all instances and planners; the planners are named from `first` on. */
static void fill_jobs(struct job job[JOBS], uint32_t first)
{
    for (uint32_t i = 0; i < INSTANCES; i++) {
        snprintf(names[i], sizeof names[i], "i%u", i);
        instances[i] = (struct instance){.name = names[i]};
        snprintf(instances[i].digest, sizeof instances[i].digest, "%u", i % 5);
    }
    for (uint32_t i = 0; i < JOBS; i++)
        job[i] = (struct job){.instance = &instances[i / (PLANNERS * SEEDS)],
                              .planner = &planners[(i / SEEDS + first) % PLANNERS],
                              .seed = i % SEEDS};
}

static bool same_job(const struct job *left, const struct job *right)
{
    return left->instance == right->instance && left->planner == right->planner &&
           left->seed == right->seed;
}

static uint32_t keep(uint32_t shard, uint32_t shards, struct job job[JOBS])
{
    uint32_t jobs = JOBS;
    must(shard_keep(shard, shards, job, &jobs, &error));
    return jobs;
}

/* And no job is in two of them. */
static void all_shards_are_all_jobs_in_their_order(void)
{
    struct job all[JOBS], job[JOBS];
    fill_jobs(all, 0);
    for (uint32_t shards = 0; shards <= 7; shards++) {
        bool seen[JOBS] = {false};
        uint32_t sum = 0;
        for (uint32_t shard = 1; shard <= (shards ? shards : 1); shard++) {
            fill_jobs(job, 0);
            uint32_t jobs = keep(shard, shards, job), next = 0;
            for (uint32_t i = 0; i < JOBS && next < jobs; i++) {
                bool is_next = same_job(&all[i], &job[next]);
                CU_ASSERT(!is_next || !seen[i]);
                seen[i] |= is_next;
                next += is_next;
            }
            CU_ASSERT_EQUAL(next, jobs);
            sum += jobs;
        }
        CU_ASSERT_EQUAL(sum, JOBS);
    }
    /* More shards than jobs leave some empty. */
    fill_jobs(job, 0);
    CU_ASSERT_EQUAL(keep(JOBS, 2 * JOBS, job), 1);
    fill_jobs(job, 0);
    CU_ASSERT_EQUAL(keep(JOBS + 1, 2 * JOBS, job), 0);
}

static void each_shard_has_as_many_jobs_of_each_planner(void)
{
    for (uint32_t shard = 1; shard <= 4; shard++) {
        uint32_t of_planner[PLANNERS] = {0};
        struct job job[JOBS];
        fill_jobs(job, 0);
        uint32_t jobs = keep(shard, 4, job);
        CU_ASSERT_EQUAL(jobs, JOBS / 4);
        for (uint32_t i = 0; i < jobs; i++)
            of_planner[job[i].planner - planners]++;
        for (uint32_t p = 0; p < PLANNERS; p++)
            CU_ASSERT(of_planner[p] == INSTANCES * SEEDS / 4 ||
                      of_planner[p] == INSTANCES * SEEDS / 4 + 1);
    }
}

static void the_order_of_planners_does_not_matter(void)
{
    struct job first[JOBS], second[JOBS];
    fill_jobs(first, 0);
    fill_jobs(second, 1);
    uint32_t jobs = keep(3, 5, first), same = 0;
    CU_ASSERT_EQUAL(keep(3, 5, second), jobs);
    for (uint32_t i = 0; i < jobs; i++)
        for (uint32_t k = 0; k < jobs; k++)
            same += same_job(&first[i], &second[k]);
    CU_ASSERT_EQUAL(same, jobs);
}

static const struct test_case cases[] = {
    {"all shards are all jobs, in their order", all_shards_are_all_jobs_in_their_order},

    {"each shard has as many jobs of each planner", each_shard_has_as_many_jobs_of_each_planner},
    {"the order of planners does not matter", the_order_of_planners_does_not_matter},

};

TESTING_MAIN("harness/run/shard", cases)
