#include "core/process/subprocess.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "support/must.h"

static const uint64_t second_ns = UINT64_C(1000000000);

static const struct subprocess_task silent = {
    .output = SUBPROCESS_NOTHING, .errors = SUBPROCESS_KEPT, .deadline_ns = UINT64_MAX};

static struct subprocess_task make_function(subprocess_function *function, const void *context)
{
    struct subprocess_task task = silent;
    task.function = function;
    task.context = context;
    return task;
}

static struct subprocess_result run(const struct subprocess_task *task)
{
    struct subprocess_result result;
    must(subprocess_run(task, &result, &error));
    return result;
}

static struct subprocess_result run_shell(struct subprocess_task task, const char *script)
{
    char *const words[] = {"sh", "-c", (char *)script, NULL};
    task.words = words;
    return run(&task);
}

/* Whether nobody is left that holds the writing end of the pipe, as all of a group's processes do
   that inherited it: they would sleep much longer than this waits. */
static bool all_have_ended(int ends[2])
{
    struct pollfd watched = {.fd = ends[0], .events = POLLIN};
    close(ends[1]);
    int ended = poll(&watched, 1, 60000);
    close(ends[0]);
    return ended == 1;
}

static int send_much(const void *context, int answer)
{
    static char bytes[300000];
    memset(bytes, *(const char *)context, sizeof bytes);
    return subprocess_send(answer, bytes, sizeof bytes) ? 3 : 4;
}

static int abort_here(const void *context, int answer)
{
    (void)context;
    subprocess_send(answer, "half", 4);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void a_function_answers_or_dies(void)
{
    struct subprocess_task task = make_function(send_much, "x");
    struct subprocess_result result = run(&task);
    CU_ASSERT(!result.out_of_time && !result.signal && result.exit_code == 3);
    CU_ASSERT_EQUAL_FATAL(result.answer.length, 300000);
    CU_ASSERT(strspn(result.answer.bytes, "x") == 300000);
    text_free(&result.answer);
    task.function = abort_here;
    result = run(&task);
    CU_ASSERT(!result.out_of_time && result.signal == SIGABRT && result.exit_code == 0);
    CU_ASSERT_EQUAL(result.answer.length, 4);
    text_free(&result.answer);
}

static int print(const void *context, int answer)
{
    (void)context;
    (void)answer;
    printf("to be flushed");
    fprintf(stderr, "%d", getchar());
    return 0;
}

static void streams_of_a_function(void)
{
    char bytes[64] = "";
    int ends[2];
    struct subprocess_task task = make_function(print, NULL);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    task.output = ends[1];
    struct subprocess_result result = run(&task);
    CU_ASSERT_STRING_EQUAL(result.complaint, "-1");
    CU_ASSERT_EQUAL(read(ends[0], bytes, sizeof bytes - 1), 13);
    CU_ASSERT_STRING_EQUAL(bytes, "to be flushed");
    task.input = "A";
    result = run(&task);
    CU_ASSERT_STRING_EQUAL(result.complaint, "65");
    close(ends[0]);
    close(ends[1]);
}

static int allocate_much(const void *context, int answer)
{
    void *block = malloc(*(const size_t *)context);
    subprocess_send(answer, block ? "y" : "n", 1);
    free(block);
    return 0;
}

static volatile sig_atomic_t stopped;

static int spin(const void *context, int answer)
{
    (void)answer;
    signal(SIGXCPU, SIG_DFL);
    (void)context;
    while (!stopped)
        continue;
    return 0;
}

static void memory_and_cpu_time_are_limited(void)
{
    const size_t size_bytes = (size_t)200 << 20;
    struct subprocess_task task = make_function(allocate_much, &size_bytes);
    struct subprocess_result result;
    for (int limited = 0; limited < 2; limited++) {
        task.memory_limit_bytes = limited ? UINT64_C(100) << 20 : 0;
        result = run(&task);
        bool refused = limited && subprocess_can_limit_memory();
        CU_ASSERT_STRING_EQUAL(result.answer.bytes, refused ? "n" : "y");
        text_free(&result.answer);
    }
    task = make_function(spin, NULL);
    task.cpu_limit_s = 1;
    result = run(&task);
    CU_ASSERT(!result.out_of_time && (result.signal == SIGXCPU || result.signal == SIGKILL));
}

static int hang(const void *context, int answer)
{
    if (context)
        fork();
    subprocess_send(answer, "a", 1);
    while (!stopped)
        pause();
    return 0;
}

/* What the function has started goes with it, at its deadline or where it is cancelled. */
static void a_function_is_killed(void)
{
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        int ends[2];
        struct subprocess_task task = make_function(hang, "with another");
        struct subprocess process;
        struct subprocess_result result;
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        task.kept = ends[1];
        if (cancelled) {
            must(subprocess_start(&task, &process, &error));
            subprocess_cancel(&process);
        } else {
            task.deadline_ns = clock_deadline_ns(second_ns / 20);
            result = run(&task);
            CU_ASSERT(result.out_of_time && result.signal == SIGKILL);
            CU_ASSERT(clock_left_ns(task.deadline_ns) == 0);
            text_free(&result.answer);
        }
        CU_ASSERT(all_have_ended(ends));
    }
}

static void a_program_ends(void)
{
    char *const words[] = {"there-is-no-such-program", NULL};
    struct subprocess_task missing = silent;
    missing.words = words;
    CU_ASSERT_EQUAL(run(&missing).start_errno, ENOENT);
    struct subprocess_result result = run_shell(silent, "exit 7");
    CU_ASSERT(!result.out_of_time && !result.signal && result.exit_code == 7);
    CU_ASSERT_STRING_EQUAL(result.complaint, "");
    result = run_shell(silent, "kill -KILL $$");
    CU_ASSERT(!result.out_of_time && result.signal == SIGKILL && result.exit_code == 0);
}

static void the_end_of_complaints_is_kept(void)
{
    struct subprocess_result result =
        run_shell(silent, "echo not me; printf ' it\\n\\n\\tis  wrong \\n' >&2");
    CU_ASSERT_STRING_EQUAL(result.complaint, "it is wrong");
    result = run_shell(silent, "for i in 1 2 3 4 5 6 7 8 9; do printf '%0100d' 0 >&2; done;"
                               "printf last >&2");
    CU_ASSERT_EQUAL(strlen(result.complaint), SUBPROCESS_COMPLAINT_BYTES - 1);
    CU_ASSERT_EQUAL(strncmp(result.complaint, "...0", 4), 0);
    CU_ASSERT_STRING_EQUAL(result.complaint + SUBPROCESS_COMPLAINT_BYTES - 1 - 5, "0last");
}

static void a_program_reads_its_input(void)
{
    char bytes[64] = "";
    int ends[2];
    struct subprocess_task task = silent;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    task.output = ends[1];
    task.input = "one\ntwo\n";
    CU_ASSERT_EQUAL(run_shell(task, "tr a-z A-Z").exit_code, 0);
    CU_ASSERT_EQUAL(read(ends[0], bytes, sizeof bytes - 1), 8);
    CU_ASSERT_STRING_EQUAL(bytes, "ONE\nTWO\n");
    close(ends[0]);
    close(ends[1]);
    task = silent;
    CU_ASSERT_EQUAL(run_shell(task, "read line").exit_code, 1);
}

/* More than a pipe holds, to somebody who does not read it. */
static void input_that_is_not_read(void)
{
    static char input[200001];
    struct subprocess_task task = silent;
    memset(input, 'x', sizeof input - 1);
    task.input = input;
    CU_ASSERT_EQUAL(run_shell(task, "exit 0").exit_code, 0);
    CU_ASSERT_STRING_EQUAL(run_shell(task, "wc -c >&2").complaint, "200000");
}

static void a_program_is_killed_with_its_group(void)
{
    static const char *const scripts[] = {"sleep 1000 & sleep 1000", "sleep 1000 & exit 0",
                                          "setsid sleep 1000 & sleep 1000",
                                          "setsid sleep 1000 & sleep 0.1"};
    for (int i = 0; i < 4; i++) {
        bool hangs = i % 2 == 0;
        int ends[2];
        struct subprocess_task task = silent;
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        if (hangs)
            task.deadline_ns = clock_deadline_ns(second_ns / 2);
        struct subprocess_result result = run_shell(task, scripts[i]);
        CU_ASSERT_EQUAL(result.out_of_time, hangs);
        CU_ASSERT(all_have_ended(ends));
    }
}

/* Somebody who leaves the group and keeps the pipe is not waited for, and killed on Linux. */
static void complaints_are_not_waited_for(void)
{
    char *const has_setsid[] = {"setsid", "true", NULL};
    struct subprocess_task task = silent;
    task.words = has_setsid;
    if (run(&task).start_errno)
        return;
    struct subprocess_result result = run_shell(
        silent, "echo $(setsid sh -c 'echo $$; exec sleep 1000 >/dev/null' &) >&2; exit 5");
    long sleeper = strtol(result.complaint, NULL, 10);
    CU_ASSERT_EQUAL(result.exit_code, 5);
    CU_ASSERT_FATAL(sleeper > 1);
#ifdef __linux__
    CU_ASSERT_EQUAL(kill((pid_t)sleeper, 0), -1);
#else
    kill((pid_t)sleeper, SIGKILL);
#endif
}

static void write_word(const void *context)
{
    (void)!write(*(const int *)context, "clean", 5);
}

/* Cleaned up after a program that is killed, and not after one that ends by itself. */
static void it_is_cleaned_up_after_a_program(void)
{
    static const char *const scripts[] = {"exit 0", "sleep 1000"};
    for (int killed = 0; killed < 2; killed++) {
        char bytes[8] = "";
        int ends[2];
        struct subprocess_task task = silent;
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        task.clean = write_word;
        task.context = &ends[1];
        task.deadline_ns = killed ? clock_deadline_ns(second_ns / 10) : UINT64_MAX;
        CU_ASSERT_EQUAL(run_shell(task, scripts[killed]).out_of_time, killed);
        close(ends[1]);
        CU_ASSERT_EQUAL(read(ends[0], bytes, sizeof bytes), killed ? 5 : 0);
        close(ends[0]);
    }
}

static int start_and_die(const void *context, int answer)
{
    char *const words[] = {"sh", "-c", "sleep 1000 & setsid sleep 1000 & sleep 1000", NULL};
    struct subprocess_task program = silent, function = make_function(hang, NULL);
    struct subprocess ignored[2];
    char byte;
    (void)answer;
    program.words = words;
    function.kept = *(const int *)context;
    if (subprocess_start(&program, &ignored[0], &error) ||
        subprocess_start(&function, &ignored[1], &error))
        return 1;
    return read(ignored[1].answer, &byte, 1) == 1 ? 0 : 1;
}

static void they_die_with_their_parent(void)
{
#ifdef __linux__
    int ends[2] = {-1, -1};
    struct subprocess_task task = make_function(start_and_die, &ends[1]);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    task.kept = ends[1];
    struct subprocess_result result = run(&task);
    CU_ASSERT_EQUAL(result.exit_code, 0);
    text_free(&result.answer);
    CU_ASSERT(all_have_ended(ends));
#endif
}

static int wait_for_byte(const void *context, int answer)
{
    char byte;
    ssize_t length = read(*(const int *)context, &byte, 1);
    return length == 1 && subprocess_send(answer, &byte, 1) ? 0 : 1;
}

/* They end in the order in which they are told to. */
static void several_at_a_time(void)
{
    enum { PROCESSES = 4 };
    static const uint32_t order[PROCESSES] = {2, 0, 3, 1};
    int ends[PROCESSES][2];
    struct subprocess process[PROCESSES], *running[PROCESSES];
    for (uint32_t i = 0; i < PROCESSES; i++) {
        CU_ASSERT_EQUAL_FATAL(pipe(ends[i]), 0);
        struct subprocess_task task = make_function(wait_for_byte, &ends[i][0]);
        task.kept = ends[i][0];
        must(subprocess_start(&task, &process[i], &error));
        running[i] = &process[i];
    }
    for (uint32_t left = PROCESSES; left; left--) {
        struct subprocess_result result;
        uint32_t next = order[PROCESSES - left], ended;
        char byte = (char)('a' + next);
        CU_ASSERT_EQUAL_FATAL(write(ends[next][1], &byte, 1), 1);
        must(subprocess_wait_for_one(running, left, &ended, &error));
        CU_ASSERT_PTR_EQUAL(running[ended], &process[next]);
        must(subprocess_finish(running[ended], &result, &error));
        CU_ASSERT_EQUAL(result.exit_code, 0);
        CU_ASSERT(result.answer.length == 1 && *result.answer.bytes == byte);
        text_free(&result.answer);
        running[ended] = running[left - 1];
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        close(ends[i][0]);
        close(ends[i][1]);
    }
}

static void no_memory(void)
{
    const struct subprocess_task task = make_function(send_much, "x");
    uint64_t live = memory_live_blocks();
    enum status status = STATUS_INTERNAL;
    for (uint64_t n = 0; status; n++) {
        struct subprocess_result result;
        memory_fail_after(n);
        status = subprocess_run(&task, &result, &error);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT(status ? error_is_no_memory(&error) : n > 1);
        if (!status)
            text_free(&result.answer);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
    }
}

static const struct test_case cases[] = {
    {"a function answers or dies", a_function_answers_or_dies},
    {"streams of a function", streams_of_a_function},
    {"memory and CPU time are limited", memory_and_cpu_time_are_limited},
    {"a function is killed", a_function_is_killed},
    {"a program ends", a_program_ends},
    {"the end of complaints is kept", the_end_of_complaints_is_kept},
    {"a program reads its input", a_program_reads_its_input},
    {"input that is not read", input_that_is_not_read},

    {"a program is killed with its group", a_program_is_killed_with_its_group},
    {"complaints are not waited for", complaints_are_not_waited_for},
    {"it is cleaned up after a program", it_is_cleaned_up_after_a_program},
    {"they die with their parent", they_die_with_their_parent},
    {"several at a time", several_at_a_time},

    {"no memory", no_memory},
};

TESTING_MAIN("core/process/subprocess", cases)
