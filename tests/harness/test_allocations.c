/* Allocations that fail, one after the other, in every planner and in every reader: the rows of the
   table of planners, and the files that are kept for the fuzz targets (KEPT_INPUTS). */
#include <dirent.h>
#include <stdio.h>

#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "harness/jobs.h"
#include "support/fail_each.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Each of the first allocations, then ever fewer of them. */
static void fail_some(fail_each_work *run, const void *input)
{
    enum { EACH = TESTING_COUNT(60, 20) };
    enum status status = STATUS_INTERNAL;
    uint64_t live = memory_live_blocks();
    for (uint64_t allowed = 0; status; allowed += 1 + allowed / EACH) {
        struct error error = ERROR_NONE;
        memory_fail_after(allowed);
        status = run(input, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL_FATAL(memory_live_blocks(), live);
        if (status)
            CU_ASSERT_TRUE_FATAL(error_is_no_memory(&error));
    }
}

/* A plan that is made though an allocation failed is as good as any. */
static enum status run_job(const void *input, struct error *error)
{
    const struct job *job = input;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    TRY(job_run(job, &outcome, error));
    CU_ASSERT(!outcome_found(&outcome) || outcome_is_good(&outcome) ||
              job->planner->flags & PLANNER_UNSAFE);
    return STATUS_OK;
}

static void test_planners(void)
{
    struct random_state random = random_seed(3);
    const struct random_problem kind = {
        .most_buffers = 12, .steps = 12, .most_size = 9, .holes = true, .alignment = true};
    SCOPED(instance_release)
    struct instance *instance = jobs_own(NULL, random_problem_create(&kind, &random));
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct job job = job_make(instance, NULL, planners_at(i));
        fail_some(run_job, &job);
    }
}

/* What the file is bad for is the same error each time; memory may run out before that is seen. */
struct input {
    char path[512];
    enum status expected;
};

static enum status read_instance(const void *data, struct error *error)
{
    const struct input *input = data;
    SCOPED(instance_release) struct instance *instance = NULL;
    enum status status = instance_load(input->path, NULL, &instance, error);
    return status == input->expected ? STATUS_OK : status;
}

static void test_readers(void)
{
    static const char *const readers[] = {
        "graph_json",
        "problem_csv",
        "problem_json",
        "tflite",
#if WITH_ONNX
        "onnx"
#endif
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        char path[300];
        uint32_t files = 0;
        snprintf(path, sizeof path, KEPT_INPUTS "/%s", readers[i]);
        DIR *folder = opendir(path);
        CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            struct input input = {.expected = STATUS_OK};
            struct error error;
            if (*entry->d_name == '.')
                continue;
            snprintf(input.path, sizeof input.path, "%s/%.200s", path, entry->d_name);
            input.expected = read_instance(&input, &error);
            fail_some(read_instance, &input);
            files++;
        }
        closedir(folder);
        CU_ASSERT(files > 0);
    }
}

static const struct test_case cases[] = {
    {"planners", test_planners},
    {"readers", test_readers},
};

TESTING_MAIN("harness/allocations", cases)
