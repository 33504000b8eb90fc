#define _GNU_SOURCE
#include "core/process/descriptors.h"

#include <limits.h>
#include <unistd.h>

/* Closes all descriptors from first to last; where the system has no call for that, only the low
   ones that programs usually have. */
static void close_range_of(int first, int last)
{
    enum { USUAL = 1024 };
    if (first > last)
        return;
#ifdef __linux__
    if (close_range((unsigned)first, (unsigned)last, 0) == 0)
        return;
#endif
    for (int descriptor = first; descriptor <= last && descriptor < USUAL; descriptor++)
        close(descriptor);
}

void descriptors_close_others(int kept, int also_kept)
{
    int lower = kept < also_kept ? kept : also_kept, upper = kept < also_kept ? also_kept : kept;
    int first = STDERR_FILENO + 1;
    if (lower >= first) {
        close_range_of(first, lower - 1);
        first = lower + 1;
    }
    if (upper >= first) {
        close_range_of(first, upper - 1);
        first = upper + 1;
    }
    close_range_of(first, INT_MAX);
}
