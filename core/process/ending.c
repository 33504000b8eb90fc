#include "core/process/ending.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t ending_memory_kills(void)
{
    static const char name[] = "\noom_kill ";
    char text[16384];
    size_t length = 0;
    ssize_t more = 0;
    int file = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return UINT64_MAX;
    while (length < sizeof text - 1 &&
           (more = read(file, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)more;
    close(file);
    text[length] = '\0';
    const char *found = strstr(text, name);
    return found ? strtoull(found + sizeof name - 1, NULL, 10) : UINT64_MAX;
}

struct ending ending_judge(const struct subprocess_result *result, uint64_t memory_kills)
{
    struct ending ending = {.kind = ENDING_CRASH};
    bool memory_ran_out = false;
    if (result->out_of_time) {
        ending.kind = ENDING_TIME;
        snprintf(ending.reason, sizeof ending.reason, "killed after the time limit");
    } else if (result->signal) {
        if (result->signal == SIGKILL) {
            uint64_t now = ending_memory_kills();
            memory_ran_out = now == UINT64_MAX || now != memory_kills;
            ending.kind = memory_ran_out ? ENDING_MEMORY : ENDING_SOMEBODY;
        }
        snprintf(ending.reason, sizeof ending.reason, "signal %d (%s)%s", result->signal,
                 strsignal(result->signal), memory_ran_out ? ", out of memory" : "");
    } else {
        snprintf(ending.reason, sizeof ending.reason, "ended without an answer, exit code %d",
                 result->exit_code);
    }
    return ending;
}
