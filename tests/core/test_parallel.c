#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/testing.h"

enum { MOST_CALLS = 1000 };

struct calls {
    _Atomic uint32_t count[MOST_CALLS], all;
    uint32_t order[MOST_CALLS];
    pthread_t caller;
    _Atomic bool has_helped; /* another thread has made a call */
};

static void note_call(void *context, uint32_t i)
{
    struct calls *calls = context;
    calls->order[calls->all++] = i;
    calls->count[i]++;
    if (!pthread_equal(pthread_self(), calls->caller))
        calls->has_helped = true;
}

static void run_calls(struct calls *calls, uint32_t threads, uint32_t count)
{
    *calls = (struct calls){.caller = pthread_self()};
    parallel_run(threads, count, note_call, calls);
}

static bool has_made_each_once(const struct calls *calls, uint32_t count)
{
    bool once = calls->all == count;
    for (uint32_t i = 0; i < MOST_CALLS; i++)
        once &= calls->count[i] == (i < count);
    return once;
}

static void each_call_is_made_once(void)
{
    static const uint32_t threads[] = {0, 1, 2, 7, 500, UINT32_MAX};
    static const uint32_t counts[] = {0, 1, 5, MOST_CALLS};
    static struct calls calls;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            run_calls(&calls, threads[t], counts[c]);
            CU_ASSERT(has_made_each_once(&calls, counts[c]));
        }
}

static void one_thread_goes_in_order(void)
{
    static struct calls calls;
    run_calls(&calls, 1, MOST_CALLS);
    CU_ASSERT_FALSE(calls.has_helped);
    for (uint32_t i = 0; i < MOST_CALLS; i++)
        CU_ASSERT_EQUAL(calls.order[i], i);
}

/* Waits until the other call has begun, too. */
static void meet(void *context, uint32_t i)
{
    _Atomic uint32_t *begun = context;
    (void)i;
    for (++*begun; *begun < 2;)
        sched_yield();
}

static void calls_run_at_once(void)
{
    _Atomic uint32_t begun = 0;
    parallel_run(2, 2, meet, &begun);
    CU_ASSERT_EQUAL(begun, 2);
}

/* The stack of another thread has no room in the address space that is left. Sanitizers need some
   themselves. */
static void the_caller_does_it_alone(void)
{
    static struct calls calls;
    if (!TESTING_COUNT(1, 0))
        return;
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (!child) {
        const struct rlimit none = {1, 1};
        if (setrlimit(RLIMIT_AS, &none))
            _exit(2);
        run_calls(&calls, UINT32_MAX, MOST_CALLS);
        _exit(!has_made_each_once(&calls, MOST_CALLS) || calls.has_helped);
    }
    int ending;
    CU_ASSERT_EQUAL(waitpid(child, &ending, 0), child);
    CU_ASSERT(WIFEXITED(ending) && WEXITSTATUS(ending) == 0);
}

static const struct test_case cases[] = {
    /* First, since stacks of threads that have ended are kept for others. */
    {"the caller does it alone", the_caller_does_it_alone},
    {"each call is made once", each_call_is_made_once},
    {"one thread goes in order", one_thread_goes_in_order},
    {"calls run at once", calls_run_at_once},
};

TESTING_MAIN("core/parallel", cases)
