#include "cli/output/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/plural.h"
#include "harness/job/fault.h"

enum { MOST_LINES = 200 };

struct progress progress_start(void)
{
    return (struct progress){.terminal = isatty(STDERR_FILENO), .began_ns = clock_monotonic_ns()};
}

/* What the handler of a signal needs. Children, which inherit the handler, say nothing. */
static char advice[128];
static pid_t advised;

static void advise_and_end(int number)
{
    if (getpid() == advised && write(STDERR_FILENO, advice, strlen(advice)) < 0)
        advised = 0;
    raise(number);
}

void progress_advise_on_interrupt(const char *with)
{
    struct sigaction old, action = {.sa_handler = advise_and_end};
    action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
    snprintf(advice, sizeof advice,
             "\nstopped: the same command%s%s goes on with what is missing\n",
             *with ? " with " : "", with);
    advised = getpid();
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
}

static double estimate_remaining_s(const struct progress *progress,
                                   const struct matrix_progress *now)
{
    uint64_t run = now->done - now->skipped;
    double elapsed_s = (double)(clock_monotonic_ns() - progress->began_ns) / 1e9;
    return run ? elapsed_s / (double)run * (double)(now->jobs - now->done) : 0;
}

static const char *describe_check(const struct matrix_progress *now)
{
    if (fault_found(now->job, now->outcome))
        return ", plan is WRONG";
    return outcome_is_good(now->outcome) ? "" : ", plan is wrong, as its rule is unsafe";
}

static void describe_end(const struct matrix_progress *now, char *text, size_t bytes)
{
    if (*now->error_text)
        snprintf(text, bytes, "%s%s", now->job_failed ? "error: " : "", now->error_text);
    else if (!outcome_found(now->outcome))
        snprintf(text, bytes, "%s%s%s", plan_status_name(now->outcome->status),
                 now->outcome->status == PLAN_CRASH ? ": " : "",
                 now->outcome->status == PLAN_CRASH ? now->outcome->stop_reason : "");
    else
        snprintf(text, bytes, "%llu bytes, %s%s",
                 (unsigned long long)now->outcome->measures.peak_bytes,
                 plan_status_name(now->outcome->status), describe_check(now));
}

static const char *get_instance_name(const struct job *job)
{
    return job->ordered ? job->ordered->name : job->instance->name;
}

static void describe_fault(const struct matrix_progress *now, char text[PROGRESS_FAULT_BYTES])
{
    char sentence[512] = "";
    struct error error = ERROR_NONE;
    if (*now->error_text)
        snprintf(sentence, sizeof sentence, "%s", now->error_text);
    else if (now->outcome->status == PLAN_CRASH)
        snprintf(sentence, sizeof sentence, "%s", now->outcome->stop_reason);
    else if (fault_describe(now->job, now->outcome, sentence, sizeof sentence, &error))
        snprintf(sentence, sizeof sentence, "%.511s", error.text);
    /* Programs that were brought along name themselves. */
    const char *planner = now->job->planner->name;
    size_t named = strlen(planner);
    bool names_itself = strncmp(sentence, planner, named) == 0 && sentence[named] == ':';
    snprintf(text, PROGRESS_FAULT_BYTES, "%s, policy %s: %s%s%s", get_instance_name(now->job),
             job_policy_name(now->job), names_itself ? "" : planner, names_itself ? "" : ": ",
             sentence);
}

void progress_report(void *context, const struct matrix_progress *now)
{
    struct progress *progress = context;
    /* Rows that were there already are only counted: a run that goes on may have very many. */
    if (!now->outcome && !*now->error_text)
        return;
    if (progress->terminal)
        fprintf(stderr, "\r\033[K");
    /* Where there are many jobs, only every hundredth part of them has a line. */
    uint32_t part = now->jobs <= MOST_LINES ? 1 : (now->jobs + 99) / 100;
    bool has_line = !progress->terminal && !progress->is_brief &&
                    (now->done % part == 0 || now->done == now->jobs);
    if (has_line || now->job_failed) {
        /* in one call, since standard error is written as soon as something is printed */
        char end[1024];
        describe_end(now, end, sizeof end);
        fprintf(stderr, "[%u/%u] %s %s %s: %s\n", now->done, now->jobs, get_instance_name(now->job),
                job_policy_name(now->job), now->job->planner->name, end);
    }
    if (now->job_failed && progress->faults++ < PROGRESS_FAULTS)
        describe_fault(now, progress->fault[progress->faults - 1]);
    if (progress->terminal)
        fprintf(stderr, "%u/%u done, %.0f s left, %u failed: %s %s", now->done, now->jobs,
                estimate_remaining_s(progress, now), now->failed, now->job->instance->name,
                now->job->planner->name);
}

void progress_end(const struct progress *progress, const struct matrix_progress *now)
{
    fprintf(stderr, "%s%u job%s, %u already there, %u failed, %.1f s\n",
            progress->terminal ? "\r\033[K" : "", now->jobs, plural_ending(now->jobs), now->skipped,
            now->failed,
            (double)(clock_monotonic_ns() - progress->began_ns + progress->orders_ns) / 1e9);
    for (uint32_t i = 0; i < progress->faults && i < PROGRESS_FAULTS; i++)
        fprintf(stderr, "fault: %s\n", progress->fault[i]);
    if (progress->faults > PROGRESS_FAULTS)
        fprintf(stderr, "and %u more fault%s\n", progress->faults - PROGRESS_FAULTS,
                plural_ending(progress->faults - PROGRESS_FAULTS));
}
