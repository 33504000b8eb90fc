#include "core/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_thread_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_deadline_ns(uint64_t limit_ns)
{
    uint64_t now = clock_monotonic_ns();
    return limit_ns < UINT64_MAX - now ? now + limit_ns : UINT64_MAX;
}

uint64_t clock_left_ns(uint64_t deadline_ns)
{
    if (deadline_ns == UINT64_MAX)
        return UINT64_MAX;
    uint64_t now = clock_monotonic_ns();
    return now < deadline_ns ? deadline_ns - now : 0;
}
