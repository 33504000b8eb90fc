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

static bool memory_ran_out(uint64_t memory_kills_before)
{
    uint64_t memory_kills = ending_memory_kills();
    return memory_kills == UINT64_MAX || memory_kills != memory_kills_before;
}

static struct ending judge_signal(int number, uint64_t memory_kills)
{
    struct ending ending = {.kind = ENDING_CRASH};
    if (number == SIGKILL && memory_ran_out(memory_kills)) {
        ending.kind = ENDING_MEMORY;
        snprintf(ending.reason, sizeof ending.reason, "signal %d (%s), out of memory", number,
                 strsignal(number));
    } else {
        ending.kind = number == SIGKILL ? ENDING_SOMEBODY : ENDING_CRASH;
        snprintf(ending.reason, sizeof ending.reason, "signal %d (%s)", number, strsignal(number));
    }
    return ending;
}

struct ending ending_judge(const struct subprocess_result *result, uint64_t memory_kills)
{
    struct ending ending = {.kind = ENDING_CRASH};
    if (result->out_of_time) {
        ending.kind = ENDING_TIME;
        snprintf(ending.reason, sizeof ending.reason, "killed after the time limit");
    } else if (result->signal) {
        ending = judge_signal(result->signal, memory_kills);
    } else {
        snprintf(ending.reason, sizeof ending.reason, "ended without an answer, exit code %d",
                 result->exit_code);
    }
    return ending;
}
