#include "core/process/subprocess_task.h"

#include <errno.h>
#include <unistd.h>

bool subprocess_can_limit_memory(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false;
#else
    return true;
#endif
}

bool subprocess_send(int answer, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t written = write(answer, at, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            length -= (size_t)written;
        }
    }
    return true;
}
