#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/subprocess.h"
#include "harness/catalogue/planners.h"
#include "harness/job/fault.h"
#include "harness/job/workers.h"
#include "harness/jobs.h"
#include "planning/policies/policy.h"
#include "support/must.h"
#include "support/random_problem.h"

/* Planners that end in every way there is. The rule is what they do. */
enum deed {
    PLAN,
    KILL,
    ABORT,
    FAULT,
    LEAVE,
    FAIL,
    STARVE,
    LIE,
    COUNT,
    SOAR,
    KILLED_ONCE,
    WORKER_KILLED_ONCE,
    WORKER_KILLED,
    FLEE,
    FLEE_DEAF,
    STAY
};

static const enum deed deeds[] = {PLAN,          KILL, ABORT,       FAULT,
                                  LEAVE,         FAIL, STARVE,      LIE,
                                  COUNT,         SOAR, KILLED_ONCE, WORKER_KILLED_ONCE,
                                  WORKER_KILLED, FLEE, FLEE_DEAF,   STAY};

/* Times that a planner ran, in all processes. */
static volatile int *runs;

/* What a planner leaves behind: processes that are born and give their numbers. */
enum { LEFT = 2 };
static volatile pid_t *left_behind;

static void pause_briefly(void)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
}

static void flee(bool deaf)
{
    if (fork() == 0) {
        if (deaf)
            signal(SIGTERM, SIG_IGN);
        int index = fork() == 0 ? 0 : 1;
        setsid();
        left_behind[index] = getpid();
        sleep(1000);
        _exit(0);
    }
    while (!left_behind[0] || !left_behind[1])
        pause_briefly();
}

static enum status misbehave(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *found)
{
    void *block;
    switch (*(const enum deed *)planner->rule) {
    case KILL:
        raise(SIGKILL);
        break;
    case ABORT:
        abort();
    case LEAVE:
        _exit(0);
    case FAIL:
        return error_set_at(found, STATUS_BAD_INPUT, "file", 7, "it failed");
    case STARVE:
        for (;;) {
            TRY(memory_create(&block, 1 << 24, 1, found));
            memset(block, 1, 1 << 24);
        }
    case FAULT:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case KILLED_ONCE:
        if (!(*runs)++)
            raise(SIGKILL);
        break;
    case WORKER_KILLED_ONCE:
        if (!(*runs)++)
            kill(getppid(), SIGKILL);
        break;
    case WORKER_KILLED:
        ++*runs;
        kill(getppid(), SIGKILL);
        sleep(1000);
        break;
    case FLEE:
    case FLEE_DEAF:
        flee(*(const enum deed *)planner->rule == FLEE_DEAF);
        break;
    case STAY:
        flee(false);
        sleep(1000);
        break;
    default:
        break;
    }
    uint64_t top = 0;
    for (uint32_t b = 0; b < task->problem->buffers; b++) {
        plan->offset[b] = top;
        top += task->problem->size[b];
    }
    plan->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(plan, task->problem, found));
    plan->measures.peak_bytes -= *(const enum deed *)planner->rule == LIE;
    if (*(const enum deed *)planner->rule == COUNT)
        plan->measures.nodes = (uint64_t)INT64_MAX + 1;
    if (*(const enum deed *)planner->rule == SOAR)
        plan->offset[0] = (uint64_t)INT64_MAX + 1;
    return STATUS_OK;
}

static struct planner make_planner(enum deed deed)
{
    return (struct planner){.name = "deed",
                            .family = "test",
                            .title = "",
                            .source = "",
                            .rule = &deeds[deed],
                            .plan = misbehave};
}

static struct job make_job(const struct instance *instance, const struct planner *planner)
{
    return job_make(instance, instance->graph ? policy_find("recursive") : NULL, planner);
}

static struct instance *make_problem(void)
{
    struct random_state random = random_seed(5);
    const struct random_problem kind = {.most_buffers = 40, .steps = 20, .most_size = 50};
    return jobs_own(NULL, random_problem_create(&kind, &random));
}

/* What a job finds is the same in a process of its own: in pools, split and in place too. */
static void test_same_as_here(void)
{
    static const char *const planners[] = {"short_first", "ge_pool", "exclusive"};
    struct instance *const instances[] = {jobs_load("luna/denoise"), jobs_load("patent/figure4"),
                                          jobs_load("ge/cnn_block"), make_problem()};
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
        for (size_t p = 0; p < sizeof planners / sizeof *planners; p++) {
            struct job job = make_job(instances[i], planners_find(planners[p]));
            job.inplace.rules = inplace_find("nnvm");
            SCOPED(outcome_clear) struct outcome here = jobs_run(&job);
            SCOPED(outcome_clear) struct outcome apart = {0};
            must(workers_run(&job, &apart, &error));
            CU_ASSERT(outcome_is_good(&apart) && apart.samples == 1 && apart.wall_ns[0] > 0);
            jobs_compare(&here, &apart);
        }
        instance_free(instances[i]);
    }
}

static struct outcome run_deed(const struct instance *instance, enum deed deed,
                               uint64_t memory_limit_bytes)
{
    struct outcome outcome;
    const struct planner planner = make_planner(deed);
    struct job job = make_job(instance, &planner);
    job.memory_limit_bytes = memory_limit_bytes;
    must(workers_run(&job, &outcome, &error));
    CU_ASSERT_EQUAL(outcome.samples, 1);
    CU_ASSERT_EQUAL(fault_found(&job, &outcome), outcome.status == PLAN_CRASH || deed == LIE);
    return outcome;
}

static void test_ends(void)
{
    static const struct {
        enum deed deed;
        const char *reason;
    } rows[] = {
        {ABORT, "signal 6"}, {FAULT, "signal 11"}, {LEAVE, "exit code 0"}, {KILL, "signal 9"}};
    struct instance *const instances[] = {jobs_load("luna/denoise"), make_problem()};
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            SCOPED(outcome_clear) struct outcome outcome = run_deed(instances[i], rows[k].deed, 0);
            CU_ASSERT_EQUAL(outcome.status, PLAN_CRASH);
            CU_ASSERT_PTR_NOT_NULL(strstr(outcome.stop_reason, rows[k].reason));
            CU_ASSERT_EQUAL(!outcome.plan, !!instances[i]->graph);
            CU_ASSERT_EQUAL(!outcome.placement, !instances[i]->graph);
        }
        instance_free(instances[i]);
    }
}

/* Numbers that no database holds are an error of the job; what its workers die of is one as well,
   after three tries. */
static void test_errors_come_through(void)
{
    static const struct {
        enum deed deed;
        enum status status;
        const char *text;
    } rows[] = {{FAIL, STATUS_BAD_INPUT, "it failed"},
                {COUNT, STATUS_BAD_INPUT, "planner deed answered with a number above"},
                {SOAR, STATUS_BAD_INPUT, "planner deed answered with a number above"},
                {WORKER_KILLED, STATUS_INTERNAL, "signal 9"}};
    SCOPED(instance_release) struct instance *instance = make_problem();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct planner planner = make_planner(rows[i].deed);
        const struct job job = make_job(instance, &planner);
        struct outcome outcome;
        error = ERROR_NONE;
        *runs = 0;
        CU_ASSERT_EQUAL(workers_run(&job, &outcome, &error), rows[i].status);
        CU_ASSERT_EQUAL(error.status, rows[i].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, rows[i].text));
        CU_ASSERT(rows[i].deed != FAIL || (error.line == 7 && strcmp(error.file, "file") == 0));
        CU_ASSERT(rows[i].deed != WORKER_KILLED || *runs == 3);
    }
}

static void test_memory_limit(void)
{
    static const struct {
        enum deed deed;
        enum plan_status status;
    } rows[] = {{STARVE, PLAN_MEMOUT}, {ABORT, PLAN_CRASH}, {PLAN, PLAN_FEASIBLE}};
    SCOPED(instance_release) struct instance *instance = make_problem();
    for (int i = 0; i < 3 && subprocess_can_limit_memory(); i++) {
        SCOPED(outcome_clear)
        struct outcome outcome = run_deed(instance, rows[i].deed, UINT64_C(100) << 20);
        CU_ASSERT_EQUAL(outcome.status, rows[i].status);
        if (i == 0)
            CU_ASSERT_STRING_EQUAL(outcome.stop_reason, "memory limit");
    }
}

/* A worker or a planner that something else kills does its work again. The plan is checked here,
   whatever the child says of it. */
static void test_killed(void)
{
    static const enum deed once[] = {KILLED_ONCE, WORKER_KILLED_ONCE};
    SCOPED(instance_release) struct instance *instance = make_problem();
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        *runs = 0;
        SCOPED(outcome_clear) struct outcome outcome = run_deed(instance, once[i], 0);
        CU_ASSERT(outcome.status == PLAN_FEASIBLE && *runs == 2);
    }
    SCOPED(outcome_clear) struct outcome lie = run_deed(instance, LIE, 0);
    CU_ASSERT_EQUAL(lie.verdict.fault, VERIFY_WRONG_PEAK);
}

/* Whether they were there and end, which they would not do by themselves. */
static bool all_have_ended(void)
{
    enum { MOST_WAITS = 60000 };
    bool ended = true;
    for (int i = 0; i < LEFT; i++) {
        if (!left_behind[i])
            return false;
        for (int w = 0; w < MOST_WAITS && kill(left_behind[i], 0) == 0; w++)
            pause_briefly();
        ended = ended && kill(left_behind[i], 0) != 0;
        left_behind[i] = 0;
    }
    return ended;
}

/* What a planner starts in a session of its own ends with its job. */
static void test_left_behind(void)
{
    SCOPED(instance_release) struct instance *instance = make_problem();
    for (enum deed deed = FLEE; deed <= FLEE_DEAF; deed++) {
        SCOPED(outcome_clear) struct outcome outcome = run_deed(instance, deed, 0);
        CU_ASSERT_EQUAL(outcome.status, PLAN_FEASIBLE);
        CU_ASSERT_TRUE(all_have_ended());
    }
}

/* Several workers give one answer for each job, whatever happens to them. */
static void test_several(void)
{
    enum { JOBS = 40 };
    static const enum deed kinds[] = {PLAN, ABORT, KILLED_ONCE, WORKER_KILLED_ONCE};
    SCOPED(instance_release) struct instance *instance = make_problem();
    struct planner planner[4];
    struct job job[JOBS];
    bool seen[JOBS] = {false};
    SCOPED(workers_release) struct workers *workers = NULL;
    uint32_t next = 0, left = JOBS;
    *runs = 0;
    for (int i = 0; i < 4; i++)
        planner[i] = make_planner(kinds[i]);
    for (int i = 0; i < JOBS; i++)
        job[i] = make_job(instance, &planner[i % 4]);
    must(workers_create(job, 3, &workers, &error));
    while (left) {
        struct workers_answer answer;
        SCOPED(outcome_clear) struct outcome outcome = {0};
        bool found;
        while (next < JOBS && workers_want(workers))
            must(workers_order(workers, next++, &error));
        must(workers_wait(workers, UINT64_MAX, &error));
        must(workers_take(workers, &found, &answer, &outcome, &error));
        if (!found)
            continue;
        CU_ASSERT_FATAL(answer.job < JOBS && !seen[answer.job] && !answer.status);
        CU_ASSERT_EQUAL(outcome.status, answer.job % 4 == 1 ? PLAN_CRASH : PLAN_FEASIBLE);
        seen[answer.job] = true;
        left--;
    }
}

/* Workers that are given up in the middle take along what they run. */
static void test_given_up(void)
{
    SCOPED(instance_release) struct instance *instance = make_problem();
    const struct planner planner = make_planner(STAY);
    const struct job job = make_job(instance, &planner);
    struct workers *workers;
    must(workers_create(&job, 1, &workers, &error));
    must(workers_order(workers, 0, &error));
    while (!left_behind[0] || !left_behind[1])
        pause_briefly();
    workers_free(workers);
    CU_ASSERT_TRUE(all_have_ended());
}

/* Each of the first allocations fails once, in each of the processes: an error or the right answer,
   and nothing left. */
static void test_no_memory(void)
{
    struct instance *const instances[] = {jobs_load("patent/figure4"), make_problem()};
    for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
        uint64_t live = memory_live_blocks();
        for (uint64_t n = 0; n < 40; n++) {
            struct outcome outcome;
            struct job job = make_job(instances[i], planners_find("naive"));
            memory_fail_after(n);
            enum status status = workers_run(&job, &outcome, &error);
            memory_fail_after(UINT64_MAX);
            CU_ASSERT(status == STATUS_OK || status == STATUS_INTERNAL);
            CU_ASSERT(n > 1 || status);
            if (!status)
                outcome_clear(&outcome);
            CU_ASSERT_EQUAL(memory_live_blocks(), live);
        }
        instance_free(instances[i]);
    }
}

static const struct test_case cases[] = {
    {"same as here", test_same_as_here},
    {"ends", test_ends},
    {"errors come through", test_errors_come_through},

    {"memory limit", test_memory_limit},
    {"killed", test_killed},

    {"left behind", test_left_behind},
    {"several", test_several},
    {"given up", test_given_up},
    {"no memory", test_no_memory},
};

/* In a file, so that all processes have the same. */
static void *share(size_t bytes)
{
    FILE *file = tmpfile();
    if (!file || ftruncate(fileno(file), (off_t)bytes) != 0)
        return MAP_FAILED;
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
}

int main(void)
{
    void *shared = share(sizeof *runs), *numbers = share(LEFT * sizeof *left_behind);
    if (shared == MAP_FAILED || numbers == MAP_FAILED)
        return EXIT_FAILURE;
    runs = shared;
    left_behind = numbers;
    return testing_run("harness/workers", cases, sizeof cases / sizeof *cases);
}
