#include "core/process/descriptors.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/testing.h"

static bool is_open(int descriptor)
{
    return fcntl(descriptor, F_GETFD) >= 0;
}

/* In a process of its own, whose exit code says which of [5, 12) are open: a bit for each. */
static int run_closing(int kept, int also_kept)
{
    int ended = 0;
    pid_t child = fork();
    if (child == 0) {
        int open_ones = 0;
        for (int descriptor = 5; descriptor < 12; descriptor++)
            dup2(STDERR_FILENO, descriptor);
        descriptors_close_others(kept, also_kept);
        for (int descriptor = 5; descriptor < 12; descriptor++)
            open_ones |= is_open(descriptor) << (descriptor - 5);
        _exit(is_open(STDIN_FILENO) && is_open(STDOUT_FILENO) && is_open(STDERR_FILENO) ? open_ones
                                                                                        : 255);
    }
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &ended, 0), child);
    return WEXITSTATUS(ended);
}

static void all_but_some_are_closed(void)
{
    CU_ASSERT_EQUAL(run_closing(-1, -1), 0);
    CU_ASSERT_EQUAL(run_closing(5, -1), 1);
    CU_ASSERT_EQUAL(run_closing(-1, 7), 4);
    CU_ASSERT_EQUAL(run_closing(7, 8), 12);
    CU_ASSERT_EQUAL(run_closing(11, 5), 65);
    CU_ASSERT_EQUAL(run_closing(6, 6), 2);
    CU_ASSERT_EQUAL(run_closing(STDERR_FILENO, 6), 2);
}

static const struct test_case cases[] = {{"all but some are closed", all_but_some_are_closed}};

TESTING_MAIN("core/process/descriptors", cases)
