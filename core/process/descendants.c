#include "core/process/descendants.h"

#ifdef __linux__
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void descendants_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool kill_child(pid_t child)
{
    return kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child;
}

static bool ask_child(pid_t child)
{
    return kill(child, SIGTERM) == 0;
}

/* Treats all children; false where there is none, or treating failed for each of them. A child
   whose number is cut off by the end of the buffer is left to another call. */
static bool for_each_child(bool (*treat)(pid_t child))
{
    char list[4096];
    bool treated = false;
    pid_t child = 0;
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, list, sizeof list);
    if (file >= 0)
        close(file);
    for (ssize_t i = 0; i < length; i++) {
        if (list[i] >= '0' && list[i] <= '9') {
            child = child * 10 + (list[i] - '0');
        } else if (child) {
            treated = treat(child) || treated;
            child = 0;
        }
    }
    return treated;
}

void descendants_kill(void)
{
    enum { MOST_GENERATIONS = 10000 };
    for (int i = 0; i < MOST_GENERATIONS && for_each_child(kill_child); i++)
        continue;
}

/* Reaps the children that have ended. Whether there are others. */
static bool some_are_left(void)
{
    pid_t ended;
    do
        ended = waitpid(-1, NULL, WNOHANG);
    while (ended > 0);
    return ended == 0;
}

void descendants_end(void)
{
    enum { MOST_MS = 1000 };
    static const struct timespec pause = {.tv_nsec = 1000000};
    if (!some_are_left())
        return;
    for_each_child(ask_child);
    for (int i = 0; i < MOST_MS && some_are_left(); i++)
        nanosleep(&pause, NULL);
    descendants_kill();
}
#else
void descendants_adopt(void)
{
}

void descendants_kill(void)
{
}

void descendants_end(void)
{
}
#endif
